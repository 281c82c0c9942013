"""What bots think, remember and do is the same in games that differ only in hidden cards."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from random_play import HABITS, SETUPS, steps
from twins import twins, twins_of_the_pile

from fugger import Game, record
from fugger.bots import LEVELS, POLICIES, Budget, Past, SearchBot, Style, act, bot_named, think
from fugger.bots.levels import SIMULATIONS
from fugger.bots.levels import STYLES as SEARCHED
from fugger.bots.memory import event_of, no_memories
from fugger.rules.state import new_states

STYLES = [
    Style(guesses=False),
    Style(guesses=True),
    Style(playouts="random", rounds=0, guesses=False),
    Style(rounds=1, remembers=False),
]
NOTHING = no_memories().tobytes()


def positions(players, edition, every):
    """Positions of games in which somebody is to act, until long after the pile was turned."""
    for seed, habit in enumerate(HABITS):
        game = Game(players, edition, first=seed % players)
        for _ in steps(game, random.Random(seed), habit):
            if game.player is not None and game.actions_taken % every == seed % every:
                yield game.copy()


def pairs(game):
    """Tellings of a game that differ, but not for whoever is to act."""
    for exchanged in (twins(game), twins_of_the_pile(game)):
        yield from islice(different(game, islice(exchanged, 8), seen=False), 1)


def different(game, exchanged, *, seen):
    """Of twins those with another state, by whether whoever is to act sees it."""
    for twin in exchanged:
        other = twin.games[1]
        if (game.player in twin.seats) == seen and game.state.tobytes() != other.state.tobytes():
            yield other


def bots(seed):
    """Every level afresh, those that search with fewer simulations and all the time they need."""
    for name in (*LEVELS, *POLICIES):
        if name in SIMULATIONS:
            yield SearchBot(name, Budget(60), SEARCHED[name], seed)
        else:
            yield bot_named(name, seed)


def advice(game, seed):
    """All that bots say for whose turn it is, in order."""
    seen, past = game.observe(game.player), Past.of(game, game.player)
    thoughts = [
        think(seen, past.memories(), budget=Budget(60), style=style, seed=seed) for style in STYLES
    ]
    thoughts.append(think(seen, past.memories(), budget=Budget(60, threads=2), seed=seed))
    return thoughts, [act(bot, seen, past) for bot in bots(seed)]


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_bots_think_and_do_the_same_whatever_is_hidden(edition, players):
    compared, remembering = 0, 0
    for game in positions(players, edition, every={2: 14, 3: 40, 4: 70}[players]):
        for other in pairs(game):
            seat = game.player
            assert record.dumps(game, seat=seat) == record.dumps(other, seat=seat)
            assert game.state.tobytes() != other.state.tobytes()
            assert game.observe(seat).tobytes() == other.observe(seat).tobytes()
            memories = Past.of(game, seat).memories().tobytes()
            assert memories == Past.of(other, seat).memories().tobytes()
            assert advice(game, compared) == advice(other, compared)
            compared += 1
            remembering += memories != NOTHING
    assert compared > 5
    assert remembering > 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_no_event_is_anything_hidden_remembered(players):
    compared = 0
    for game in islice(positions(players, "adlung", every=30), 2, None):
        for twin in islice(twins(game), 3):
            for seat in set(range(players)) - set(twin.seats):
                first, second = (list(remembered(telling, seat)) for telling in twin.games)
                assert first == second
                compared += first[-1] != NOTHING
    assert compared > 5


def remembered(game, seat):
    """What a seat remembers after every event."""
    start = new_states(game.edition, game.players, game.first)
    events = [event_of(token) for token in game.tokens]
    for number in range(len(events)):
        yield Past(start, events[: number + 1], seat).memories().tobytes()


def test_the_comparison_would_notice():
    """Whoever holds an exchanged card thinks of other actions."""
    game = next(islice(positions(3, "adlung", every=25), 3, None))
    other = next(different(game, twins(game), seen=True))
    assert advice(game, 0) != advice(other, 0)
