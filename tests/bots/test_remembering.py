"""What seats remember of small games, told in the notation of records and followed by hand.

The box holds copper and cloth alone, so that the piles turn soon; a third card of one ends a round.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from fugger import Card, Game
from fugger.bots import Past
from fugger.bots.memory import check, fill_from_memory, forget, no_memories
from fugger.bots.network import new_sight
from fugger.chance import generator
from fugger.editions import ADLUNG
from fugger.record.form import DEALS

SMALL = replace(
    ADLUNG,
    name="small",
    goods=2,
    plain_cards=4,
    sealed_cards=1,
    merchants=1,
    opening_hand=1,
    round_end=3,
)
LARGER = replace(SMALL, name="larger", plain_cards=5, merchants=2)

NOTHING = ("", {}, set())


def played(tokens, players=2, edition=SMALL):
    game = Game(players, edition)
    for token in tokens.split():
        if token in DEALS:
            recipient = "J" if game.recipient == 4 else str(game.recipient + 1)
            assert token[0] == recipient, game.tokens
            game.deal(token[2:])
        else:
            game.play(token)
    return game


def remembered(game, seat):
    """Kept cards, how many of them lie in hands, and which shipments are some: by seats from 1."""
    (memory,) = Past.of(game, seat - 1).memories()
    kept = " ".join(str(card) for card in Card for _ in range(memory.kept[card]))
    hands = {at + 1: int(number) for at, number in enumerate(memory.in_hand) if number}
    shipped = {
        (at + 1, number + 1)
        for at in range(4)
        for number in range(2)
        if memory.in_shipment[at, number]
    }
    return kept, hands, shipped


# Two players

FIRST_ROUND = "1:C 2:T J:T J:C + 1:C* + 2:M J:C C"
"""Ends with C C C T in the discard pile, C T T T* in the draw pile; hands C* and T M."""
TURNED = FIRST_ROUND + " 2:C 2:T 1:T 1:T*"
"""The last card dealt to seat 1 was the draw pile's last."""
SECOND_ROUND = TURNED + " J:C J:T M + 1:C J:C"
"""C is turned for Jakob after the second turn; both piles are dry."""
SHIPPED = SECOND_ROUND + " (T)"
TURNED_AGAIN = SHIPPED + " C"
"""Ends the round; C C C T are turned, the merchant is on the table still."""
REFILLED = TURNED_AGAIN + " 2:C 2:C 1:C 1:T"
"""Now all but the merchant, which is discarded, are in hands and shipped."""
TURNED_ONCE_MORE = REFILLED + " +"


@pytest.mark.parametrize(
    ("tokens", "by_first", "by_second"),
    [
        ("1:C 2:T J:T J:C", NOTHING, NOTHING),
        (FIRST_ROUND, NOTHING, NOTHING),
        (TURNED.rpartition(" ")[0], NOTHING, NOTHING),
        (TURNED, ("C T T M", {2: 4}, set()), ("C* T T*", {1: 3}, set())),
        (TURNED + " J:C J:T", ("C T T M", {2: 4}, set()), ("C* T T*", {1: 3}, set())),
        (TURNED + " J:C J:T M", ("C T T", {2: 3}, set()), ("C* T T*", {1: 3}, set())),
        (SECOND_ROUND, ("C T T", {2: 3}, set()), ("C* T T*", {1: 3}, set())),
        (SHIPPED, ("C T T", {2: 2}, {(2, 2)}), ("C* T T*", {1: 3}, set())),
        (TURNED_AGAIN, ("C T T", {2: 2}, {(2, 2)}), ("C* T T*", {1: 3}, set())),
        (REFILLED, ("C T T", {2: 2}, {(2, 2)}), ("C* T T*", {1: 3}, set())),
        (TURNED_ONCE_MORE, ("C C C T T", {2: 4}, {(2, 2)}), ("C C* T T T*", {1: 5}, set())),
        (
            TURNED_ONCE_MORE + " 2:M T* M",
            ("C C C T T", {2: 4}, {(2, 2)}),
            ("C C* T T", {1: 4}, set()),
        ),
    ],
)
def test_two_players_remember_the_whole_hand_of_the_other(tokens, by_first, by_second):
    game = played(tokens)
    assert by_first == remembered(game, 1)
    assert by_second == remembered(game, 2)


JAKOB_TURNED_IT = "1:C 2:T J:T J:C C T J:C 1:C 1:C* 2:T 2:T J:T* J:M"
"""The draw pile's last card is a merchant turned up for Jakob, who is owed a good still."""


@pytest.mark.parametrize(
    ("tokens", "by_first", "by_second"),
    [
        (JAKOB_TURNED_IT, ("T T", {2: 2}, set()), ("C C*", {1: 2}, set())),
        (
            JAKOB_TURNED_IT + " J:C + 1:T + 2:C J:T C*",  # C* is one that seat 1 kept
            ("T T", {2: 2}, set()),
            ("C", {1: 1}, set()),
        ),
        (
            JAKOB_TURNED_IT + " J:C + 1:T + 2:C J:T C* C",  # seat 2 kept no C
            ("T T", {2: 2}, set()),
            ("C", {1: 1}, set()),
        ),
    ],
)
def test_a_merchant_turned_up_for_jakob_is_no_kept_card(tokens, by_first, by_second):
    game = played(tokens)
    assert by_first == remembered(game, 1)
    assert by_second == remembered(game, 2)


