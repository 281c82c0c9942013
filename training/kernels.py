"""The compiled loops of learning: self-play, what came of it, and slopes of the losses."""

from __future__ import annotations

import numpy as np

from fugger.bots.features import (
    action_of,
    output_of,
    seat_at,
    write_hidden,
    write_known,
)
from fugger.bots.network import FIRST, SECOND, run, setup_of
from fugger.bots.search import DEPTH, deal_owed, reward
from fugger.bots.simple import greedy
from fugger.bots.tree import WHOLE
from fugger.cards import GOOD_KINDS, GOODS, KINDS, MERCHANT
from fugger.chance import below
from fugger.compiled import entry, jitable
from fugger.playouts import ones
from fugger.rules.actions import ACTIONS, legal_actions
from fugger.rules.play import apply
from fugger.rules.state import MAX_PLAYERS, OVER

PARTS = 1 << 30


@jitable
def legal_outputs(legal: int, order) -> int:
    """The legal actions as a bit set of outputs."""
    found = 0
    left = legal
    while left != 0:
        action = ones((left & -left) - 1)
        left &= left - 1
        found |= 1 << output_of(action, order)
    return found


@jitable
def chances(outputs, legal: int) -> None:
    """Makes outputs the chances of the legal ones; the others' are 0."""
    most = np.float32(-1e30)
    for output in range(ACTIONS):
        if legal >> output & 1:
            most = max(most, outputs[output])
    total = np.float32(0)
    for output in range(ACTIONS):
        if legal >> output & 1:
            outputs[output] = np.exp(outputs[output] - most)
            total += outputs[output]
        else:
            outputs[output] = np.float32(0)
    for output in range(ACTIONS):
        outputs[output] /= total


@jitable
def softmax(outputs, number: int) -> None:
    """Makes the first outputs shares."""
    most = outputs[0]
    for output in range(1, number):
        most = max(most, outputs[output])
    total = np.float32(0)
    for output in range(number):
        outputs[output] = np.exp(outputs[output] - most)
        total += outputs[output]
    for output in range(number):
        outputs[output] /= total


@entry
def play(
    starts,
    states,
    decks,
    rngs,
    policy,
    value,
    features,
    values,
    known,
    counts,
    legal,
    chosen,
    chance,
    setups,
    movers,
    thought,
    brought,
    ended,
    follow,
    work_layers,
    work_outputs,
    order,
    numbers,
    begin,
    end,
) -> None:
    """Plays `steps` decisions of each game; arrays (games, steps, …)."""
    steps = chosen.shape[1]
    for game in range(begin, end):
        state = states[game]
        deck = decks[game]
        rng = rngs[game]
        players = int(state.players)
        for at in range(steps + 1):
            row = features[game, at]
            held = values[game, at]
            number = write_known(state, order, row, held)
            known[game, at] = number
            number = write_hidden(state, order, number, row, held)
            counts[game, at] = number
            setup = setup_of(state)
            setups[game, at] = setup
            movers[game, at] = state.player
            run(value, setup, number, row, held, work_layers, work_outputs)
            softmax(work_outputs, players)
            for place in range(players):
                thought[game, at, seat_at(place, int(state.player), players)] = work_outputs[place]
            if at == steps:
                break
            outputs = legal_outputs(legal_actions(state), order)
            legal[game, at] = outputs
            run(policy, setup, known[game, at], row, held, work_layers, work_outputs)
            chances(work_outputs, outputs)
            drawn = np.float32(below(rng, PARTS) / PARTS)
            total = np.float32(0)
            taken = -1
            for output in range(ACTIONS):
                if outputs >> output & 1:
                    taken = output
                    total += work_outputs[output]
                    if total > drawn:
                        break
            if follow:
                taken = output_of(greedy(state, rng), order)
            chosen[game, at] = taken
            chance[game, at] = work_outputs[taken]
            apply(state, action_of(taken, order))
            deal_owed(state, rng, deck)
            ended[game, at] = state.stage == OVER
            if state.stage == OVER:
                reward(state, numbers)
                for seat in range(players):
                    brought[game, at, seat] = numbers[2 * DEPTH + seat] / WHOLE
                states[game] = starts[game]
                first = below(rng, players)
                state.starter = state.player = state.recipient = first
                deck[0] = 0
                deal_owed(state, rng, deck)


