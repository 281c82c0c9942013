"""The compiled loops of learning: self-play, what came of it, and slopes of the losses.

Every loop takes the numbers of the first game (or row) to treat and the one after the last, so that
threads can share them; and no array but a `Sight` is its own, so that nothing is allocated.
"""

# ruff: noqa: PLR0913, PLR0917 (compiled code takes no groups of arrays but tuples)

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from fugger.bots.features import action_of, output_of, seat_at, write_hidden, write_known
from fugger.bots.network import FIRST, SECOND, Network, Sight, run, setup_of
from fugger.bots.networks import OTHERS
from fugger.bots.search import DEPTH, deal_owed, reward
from fugger.bots.simple import greedy
from fugger.bots.tree import WHOLE
from fugger.cards import GOOD_KINDS, GOODS, KINDS, MERCHANT
from fugger.chance import below
from fugger.compiled import called, entry, jitable
from fugger.playouts import ones
from fugger.rules.actions import ACTIONS, legal_actions
from fugger.rules.evaluation import winners
from fugger.rules.play import apply
from fugger.rules.state import MAX_PLAYERS, OVER, SHIPPING_ROUNDS, State, States

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.chance import Generator

_PARTS: Final = 1 << 30
_TINY: Final = np.float32(1e-10)
_LOWEST: Final = np.float32(-1e30)


class Table(NamedTuple):
    """Games side by side.

    Attributes:
        starts, states: each game before its first card, and now.
        decks, rngs: what deals and chooses in each.
    """

    starts: States
    states: States
    decks: NDArray[np.uint16]
    rngs: NDArray[np.int64]


class Steps(NamedTuple):
    """What was seen and done: arrays with a row of steps for each game.

    Attributes:
        features, values: lists of features; see `fugger.bots.features`.
        known, all: how many of them the mover knows, and how many there are.
        setups, movers: whose networks, and whose turn.
        legal, chosen, chance: outputs that were legal as a bit set, the one taken, how likely.
        thought: what each seat was thought to get, one step more than was played.
        brought: what it got when a game ended.
        ended: whether the step ended a game.
        gains: by how much the step was worth more than was thought, for the mover.
        returns: what it was worth, by place.
        hands, shipped: what the others hid, by place less one and ranked card.
        pools: all cards that the mover doesn't see, ranked.
    """

    features: NDArray[np.int32]
    values: NDArray[np.float32]
    known: NDArray[np.int32]
    all: NDArray[np.int32]
    setups: NDArray[np.int8]
    movers: NDArray[np.int8]
    legal: NDArray[np.int64]
    chosen: NDArray[np.int32]
    chance: NDArray[np.float32]
    thought: NDArray[np.float32]
    brought: NDArray[np.float32]
    ended: NDArray[np.bool_]
    gains: NDArray[np.float32]
    returns: NDArray[np.float32]
    hands: NDArray[np.int8]
    shipped: NDArray[np.int8]
    pools: NDArray[np.int16]


@entry
def play(
    table: Table,
    steps: Steps,
    policy: Network,
    value: Network,
    greedily: float,
    sight: Sight,
    numbers: NDArray[np.int64],
    begin: int,
    end: int,
) -> None:
    """Plays steps of every game by the policy, or with a chance of `greedily` as greedy would."""
    for game in range(begin, end):
        state, deck, rng = table.states[game], table.decks[game], table.rngs[game]
        for at in range(steps.chosen.shape[1] + 1):
            look(state, steps, game, at, value, sight)
            if at == steps.chosen.shape[1]:
                break
            run(policy, int(steps.setups[game, at]), seen(steps, game, at, False, sight))
            legal = legal_outputs(legal_actions(state), sight.order)
            to_chances(sight.outputs, legal)
            taken = drawn(sight.outputs, legal, rng)
            if below(rng, _PARTS) < greedily * _PARTS:
                taken = output_of(greedy(state, rng), sight.order)
            steps.legal[game, at] = legal
            steps.chosen[game, at] = taken
            steps.chance[game, at] = sight.outputs[taken]
            apply(state, action_of(taken, sight.order))
            deal_owed(state, rng, deck)
            steps.ended[game, at] = state.stage == OVER
            if state.stage == OVER:
                reward(state, numbers)
                for seat in range(state.players):
                    steps.brought[game, at, seat] = numbers[2 * DEPTH + seat] / WHOLE
                begin_game(table, game, below(rng, state.players))


