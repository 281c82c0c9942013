"""Matches and ladders as they are played: always the same games, whoever plays them and when."""

from __future__ import annotations

import csv
import json

import pytest

from fugger.arena.contest import Contest
from fugger.arena.crews import Alone
from fugger.arena.keeping import Kept
from fugger.arena.ladder import Group, play_ladder
from fugger.arena.matches import MatchStopped, play_match
from fugger.arena.report import as_csv, as_page, facts
from fugger.bots.joining import Company
from fugger.cli import main
from fugger.errors import ArenaError, BotError, SetupError


def shares(standing):
    return [(bot.wins.total, bot.wins.squares, bot.money.total) for bot in standing.bots]


def test_the_number_of_processes_changes_nothing():
    contest = Contest(("search:simulations=8", "greedy"), 3, seed=5)

    assert shares(play_match(contest, 4, jobs=1)) == shares(play_match(contest, 4, jobs=2))


def test_policies_play_the_same_cards_compiled_and_not():
    contest = Contest(("greedy", "random"), 2, seed=3)
    with Company() as company:
        compiled = Alone(company).submit((contest, 0)).result()
        again = Alone(company).submit((contest, 0)).result()

    assert compiled == again


def test_the_stronger_wins_more():
    standing = play_match(Contest(("greedy", "random"), 4, seed=1), 40, jobs=1)

    assert standing.share(0).low > 0.5
    assert 40 * 8 == standing.games


def test_a_match_goes_on_where_it_stopped(tmp_path):
    contest = Contest(("greedy", "random"), 2, seed=9)
    whole = play_match(contest, 12, jobs=1)

    def stop(standing):
        if standing.deals == 5:
            raise KeyboardInterrupt

    path = tmp_path / "match.jsonl"
    with Kept(path, contest) as kept, pytest.raises(MatchStopped):
        play_match(contest, 12, jobs=1, kept=kept, on_progress=stop)
    with path.open("a") as file:
        file.write('{"games":[{"mon')  # killed while it wrote
    with Kept(path, contest) as kept:
        assert 5 == len(list(kept.deals()))
        resumed = play_match(contest, 12, jobs=1, kept=kept)

    assert shares(whole) == shares(resumed)
    assert 13 == len(path.read_text().splitlines())


def test_a_folder_of_another_match_is_refused(tmp_path):
    path = tmp_path / "match.jsonl"
    with Kept(path, Contest(("greedy", "random"), 2, seed=9)):
        pass

    with pytest.raises(ArenaError, match=r"holds another match, .*seed 9: expected .*seed 8"):
        Kept(path, Contest(("greedy", "random"), 2, seed=8))


@pytest.mark.parametrize("text", ["nonsense\n", '{"a": 1}\n', "[]\n", "\x00\n"])
def test_a_file_that_is_no_match_is_refused(tmp_path, text):
    path = tmp_path / "match.jsonl"
    path.write_text(text)

    with pytest.raises(ArenaError, match=r"match\.jsonl"):
        Kept(path, Contest(("greedy", "random"), 2))


def test_an_unknown_bot_is_refused_before_anything_is_played():
    with pytest.raises(BotError, match="'deep'"):
        play_match(Contest(("greedy", "deep"), 2), 1)


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    return play_ladder(
        ("random", "greedy", "trader"),
        [Group("adlung", 2), Group("rody", 3)],
        20,
        seed=1,
        folder=tmp_path_factory.mktemp("ladder"),
        jobs=1,
    )


def test_a_ladder_ranks_its_bots(ladder):
    elo = {rating.bot: rating.elo for rating in ladder.overall}

    assert 1000 == elo["random"].mean
    assert elo["greedy"].low > 1000
    assert 6 == len(ladder.meetings)
    assert 3 * 20 * 2 + 3 * 20 * 6 == facts(ladder)["games"]
    share = ladder.share(Group("adlung", 2), 1, 0)
    assert share.mean == pytest.approx(1 - ladder.share(Group("adlung", 2), 0, 1).mean)


def test_a_ladder_as_rows(ladder):
    rows = list(csv.DictReader(as_csv(ladder).splitlines()))

    assert {"elo", "openskill", "share"} == {row["kind"] for row in rows}
    assert 9 == sum(row["kind"] == "elo" for row in rows)


