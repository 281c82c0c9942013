"""fugger bench: what it prints, and what it refuses."""

import json

import pytest

from fugger.cli import run


def test_json_has_speeds_for_every_number_of_players(capsys):
    assert run(["bench", "playouts", "--seconds", "0.1", "--json"]) == 0
    speeds = json.loads(capsys.readouterr().out)
    assert list(speeds) == ["2", "3", "4"]
    for speed in speeds.values():
        assert list(speed) == ["steps_per_s", "games_per_s"]
        assert 20 < speed["steps_per_s"] / speed["games_per_s"] < 500


def test_a_table_for_people(capsys):
    assert run(["bench", "playouts", "--seconds", "0.1"]) == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title.split() == ["players", "decisions/s", "games/s"]
    assert [line.split()[0] for line in lines] == ["2", "3", "4"]


@pytest.mark.parametrize("what", ["playouts", "search"])
@pytest.mark.parametrize("seconds", ["0", "-1", "soon"])
def test_seconds_that_cannot_be_measured(what, seconds, capsys):
    assert run(["bench", what, "--seconds", seconds]) == 2
    assert "--seconds" in capsys.readouterr().err


def test_json_has_the_search_s_speed_and_that_of_bare_playouts(capsys):
    assert run(["bench", "search", "--seconds", "0.1", "--json"]) == 0
    speeds = json.loads(capsys.readouterr().out)
    assert list(speeds) == ["simulations_per_s", "playouts_per_s"]
    assert min(speeds.values()) > 0


def test_the_search_s_table_for_people(capsys):
    assert run(["bench", "search", "--seconds", "0.1"]) == 0
    simulations, playouts, ratio = map(str.split, capsys.readouterr().out.splitlines())
    assert ["simulations", "a", "second"] == [simulations[0], *simulations[2:]]
    assert ["playouts", "a", "second"] == [playouts[0], *playouts[2:]]
    quotient = float(simulations[1].replace(",", "")) / float(playouts[1].replace(",", ""))
    assert ["ratio", f"{quotient:.2f}"] == ratio
