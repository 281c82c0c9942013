"""Deals to a `fugger.Game` the cards that an environment is about to deal."""

from fugger.chance import below
from fugger.playouts import new_deck, next_of_deck


class Dealer:
    """Draws from copies of an environment's generator and deck."""

    def __init__(self, deals, deck):
        self.deals, self.deck = deals.copy(), deck.copy()

    @classmethod
    def of(cls, games, game=0):
        """For what a step is about to deal in some games of a `Vector`."""
        return cls(games.deals[game], games.decks[game])

    @classmethod
    def of_new(cls, deals, state):
        """For a game that is about to begin, whose choices before its first card are drawn."""
        return cls(deals, new_deck(state))

    def below(self, number):
        return below(self.deals, number)

    def deal_all(self, game):
        while game.recipient is not None:
            game.deal(next_of_deck(game.state, self.deals, self.deck))
