"""At which heights caves lie."""

from __future__ import annotations

import numpy as np

from lapis.minecraft.data_files import read_only

_LEAST, _MOST = 8, 127


def _starts() -> np.ndarray:
    limits = np.arange(_LEAST, _MOST + 1)
    below = np.arange(_MOST)[:, None] < limits
    return (below / limits).mean(axis=1)


CAVE_STARTS = read_only(_starts(), np.float64)
"""Share of caves that start at each height, float64, shape (y,): deep ones are more frequent.

The generator draws a limit from 8 to 127, all alike, and then a height below that limit.
"""