def test_a_ladder_as_a_page_that_asks_nobody_for_anything(ladder):
    page = as_page(ladder)

    assert "greedy" in page
    assert "<script src" not in page
    assert "cdn" not in page


def test_a_ladder_of_one_is_none():
    with pytest.raises(SetupError, match="two or more, all different"):
        play_ladder(("greedy",), [Group("adlung", 2)], 1, seed=1)


def run(*options):
    with pytest.raises(SystemExit) as left:
        main(list(options))
    return left.value.code


def test_the_exit_code_says_which_hypothesis_stood(capsys):
    fast = ["--deals", "200", "--jobs", "1", "--seed", "1", "--sprt", "--elo1", "100", "--json"]

    assert 0 == run("arena", "match", "greedy", "random", *fast)
    assert "H1" == json.loads(capsys.readouterr().out)["sprt"]["verdict"]
    assert 1 == run("arena", "match", "random", "greedy", *fast)
    assert "H0" == json.loads(capsys.readouterr().out)["sprt"]["verdict"]
    assert 3 == run("arena", "match", "greedy", "greedy", *fast[:1], "17", *fast[2:])
    assert json.loads(capsys.readouterr().out)["sprt"]["verdict"] is None


def test_a_match_in_words_and_as_json(capsys):
    options = ["arena", "match", "greedy", "random", "--deals", "5", "--seed", "1", "--jobs", "1"]

    assert 0 == run(*options)
    assert "5 deals, 10 games, 2 players, edition adlung" in capsys.readouterr().out
    assert 0 == run(*options, "--json")
    found = json.loads(capsys.readouterr().out)
    assert (5, 10, True) == (found["deals"], found["games"], found["complete"])
    assert ["greedy", "random"] == [bot["bot"] for bot in found["bots"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["match", "greedy", "deep"], "'deep'"),
        (["match", "greedy", "random", "--sprt", "--alpha", "2"], "alpha is 2"),
        (["match", "greedy", "random", "trader", "--sprt"], "--sprt compares two bots"),
        (["match", "greedy", "random", "--elo1", "0"], "--elo1 is for --sprt"),
        (["match", "greedy", "random", "--alpha", "0.1"], "--alpha is for --sprt"),
        (["match", "greedy", "random", "trader", "--players", "2"], "3 bots for 2 players"),
        (["match", "greedy", "random", "--jobs", "0"], "jobs is 0"),
        (["ladder", "--players", "5"], "--players is '5'"),
        (["ladder", "--editions", "adlung,adlung"], "--editions is"),
        (["ladder", "greedy"], "two or more"),
        (["ladder", "greedy", "deep"], "'deep'"),
    ],
)
def test_bad_options_get_one_line_and_exit_code_2(capsys, options, message):
    assert 2 == run("arena", *options)
    assert message in capsys.readouterr().err


def test_a_ladder_by_the_command(capsys, tmp_path):
    options = ["arena", "ladder", "random", "greedy", "--players", "2", "--editions", "adlung"]
    options += ["--deals", "10", "--jobs", "1", "--out", str(tmp_path)]

    assert 0 == run(*options)
    assert "20 games" in capsys.readouterr().out
    assert 0 == run(*options, "--json")
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "ladder.json").read_text())
    assert (tmp_path / "ladder.html").read_text().startswith("<!DOCTYPE html>")


def test_all_figures_stand_on_a_narrow_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    options = ["--deals", "2", "--seed", "1", "--jobs", "1"]
    levels = ["apprentice", "journeyman", "trader"]

    assert 0 == run("arena", "match", *levels[:2], "--players", "4", *options)
    match = capsys.readouterr().out.splitlines()
    assert [["apprentice", 10], ["journeyman", 10]] == [
        [line.split()[0], len(line.replace(" to ", "–").split())] for line in match[1:3]
    ]
    assert 0 == run("arena", "ladder", *levels, *options)
    ladder = capsys.readouterr().out.splitlines()
    assert 2 == sum("journeyman against apprentice" in line for line in ladder)
    for line in [*match, *ladder]:
        assert len(line) <= 80
        assert "…" not in line
    for edition in ("adlung", "rody"):
        table = ladder.index(next(line for line in ladder if f"Elo, {edition}" in line))
        assert "2 players 3 players 4 players" == " ".join(ladder[table].split()[2:])
        assert all(3 == line.count("–") for line in ladder[table + 1 : table + 4])
