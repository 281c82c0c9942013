"""Random games for the tests, through the public API, with habits that make rare things happen."""

import random
from collections.abc import Callable, Iterator

import fugger
from fugger import Action, Game

Habit = Callable[[Game, random.Random], Action]


def at_random(game: Game, rng: random.Random) -> Action:
    return rng.choice(game.legal_actions)


def hoarding(game: Game, rng: random.Random) -> Action:
    """Draws when it can and else plays what keeps the round going: the piles run dry."""
    legal = game.legal_actions
    if legal[0] == Action.DRAW:
        return legal[0]
    counts = game.counts
    return min(
        legal,
        key=lambda action: counts[action.card.good] if action.card and action.card.good else 0,
    )


def trading(game: Game, rng: random.Random) -> Action:
    """Ships and plays merchants when it can."""
    legal = game.legal_actions
    wanted = [action for action in legal if action.is_shipment or action == Action.PLAY_MERCHANT]
    return rng.choice(wanted or legal)


HABITS: tuple[Habit, ...] = (at_random, hoarding, trading)
SETUPS = [(edition, players) for edition in fugger.EDITIONS for players in (2, 3, 4)]


def steps(game: Game, rng: random.Random, habit: Habit = at_random) -> Iterator[str]:
    """Plays a game to its end, yielding every token after its event."""
    while not game.is_over:
        if game.recipient is not None:
            cards, numbers = zip(*game.chances.items(), strict=True)
            game.deal(rng.choices(cards, numbers)[0])
        else:
            game.play(habit(game, rng))
        yield game.tokens[-1]


def finished_game(seed: int, habit: Habit = at_random, **setup: object) -> Game:
    """A whole game."""
    game = Game(**setup)
    for _ in steps(game, random.Random(seed), habit):
        pass
    return game
