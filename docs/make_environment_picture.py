"""Draws `environment.png`, what the environments show as ``rgb_array``.

``uv run --extra pettingzoo docs/make_environment_picture.py`` draws it anew: the same until the
drawings, the tensor or the dealing of a seed change.
"""

from __future__ import annotations

import random
from pathlib import Path

from PIL import Image

from fugger.envs import fugger_v0

COLOURS = 256
STEPS = 40

env = fugger_v0.raw_env(players=3, render_mode="rgb_array")
env.reset(seed=3)
rng = random.Random(4)
for _ in range(STEPS):
    seen, *_ = env.last()
    env.step(rng.choice(seen["action_mask"].nonzero()[0]))
picture = Image.fromarray(env.render()).quantize(COLOURS, dither=Image.Dither.NONE)
picture.save(Path(__file__).with_name("environment.png"), optimize=True)