@entry
def begin_all(table: Table) -> None:
    """Begins every game."""
    for game in range(len(table.states)):
        begin_game(table, game, 0)


@called
def begin_game(table: Table, game: int, first: int) -> None:
    """Begins a game anew, with a first seat, and deals."""
    table.states[game] = table.starts[game]
    state, deck = table.states[game], table.decks[game]
    state.starter = state.player = state.recipient = first
    deck[0] = 0
    deal_owed(state, table.rngs[game], deck)


@called
def look(state: State, steps: Steps, game: int, at: int, value: Network, sight: Sight) -> None:
    """Writes down what is known and hidden, and what a network thinks of it."""
    write_known(state, sight)
    steps.known[game, at] = sight.number[0]
    write_hidden(state, sight)
    number = sight.number[0]
    steps.all[game, at] = number
    for place in range(number):
        steps.features[game, at, place] = sight.features[place]
        steps.values[game, at, place] = sight.values[place]
    me, players = int(state.player), int(state.players)
    setup = setup_of(state)
    steps.setups[game, at] = setup
    steps.movers[game, at] = me
    run(value, setup, sight)
    to_shares(sight.outputs, players)
    for place in range(players):
        steps.thought[game, at, seat_at(place, me, players)] = sight.outputs[place]
    if at < steps.hands.shape[1]:
        hidden = steps.hands[game, at], steps.shipped[game, at]
        write_hidden_cards(state, sight, hidden, steps.pools[game, at])


@jitable
def write_hidden_cards(
    state: State,
    sight: Sight,
    hidden: tuple[NDArray[np.int8], NDArray[np.int8]],
    pool: NDArray[np.int16],
) -> None:
    """Counts the cards in the others' hands and shipments, ranked, by place less one."""
    hands, shipped = hidden
    order = sight.order
    me, players = int(state.player), int(state.players)
    for rank in range(GOODS):
        for sealed in range(2):
            pool[2 * rank + sealed] = sight.unseen[2 * int(order[rank]) + sealed]
    pool[MERCHANT] = sight.unseen[MERCHANT]
    for place in range(1, players):
        seat = seat_at(place, me, players)
        for rank in range(GOODS):
            for sealed in range(2):
                held = state.hand[seat, 2 * int(order[rank]) + sealed]
                hands[place - 1, 2 * rank + sealed] = held
                shipped[place - 1, 2 * rank + sealed] = 0
        hands[place - 1, MERCHANT] = state.hand[seat, MERCHANT]
        for shipment in range(SHIPPING_ROUNDS):
            card = int(state.shipments[seat, shipment])
            if card >= 0:
                shipped[place - 1, 2 * int(order[GOODS + (card >> 1)]) + (card & 1)] += 1


@called
def seen(steps: Steps, game: int, at: int, hidden: bool, sight: Sight) -> Sight:
    """Has a sight see again what was seen at a step, with what was hidden or without."""
    number = int(steps.all[game, at]) if hidden else int(steps.known[game, at])
    for place in range(number):
        sight.features[place] = steps.features[game, at, place]
        sight.values[place] = steps.values[game, at, place]
    sight.number[0] = number
    return sight


@jitable
def legal_outputs(legal: int, order: NDArray[np.int64]) -> int:
    """The legal actions as a bit set of outputs."""
    outputs = 0
    left = legal
    while left != 0:
        outputs |= 1 << output_of(ones((left & -left) - 1), order)
        left &= left - 1
    return outputs


@called
def to_chances(outputs: NDArray[np.float32], legal: int) -> None:
    """Makes outputs the chances of the legal ones; the others' are 0."""
    most = _LOWEST
    for output in range(ACTIONS):
        if legal >> output & 1:
            most = max(most, outputs[output])
    total = np.float32(0)
    for output in range(ACTIONS):
        outputs[output] = np.exp(outputs[output] - most) if legal >> output & 1 else np.float32(0)
        total += outputs[output]
    for output in range(ACTIONS):
        outputs[output] /= total


@called
def to_shares(outputs: NDArray[np.float32], number: int) -> None:
    """Makes the first outputs shares of 1."""
    most = _LOWEST
    for output in range(number):
        most = max(most, outputs[output])
    total = np.float32(0)
    for output in range(number):
        outputs[output] = np.exp(outputs[output] - most)
        total += outputs[output]
    for output in range(number):
        outputs[output] /= total


