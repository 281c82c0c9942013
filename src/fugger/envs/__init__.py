"""Research environments: the game as other ecosystems expect one.

===============================  ==============================================================
module                           what it is
===============================  ==============================================================
`fugger.envs.vector`             thousands of games at once, of nothing but NumPy
`fugger.envs.fugger_v0`          PettingZoo: agents that take turns
`fugger.envs.gymnasium`          Gymnasium: one learner against chosen bots, ``Fugger-v0``
`fugger.envs.gymnasium_vector`   Gymnasium: thousands of learners at once
===============================  ==============================================================

`fugger.envs.tensor` is the observation that all of them share, `fugger.envs.rewards` what a game
was worth; both are tables in `docs/research.md`.
"""
