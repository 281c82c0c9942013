"""Bots join by name: own ones, entry points, Python classes, commands; what is none is refused."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from playing import PATIENT, at_first_decision, place_of, play

from fugger import BotError, Game
from fugger.bots import Past, bot_named
from fugger.bots.joining import Company, check_bot, player_named
from fugger.bots.players import Forfeit, LevelPlayer
from fugger.bots.programs import Program

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"

MODULE = '''
import os, sys, time
from fugger.bots import bot_named
from fugger.rules.actions import actions_in, legal_actions

class First:
    """Takes the first legal action, and chats."""
    name = "first"

    def choose(self, observation):
        print("thinking aloud")
        os.write(1, b"and in C\\n")
        return actions_in(legal_actions(observation))[0]

class Clumsy(First):
    def __init__(self, seed):
        self.seed = seed

    def choose(self, observation):
        return {}[self.seed]

class Quitter(First):
    def choose(self, observation):
        sys.exit("enough")

class Mute(First):
    def choose(self, observation):
        return None

class Reader(First):
    def choose(self, observation):
        return input()

class Shop:
    First = First

def greedy(seed):
    return bot_named("greedy", seed)

def nothing(seed):
    return None

number = 5
'''


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, with a module `elsewhere` of bots."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("import no_such_thing")
    (tmp_path / "wrong.py").write_text("1 / 0")
    return tmp_path


@pytest.fixture
def company():
    with Company(PATIENT) as company:
        yield company


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """What an installer leaves behind for a package with an entry point `thrifty`."""
    info = folder / "thrifty-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thrifty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[fugger.bots]\nthrifty = {value}\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))


@pytest.mark.parametrize("name", ["greedy", "banker", "search:simulations=10"])
def test_this_package_s_bots_play_in_this_process(name):
    assert isinstance(player_named(name), LevelPlayer)


def test_a_command_plays(company):
    command = f"{sys.executable} '{EXAMPLE}'"
    assert play([company.sit(command, 0), company.sit("greedy", 0)], seed=1).is_over


def test_a_class_plays(here, company):
    assert play([company.sit("elsewhere:First", 0), company.sit("greedy", 0)], seed=1).is_over


def test_a_class_in_a_class_plays(here, company):
    players = [company.sit("elsewhere:Shop.First", copy) for copy in range(2)]
    assert play(players, seed=1).is_over


def test_an_entry_point_plays(here, company, monkeypatch):
    install(here, monkeypatch, "elsewhere:First")
    assert play([company.sit("thrifty", copy) for copy in range(2)], seed=1).is_over


def test_an_executable_is_found_by_its_name(tmp_path, monkeypatch):
    program = tmp_path / "my-bot"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {EXAMPLE}\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    check_bot("my-bot", PATIENT)


@pytest.mark.parametrize("edition", ["adlung", "rody"])
def test_greedy_chooses_the_same_through_the_adapter(here, company, edition):
    adapted = company.sit("elsewhere:greedy", 0)
    for seed in range(2):
        game, own = Game(3, edition), bot_named("greedy", seed)
        rng = random.Random(seed)
        adapted.begin(place_of(game, 0, seed))
        while not game.is_over:
            game.deal_all(rng)
            if game.player is None:
                continue
            seen = game.observe(game.player)
            action = own.choose(seen)
            assert action == adapted.choose(seen, Past.of(game, game.player))
            game.play(action)


def test_a_copy_is_the_same_whenever_it_sits_down(company):
    assert company.sit("greedy", 0) is company.sit("greedy", 0)
    assert company.sit("greedy", 0) is not company.sit("greedy", 1)


@pytest.mark.parametrize(
    ("bot", "expected"),
    [
        ("Clumsy", "it reports an error: KeyError: 0"),
        ("Quitter", "it reports an error: SystemExit: enough"),
        ("Mute", "it reports an error: it chose None: expected the number of an action"),
        ("Reader", "it reports an error: EOFError: EOF when reading a line"),
        ("nothing", "it reports an error: 'elsewhere:nothing' made None, which has no method"),
    ],
)
def test_what_a_python_bot_does_wrong(here, company, bot, expected):
    player = company.sit(f"elsewhere:{bot}", 0)
    game = at_first_decision()
    player.begin(place_of(game, 0))
    with pytest.raises(Forfeit) as caught:
        player.choose(game.observe(0), None)
    assert expected == str(caught.value)[: len(expected)]
    assert "stderr" not in str(caught.value)  # it would say the same again


def test_the_traceback_of_a_python_bot_is_kept(here, company):
    player = company.sit("elsewhere:Clumsy", 0)
    game = at_first_decision()
    player.begin(place_of(game, 0))
    with pytest.raises(Forfeit) as caught:
        player.choose(game.observe(0), None)
    assert "return {}[self.seed]" in caught.value.stderr


KNOWN = "apprentice, journeyman, trader, factor, banker, greedy, random, "
REST = "module:Class for a Python class, or a command that starts a program"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gredy", f"'gredy' is no bot: expected {KNOWN}{REST}"),
        ("", f"'' is no bot: expected {KNOWN}{REST}"),
        ("search:depth=3", "'depth=3' is no option of a search: expected simulations=NUMBER"),
        ("./no/such/bot", "there is no program './no/such/bot'"),
        ("nobody --fast", "there is no program 'nobody'"),
        ("/" + "x" * 5000, "there is no program '/xxx"),
        ("./a\0b", r"there is no program './a\x00b'"),
        ("/", "'/' can't be executed"),
        (5, "'5' is no bot"),
        ("  /no", "there is no program '/no'"),
        ("bot 'half", '"bot \'half" is no command: no closing quotation'),
        (
            "./elsewhere.py",
            "'./elsewhere.py' can't be executed: make it executable, or say what runs it",
        ),
        (
            "nowhere:Bot",
            "'nowhere:Bot' can't play: it reports an error: there is no module 'nowhere'",
        ),
        (
            "elsewhere:Bot",
            "'elsewhere:Bot' can't play: it reports an error: 'elsewhere' has no 'Bot'",
        ),
        (
            "elsewhere:number",
            "'elsewhere:number' is 5: expected a class, or a function from a seed to a bot",
        ),
        (
            "broken:Bot",
            "it reports an error: ModuleNotFoundError: No module named 'no_such_thing'",
        ),
        (
            "wrong:Bot",
            "'wrong:Bot' can't play: it reports an error: ZeroDivisionError: division by zero",
        ),
        (f"{sys.executable} -c 1/0", "it ended with exit code 1; its stderr ends: ZeroDivision"),
    ],
)
def test_what_is_no_bot(here, text, expected):
    with pytest.raises(BotError) as caught:
        check_bot(text, PATIENT)
    assert expected in str(caught.value)


def test_installed_bots_are_named_to_whoever_errs(here, monkeypatch):
    install(here, monkeypatch, "elsewhere:First")
    with pytest.raises(BotError, match=f"random, thrifty, {REST}"):
        player_named("thirfty")


def test_an_entry_point_that_is_no_class(here, monkeypatch):
    install(here, monkeypatch, "elsewhere:number")
    with pytest.raises(BotError, match=r"'thrifty' can't play: .* is 5: expected a class"):
        check_bot("thrifty", PATIENT)


def test_a_program_is_not_started_before_its_first_game():
    assert isinstance(player_named("/bin/false"), Program)