@entry
def look_back(thought, brought, ended, movers, players, keep, gains, returns, begin, end) -> None:
    """What each decision was worth: returns for all seats by place, gains for the mover."""
    steps = ended.shape[1]
    worth = np.zeros(MAX_PLAYERS, np.float32)
    for game in range(begin, end):
        seats = players[game]
        for seat in range(seats):
            worth[seat] = thought[game, steps, seat]
        for at in range(steps - 1, -1, -1):
            if ended[game, at]:
                for seat in range(seats):
                    worth[seat] = brought[game, at, seat]
            elif at < steps - 1:
                for seat in range(seats):
                    worth[seat] = keep * worth[seat] + (1 - keep) * thought[game, at + 1, seat]
            me = int(movers[game, at])
            gains[game, at] = worth[me] - thought[game, at, me]
            for place in range(seats):
                returns[game, at, place] = worth[seat_at(place, me, seats)]


@entry
def policy_slopes(
    network,
    batch,
    features,
    values,
    known,
    setups,
    legal,
    chosen,
    chance,
    gains,
    clip,
    entropy,
    w1,
    b1,
    w2,
    b2,
    w3,
    b3,
    layers,
    outputs,
    slope,
    deeper,
    sums,
    begin,
    end,
) -> None:
    """Adds up the slopes of PPO's loss over a batch's rows from begin to end."""
    for place in range(begin, end):
        row = batch[place]
        setup = int(setups[row])
        number = int(known[row])
        run(network, setup, number, features[row], values[row], layers, outputs)
        mask = int(legal[row])
        chances(outputs, mask)
        taken = int(chosen[row])
        ratio = outputs[taken] / chance[row]
        gain = gains[row]
        push = gain * ratio
        if (gain > 0 and ratio > 1 + clip) or (gain < 0 and ratio < 1 - clip):
            push = np.float32(0)
            sums[1] += 1
        if clip < 0:
            push = np.float32(1)
        spread = np.float32(0)
        for output in range(ACTIONS):
            if outputs[output] > 0:
                spread -= outputs[output] * np.log(outputs[output] + np.float32(1e-10))
        sums[0] += spread
        for output in range(ACTIONS):
            slope[output] = np.float32(0)
            if mask >> output & 1:
                slope[output] = outputs[output] * push
                log = np.log(outputs[output] + np.float32(1e-10))
                slope[output] += entropy * outputs[output] * (log + spread)
        slope[taken] -= push
        back(
            network,
            setup,
            number,
            features[row],
            values[row],
            slope,
            ACTIONS,
            w1,
            b1,
            w2,
            b2,
            w3,
            b3,
            layers,
            deeper,
        )


@entry
def value_slopes(
    network,
    batch,
    features,
    values,
    counts,
    setups,
    returns,
    w1,
    b1,
    w2,
    b2,
    w3,
    b3,
    layers,
    outputs,
    slope,
    deeper,
    sums,
    begin,
    end,
) -> None:
    """Adds up the slopes of the cross entropy with what seats got."""
    for place in range(begin, end):
        row = batch[place]
        setup = int(setups[row])
        players = setup // 2 + 2
        number = int(counts[row])
        run(network, setup, number, features[row], values[row], layers, outputs)
        softmax(outputs, players)
        for seat in range(players):
            slope[seat] = outputs[seat] - returns[row, seat]
            sums[0] -= returns[row, seat] * np.log(outputs[seat] + np.float32(1e-10))
        for seat in range(players, MAX_PLAYERS):
            slope[seat] = np.float32(0)
        back(
            network,
            setup,
            number,
            features[row],
            values[row],
            slope,
            MAX_PLAYERS,
            w1,
            b1,
            w2,
            b2,
            w3,
            b3,
            layers,
            deeper,
        )


