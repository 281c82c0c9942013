"""``fugger play`` through a pipe: what it shows, understands, saves and keeps secret."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from fugger import cli, record
from fugger.dealer import KeyedStream, Verdict, verify
from fugger.errors import FuggerError
from fugger.game import Game
from fugger.terminal.saved import Autosave, InUse, unfinished_games
from fugger.terminal.sitting import resumed_sitting
from fugger.texts import LANGUAGES, words

NUMBERS = "1\n" * 400
"""Always the first choice: draw until five cards are held, then play. It ends every game."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FUGGER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


class Player:
    """Runs the command with prepared answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.code: int | None = None
        self.errors = ""

    def play(self, answers: str, *arguments: object) -> str:
        """What is shown."""
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        self.code = cli.run(["play", *map(str, arguments)])
        captured = self._capsys.readouterr()
        self.errors = captured.err
        return captured.out


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Player:
    return Player(monkeypatch, capsys)


def saved(folder: Path) -> Game:
    (file,) = (folder / "unfinished").glob("*.fgr")
    return record.load(file)[0]


def last_screen(out: str) -> str:
    return out[out.rindex(" Die Fugger") :]


# Leaving and coming back


def test_the_end_of_the_input_leaves_and_saves(player: Player, folder: Path) -> None:
    out = player.play("", "--seed", 1)

    assert 0 == player.code
    assert 1 == out.count("Your choice")
    assert " The game is saved. Go on with it: fugger play --resume" == out.splitlines()[-1]
    assert saved(folder).player == 0


def test_q_leaves_and_saves(player: Player, folder: Path) -> None:
    out = player.play("1\nq\n1\n", "--seed", 1)

    assert (0, 2) == (player.code, out.count("Your choice"))
    assert 1 == saved(folder).actors.count(0)


def test_a_game_goes_on_where_it_was_left(player: Player) -> None:
    left = player.play("1\n1\n", "--seed", 1)
    resumed = player.play("", "--resume")

    board = last_screen(left).split("Your choice")[0]
    assert board.replace(" ", "") in resumed.replace(" You go on with your game.\n", "").replace(
        " ", ""
    )


def test_leaving_changes_nothing_in_what_comes(player: Player, folder: Path) -> None:
    player.play("1\n" * 6, "--seed", 1)
    at_once = saved(folder).tokens
    for file in (folder / "unfinished").iterdir():
        file.unlink()
    player.play("1\n" * 3, "--seed", 1)
    player.play("1\n" * 3, "--resume")

    assert at_once == saved(folder).tokens


def test_there_may_be_nothing_to_resume(player: Player) -> None:
    player.play("", "--resume")

    assert (2, "Error: there is no unfinished game to resume\n") == (player.code, player.errors)


def test_the_latest_game_is_resumed(player: Player, folder: Path) -> None:
    player.play("", "--players", 2)
    player.play("", "--players", 4)
    out = player.play("", "--resume")

    assert "Herwart" in out
    assert 2 == len(list((folder / "unfinished").glob("*.fgr")))


# What is understood


def test_numbers_and_notation_are_understood_alike(player: Player, folder: Path) -> None:
    player.play("", "--seed", 1)
    number, action = list(enumerate(saved(folder).legal_actions, start=1))[1]
    after = []
    for answer in (number, action, f" {action} ".lower()):
        (folder / "unfinished").rename(folder / f"before {answer}")
        player.play(f"{answer}\n", "--seed", 1)
        after.append(saved(folder).tokens)

    assert str(action) in after[0]
    assert after[0] == after[1] == after[2]


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("0", " There is no choice 0: 1 to "),
        ("99", " There is no choice 99: 1 to "),
        ("123456789012345678901234567890", " There is no choice 123456: 1 to "),
        ("hello", " That is no choice: a number from 1 to "),
        ("", " That is no choice: a number from 1 to "),
        ("\x00\x1b[2J", " That is no choice: a number from 1 to "),
        ("--", " -- isn't possible: you may pass only if nothing else is possible."),
        ("e", " No round has ended yet."),
    ],
)
def test_other_answers_get_one_line_and_the_question_again(
    player: Player, answer: str, reply: str
) -> None:
    out = player.play(f"{answer}\n", "--seed", 1, "--players", 2)
    after = out.split("Your choice (? for help):")

    assert 3 == len(after)
    assert after[1].splitlines()[1].startswith(reply)
    assert 2 == len(after[1].splitlines()[:2])


def test_what_is_not_possible_is_told_with_its_reason(player: Player) -> None:
    out = player.play("+\n+\n+\n+\n+\n+\n", "--seed", 1, "--players", 2)

    assert "+ isn't possible: only with 4 cards or fewer in hand." in out
    assert "draw -  only with 4 cards or fewer in hand" in out


def test_a_card_that_is_not_held_cannot_be_played(player: Player, folder: Path) -> None:
    player.play("", "--seed", 1)
    held = saved(folder).hand(0)
    missing = next(card for card in ("C", "T", "W", "S", "J") if card not in map(str, held))
    out = player.play(f"{missing}\n", "--resume")

    assert f" {missing} isn't possible: {missing} isn't in your hand." in out


def test_undo_goes_back_to_the_decision_before(player: Player, folder: Path) -> None:
    player.play("1\n", "--seed", 1)
    before = saved(folder).tokens
    player.play("1\n1\nu\nu\n", "--resume")
    game = saved(folder)

    assert before == game.tokens
    assert "yes" == game.tags["Undone"]


def test_the_same_action_after_undo_brings_the_same(player: Player, folder: Path) -> None:
    player.play("1\n1\n1\n", "--seed", 1)
    before = saved(folder).tokens
    player.play("u\nu\n1\n1\n", "--resume")

    assert before == saved(folder).tokens


def test_undo_needs_something_to_take_back(player: Player) -> None:
    assert "You haven't done anything yet." in player.play("u\n", "--seed", 1)


def test_help_holds_commands_and_rules(player: Player) -> None:
    out = player.play("?\n", "--edition", "rody")

    assert "look into the discard pile" in out
    assert "whoever plays a merchant turns up one more card" in out


def test_the_discard_pile_can_be_looked_into(player: Player, folder: Path) -> None:
    out = player.play(NUMBERS[:40] + "d\n", "--seed", 3, "--players", 2)
    game = saved(folder)
    rows = re.findall(
        r"^ \S+ (\S+) +(\d+) +\d+ *$", out[out.rindex("discard pile   not") :], re.MULTILINE
    )

    assert {str(card): number for card, number in game.discard_pile.items()} == {
        card: int(number) for card, number in rows if number != "0"
    }


# A whole game


@pytest.fixture
def whole_game(player: Player) -> str:
    return player.play(NUMBERS, "--seed", 2, "--target", 60)


def test_a_whole_game_ends_with_its_final_scoring(whole_game: str, player: Player) -> None:
    assert 0 == player.code
    assert "Final scoring" in whole_game
    assert re.search(r"(You win|\w+ wins|share the win) with \d+ gulden|share the win", whole_game)


def test_every_round_is_evaluated_in_sight(whole_game: str, folder: Path) -> None:
    (file,) = (folder / "games").glob("*.fgr")

    assert len(record.load(file)[0].evaluations) == whole_game.count(" End of round")


def test_a_finished_game_is_kept_replayed_and_verified(
    whole_game: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = re.search(r"^ fugger replay (.*)$", whole_game, re.MULTILINE)
    assert path is not None
    game = record.load(path[1])[0]

    assert game.is_over
    assert Verdict.VERIFIED == verify(game).verdict
    assert 0 == cli.run(["replay", path[1]])
    assert 0 == cli.run(["verify", path[1]])
    assert [] == list((folder / "unfinished").iterdir())


def test_the_same_seed_gives_the_same_game(player: Player) -> None:
    first, second = (player.play(NUMBERS, "--seed", "x y", "--target", 40) for _ in range(2))

    assert first.split("Look at")[0] == second.split("Look at")[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_line_is_wider_than_80_columns(player: Player, language: str, players: int) -> None:
    questions = "?\nl\nd\ne\nu\n--\nM\n(M)\n(C)\n99\nxx\n"
    answers = questions + "1\n2\n3\n" * 20 + questions + "1\n2\n3\n" * 100
    out = player.play(
        answers, "--seed", players, "--target", 40, "--lang", language, "--players", players
    )
    lines = [line for line in out.splitlines() if not line.startswith(" fugger ")]

    assert [] == [line for line in lines if cell_len(line) > 80]
    assert 0 == player.code


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_turn_fits_24_lines(player: Player, players: int, language: str) -> None:
    out = player.play(
        NUMBERS, "--seed", 5, "--players", players, "--target", 40, "--lang", language
    )
    question = re.escape(words(language).say("Your choice (? for help):"))
    turns = re.findall(rf"^ Die Fugger.*?{question}", out, re.MULTILINE | re.DOTALL)

    assert 5 < len(turns)
    assert 24 >= max(turn.count("\n") + 1 for turn in turns)


def test_nothing_slow_is_imported_before_the_first_prompt() -> None:
    code = (
        "import sys; from fugger import cli; cli.run(['play', '--new']); "
        "print('numba' in sys.modules, 'babel.messages' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="1\n1\n", capture_output=True, text=True, check=True
    )

    assert "False False" == done.stdout.splitlines()[-1]
    assert 3 == done.stdout.count("Your choice")


def test_a_terminal_without_unicode_is_shown_ascii() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fugger", "play", "--new"],
        input=b"1\n\xff\xfe\n",
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii", "FUGGER_DATA_DIR": "/nonexistent"} | {},
    )

    assert done.stdout.decode("ascii")


# Secrets


def games_alike_to_seat_1() -> list[Game]:
    """Two games that differ only in what player 1 may not know."""
    games = []
    for hidden in ("C T W S", "J* S* M M"):
        cards = hidden.split()
        game = Game(2, first=1)
        for card in (*cards, "C", "T", "W", "S", "J", "J"):
            game.deal(card)
        game.play(f"({cards[0]})")
        game.deal("W")
        game.play("+")
        game.deal("C*")
        game.deal("T")
        game.play("+")
        game.deal(cards[1])
        game.tags = {"Seat2": "Welser", "Bot2": "random"}
        games.append(game)
    assert games[0].observe(0).tobytes() == games[1].observe(0).tobytes()
    return games


def test_no_hidden_card_is_printed(
    player: Player, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    for number, game in enumerate(games_alike_to_seat_1()):
        game.tags |= KeyedStream(bytes(32)).tags(reveal=True)
        here = folder / str(number)
        monkeypatch.setenv("FUGGER_DATA_DIR", str(here))
        (here / "unfinished").mkdir(parents=True)
        record.dump(game, here / "unfinished" / "game.fgr")
        shown.append(player.play("l\nd\ne\n?\n99\nM\nq\n", "--resume"))

    assert "Welser ships a good." in shown[0]
    assert shown[0] == shown[1]


def test_the_seed_is_never_shown_before_the_end(player: Player, folder: Path) -> None:
    out = player.play("l\n1\nl\n?\n", "--seed", 1)

    assert saved(folder).tags["Seed"] not in out
    assert saved(folder).tags["Commitment"] in out


def test_people_at_one_screen_are_asked_to_pass_the_device(player: Player) -> None:
    out = player.play(
        "1\n1\n1\n", "--hot-seat", "--name", "Anna", "--name", "Bela", "--players", 2, "--seed", 1
    )

    assert ["Anna", "Bela"] == sorted(set(re.findall(r"It is (\w+)'s turn", out)))


def test_nothing_is_taken_back_among_people(player: Player) -> None:
    out = player.play("1\nu\n", "--hot-seat", "--players", 2, "--seed", 1)

    assert "Nothing can be taken back where several people play." in out


# Saved games that are not as they were


def test_a_truncated_autosave_loses_at_most_the_last_action(player: Player, folder: Path) -> None:
    player.play("1\n" * 9, "--seed", 4, "--players", 2)
    (file,) = (folder / "unfinished").glob("*.fgr")
    whole, game = file.read_bytes(), record.load(file)[0]
    for length in range(whole.index(b"\n\n") + 2, len(whole)):
        file.write_bytes(whole[:length])
        ((found,), set_aside) = unfinished_games()
        complete = whole[:length].split(b"\n\n")[1].split()[:-1]

        assert len(complete) <= len(found.game.tokens)
        assert game.tokens[: len(found.game.tokens)] == found.game.tokens
        assert [] == set_aside


def test_a_truncated_autosave_goes_on_as_it_was(player: Player, folder: Path) -> None:
    player.play("1\n" * 9, "--seed", 4, "--players", 2)
    (file,) = (folder / "unfinished").glob("*.fgr")
    whole, tokens = file.read_bytes(), record.load(file)[0].tokens
    file.write_bytes(whole[: whole.rindex(b":") + 1])
    out = player.play("1\n1\n", "--resume")

    assert "The end of its file was missing" in out
    assert tokens == saved(folder).tokens[: len(tokens)]


@pytest.mark.parametrize("text", ["", "garbage", "\x00\xff", '[Edition "adlung"]', "[[[[", "{"])
def test_a_damaged_autosave_is_set_aside_and_kept(player: Player, folder: Path, text: str) -> None:
    (folder / "unfinished").mkdir()
    (folder / "unfinished" / "bad.fgr").write_text(text)
    out = player.play("", "--seed", 1)

    assert 0 == player.code
    assert "A saved game can't be read and was set aside" in out
    assert text == (folder / "damaged" / "bad.fgr").read_text()
    assert not (folder / "unfinished" / "bad.fgr").exists()


def test_one_game_cannot_be_played_twice_at_once(player: Player, folder: Path) -> None:
    player.play("", "--seed", 1)
    (file,) = (folder / "unfinished").glob("*.fgr")
    autosave = Autosave(file)

    with pytest.raises(InUse, match="is being played in another terminal"):
        Autosave(file)
    assert ([], []) == unfinished_games()
    autosave.release()
    assert 1 == len(unfinished_games()[0])


def test_a_game_that_another_terminal_has_played_on_is_resumed_as_it_is_now(
    player: Player, folder: Path
) -> None:
    player.play("1\n", "--seed", 1)
    ((found,), _) = unfinished_games()
    player.play("1\n1\n", "--resume")
    tokens = saved(folder).tokens
    sitting = resumed_sitting(found)
    sitting.autosave.release()

    assert len(found.game.tokens) < len(tokens)
    assert tokens == sitting.game.tokens == saved(folder).tokens


def test_a_game_that_another_terminal_has_finished_is_not_resumed(
    player: Player, folder: Path
) -> None:
    player.play("1\n", "--seed", 1, "--target", 20)
    ((found,), _) = unfinished_games()
    player.play(NUMBERS, "--resume")

    with pytest.raises(FuggerError, match=r"has been finished in another terminal$"):
        resumed_sitting(found)
    assert [] == list((folder / "unfinished").iterdir())


def test_what_is_no_file_is_no_saved_game(player: Player, folder: Path) -> None:
    (folder / "unfinished" / "folder.fgr").mkdir(parents=True)
    os.mkfifo(folder / "unfinished" / "pipe.fgr")
    player.play("", "--seed", 1)

    assert (0, "") == (player.code, player.errors)


def test_a_game_that_was_over_is_moved_where_finished_ones_are(
    player: Player, folder: Path
) -> None:
    player.play(NUMBERS, "--seed", 2, "--target", 20)
    (file,) = (folder / "games").glob("*.fgr")
    file.rename(folder / "unfinished" / file.name)

    assert ([], []) == unfinished_games()
    assert file.exists()


def test_a_folder_that_cannot_be_written_is_one_clear_line(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FUGGER_DATA_DIR", str(tmp_path / "file"))
    player.play("")

    assert 2 == player.code
    assert re.fullmatch(
        r"Error: no game can be saved in .*: Not a directory; .*FUGGER_DATA_DIR\n", player.errors
    )


def test_a_game_that_cannot_be_saved_any_more_goes_on_and_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Answers(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            for file in (folder / "unfinished").glob("*.fgr"):
                if file.is_file():
                    file.unlink()
                    file.mkdir()
            return super().readline(-1 if size is None else size)

    monkeypatch.setattr(sys, "stdin", Answers("1\n1\n"))
    code = cli.run(["play", "--seed", "1"])
    out = capsys.readouterr().out

    assert (0, 3) == (code, out.count("Your choice"))
    assert 3 == out.count("The game could not be saved: Is a directory")


# Options


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        ("is no bot", ["--bot", "nobody"]),
        ("3 bots for 1 seats", ["--bot", "random,random,random", "--players", "2"]),
        ("5 would play: expected 2 to 4", ["--bot", "random,random", "--bot", "random,random"]),
        ("seat 4 doesn't exist: expected 1 to 3", ["--seat", "4"]),
        ("seat 0 doesn't exist: expected 1 to 3", ["--seat", "0"]),
        ("--seat can't be used with --hot-seat", ["--hot-seat", "--seat", "1"]),
        ("2 names for 1 at the screen", ["--name", "Anna", "--name", "Bela"]),
        ("1 would play: expected 2 to 4", ["--hot-seat", "--name", "Anna"]),
        ("2 bots leave no seat", ["--hot-seat", "--players", "2", "--bot", "random,random"]),
        ("'xx' is no language", ["--lang", "xx"]),
        ("--new and --resume can't be used together", ["--new", "--resume"]),
        ("20<=x<=500", ["--target", "19"]),
        ("2<=x<=4", ["--players", "5"]),
        ("'no' is not one of", ["--edition", "no"]),
    ],
)
def test_options_that_make_no_game_are_one_clear_line(
    player: Player, folder: Path, error: str, arguments: list[str]
) -> None:
    player.play("", *arguments)

    assert 2 == player.code
    assert error in player.errors.splitlines()[-1]
    assert not (folder / "unfinished").exists()


def test_i_sit_where_i_want(player: Player, folder: Path) -> None:
    player.play("", "--seat", 3, "--players", 4, "--name", "Anna", "--bot", "random,greedy,random")
    game = saved(folder)

    assert 2 == game.player
    assert {
        "Seat1": "Welser",
        "Seat2": "Imhof",
        "Seat3": "Anna",
        "Seat4": "Herwart",
        "Bot1": "random",
        "Bot2": "greedy",
        "Bot4": "random",
    }.items() <= game.tags.items()


def test_edition_and_target_are_those_wanted(player: Player, folder: Path) -> None:
    player.play("", "--edition", "rody", "--target", 33)
    game = saved(folder)

    assert ("rody", 33) == (game.edition.name, game.target)


def test_the_picture_fetches_nothing_from_other_sites() -> None:
    picture = Path(__file__).parents[1] / "docs" / "terminal.svg"

    assert {"http://www.w3.org/2000/svg"} == set(
        re.findall(r"https?://[^\"' )]+", picture.read_text(encoding="utf-8"))
    )
