"""The PettingZoo environment under the name that PettingZoo's conventions give it.

from fugger.envs import fugger_v0

env = fugger_v0.env(players=3)
"""

from fugger.envs.pettingzoo import env, raw_env

__all__ = ["env", "raw_env"]