DRY = "1:C 2:T J:T J:C C T J:C 1:T 1:M 2:C 2:T J:T* J:C* M"
"""The draw pile is dry; C C C T T are in the discard pile. Seat 2, which holds C T, is to act."""


@pytest.mark.parametrize("shipment", ["(C)", "(T)"])
def test_a_shipment_that_turns_the_pile_stays_hidden(shipment):
    game = played(f"{DRY} {shipment}")
    assert ("C T", {2: 1}, {(2, 2)}) == remembered(game, 1)
    assert ("T", {1: 1}, set()) == remembered(game, 2)


# Three players

SHIPPED_BEFORE = "1:C 2:T 3:M J:C J:T (C) J:T + 2:T + 3:C + 1:C* T 3:C 3:T 1:T* 1:M"
"""C T T T in the discard pile, C in the draw pile, which seat 2 gets."""
OF_THREE = SHIPPED_BEFORE + " 2:C"
IN_ROUND_2 = OF_THREE + " 2:T J:T J:T M"
SHIPPED_AGAIN = IN_ROUND_2 + " (T*) J:C"
"""The shipment turns up the draw pile's last card."""


@pytest.mark.parametrize(
    ("tokens", "by_first", "by_second", "by_third"),
    [
        (SHIPPED_BEFORE, NOTHING, NOTHING, NOTHING),
        (
            OF_THREE,
            ("C C C T T M", {2: 2, 3: 4}, set()),
            ("C C C C* T T* M M", {1: 3, 3: 4}, {(1, 1)}),
            ("C C C* T T* M", {1: 3, 2: 2}, {(1, 1)}),
        ),
        (
            IN_ROUND_2,
            ("C C C T T", {2: 2, 3: 3}, set()),
            ("C C C C* T T* M", {1: 3, 3: 3}, {(1, 1)}),
            ("C C C* T T* M", {1: 3, 2: 2}, {(1, 1)}),
        ),
        (
            SHIPPED_AGAIN,
            ("C C C T T", {2: 2, 3: 3}, set()),
            ("C C C C* T T* M", {1: 2, 3: 3}, {(1, 1), (1, 2)}),
            ("C C C* T T* M", {1: 2, 2: 2}, {(1, 1), (1, 2)}),
        ),
        (
            SHIPPED_AGAIN + " C",  # seat 2 had drawn one card since, but no C could be drawn
            ("C C T T", {2: 1, 3: 3}, set()),
            ("C C C C* T T* M", {1: 2, 3: 3}, {(1, 1), (1, 2)}),
            ("C C* T T* M", {1: 2, 2: 1}, {(1, 1), (1, 2)}),
        ),
        (
            SHIPPED_AGAIN + " C T",  # the round ends and the pile is turned again
            ("C C T T", {2: 2, 3: 2}, set()),
            ("C C C C* T* M", {1: 2, 3: 2}, {(1, 1), (1, 2)}),
            ("C C* T T T* M", {1: 2, 2: 2}, {(1, 1), (1, 2)}),
        ),
    ],
)
def test_three_players_remember_which_cards_the_others_kept(tokens, by_first, by_second, by_third):
    game = played(tokens, 3, LARGER)
    assert by_first == remembered(game, 1)
    assert by_second == remembered(game, 2)
    assert by_third == remembered(game, 3)


# What is imagined


def imagined(game, seat, seed):
    """A state that a seat imagines from what it sees and remembers."""
    state, memories = game.observe(seat - 1), Past.of(game, seat - 1).memories()
    check(memories[0], state)
    fill_from_memory(state, memories[0], 0, new_sight().guesses, generator(seed))
    return state


def test_a_hand_that_is_known_is_imagined_as_it_is():
    game = played(TURNED + " J:C J:T M")
    for seed in range(20):
        assert game.state.tobytes() == imagined(game, 1, seed).tobytes()


def test_a_shipment_of_two_known_kinds_is_imagined_as_either():
    game = played(SHIPPED)
    shipped = Counter(int(imagined(game, 1, seed).shipments[1, 1]) for seed in range(300))
    assert {Card("C"), Card("T")} == set(shipped)
    assert 160 < shipped[Card("T")] < 240  # two of the three cards it can be


def test_a_memory_that_does_not_fit_is_forgotten():
    game = played(TURNED + " J:C J:T M")
    seen = game.observe(0)
    for kept, in_hand, in_shipment in (
        ("C C C C C", 5, 0),  # more than are unseen
        ("C T", 3, 0),  # fewer than places
        ("C T", 1, 0),  # more than places
    ):
        memories = no_memories()
        for card in kept.split():
            memories[0].kept[Card(card)] += 1
        memories[0].in_hand[1] = in_hand
        memories[0].in_shipment[1, 0] = in_shipment
        check(memories[0], seen)
        assert no_memories().tobytes() == memories.tobytes()


def test_a_memory_that_fits_stays():
    game = played(SHIPPED)
    memories = Past.of(game, 0).memories()
    before = memories.tobytes()
    check(memories[0], game.observe(0))
    assert before == memories.tobytes()
    forget(memories[0])
    assert no_memories().tobytes() == memories.tobytes()
