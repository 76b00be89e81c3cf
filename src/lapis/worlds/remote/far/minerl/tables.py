"""What `lapis.worlds.minerl.tables` has sent: items, actions and recipes in MineRL's names."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

Kind = Tuple[str, Optional[int]]
"""A type of the game with its variant, None: any."""


class Component:
    """The components of an action, as in the voxel world."""

    ATTACK, WALK, STRAFE, JUMP, GAIT, USE, PITCH, YAW, SPECIAL = range(9)


class Special(NamedTuple):
    """A choice of the last component."""

    kind: str
    """none, place, equip, smelt or craft."""
    item: str
    command: str
    """The action of MineRL; empty: there is none."""
    argument: str
    needs: List[List[Tuple[str, Optional[int], int]]]
    """Alternatives: kinds to be held, and how many of each."""


class Tables:
    """Named as they were sent; `kind_items` says which column a kind of the game counts in."""

    def __init__(self, sent: Dict[str, Any]) -> None:
        self.items: Tuple[str, ...] = tuple(sent["items"])
        self.first_kind: List[Kind] = [tuple(kinds[0]) for kinds in sent["kinds"]]
        self.kind_items: Dict[Kind, int] = {
            tuple(kind): item for item, kinds in enumerate(sent["kinds"]) for kind in kinds
        }
        self.stack_sizes: List[int] = sent["stack_sizes"]
        self.count_features = np.array(sent["count_features"], np.float32)
        self.action_sizes: Tuple[int, ...] = tuple(sent["action_sizes"])
        self.first_choice = [sum(self.action_sizes[:place]) for place in range(9)]
        self.camera_angles: List[int] = sent["camera_angles"]
        self.pitch_levels: List[int] = sent["pitch_levels"]
        self.specials = [Special(**each) for each in sent["specials"]]
        self.tools: List[str] = sent["tools"]
        self.off_hand: List[str] = sent["off_hand"]
        self.fuels: Dict[Kind, int] = {tuple(kind): ticks for kind, ticks in sent["fuels"]}
        self.smelt_ticks: int = sent["smelt_ticks"]
