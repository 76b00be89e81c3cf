"""The factorial action of the voxel world: buttons, camera, and one special action (P15-P18)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from lapis.minecraft.blocks import BLOCK_OF_ITEM, Block
from lapis.minecraft.goals import GOALS
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.recipes import CRAFT_ITEM
from lapis.minecraft.smelting import SMELT_ITEM
from lapis.minecraft.tools import TOOLS
from lapis.worlds.words import action_item


class Component(IntEnum):
    """The components of an action, in the order of its columns; choice 0 does nothing."""

    ATTACK = 0
    """1 attack for the step's 4 ticks, 2 channel: until the block breaks (paper P18)."""
    WALK = 1
    """1 forward, 2 back."""
    STRAFE = 2
    """1 left, 2 right."""
    JUMP = 3
    # DEVIATION: sneak and sprint exclude each other, as do forward and back, left and right.
    GAIT = 4
    """1 sneak, 2 sprint."""
    USE = 5
    """1 uses what is looked at or held: opens, closes, tills, or eats an apple."""
    PITCH = 6
    YAW = 7
    SPECIAL = 8


CAMERA_ANGLES: tuple[int, ...] = (0, -15, 15, -50, 50, -150, 150, -450, 450)
"""Turns of the camera [1/10 degree], small ones denser than large ones; the first is none."""

# DEVIATION: one turn can also lead straight to an angle. From the sky to the ground is a long way
# in turns that are drawn one by one, and players would stay with what they see up there.
PITCH_LEVELS: tuple[int, ...] = (-900, -450, 0, 300, 600, 900)
"""Where the choices of pitch after these turns look to [1/10 degree]: up, ahead, to the ground."""

TOOL_ITEMS: tuple[int, ...] = tuple(ITEM[name] for name in TOOLS)
"""Items that can be taken in the main hand."""

# DEVIATION: only a shield can be held in the off hand, and equipping it always puts it there.
OFF_HAND_ITEMS: tuple[int, ...] = (ITEM["shield"],)
"""Items that can be taken in the off hand."""

EQUIP_ITEMS: tuple[int, ...] = TOOL_ITEMS + OFF_HAND_ITEMS
"""Items that can be equipped: each has a hand of its own."""

PLACE_ITEMS: tuple[int, ...] = tuple(
    ITEM[name] for name in (*GOALS, "sand", "gravel") if BLOCK_OF_ITEM[ITEM[name]] != Block.AIR
)
"""Items that can be placed: all goals that are blocks in the game, and what falls."""


class Special(IntEnum):
    """Kinds of special actions (paper P16)."""

    NONE = 0
    PLACE = 1
    EQUIP = 2
    SMELT = 3
    CRAFT = 4


@dataclass(frozen=True)
class SpecialAction:
    """One choice of the last component."""

    kind: Special
    argument: int
    """Position in PLACE_ITEMS, EQUIP_ITEMS, SMELT_ITEM or CRAFT_ITEM."""
    name: str


def _specials() -> tuple[SpecialAction, ...]:
    arguments = {
        Special.PLACE: PLACE_ITEMS,
        Special.EQUIP: EQUIP_ITEMS,
        Special.SMELT: SMELT_ITEM,
        Special.CRAFT: CRAFT_ITEM,
    }
    actions = [SpecialAction(Special.NONE, 0, "none")]
    for kind, items in arguments.items():
        for argument, item in enumerate(items):
            actions.append(SpecialAction(kind, argument, f"{kind.name.lower()} {ITEMS[item]}"))
    return tuple(actions)


SPECIALS: tuple[SpecialAction, ...] = _specials()
"""All special actions; an action's number is its place here."""

SPECIAL: dict[str, int] = {action.name: number for number, action in enumerate(SPECIALS)}
"""Number of each special action by name."""

ACTION_SIZES: tuple[int, ...] = (
    3,
    3,
    3,
    2,
    3,
    2,
    len(CAMERA_ANGLES) + len(PITCH_LEVELS),
    len(CAMERA_ANGLES),
    len(SPECIALS),
)
"""Choices of each component."""

FIRST_CHOICE: tuple[int, ...] = tuple(sum(ACTION_SIZES[:place]) for place in Component)
"""Where each component's choices begin in the mask."""

ACTION_ITEMS: tuple[tuple[str, str] | None, ...] = (
    *[None] * FIRST_CHOICE[Component.SPECIAL],
    *(action_item(action.name) for action in SPECIALS),
)
"""What each choice does with which item, in the order of the mask."""