@jitable
def drawn(chances: NDArray[np.float32], legal: int, rng: Generator) -> int:
    """One of the legal outputs, by their chances."""
    left = np.float32(below(rng, _PARTS) / _PARTS)
    taken = -1
    for output in range(ACTIONS):
        if legal >> output & 1:
            taken = output
            left -= chances[output]
            if left < 0:
                break
    return taken


@entry
def look_back(steps: Steps, keep: float, begin: int, end: int) -> None:
    """What each step was worth: a mixture of what came later, nearer steps counting for more."""
    worth = np.zeros(MAX_PLAYERS, np.float32)
    last = steps.chosen.shape[1] - 1
    for game in range(begin, end):
        players = steps.setups[game, 0] // 2 + 2
        for at in range(last, -1, -1):
            for seat in range(players):
                later = steps.thought[game, at + 1, seat]
                if at < last:
                    later = np.float32(keep) * worth[seat] + np.float32(1 - keep) * later
                worth[seat] = steps.brought[game, at, seat] if steps.ended[game, at] else later
            me = int(steps.movers[game, at])
            steps.gains[game, at] = worth[me] - steps.thought[game, at, me]
            for place in range(players):
                steps.returns[game, at, place] = worth[seat_at(place, me, players)]


@entry
def policy_slopes(
    network: Network,
    batch: NDArray[np.int64],
    steps: Steps,
    clip: float,
    entropy: float,
    slopes: Network,
    deeper: NDArray[np.float32],
    slope: NDArray[np.float32],
    sight: Sight,
    sums: NDArray[np.float64],
    begin: int,
    end: int,
) -> None:
    """Adds the slopes of PPO's loss; with a clip of 0 those of imitating what was chosen.

    To `sums` it adds the entropy, and how often a ratio was clipped.
    """
    length = steps.chosen.shape[1]
    for row in range(begin, end):
        game, at = batch[row] // length, batch[row] % length
        setup, legal = int(steps.setups[game, at]), int(steps.legal[game, at])
        run(network, setup, seen(steps, game, at, False, sight))
        chances = sight.outputs
        to_chances(chances, legal)
        taken, gain = int(steps.chosen[game, at]), steps.gains[game, at]
        ratio = chances[taken] / steps.chance[game, at]
        push = gain * ratio
        if (gain > 0 and ratio > 1 + clip) or (gain < 0 and ratio < 1 - clip):
            push = np.float32(0)
            sums[1] += 1
        if clip == 0:
            push = np.float32(1)
        spread = np.float32(0)
        for output in range(ACTIONS):
            if legal >> output & 1:
                spread -= chances[output] * np.log(chances[output] + _TINY)
        sums[0] += spread
        for output in range(ACTIONS):
            slope[output] = np.float32(0)
            if legal >> output & 1:
                log = np.log(chances[output] + _TINY)
                slope[output] = chances[output] * (push + np.float32(entropy) * (log + spread))
        slope[taken] -= push
        add_slopes(network, setup, slope, ACTIONS, slopes, deeper, sight)


@entry
def value_slopes(
    network: Network,
    batch: NDArray[np.int64],
    steps: Steps,
    slopes: Network,
    deeper: NDArray[np.float32],
    slope: NDArray[np.float32],
    sight: Sight,
    sums: NDArray[np.float64],
    begin: int,
    end: int,
) -> None:
    """Adds the slopes of the cross entropy with what seats got; to `sums` that itself."""
    length = steps.chosen.shape[1]
    for row in range(begin, end):
        game, at = batch[row] // length, batch[row] % length
        setup = int(steps.setups[game, at])
        players = setup // 2 + 2
        run(network, setup, seen(steps, game, at, True, sight))
        to_shares(sight.outputs, players)
        for place in range(MAX_PLAYERS):
            slope[place] = np.float32(0)
            if place < players:
                got = steps.returns[game, at, place]
                slope[place] = sight.outputs[place] - got
                sums[0] -= got * np.log(sight.outputs[place] + _TINY)
        add_slopes(network, setup, slope, MAX_PLAYERS, slopes, deeper, sight)


