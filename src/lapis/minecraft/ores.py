"""Where ores lie: vein settings and the expected share of blocks at each height.

The generator tries to place veins of a given size; because of overlap and air, a chunk has fewer
blocks than size x tries. So the densities here start from the mean number of blocks found per chunk
(`blocks_per_chunk`) and spread it over heights as the generator draws them:

    density(y) = blocks_per_chunk * P(vein height = y) / 256

with 256 blocks in a layer of a chunk. DEVIATION: veins extend a few blocks above and below the
height that is drawn; here a vein counts as lying at that height.
"""

from __future__ import annotations

from dataclasses import dataclass

from lapis.minecraft.blocks import Block
from lapis.minecraft.data_files import load

_BLOCKS_PER_LAYER = 16 * 16
_FILE = load("ores")

SEA_LEVEL: int = _FILE["sea_level"]
"""Height of the sea and of flat land [blocks]."""

BEDROCK_TOP: int = _FILE["bedrock_top"]
"""Highest layer that may hold bedrock [blocks]."""

LAVA_LEVEL: int = _FILE["lava_level"]
"""Caves below this height are filled with lava [blocks]."""


@dataclass(frozen=True)
class Vein:
    """How one kind of block lies in stone."""

    block: Block
    shape: str
    """`uniform` over y_min .. y_max - 1, or `triangular` around their middle."""
    size: int
    """Vein size setting of the generator; veins hold fewer blocks."""
    tries: int
    """Veins per chunk."""
    y_min: int
    y_max: int
    """Exclusive."""
    blocks_per_chunk: float
    """Mean blocks found in a chunk."""

    @property
    def blocks_per_vein(self) -> float:
        """Mean blocks of a vein that are found."""
        return self.blocks_per_chunk / self.tries


VEINS: dict[Block, Vein] = {
    Block[entry["block"].upper()]: Vein(
        block=Block[entry["block"].upper()],
        shape=entry["shape"],
        size=entry["vein_size"],
        tries=entry["tries"],
        y_min=entry["y_min"],
        y_max=entry["y_max"],
        blocks_per_chunk=entry["blocks_per_chunk"],
    )
    for entry in _FILE["veins"]
}
"""Six ores, then gravel and dirt."""


def expected_density(block: Block, y: int) -> float:
    """Expected share of the blocks at height `y` that are `block`, underground.

    Raises:
        ValueError: `block` forms no veins.
    """
    if block not in VEINS:
        raise ValueError(f"block={block!r} forms no veins; those that do: {list(VEINS)}")
    vein = VEINS[block]
    return vein.blocks_per_chunk * _height_probability(vein, y) / _BLOCKS_PER_LAYER


def _height_probability(vein: Vein, y: int) -> float:
    """Probability that the generator draws height `y` for a vein."""
    if not vein.y_min <= y < vein.y_max:
        return 0.0
    if vein.shape == "uniform":
        return 1.0 / (vein.y_max - vein.y_min)
    # The sum of two equal uniform draws of n values each takes 2n - 1 values.
    values = (vein.y_max - vein.y_min + 1) // 2
    middle = vein.y_min + values - 1
    return (values - abs(y - middle)) / values**2
