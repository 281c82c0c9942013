"""Exact solutions of small games of two players, found on the engine's games without OpenSpiel.

A tree is made of tuples: ``("end", worth to seat 0)``, ``("deal", [(chance, tree)])`` and
``("turn", seat, what the seat knows, [(action, tree)])``. A game's value and a best way to play
come from the linear program over *sequences*, a seat's own actions as far as they have gone
(Koller, Megiddo and von Stengel 1994).
"""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from fugger import record


def tree_of(game):
    """The tree of all that can still happen; an end is worth seat 0's share less a half."""
    if game.is_over:
        return ("end", (0 in game.winners) / len(game.winners) - 0.5)
    if game.recipient is not None:
        size = sum(game.chances.values())
        return (
            "deal",
            [(n / size, _child(game, "deal", card)) for card, n in game.chances.items()],
        )
    seat = game.player
    knows = f"seat {seat + 1}: {' '.join(record.writing.tokens_for(game, seat))}"
    turns = [(int(action), _child(game, "play", action)) for action in game.legal_actions]
    return ("turn", seat, knows, turns)


def _child(game, verb, what):
    twin = game.copy()
    getattr(twin, verb)(what)
    return tree_of(twin)


def uniform_value(tree):
    """What a tree is worth to seat 0 when all actions are as likely."""
    if tree[0] == "end":
        return tree[1]
    branches = tree[-1]
    if tree[0] == "deal":
        return sum(chance * uniform_value(child) for chance, child in branches)
    return sum(uniform_value(child) for _, child in branches) / len(branches)


class LinearProgram:
    """The sequences of both seats, and what each pair of them is worth to seat 0.

    Attributes:
        values: what the game is worth to each seat that has been solved for.
    """

    def __init__(self, tree):
        self.values = {}
        self._sequences = [{(): 0}, {(): 0}]
        self._turns = [{}, {}]  # by what the seat knows: the sequence before it, its actions
        self._worth = {}
        self._add(tree, 1.0, [0, 0])

    def _add(self, tree, chance, at):
        if tree[0] == "end":
            self._worth[tuple(at)] = self._worth.get(tuple(at), 0.0) + chance * tree[1]
        elif tree[0] == "deal":
            for number, child in tree[1]:
                self._add(child, chance * number, at)
        else:
            _, seat, knows, branches = tree
            sequences = self._sequences[seat]
            before, actions = self._turns[seat].setdefault(knows, (at[seat], {}))
            assert before == at[seat]  # the seat remembers all it did
            for action, child in branches:
                number = sequences.setdefault((knows, action), len(sequences))
                actions[action] = number
                self._add(child, chance, [number, at[1]] if seat == 0 else [at[0], number])

    def solve(self, seat):
        """A way to play that secures the most: the chances of actions by what the seat knows."""
        worth = self._matrix(seat)
        own, others = self._constraints(seat), self._constraints(1 - seat)
        sequences, turns = own.shape[1], others.shape[0]
        # The most of the root's value, while every sequence of the other's is answered.
        goal = np.zeros(sequences + turns)
        goal[sequences] = -1
        found = linprog(
            goal,
            A_ub=hstack([-worth.T, others.T]),
            b_ub=np.zeros(others.shape[1]),
            A_eq=hstack([own, coo_matrix((own.shape[0], turns))]),
            b_eq=np.eye(1, own.shape[0])[0],
            bounds=[(0, None)] * sequences + [(None, None)] * turns,
            method="highs",
        )
        assert found.success, found.message
        self.values[seat] = -found.fun
        return {
            knows: _behaviour(actions, found.x) for knows, (_, actions) in self._turns[seat].items()
        }

    def _matrix(self, seat):
        """What pairs of sequences are worth to a seat; rows are its own."""
        shape = tuple(map(len, self._sequences))
        rows, columns = zip(*self._worth, strict=True)
        matrix = coo_matrix((list(self._worth.values()), (rows, columns)), shape)
        return matrix if seat == 0 else -matrix.T

    def _constraints(self, seat):
        """Of a plan: the empty sequence has chance 1, a turn's actions share what led there."""
        entries = [(0, 0, 1.0)]
        for row, (before, actions) in enumerate(self._turns[seat].values(), 1):
            entries.append((row, before, -1.0))
            entries += [(row, number, 1.0) for number in actions.values()]
        rows, columns, numbers = zip(*entries, strict=True)
        shape = (len(self._turns[seat]) + 1, len(self._sequences[seat]))
        return coo_matrix((numbers, (rows, columns)), shape)


def _behaviour(actions, plan):
    """The chances of actions when it is the seat's turn; all alike where the plan never goes."""
    weights = [max(0.0, plan[number]) for number in actions.values()]
    if sum(weights) < 1e-12:
        weights = [1.0] * len(actions)
    return [
        (action, weight / sum(weights)) for action, weight in zip(actions, weights, strict=True)
    ]