@entry
def guess_slopes(
    network: Network,
    batch: NDArray[np.int64],
    steps: Steps,
    slopes: Network,
    deeper: NDArray[np.float32],
    slope: NDArray[np.float32],
    sight: Sight,
    sums: NDArray[np.float64],
    begin: int,
    end: int,
) -> None:
    """Adds the slopes of the cross entropy with the cards that were there.

    To `sums` it adds that of hands, the same of uniform guesses, and both of shipments.
    """
    length = steps.chosen.shape[1]
    for row in range(begin, end):
        game, at = batch[row] // length, batch[row] % length
        setup = int(steps.setups[game, at])
        run(network, setup, seen(steps, game, at, False, sight))
        pool = steps.pools[game, at]
        for place in range(OTHERS):
            first = KINDS * place
            guess(
                sight.outputs[first : first + KINDS],
                steps.hands[game, at, place],
                pool,
                KINDS,
                slope[first : first + KINDS],
                sums[:2],
            )
            first = KINDS * OTHERS + GOOD_KINDS * place
            guess(
                sight.outputs[first : first + GOOD_KINDS],
                steps.shipped[game, at, place],
                pool,
                GOOD_KINDS,
                slope[first : first + GOOD_KINDS],
                sums[2:],
            )
        add_slopes(network, setup, slope, network.last.shape[2], slopes, deeper, sight)


@called
def guess(
    outputs: NDArray[np.float32],
    counts: NDArray[np.int8],
    pool: NDArray[np.int16],
    kinds: int,
    slope: NDArray[np.float32],
    sums: NDArray[np.float64],
) -> None:
    """Slopes of one place's guess: cards of the pool, some kinds likelier than others."""
    held, cards, most = 0, 0, _LOWEST
    for card in range(kinds):
        slope[card] = np.float32(0)
        held += counts[card]
        cards += pool[card]
        if pool[card] > 0:
            most = max(most, outputs[card])
    if held == 0:
        return
    total = np.float32(0)
    for card in range(kinds):
        if pool[card] > 0:
            slope[card] = np.float32(pool[card]) * np.exp(outputs[card] - most)
            total += slope[card]
    for card in range(kinds):
        if pool[card] > 0:
            chance = slope[card] / total
            sums[0] -= counts[card] * np.log(chance + _TINY)
            sums[1] -= counts[card] * np.log(pool[card] / cards)
            slope[card] = np.float32(held) * chance - np.float32(counts[card])


@called
def add_slopes(
    network: Network,
    setup: int,
    slope: NDArray[np.float32],
    outputs: int,
    slopes: Network,
    deeper: NDArray[np.float32],
    sight: Sight,
) -> None:
    """Adds the slopes of all weights, from those of the outputs of what was run last."""
    layers = sight.layers
    for output in range(outputs):
        slopes.last_bias[setup, output] += slope[output]
    for row in range(SECOND):
        deeper[FIRST + row] = np.float32(0)
        value = layers[FIRST + row]
        if value > 0:
            total = np.float32(0)
            for output in range(outputs):
                slopes.last[setup, row, output] += value * slope[output]
                total += network.last[setup, row, output] * slope[output]
            deeper[FIRST + row] = total
            slopes.second_bias[setup, row] += total
    for row in range(FIRST):
        deeper[row] = np.float32(0)
        value = layers[row]
        if value > 0:
            total = np.float32(0)
            for unit in range(SECOND):
                slopes.second[setup, row, unit] += value * deeper[FIRST + unit]
                total += network.second[setup, row, unit] * deeper[FIRST + unit]
            deeper[row] = total
            slopes.first_bias[row] += total
    for place in range(sight.number[0]):
        row, value = sight.features[place], sight.values[place]
        for unit in range(FIRST):
            slopes.first[row, unit] += value * deeper[unit]


@entry
def contest(
    table: Table,
    policy: Network,
    shares: NDArray[np.float64],
    sight: Sight,
    begin: int,
    end: int,
) -> None:
    """Games of the policy, at seat game % players, against `greedy`; its share of each win."""
    for game in range(begin, end):
        state, rng = table.states[game], table.rngs[game]
        own = game % int(table.starts[game].players)
        begin_game(table, game, int(table.starts[game].starter))
        while state.stage != OVER:
            if state.player == own:
                write_known(state, sight)
                run(policy, setup_of(state), sight)
                legal = legal_outputs(legal_actions(state), sight.order)
                to_chances(sight.outputs, legal)
                action = action_of(int(np.argmax(sight.outputs[:ACTIONS])), sight.order)
            else:
                action = greedy(state, rng)
            apply(state, action)
            deal_owed(state, rng, table.decks[game])
        won = winners(state)
        shares[game] = (won >> own & 1) / ones(won)
