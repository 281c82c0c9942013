"""What a seat may see of a running game's record, and that it sees no more."""

import random
from pathlib import Path

import pytest
from random_play import HABITS, finished_game, steps, trading

from fugger import SPECTATOR, Game, IllegalAction, IllegalDeal, RecordError, SetupError, record
from fugger.dealer import KeyedStream

DATA = Path(__file__).parent / "data"


def running_game(seed, actions=12, habit=trading, **setup):
    game = Game(**setup)
    for _ in steps(game, random.Random(seed), habit):
        if game.actions_taken == actions and game.recipient is None:
            break
    return game


def test_other_hands_and_shipments_are_hidden():
    game = Game(players=2)
    game.deal_all(random.Random(7))
    for token in ("(T)", "J*", "+", "M"):
        (game.deal if game.recipient is not None else game.play)(token)

    everything = "1:W 1:T 1:S 1:J* 2:C 2:C 2:J 2:C* J:S J:M J:C (T) J:J* + 2:M"
    assert everything.split() == game.tokens
    assert [
        "1:W 1:T 1:S 1:J* 2:? 2:? 2:? 2:? J:S J:M J:C (T) J:J* + 2:?",
        "1:? 1:? 1:? 1:? 2:C 2:C 2:J 2:C* J:S J:M J:C (?) J:J* + 2:M",
        "1:? 1:? 1:? 1:? 2:? 2:? 2:? 2:? J:S J:M J:C (?) J:J* + 2:?",
    ] == [" ".join(record.tokens_for(game, seat)) for seat in (0, 1, SPECTATOR)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_hides_as_many_cards_as_the_observation(players):
    for seed in range(6):
        game = running_game(seed, actions=15, players=players)
        for seat in (*range(players), SPECTATOR):
            seen = game.observe(seat)
            unknown_shipments = sum(int(card == -2) for card in seen.shipments.ravel())

            assert unknown_shipments == record.tokens_for(game, seat).count("(?)")


def with_hidden_cards_changed(game, viewer, rng):
    """Another game that looks the same to a viewer, or None if this try comes to nothing."""
    actors = iter(game.actors)
    other = Game(game.players, game.edition, game.first, game.target)
    changes = rng.random() / 3
    try:
        for token in game.tokens:
            recipient, is_deal, card = token.partition(":")
            if is_deal:
                hidden = recipient != "J" and int(recipient) - 1 != viewer
                if hidden and rng.random() < changes:
                    card = rng.choice(list(other.chances))
                other.deal(card)
            elif next(actors) != viewer and token.startswith("("):
                shipments = [action for action in other.legal_actions if action.is_shipment]
                other.play(rng.choice(shipments))
            else:
                other.play(token)
    except (IllegalAction, IllegalDeal, IndexError):
        return None
    return other if other.tokens != game.tokens else None


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_games_that_differ_only_in_hidden_cards_look_the_same(viewer):
    rng = random.Random(viewer)
    pairs = 0
    for seed in range(100):
        game = running_game(seed, actions=8, players=3)
        other = with_hidden_cards_changed(game, viewer, rng)
        if other is None:
            continue
        pairs += 1

        assert record.dumps(game) != record.dumps(other)
        assert record.dumps(game, seat=viewer) == record.dumps(other, seat=viewer)

    assert pairs >= 20


def test_tags_and_comments_that_could_tell_more_are_left_out():
    stream = KeyedStream(bytes(range(32)), ["Fortuna"])
    game = Game(players=2)
    stream.deal_all(game)
    game.tags = {"Seat1": "Anna", "Date": "2026.11.30", "Plan": "ship the wine"}
    game.tags |= stream.tags(reveal=True)
    game.comments = {10: ["Anna holds the jewelry"]}

    for seat in (0, 1, SPECTATOR):
        view = record.dumps(game, seat=seat)
        assert [
            f'[Commitment "{stream.commitment}"]',
            '[Date "2026.11.30"]',
            '[Edition "adlung"]',
            '[First "1"]',
            '[Players "2"]',
            '[Random1 "Fortuna"]',
            '[Rules "1"]',
            '[Seat1 "Anna"]',
            '[Shuffle "hmac-sha256-1"]',
            '[Target "100"]',
        ] == sorted(line for line in view.splitlines() if line.startswith("["))
        assert "{" not in view


def test_when_the_game_is_over_everything_is_shown():
    (game,) = record.load(DATA / "keyed.fgr")

    assert record.dumps(game) == record.dumps(game, seat=1)
    assert game.tokens == record.tokens_for(game, SPECTATOR)


@pytest.mark.parametrize("habit", HABITS)
def test_a_view_is_as_long_as_the_game(habit):
    game = finished_game(3, habit, players=3)
    game.undo()

    assert len(game.tokens) == len(record.tokens_for(game, 0))
    assert [token for token in game.tokens if token.startswith("J:")] == [
        token for token in record.tokens_for(game, 0) if token.startswith("J:")
    ]


def test_a_view_cannot_be_replayed():
    with pytest.raises(RecordError, match="one seat's view of a running game can't be replayed"):
        record.loads(record.dumps(running_game(1, players=3), seat=2))


def test_several_running_games_are_written_as_one_seat_sees_them():
    games = [running_game(seed, players=3) for seed in (1, 2)]

    assert record.dumps(games, seat=1) == "".join(record.dumps(game, seat=1) for game in games)


@pytest.mark.parametrize("seat", [-1, 3, 5, "1", None])
def test_a_view_is_some_seats(seat):
    with pytest.raises(SetupError, match="is no seat: expected 0 to 2, or SPECTATOR"):
        record.tokens_for(Game(players=3), seat)
