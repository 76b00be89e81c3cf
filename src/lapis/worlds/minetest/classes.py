"""What players tell apart when they look at nodes: some thirty classes."""

from __future__ import annotations

from typing import Any

__all__ = ["CLASSES", "class_of", "class_rules"]

_NAMED: dict[str, tuple[str, ...]] = {
    "air": ("air",),
    "unknown": ("ignore",),
    "gravel": ("default:gravel",),
    "clay": ("default:clay",),
    "cobble": ("default:cobble", "default:mossycobble"),
    "coal": ("default:stone_with_coal",),
    "copper": ("default:stone_with_copper",),
    "tin": ("default:stone_with_tin",),
    "iron": ("default:stone_with_iron",),
    "gold": ("default:stone_with_gold",),
    "mese": ("default:stone_with_mese", "default:mese"),
    "diamond": ("default:stone_with_diamond",),
    "furnace": ("default:furnace", "default:furnace_active"),
    "torch": ("default:torch", "default:torch_wall", "default:torch_ceiling"),
    "apple": ("default:apple",),
    "silver sand": ("default:silver_sand",),
}
"""Nodes by their names."""
_GROUPS: dict[str, str] = {
    "water": "water",
    "lava": "lava",
    "trunk": "tree",
    "leaves": "leaves",
    "flower": "flower",
    "sapling": "sapling",
    "plant": "flora",
    "sand": "sand",
    "soil": "soil",
    "stone": "stone",
    "planks": "wood",
}
"""Nodes by the game's groups; the first that fits counts."""
_REST: dict[str, bool] = {"solid": True, "loose": False}
"""All other nodes, by whether they stop a player."""

CLASSES: tuple[str, ...] = (*_NAMED, *_GROUPS, *_REST)
"""Names of all classes; a class's number is its place here."""


def class_of() -> dict[str, int]:
    """The class of the nodes that are told by their names."""
    return {name: CLASSES.index(group) for group, names in _NAMED.items() for name in names}


def class_rules() -> list[dict[str, Any]]:
    """For all other nodes; the first rule that fits counts."""
    groups = [{"group": group, "class": CLASSES.index(name)} for name, group in _GROUPS.items()]
    rest = [{"walkable": each, "class": CLASSES.index(name)} for name, each in _REST.items()]
    return [*groups, *rest]
