"""What games look like: pictures of what a seat sees, drawn without fonts, and texts."""

import random
import re

import numpy as np
import pytest

import fugger
from fugger import SPECTATOR, Game
from fugger.chance import generator
from fugger.envs import gymnasium, pettingzoo
from fugger.envs.lettering import STROKES
from fugger.envs.picture import SIZE, picture, svg
from fugger.envs.pieces import drawings


def a_game(players=3, actions=30, seed=1, target=100):
    game, rng = Game(players, target=target), random.Random(seed)
    game.deal_all(rng)
    while actions and not game.is_over:
        game.play(rng.choice(game.legal_actions))
        game.deal_all(rng)
        actions -= 1
    return game


# Pictures


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_picture_is_the_colours_of_every_point(players):
    colours = picture(a_game(players).observe(0), 100)
    assert (np.uint8, (SIZE[1], SIZE[0], 3)) == (colours.dtype, colours.shape)
    assert [0xE9, 0xDC, 0xC0] == colours[2, 2].tolist()  # the table
    assert colours.flags.c_contiguous


def test_environments_draw_what_their_player_sees():
    agents = pettingzoo.raw_env(render_mode="rgb_array")
    agents.reset(seed=1)
    seat = int(agents._games.current_player[0])
    state = fugger.rules.state.from_bytes(agents._games.states[0].tobytes())
    assert np.array_equal(picture(fugger.observe(state, seat), 100), agents.render())
    learner = gymnasium.FuggerEnv(render_mode="rgb_array", seat=2, target=30)
    learner.reset(seed=1)
    state = fugger.rules.state.from_bytes(learner._games.states[0].tobytes())
    assert np.array_equal(picture(fugger.observe(state, 2), 30), learner.render())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_seat_may_not_know_changes_nothing_in_its_picture(players):
    for actions in (0, 12, 30):
        seen = a_game(players, actions).observe(1)
        for seed in range(3):
            other = fugger.observe(fugger.determinize(seen, generator(seed)), 1)
            assert svg(seen, 100) == svg(other, 100)


def test_what_a_seat_knows_is_in_its_picture():
    game = a_game(actions=11)
    pictures = {svg(game.observe(viewer), 100) for viewer in (0, 1, 2, SPECTATOR)}
    assert 4 == len(pictures)
    assert svg(game.observe(0), 100) != svg(game.observe(0), 90)
    before = svg(game.observe(0), 100)
    game.play(game.legal_actions[-1])
    assert before != svg(game.observe(0), 100)


def test_pictures_need_no_fonts_and_leave_no_colour_open():
    for game in (a_game(2, 1000), a_game(4, 40)):
        told = svg(game.observe(0), 100)
        assert "<text" not in told
        assert "var(" not in told
        used = set(re.findall(r'href="#([^"]+)"', told))
        assert used == set(re.findall(r'<symbol id="([^"]+)"', told))
        assert used <= set(drawings())


def test_winners_wear_a_crown():
    game = a_game(2, 1000)
    crowns = svg(game.observe(0), 100).count('href="#crown"')
    assert 1 + len(game.winners) == crowns


def test_even_the_largest_hand_fits():
    game = a_game(2, 1000)
    state = game.observe(0)
    state.hand[0] = 7
    places = re.findall(r'<use href="#good-.*?x="([\d.]+)".*?width="([\d.]+)"', svg(state, 100))
    assert 70 == len(places)
    assert max(float(x) + float(width) for x, width in places) < SIZE[0] - 20


def test_every_sign_is_drawn_in_its_box():
    for way in STROKES.values():
        assert re.fullmatch(r"[MmCcSsLlHhVvZz\d. -]+", way)
        assert way.startswith("M")


# Texts


def test_a_text_shows_the_hand_of_its_viewer_until_the_end():
    env = pettingzoo.raw_env(players=2, render_mode="ansi", target=20)
    env.reset(seed=1)
    assert "player_1" == env.agent_selection
    hand = r"\n   1 Player 1  (\S+ ){3}\S+\n$"
    assert re.search(hand, without_colours(env.render()))
    rng = random.Random(1)
    while not env.terminations[env.agent_selection]:
        env.step(rng.choice(env.observe(env.agent_selection)["action_mask"].nonzero()[0]))
    assert not re.search(hand, without_colours(env.render()))


def without_colours(text):
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def test_a_person_reads_it_without_colours_in_a_file(capsys):
    env = pettingzoo.raw_env(players=2, render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    told = capsys.readouterr().out
    assert "Player 2" in told
    assert "\x1b" not in told


def test_without_a_mode_nothing_is_shown(capsys):
    env = pettingzoo.raw_env()
    env.reset(seed=1)
    assert env.render() is None
    assert "" == capsys.readouterr().out
