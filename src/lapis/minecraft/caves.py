"""At which heights caves lie."""

from __future__ import annotations

import numpy as np

from lapis.minecraft.data_files import read_only

_LIMITS = np.arange(8, 128)
_BELOW = np.arange(127)[:, None] < _LIMITS

CAVE_STARTS = read_only((_BELOW / _LIMITS).mean(axis=1), np.float64)
"""Share of caves that start at each height, float64, shape (y,): deep ones are more frequent.

The generator draws a limit from 8 to 127, all alike, and then a height below that limit.
"""
