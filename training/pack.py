"""Packs learnt networks for the package."""

import sys

import kernels
import numpy as np
import train

out, nets, *more = sys.argv[1:]
found = train.load(nets)
if more:
    found |= train.load(more[0])
else:
    zero = train.new_network(kernels.GUESSED, np.random.default_rng(0))
    found["guess"] = type(zero)(*(0 * part for part in zero))
arrays = {
    f"{name}_{field}": part.astype(np.float16)
    for name, network in found.items()
    for field, part in network._asdict().items()
}
assert all(np.isfinite(part).all() for part in arrays.values())
np.savez_compressed(out, **arrays)