@jitable
def back(
    network, setup, number, features, values, slope, outputs, w1, b1, w2, b2, w3, b3, layers, deeper
):
    """Adds the slopes of all weights, from those of the outputs."""
    for output in range(outputs):
        b3[setup, output] += slope[output]
    for row in range(SECOND):
        deeper[FIRST + row] = np.float32(0)
        value = layers[FIRST + row]
        if value > 0:
            total = np.float32(0)
            for output in range(outputs):
                w3[setup, row, output] += value * slope[output]
                total += network.last[setup, row, output] * slope[output]
            deeper[FIRST + row] = total
            b2[setup, row] += total
    for row in range(FIRST):
        value = layers[row]
        deeper[row] = np.float32(0)
        if value > 0:
            total = np.float32(0)
            for unit in range(SECOND):
                w2[setup, row, unit] += value * deeper[FIRST + unit]
                total += network.second[setup, row, unit] * deeper[FIRST + unit]
            deeper[row] = total
            b1[row] += total
    for place in range(number):
        row, value = features[place], values[place]
        for unit in range(FIRST):
            w1[row, unit] += value * deeper[unit]


@entry
def contest(
    starts,
    states,
    decks,
    rngs,
    policy,
    shares,
    layers,
    outputs,
    order,
    features,
    values,
    numbers,
    begin,
    end,
) -> None:
    """Games of the network, at seat game % players, against `greedy`; its share of each."""
    for game in range(begin, end):
        state = states[game]
        states[game] = starts[game]
        deck = decks[game]
        deck[0] = 0
        rng = rngs[game]
        players = int(state.players)
        own = game % players
        deal_owed(state, rng, deck)
        while state.stage != OVER:
            if state.player == own:
                number = write_known(state, order, features, values)
                run(policy, setup_of(state), number, features, values, layers, outputs)
                mask = legal_outputs(legal_actions(state), order)
                taken, most = -1, np.float32(-1e30)
                for output in range(ACTIONS):
                    if mask >> output & 1 and outputs[output] > most:
                        taken, most = output, outputs[output]
                apply(state, action_of(taken, order))
            else:
                apply(state, greedy(state, rng))
            deal_owed(state, rng, deck)
        reward(state, numbers)
        most, won, winning = 0, 0, 0
        for seat in range(players):
            most = max(most, int(state.money[seat]))
        for seat in range(players):
            if state.money[seat] == most:
                winning += 1
                won += seat == own
        shares[game] = won / winning


GUESSED = 3 * (KINDS + GOOD_KINDS)


@jitable
def hidden_cards(state, order, hands, shipped, pool) -> None:
    """Writes what the mover doesn't see, by place less 1 and rank: cards in hands, goods shipped."""
    me, players = int(state.player), int(state.players)
    for rank in range(GOODS):
        for sealed in range(2):
            pool[2 * rank + sealed] = state.draw_pile[2 * order[rank] + sealed]
    pool[MERCHANT] = state.draw_pile[MERCHANT]
    for place in range(MAX_PLAYERS - 1):
        for card in range(KINDS):
            hands[place, card] = 0
            shipped[place, card] = 0
    for place in range(1, players):
        seat = seat_at(place, me, players)
        for rank in range(GOODS):
            for sealed in range(2):
                held = state.hand[seat, 2 * order[rank] + sealed]
                hands[place - 1, 2 * rank + sealed] = held
                pool[2 * rank + sealed] += held
        hands[place - 1, MERCHANT] = state.hand[seat, MERCHANT]
        pool[MERCHANT] += state.hand[seat, MERCHANT]
        for shipment in range(2):
            card = int(state.shipments[seat, shipment])
            if card >= 0:
                ranked = 2 * int(order[GOODS + (card >> 1)]) + (card & 1)
                shipped[place - 1, ranked] += 1
                pool[ranked] += 1


