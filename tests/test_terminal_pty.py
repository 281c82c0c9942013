"""``fugger play`` and ``fugger replay`` in a real pseudo-terminal of 80 columns and 24 lines."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from rich.cells import cell_len

from fugger import record
from fugger.dealer import KeyedStream, Verdict, verify
from fugger.game import Game

PROMPT = "Your choice (? for help): "
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SECONDS = 60
"""How long to wait for what must come: far longer than it takes."""


class Terminal:
    """A terminal in which a command runs."""

    def __init__(self, *arguments: object, **environment: str) -> None:
        self.text = ""
        usual = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "fugger", *map(str, arguments)],
            env={**os.environ, **usual, **environment},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=SECONDS,
        )

    def expect(self, *texts: str) -> int:
        """Waits for one of the texts; which one it was."""
        found = self.process.expect_exact(list(texts))
        self.text += self.process.before + self.process.after
        return found

    def answer(self, text: str, *expected: str) -> int:
        self.process.sendline(text)
        return self.expect(*expected)

    def end(self) -> int | None:
        """Waits for the end of the process; its exit code."""
        self.process.expect_exact(pexpect.EOF)
        self.text += self.process.before
        self.process.close()
        return self.process.exitstatus

    def to_the_end(self) -> int | None:
        """Answers with the first choice until the game is over; the exit code."""
        found = self.expect(PROMPT, "Enter: go on ", "fugger verify")
        while found != 2:
            found = self.answer("" if found else "1", PROMPT, "Enter: go on ", "fugger verify")
        return self.end()

    @property
    def lines(self) -> list[str]:
        """The lines shown, without what controls the terminal."""
        return ESCAPE.sub("", self.text).replace("\r", "").split("\n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FUGGER_DATA_DIR", str(tmp_path))
    for variable in ("NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals that are closed at the end, whatever happens."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.process.close(force=True)


def saved(folder: Path) -> Game:
    (file,) = (folder / "unfinished").glob("*.fgr")
    return record.load(file)[0]


def test_a_whole_game_against_two_bots(folder: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", 11)
    terminals.append(terminal)
    code = terminal.to_the_end()
    (file,) = (folder / "games").glob("*.fgr")
    game = record.load(file)[0]

    assert 0 == code
    assert game.is_over
    assert Verdict.VERIFIED == verify(game).verdict
    assert "Final scoring" in terminal.text
    assert "\x1b[" in terminal.text
    wide = [line for line in terminal.lines if cell_len(line) > 80 and " fugger " not in line]
    assert [] == wide


def test_without_colours_there_are_no_escape_codes(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", 3, "--target", 20, "--players", 2, NO_COLOR="1")
    terminals.append(terminal)

    assert 0 == terminal.to_the_end()
    assert "\x1b" not in terminal.text


def test_a_dumb_terminal_gets_ascii(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", 3, "--target", 20, "--players", 2, TERM="dumb")
    terminals.append(terminal)

    assert 0 == terminal.to_the_end()
    assert terminal.text.isascii()
    assert "\x1b" not in terminal.text


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_by_key_saves(key: str, code: int, folder: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", 5)
    terminals.append(terminal)
    terminal.expect(PROMPT)
    terminal.answer("1", PROMPT)
    before = saved(folder).tokens
    terminal.process.send(key)

    assert code == terminal.end()
    assert " The game is saved. Go on with it: fugger play --resume" in terminal.lines
    assert before == saved(folder).tokens


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_killed_game_is_offered_and_goes_on(
    number: signal.Signals, folder: Path, terminals: list[Terminal]
) -> None:
    killed = Terminal("play", "--seed", 5)
    terminals.append(killed)
    killed.expect(PROMPT)
    killed.answer("1", PROMPT)
    killed.answer("1", PROMPT)
    before = saved(folder).tokens
    killed.process.kill(number)
    killed.end()
    resumed = Terminal("play")
    terminals.append(resumed)
    resumed.expect("n: a new game ")
    resumed.answer("7", "Expected a number from 1 to 1, or n.")
    resumed.answer("1", PROMPT)

    assert "You go on with your game." in resumed.text
    assert before == saved(folder).tokens
    resumed.answer("1", PROMPT)
    assert before == saved(folder).tokens[: len(before)]


def test_a_new_game_can_be_begun_beside_an_unfinished_one(
    folder: Path, terminals: list[Terminal]
) -> None:
    first = Terminal("play", "--seed", 5)
    terminals.append(first)
    first.expect(PROMPT)
    first.process.send("\x04")
    first.end()
    second = Terminal("play", "--seed", 6)
    terminals.append(second)
    second.expect("n: a new game ")
    second.answer("n", PROMPT)

    assert 2 == len(list((folder / "unfinished").glob("*.fgr")))


def test_two_games_at_once_have_each_their_own_file(
    folder: Path, terminals: list[Terminal]
) -> None:
    for _ in range(2):
        terminals.append(Terminal("play", "--seed", 5, "--new", "--players", 2))
        terminals[-1].expect(PROMPT)
    for terminal in terminals:
        terminal.answer("1", PROMPT)
    files = list((folder / "unfinished").glob("*.fgr"))

    assert 2 == len(files)
    assert record.load(files[0])[0].tokens == record.load(files[1])[0].tokens


def test_help_is_shown_page_by_page(terminals: list[Terminal]) -> None:
    terminal = Terminal("play", "--seed", 5)
    terminals.append(terminal)
    terminal.expect(PROMPT)
    pages = 1
    found = terminal.answer("?", "Enter: next page", "Enter: back to the game")
    while found == 0:
        pages += 1
        found = terminal.answer("", "Enter: next page", "Enter: back to the game")
    terminal.answer("", PROMPT)

    assert 4 < pages < 9
    assert "How moves are written" in terminal.text


def test_people_at_one_screen_see_no_other_hand(folder: Path, terminals: list[Terminal]) -> None:
    """Anna holds copper and cloth alone, Bela spice and jewelry: neither may see the other's."""
    game = Game(2)
    for card in ("C", "C*", "T", "T", "J", "J*", "S", "S", "W", "W"):
        game.deal(card)
    game.tags = {"Seat1": "Anna", "Seat2": "Bela"} | KeyedStream(bytes(32)).tags(reveal=True)
    (folder / "unfinished").mkdir()
    record.dump(game, folder / "unfinished" / "game.fgr")
    terminal = Terminal("play", "--resume")
    terminals.append(terminal)
    terminal.expect("Anna presses Enter. ")
    before_anna = terminal.text
    terminal.answer("", PROMPT)
    annas = terminal.text.removeprefix(before_anna)
    terminal.answer("(C*)", "Bela presses Enter. ")
    between = terminal.text.removeprefix(before_anna + annas)
    terminal.answer("", PROMPT)
    belas = terminal.text.removeprefix(before_anna + annas + between)

    hands = [re.findall(r"Hand (.*)", ESCAPE.sub("", text)) for text in (annas, belas)]
    assert [["C", "C*", "T", "x2"], ["S", "x2", "J", "J*"]] == [h[0].split() for h in hands]
    assert [] == re.findall(r"Hand |play |C\*", before_anna + ESCAPE.sub("", between)[6:])
    assert between.index("\x1b[2J") < between.index("\x1b[3J") < between.index("Bela's turn")
    assert "Anna ships a good." in ESCAPE.sub("", belas)
    assert "C*" not in ESCAPE.sub("", belas)


def test_replay_goes_to_and_fro(terminals: list[Terminal]) -> None:
    golden = Path(__file__).parent / "golden" / "adlung-3-95.fgr"
    terminal = Terminal("replay", "--step", golden)
    terminals.append(terminal)
    leave = "q: leave "
    terminal.expect(leave)
    for answer in ("", "", "p", "12", "999", "q"):
        terminal.process.sendline(answer)
        if answer != "q":
            terminal.expect(leave)
    code = terminal.end()
    last = record.load(golden)[0].actions_taken
    shown = re.findall(rf"Move (\d+) of {last}", ESCAPE.sub("", terminal.text))

    assert 0 == code
    assert ["0", "1", "2", "1", "12", str(last)] == shown
    assert [] == [line for line in terminal.lines if cell_len(line) > 80]
