"""Simulations from Python: compiled and interpreted play agree, seeds repeat, records replay."""

import errno
import io

import numpy as np
import pytest
from random_play import SETUPS

from fugger import BotError, EditionError, Game, SeedError, SetupError, record
from fugger.arena import Stopped, simulate
from fugger.arena.match import COLUMNS, EVENTS_END, play_games, working_states
from fugger.arena.recording import RecordFile
from fugger.arena.simulation import CHUNK
from fugger.bots import POLICIES, PolicyBot
from fugger.bots.simple import policy_action
from fugger.chance import below, generator
from fugger.editions import edition_named
from fugger.rules.state import new_states


class Dealt:
    """A source of cards from a generator."""

    def __init__(self, rng):
        self.rng = rng

    def randrange(self, stop):
        return below(self.rng, stop)


def recorded(bots, games, **options):
    """The result of a simulation, and its records."""
    file = io.BytesIO()
    result = simulate(bots, games, records=file, **options)
    return result, file.getvalue()


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_every_record_replays_to_the_reported_money_and_wins(edition, players):
    bots = ["greedy", *["random"] * (players - 1)]
    result, text = recorded(bots, 100, edition=edition, seed=3)

    games = record.loads(text)
    assert 100 == len(games) == result.games
    assert all(game.is_over for game in games)
    for seat, at_seat in enumerate(result.seats):
        money = sum(game.money[seat] for game in games) / 100
        wins = sum(1 / len(game.winners) for game in games if seat in game.winners)
        assert pytest.approx(money) == at_seat.money.mean
        assert pytest.approx(wins / 100) == at_seat.win_share.mean
    assert pytest.approx(1) == sum(at_seat.win_share.mean for at_seat in result.seats)
    assert sum(game.round for game in games) / 100 == result.rounds
    assert sum(game.actions_taken for game in games) / 100 == result.decisions


def test_the_records_are_written_as_any_record_is():
    _, text = recorded(["greedy", "random", "random"], 5, seed=3)

    assert text.decode() == record.dumps(record.loads(text))


def test_the_header_tells_the_simulation_and_who_sits_where():
    _, text = recorded(["greedy", "random"], 2, seed=17, target=40, edition="rody", first=1)

    assert [
        '[Edition "rody"]',
        '[Players "2"]',
        '[First "2"]',
        '[Target "40"]',
        '[Rules "1"]',
        '[Event "simulation, seed 17"]',
        '[Game "2"]',
        '[Seat1 "greedy"]',
        '[Seat2 "random"]',
    ] == text.decode().split("\n\n")[2].splitlines()[:9]


def test_the_starting_seat_moves_on_from_game_to_game():
    _, text = recorded(["random"] * 3, 7, seed=1)

    assert [0, 1, 2, 0, 1, 2, 0] == [game.first for game in record.loads(text)]


def test_the_starting_seat_can_be_fixed():
    _, text = recorded(["random"] * 3, 4, seed=1, first=2)

    assert [2, 2, 2, 2] == [game.first for game in record.loads(text)]


def test_a_seed_fixes_every_byte_whatever_the_number_of_threads():
    games = 10 * CHUNK + 5
    one, text_of_one = recorded(["greedy", "random"], games, seed=4, jobs=1)
    two, text_of_two = recorded(["greedy", "random"], games, seed=4, jobs=2)

    assert text_of_one == text_of_two
    assert one.seats == two.seats


def test_results_are_the_same_without_records():
    result, _ = recorded(["greedy", "random"], 100, seed=4)

    assert result.seats == simulate(["greedy", "random"], 100, seed=4).seats


def test_a_longer_simulation_begins_with_the_games_of_a_shorter_one():
    _, longer = recorded(["random"] * 2, 2 * CHUNK, seed=4)
    _, shorter = recorded(["random"] * 2, CHUNK + 7, seed=4)

    assert longer.startswith(shorter)


def test_other_seeds_play_other_games():
    assert recorded(["random"] * 2, 3, seed=1)[1] != recorded(["random"] * 2, 3, seed=2)[1]


