"""Sources of cards: uniform, repeatable, and the keyed one for every way a game is played."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import HABITS, SETUPS

from fugger import Card, Game, SeedError, dealer
from fugger.dealer import FastSource, KeyedStream, new_seed

SEED = bytes(range(32))

# What chi-square exceeds once in a thousand, by degrees of freedom: the seeds are fixed, so a
# source that passes goes on passing.
CHI_SQUARE = {1: 10.83, 6: 22.46, 10: 29.59, 48: 84.04}


def chi_square(observed, weights):
    """How far counts are from what their weights let expect."""
    total = sum(observed.values())
    whole = sum(weights.values())
    return sum(
        (observed[value] - total * weight / whole) ** 2 / (total * weight / whole)
        for value, weight in weights.items()
    )


def fast(stop, draws):
    source = FastSource(2026)
    return [source.randrange(stop) for _ in range(draws)]


def keyed(stop, draws):
    stream = KeyedStream(SEED)
    return [stream.number(deal, stop) for deal in range(draws)]


@pytest.mark.parametrize("numbers", [fast, keyed])
@pytest.mark.parametrize("stop", [2, 7, 49])
def test_every_number_is_as_likely(numbers, stop):
    observed = Counter(numbers(stop, 20_000))

    assert chi_square(observed, dict.fromkeys(range(stop), 1)) < CHI_SQUARE[stop - 1]


@pytest.mark.parametrize(
    "source",
    [
        lambda number: FastSource(5, stream=number),
        lambda number: KeyedStream(number.to_bytes(32, "big")).source(),
        random.Random,
    ],
    ids=["fast", "keyed", "random"],
)
def test_cards_are_dealt_as_often_as_there_are_of_them(source):
    observed = Counter()
    for number in range(400):
        game = Game(players=4)
        game.deal_all(source(number))
        observed.update(Card(token[2:]) for token in game.tokens[:16])

    assert chi_square(observed, Game().chances) < CHI_SQUARE[10]


def test_the_fast_source_repeats_itself():
    first, again, other = FastSource(1, 2), FastSource(1, 2), FastSource(1, 3)
    numbers = [first.randrange(49) for _ in range(20)]

    assert numbers == [again.randrange(49) for _ in range(20)]
    assert numbers != [other.randrange(49) for _ in range(20)]


class Giving:
    """A source that always gives the same."""

    def __init__(self, number):
        self._number = number

    def randrange(self, stop):
        return self._number


@pytest.mark.parametrize("number", [-1, 49, 1.5, None, "0", True])
def test_a_source_that_gives_no_such_number_is_refused(number):
    game = Game()
    with pytest.raises(ValueError, match=r"^rng.randrange\(49\) is .*: expected a whole number"):
        game.deal_all(Giving(number))
    assert [] == game.tokens


def test_a_source_may_give_numpy_s_numbers():
    game = Game(players=2)
    game.deal_all(Giving(np.uint8(9)))
    assert ["1:T"] * 4 + ["2:T"] * 3 == game.tokens[:7]


@pytest.mark.parametrize("seed", [None, "1", 1.0, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(SeedError, match=r"is no seed: expected a whole number$"):
        FastSource(seed)


@pytest.mark.parametrize("source", [FastSource(1), KeyedStream(SEED).source()])
@pytest.mark.parametrize("stop", [0, -1, 2**32 + 1, 2.5, "2", True])
def test_there_are_limits_to_the_numbers(source, stop):
    with pytest.raises(ValueError, match=r"expected a whole number from 1 to 2\*\*32"):
        source.randrange(stop)


def play_on(game, deal_all, rng, actions):
    for _ in range(actions):
        deal_all(game)
        if game.is_over:
            break
        game.play(rng.choice(HABITS)(game, rng))
    deal_all(game)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 60))
def test_a_game_can_be_taken_up_at_any_point(setup, seed, before, after):
    edition, players = setup
    contributions = ["a", None]
    game = Game(players, edition)
    play_on(game, KeyedStream(SEED, contributions).deal_all, random.Random(seed), before)
    resumed = game.copy()
    play_on(game, KeyedStream(SEED, contributions).deal_all, random.Random(seed), after)
    play_on(resumed, KeyedStream(SEED, contributions).deal_all, random.Random(seed), after)

    assert game.tokens == resumed.tokens


def test_an_action_taken_again_brings_the_same_card():
    stream = KeyedStream(SEED)
    game = Game(players=3)
    stream.deal_all(game)
    game.play("+")
    stream.deal_all(game)
    tokens = game.tokens
    game.undo()
    game.play("+")
    stream.deal_all(game)

    assert tokens == game.tokens


def test_cards_owed_are_dealt_one_by_one_as_well_as_together():
    stream = KeyedStream(SEED)
    together, one_by_one = Game(players=2), Game(players=2)
    stream.deal_all(together)
    for _ in together.tokens:
        copy = one_by_one.copy()
        stream.deal_all(copy)
        one_by_one.deal(copy.tokens[len(one_by_one.tokens)][2:])

    assert together.tokens == one_by_one.tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["a", "b"], ["b", "a"]),
        (["a", None], [None, "a"]),
        (["a"], [None]),
        (["ab", "c"], ["a", "bc"]),
        (["a\u0301"], ["\u00e1"]),
    ],
)
def test_other_contributions_make_another_key(one, other):
    assert KeyedStream(SEED, one).key != KeyedStream(SEED, other).key


def test_seats_that_contribute_nothing_need_not_be_listed():
    assert KeyedStream(SEED, ["a"]).key == KeyedStream(SEED, ["a", None, None]).key


def test_seeds_are_new_each_time():
    seeds = {new_seed() for _ in range(100)}

    assert {32} == {len(seed) for seed in seeds}
    assert 100 == len(seeds)


def test_the_seed_is_shown_only_where_it_is_asked_for():
    stream = KeyedStream(SEED, ["a"])

    assert SEED.hex() not in f"{stream!r} {stream.tags(reveal=False)}"
    assert stream.key.hex() not in f"{stream!r} {stream.tags(reveal=True)}"
    assert SEED.hex() == stream.tags(reveal=True)["Seed"]


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "0" * 32, bytearray(32), None, 7])
def test_seeds_of_another_form_are_refused_and_not_shown(seed):
    for use in (KeyedStream, dealer.commitment):
        with pytest.raises(SeedError) as caught:
            use(seed)
        assert "the seed is of the wrong form: expected 32 bytes" == str(caught.value)


@pytest.mark.parametrize("text", ["", "x" * 65, "a\nb", "\0", "\ud800", b"a", 7])
def test_contributions_of_another_form_are_refused(text):
    with pytest.raises(SeedError, match=r"^seat 2's contribution is .*: expected 1 to 64 charact"):
        KeyedStream(SEED, [None, text])


def test_there_is_one_contribution_a_seat():
    with pytest.raises(SeedError, match="5 contributions: expected at most 4, one a seat"):
        KeyedStream(SEED, ["a"] * 5)
