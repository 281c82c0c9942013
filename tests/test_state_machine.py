"""Any sequence of calls of the public API leaves a game that another one, told the same, equals."""

import random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fugger import JAKOB, Action, Card, FuggerError, Game, record


class Play(RuleBasedStateMachine):
    @initialize(
        players=st.integers(2, 4),
        edition=st.sampled_from(["adlung", "rody"]),
        first=st.integers(0, 1),
        gulden=st.integers(20, 60),
    )
    def set_up(self, players, edition, first, gulden):
        self.setup = (players, edition, first, gulden)
        self.game = Game(*self.setup)

    @precondition(lambda self: self.game.recipient is not None)
    @rule(data=st.data())
    def deal(self, data):
        self.game.deal(data.draw(st.sampled_from(list(self.game.chances))))

    @precondition(lambda self: self.game.recipient is not None)
    @rule(seed=st.integers(0, 1000))
    def deal_all(self, seed):
        self.game.deal_all(random.Random(seed))

    @precondition(lambda self: self.game.player is not None)
    @rule(data=st.data())
    def play(self, data):
        action = data.draw(st.sampled_from(self.game.legal_actions))
        self.game.play(data.draw(st.sampled_from([action, str(action), int(action)])))

    @rule(action=st.sampled_from(Action))
    def try_any_action(self, action):
        legal = self.game.legal_actions
        before = self.game.tokens
        try:
            self.game.play(action)
        except FuggerError:
            assert action not in legal
            assert before == self.game.tokens
        else:
            assert action in legal

    @rule(card=st.sampled_from(Card))
    def try_any_deal(self, card):
        chances = self.game.chances
        before = self.game.tokens
        try:
            self.game.deal(card)
        except FuggerError:
            assert card not in chances
            assert before == self.game.tokens
        else:
            assert card in chances

    @precondition(lambda self: self.game.actions_taken)
    @rule()
    def undo(self):
        actions = self.game.actions_taken
        self.game.undo()
        assert actions - 1 == self.game.actions_taken
        assert self.game.player is not None

    @rule()
    def record_and_read(self):
        (read,) = record.loads(record.dumps([self.game]))
        assert self.game.state.tobytes() == read.state.tobytes()
        self.game = read

    @invariant()
    def all_cards_are_somewhere(self):
        game = getattr(self, "game", None)
        if game is None:
            return
        piles = [game.draw_pile, game.discard_pile, game.jakob]
        piles += [game.hand(seat) for seat in range(game.players)]
        piles += [game.tableau(seat) for seat in range(game.players)]
        shipped = sum(card is not None for s in range(game.players) for card in game.shipments(s))
        assert 49 == sum(sum(pile.values()) for pile in piles) + shipped

    @invariant()
    def exactly_one_thing_is_next(self):
        game = getattr(self, "game", None)
        if game is None:
            return
        assert 1 == (game.is_over) + (game.player is not None) + (game.recipient is not None)
        assert game.recipient in {None, JAKOB, *range(game.players)}
        assert bool(game.chances) == (game.recipient is not None)
        assert bool(game.winners) == game.is_over
        assert all(1 <= price <= 9 for price in game.prices.values())

    def teardown(self):
        if hasattr(self, "game"):
            again = Game(*self.setup)
            for token in self.game.tokens:
                recipient, deal, card = token.partition(":")
                if deal:
                    assert (JAKOB if recipient == "J" else int(recipient) - 1) == again.recipient
                    again.deal(card)
                else:
                    again.play(token)
            assert again.state.tobytes() == self.game.state.tobytes()


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
