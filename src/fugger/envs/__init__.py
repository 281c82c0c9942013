"""Research environments: the game as other ecosystems expect one.

`fugger.envs.tensor` is the observation that all of them share, `fugger.envs.rewards` what a game
was worth; both are tables in `docs/research.md`.
"""