def test_without_a_seed_a_new_one_is_used_and_told():
    result, text = recorded(["random"] * 2, 3)

    assert result.seed != simulate(["random"] * 2, 3).seed
    assert text == recorded(["random"] * 2, 3, seed=result.seed)[1]


def test_long_games_are_recorded_whole():
    result, text = recorded(["random"] * 4, CHUNK, seed=6, target=500)

    games = record.loads(text)
    assert CHUNK == len(games)
    assert sum(game.actions_taken for game in games) == pytest.approx(result.decisions * CHUNK)


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_compiled_bots_choose_as_interpreted_ones_do(edition, players):
    bots = [("greedy", "random")[seat % 2] for seat in range(players)]
    _, text = recorded(bots, 5, seed=11, edition=edition)

    cards, choices = Dealt(generator(11, 0)), generator(11, 1)
    at_seats = [PolicyBot(name, POLICIES[name], choices) for name in bots]
    for number, played in enumerate(record.loads(text)):
        game = Game(players, edition, number % players)
        while not game.is_over:
            game.deal_all(cards)
            if game.player is not None:
                game.play(at_seats[game.player].choose(game.observe(game.player)))
        assert played.tokens == game.tokens


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_loop_plays_the_same_compiled_and_interpreted(players):
    runs = []
    for loop in (play_games.interpreted, play_games):
        states, outcomes = working_states(), np.zeros((2, COLUMNS), np.int64)
        events, policies = np.zeros(1000, np.uint8), np.arange(players) % len(POLICIES)
        starts = new_states(edition_named("adlung"), players)
        deals, choices = generator(5, 0), generator(5, 1)
        number = loop(starts, states, policies, 0, deals, choices, outcomes, events)
        runs.append(
            [number, *(array.tobytes() for array in (states, deals, choices, outcomes, events))]
        )

    assert runs[0] == runs[1]


def test_events_without_room_are_counted():
    outcomes, events = np.zeros((3, COLUMNS), np.int64), np.zeros(10, np.uint8)
    policies = np.zeros(2, np.int64)
    starts = new_states(edition_named("adlung"), 2)
    needed = play_games(
        starts, working_states(), policies, 0, generator(5), generator(6), outcomes, events
    )

    assert needed == outcomes[-1, EVENTS_END] > 10
    assert events.all()


def test_the_player_is_shown_an_observation():
    states, outcomes = working_states(), np.zeros((1, COLUMNS), np.int64)
    starts, policies = new_states(edition_named("adlung"), 3), np.zeros(3, np.int64)
    no_events = np.zeros(0, np.uint8)
    play_games(starts, states, policies, 0, generator(5), generator(6), outcomes, no_events)

    observation = states[1]
    others = [seat for seat in range(3) if seat != observation.viewer]
    assert observation.player == observation.viewer
    assert observation.hand_size[others].sum() > 0
    assert not observation.hand[others].any()


@pytest.mark.parametrize("name", POLICIES)
def test_every_bot_is_dispatched_to_its_policy(name):
    game = Game(2)
    game.deal_all(Dealt(generator(1)))
    chosen = {
        policy_action(list(POLICIES).index(name), game.observe(0), generator(seed))
        for seed in range(40)
    }

    assert chosen == {POLICIES[name](game.observe(0), generator(seed)) for seed in range(40)}


