"""Gymnasium views of Simon Says, for other people's trainers.

Importing this module registers `lapis/SimonSaysTechTree-v0`, `lapis/SimonSaysVoxel-v0`,
`lapis/SimonSaysMineRL-v0`, `lapis/SimonSaysMinetest-v0` and `lapis/SimonSaysMinetestVoxel-v0`,
single and vectorized (Gymnasium does not look for environments in packages that nobody imported):

    import gymnasium
    import lapis.simonsays.gym

    env = gymnasium.make("lapis/SimonSaysTechTree-v0", render_mode="ansi")
    envs = gymnasium.make_vec("lapis/SimonSaysVoxel-v0", num_envs=64, size=32)

All follow the protocol: a task that ends inside an episode ends neither `terminated` nor
`truncated`, only death and failures in a row terminate, the time limit truncates.

An action that the mask does not allow is not an error, but sets `info["invalid_action"]`. In the
tech tree it has no effect and takes the `handling_ticks` of its config, in Minetest a second; in
the other worlds each choice that is not allowed counts as choice 0 of its component. An action
outside the action space raises a ValueError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lapis.extras import needed_by
from lapis.lazy import lazy_names

with needed_by(__name__, "gym"):
    import gymnasium

if TYPE_CHECKING:
    from lapis.simonsays.gym.making import (
        make_minerl,
        make_minerl_vector,
        make_minetest,
        make_minetest_vector,
        make_minetest_voxel,
        make_minetest_voxel_vector,
        make_tech_tree,
        make_tech_tree_vector,
        make_voxel,
        make_voxel_vector,
    )
    from lapis.simonsays.gym.views import SimonSaysEnv, SimonSaysVectorEnv

__all__ = [
    "MINERL_ID",
    "MINETEST_ID",
    "MINETEST_VOXEL_ID",
    "TECH_TREE_ID",
    "VOXEL_ID",
    "SimonSaysEnv",
    "SimonSaysVectorEnv",
    "make_minerl",
    "make_minerl_vector",
    "make_minetest",
    "make_minetest_vector",
    "make_minetest_voxel",
    "make_minetest_voxel_vector",
    "make_tech_tree",
    "make_tech_tree_vector",
    "make_voxel",
    "make_voxel_vector",
]

MINERL_ID = "lapis/SimonSaysMineRL-v0"
MINETEST_ID = "lapis/SimonSaysMinetest-v0"
MINETEST_VOXEL_ID = "lapis/SimonSaysMinetestVoxel-v0"
TECH_TREE_ID = "lapis/SimonSaysTechTree-v0"
VOXEL_ID = "lapis/SimonSaysVoxel-v0"

_NAMES = [name for name in __all__ if not name.endswith("_ID")]
_HOME = {name: "views" if name.startswith("Simon") else "making" for name in _NAMES}
__getattr__ = lazy_names(__name__, _HOME, extra="gym")

for _id, _name in (
    (TECH_TREE_ID, "make_tech_tree"),
    (VOXEL_ID, "make_voxel"),
    (MINERL_ID, "make_minerl"),
    (MINETEST_ID, "make_minetest"),
    (MINETEST_VOXEL_ID, "make_minetest_voxel"),
):
    gymnasium.register(
        _id,
        entry_point=f"{__name__}:{_name}",
        vector_entry_point=f"{__name__}:{_name}_vector",
    )