@entry
def watch(
    starts,
    states,
    decks,
    rngs,
    policy,
    features,
    values,
    known,
    setups,
    hands,
    shipped,
    pools,
    follow,
    work_layers,
    work_outputs,
    order,
    begin,
    end,
) -> None:
    """Plays decisions of each game and writes down what was known and what was hidden."""
    steps = known.shape[1]
    for game in range(begin, end):
        state = states[game]
        deck = decks[game]
        rng = rngs[game]
        players = int(state.players)
        for at in range(steps):
            number = write_known(state, order, features[game, at], values[game, at])
            known[game, at] = number
            setup = setup_of(state)
            setups[game, at] = setup
            hidden_cards(state, order, hands[game, at], shipped[game, at], pools[game, at])
            legal = legal_outputs(legal_actions(state), order)
            if follow and below(rng, 2):
                taken = output_of(greedy(state, rng), order)
            else:
                run(
                    policy,
                    setup,
                    number,
                    features[game, at],
                    values[game, at],
                    work_layers,
                    work_outputs,
                )
                chances(work_outputs, legal)
                drawn = np.float32(below(rng, PARTS) / PARTS)
                total = np.float32(0)
                taken = -1
                for output in range(ACTIONS):
                    if legal >> output & 1:
                        taken = output
                        total += work_outputs[output]
                        if total > drawn:
                            break
            apply(state, action_of(taken, order))
            deal_owed(state, rng, deck)
            if state.stage == OVER:
                states[game] = starts[game]
                first = below(rng, players)
                state.starter = state.player = state.recipient = first
                deck[0] = 0
                deal_owed(state, rng, deck)


@entry
def guess_slopes(
    network,
    batch,
    features,
    values,
    known,
    setups,
    hands,
    shipped,
    pools,
    w1,
    b1,
    w2,
    b2,
    w3,
    b3,
    layers,
    outputs,
    slope,
    deeper,
    sums,
    begin,
    end,
) -> None:
    """Adds up the slopes of the cross entropy with the cards that were there."""
    for place in range(begin, end):
        row = batch[place]
        setup = int(setups[row])
        number = int(known[row])
        run(network, setup, number, features[row], values[row], layers, outputs)
        at = 0
        for group in range(6):
            kinds = KINDS if group < 3 else GOOD_KINDS
            counts = hands[row, group] if group < 3 else shipped[row, group - 3]
            held = 0
            for card in range(kinds):
                held += counts[card]
                slope[at + card] = np.float32(0)
            if held > 0:
                most = np.float32(-1e30)
                cards_in_pool = 0
                for card in range(kinds):
                    cards_in_pool += pools[row, card]
                    if pools[row, card] > 0:
                        most = max(most, outputs[at + card])
                total = np.float32(0)
                for card in range(kinds):
                    if pools[row, card] > 0:
                        slope[at + card] = pools[row, card] * np.exp(outputs[at + card] - most)
                        total += slope[at + card]
                which = 0 if group < 3 else 2
                for card in range(kinds):
                    if pools[row, card] > 0:
                        chance = slope[at + card] / total
                        if counts[card] > 0:
                            sums[which] -= counts[card] * np.log(chance + np.float32(1e-10))
                            sums[which + 1] -= counts[card] * np.log(
                                pools[row, card] / np.float32(cards_in_pool)
                            )
                        slope[at + card] = held * chance - counts[card]
            at += kinds
        back(
            network,
            setup,
            number,
            features[row],
            values[row],
            slope,
            GUESSED,
            w1,
            b1,
            w2,
            b2,
            w3,
            b3,
            layers,
            deeper,
        )