@pytest.mark.parametrize("edition", ["adlung", "rody"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_beats_random_at_every_seat(edition, players):
    for seat in range(players):
        bots = ["random"] * players
        bots[seat] = "greedy"
        result = simulate(bots, 300, edition=edition, seed=seat)
        assert result.seats[seat].win_share.low > 1.5 / players


def test_no_seat_gains_by_its_place():
    result = simulate(["greedy"] * 3, 5000, seed=8)

    assert all(
        seat.win_share.low - 0.01 < 1 / 3 < seat.win_share.high + 0.01 for seat in result.seats
    )


def test_progress_is_told():
    told = []
    simulate(["random"] * 2, CHUNK + 1, seed=1, on_progress=told.append)

    assert [CHUNK, CHUNK + 1] == told


def stop_after(games):
    def stop(played):
        if played >= games:
            raise KeyboardInterrupt

    return stop


def test_an_interrupted_simulation_keeps_the_games_played(tmp_path):
    file = tmp_path / "games.fgr"
    with pytest.raises(Stopped, match=f"^stopped after {2 * CHUNK} games$") as stopped:
        simulate(
            ["random"] * 2,
            10**9,
            seed=5,
            records=file,
            jobs=2,
            on_progress=stop_after(2 * CHUNK),
        )

    result, text = recorded(["random"] * 2, 2 * CHUNK, seed=5)
    assert (2 * CHUNK, False) == (stopped.value.result.games, stopped.value.result.complete)
    assert result.seats == stopped.value.result.seats
    assert text == file.read_bytes()
    assert [file] == list(tmp_path.iterdir())


def test_what_was_written_of_games_not_counted_is_cut_off(tmp_path):
    file = tmp_path / "games.fgr"
    with RecordFile(file) as records:
        records.write(b"counted")
        records.write(b", and not")
        records.cut(7)

    assert b"counted" == file.read_bytes()


def test_an_existing_file_is_replaced(tmp_path):
    file = tmp_path / "games.fgr"
    file.write_bytes(b"old" * 10_000)
    simulate(["random"] * 2, 2, seed=5, records=file)

    assert recorded(["random"] * 2, 2, seed=5)[1] == file.read_bytes()


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    file, link = tmp_path / "games.fgr", tmp_path / "link.fgr"
    file.touch()
    link.symlink_to(file)
    simulate(["random"] * 2, 2, seed=5, records=link)

    assert link.is_symlink()
    assert recorded(["random"] * 2, 2, seed=5)[1] == file.read_bytes()


def test_a_failure_leaves_an_existing_file_as_it_was(tmp_path):
    file = tmp_path / "games.fgr"
    file.write_bytes(b"old")

    def fail(played):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        simulate(["random"] * 2, 2, records=file, on_progress=fail)
    assert b"old" == file.read_bytes()
    assert [file] == list(tmp_path.iterdir())


class FullDisk(io.RawIOBase):
    """A file on a disk that has room for so many bytes and takes a few at a time."""

    name = "/full/games.fgr"

    def __init__(self, room):
        self.room = room

    def writable(self):
        return True

    def write(self, data):
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = min(1000, len(data), self.room)
        self.room -= written
        return written


def test_a_full_disk():
    with pytest.raises(OSError, match="records can't be written: No space left on") as failure:
        simulate(["random"] * 2, 10**9, seed=1, records=FullDisk(100_000))
    assert "/full/games.fgr" == failure.value.filename


@pytest.mark.parametrize(
    ("kind", "message", "options"),
    [
        (BotError, "'deep' is no bot", {"bots": ["deep", "random"]}),
        (SetupError, "players is 1: expected a whole number from 2 to 4", {"bots": ["random"]}),
        (SetupError, "players is 0", {"bots": []}),
        (EditionError, "'french' is no edition", {"edition": "french"}),
        (SetupError, "target is 19", {"target": 19}),
        (SetupError, "first is 2", {"first": 2}),
        (SetupError, "games is 0: expected a whole number from 1$", {"games": 0}),
        (SetupError, "games is 1.5", {"games": 1.5}),
        (SetupError, "jobs is 0: expected a whole number from 1 to 256$", {"jobs": 0}),
        (SetupError, "jobs is 257", {"jobs": 257}),
        (SeedError, r"seed is -1: expected a whole number from 0 to 2\*\*64 - 1", {"seed": -1}),
        (SeedError, "seed is 'x'", {"seed": "x"}),
    ],
)
def test_what_can_t_be_simulated(kind, message, options, tmp_path):
    arguments = {"bots": ["random", "random"], "games": 1, "records": tmp_path / "a.fgr"} | options
    with pytest.raises(kind, match=f"^{message}"):
        simulate(**arguments)
    assert not list(tmp_path.iterdir())
