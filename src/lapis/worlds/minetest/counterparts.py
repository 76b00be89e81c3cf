"""What Minecraft's items, blocks and actions are in Minetest's game: one table of data.

Items that have no counterpart can be held, because an inherited inventory may have them, but
nothing gives them and nothing is made of them.
"""

from __future__ import annotations

from typing import Any

from lapis.minecraft.blocks import Block
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.smelting import FUEL_ITEM
from lapis.worlds.minetest.actions import recipes_from, smelted_from
from lapis.worlds.minetest.tree import load_game
from lapis.worlds.voxel.actions import Special, SpecialAction

__all__ = [
    "COUNTERPARTS",
    "KINDS",
    "KIND_ITEM",
    "PLACED",
    "told_fuels",
    "told_nodes",
    "told_special",
]

_WOODS = ("", "aspen_", "pine_", "jungle", "acacia_")
_TOOLS = {"pickaxe": "default:pick", "axe": "default:axe", "shovel": "default:shovel",
          "sword": "default:sword"}  # fmt: skip
_MATERIALS = {"wooden": "wood", "stone": "stone", "iron": "steel", "diamond": "diamond"}

COUNTERPARTS: dict[str, tuple[str, ...]] = {
    "dirt": ("default:dirt",),
    "sapling": ("default:sapling", "default:aspen_sapling"),
    "log": tuple(f"default:{wood}tree" for wood in _WOODS),
    "planks": tuple(f"default:{wood}wood" for wood in _WOODS),
    "stick": ("default:stick",),
    **{
        f"{material}_{tool}": (f"{name}_{own}",)
        for material, own in _MATERIALS.items()
        for tool, name in _TOOLS.items()
    },
    **{f"{material}_hoe": (f"farming:hoe_{_MATERIALS[material]}",)
       for material in ("wooden", "stone", "iron")},
    "wooden_door": ("doors:door_wood",),
    "wooden_slab": ("stairs:slab_wood", "stairs:slab_aspen_wood"),
    "oak_stairs": ("stairs:stair_wood",),
    "fence": ("default:fence_wood", "default:fence_aspen_wood"),
    "fence_gate": ("doors:gate_wood_closed", "doors:gate_aspen_wood_closed"),
    "trapdoor": ("doors:trapdoor",),
    "ladder": ("default:ladder_wood",),
    "sign": ("default:sign_wall_wood",),
    "boat": ("boats:boat",),
    "chest": ("default:chest",),
    "cobblestone": ("default:cobble",),
    "furnace": ("default:furnace",),
    "stone": ("default:stone",),
    "stone_slab": ("stairs:slab_stone",),
    "stone_stairs": ("stairs:stair_cobble",),
    "cobblestone_wall": ("walls:cobble",),
    "stonebrick": ("default:stonebrick",),
    "stone_brick_stairs": ("stairs:stair_stonebrick",),
    "coal": ("default:coal_lump",),
    "torch": ("default:torch",),
    "coal_block": ("default:coalblock",),
    "iron_ore": ("default:iron_lump",),
    "iron_ingot": ("default:steel_ingot",),
    "bucket": ("bucket:bucket_empty",),
    "iron_bars": ("xpanes:bar_flat",),
    "iron_door": ("doors:door_steel",),
    "iron_trapdoor": ("doors:trapdoor_steel",),
    "rail": ("carts:rail",),
    "iron_block": ("default:steelblock",),
    "gold_ore": ("default:gold_lump",),
    "gold_ingot": ("default:gold_ingot",),
    "gold_block": ("default:goldblock",),
    "diamond": ("default:diamond",),
    "diamond_block": ("default:diamondblock",),
    "apple": ("default:apple",),
    "gravel": ("default:gravel",),
    "flint": ("default:flint",),
    "sand": ("default:sand", "default:silver_sand"),
    "glass": ("default:glass",),
    "sandstone": ("default:sandstone",),
    "clay_ball": ("default:clay_lump",),
    "wheat_seeds": ("farming:seed_wheat",),
    "red_flower": ("flowers:rose",),
    "yellow_flower": ("flowers:dandelion_yellow",),
}  # fmt: skip
"""The items of Minetest that count as one of Minecraft's; the first is what an episode begins with.
Ores are lumps here. There are no tables, tools of gold, armour, buttons, plates or redstone."""

KINDS: tuple[str, ...] = tuple(
    dict.fromkeys(kind for name in ITEMS for kind in COUNTERPARTS.get(name, ()))
)
"""All of these items of Minetest; of several that serve in a recipe, the first is used up."""
KIND_ITEM: tuple[int, ...] = tuple(
    next(ITEM[name] for name, kinds in COUNTERPARTS.items() if kind in kinds) for kind in KINDS
)
"""The item of Minecraft as which each of them counts."""

PLACED = (
    "dirt", "sapling", "log", "planks", "wooden_slab", "oak_stairs", "fence", "ladder", "chest",
    "cobblestone", "furnace", "stone", "stone_slab", "stone_stairs", "cobblestone_wall",
    "stonebrick", "stone_brick_stairs", "torch", "coal_block", "iron_block", "gold_block",
    "diamond_block", "sand", "gravel",
)  # fmt: skip
"""What can be placed: not what opens, because nobody could open it."""
_HANGING = ("torch", "ladder")
"""What holds to nothing that one walks through."""

_NODES: dict[str, Block] = {
    "air": Block.AIR,
    "default:dirt": Block.DIRT,
    "default:dirt_with_grass": Block.GRASS,
    "default:cobble": Block.COBBLESTONE,
    "default:mossycobble": Block.COBBLESTONE,
    "default:gravel": Block.GRAVEL,
    "default:clay": Block.CLAY,
    "default:sandstone": Block.SANDSTONE,
    "default:obsidian": Block.OBSIDIAN,
    "default:stone_with_coal": Block.COAL_ORE,
    "default:stone_with_iron": Block.IRON_ORE,
    "default:stone_with_gold": Block.GOLD_ORE,
    "default:stone_with_diamond": Block.DIAMOND_ORE,
    "default:aspen_tree": Block.BIRCH_LOG,
    "default:aspen_leaves": Block.BIRCH_LEAVES,
    "default:aspen_sapling": Block.BIRCH_SAPLING,
    "default:furnace": Block.FURNACE,
    "default:furnace_active": Block.FURNACE,
    "default:torch": Block.TORCH,
    "default:torch_wall": Block.TORCH,
    "default:torch_ceiling": Block.TORCH,
    "default:chest": Block.CHEST,
    "default:ladder_wood": Block.LADDER,
    "default:fence_wood": Block.FENCE,
    "default:fence_aspen_wood": Block.FENCE,
    "default:stonebrick": Block.STONEBRICK,
    "default:coalblock": Block.COAL_BLOCK,
    "default:steelblock": Block.IRON_BLOCK,
    "default:goldblock": Block.GOLD_BLOCK,
    "default:diamondblock": Block.DIAMOND_BLOCK,
    "flowers:dandelion_yellow": Block.YELLOW_FLOWER,
    "stairs:slab_wood": Block.WOODEN_SLAB,
    "stairs:slab_aspen_wood": Block.WOODEN_SLAB,
    "stairs:stair_wood": Block.OAK_STAIRS,
    "stairs:slab_stone": Block.STONE_SLAB,
    "stairs:stair_cobble": Block.STONE_STAIRS,
    "stairs:stair_stonebrick": Block.STONE_BRICK_STAIRS,
    "walls:cobble": Block.COBBLESTONE_WALL,
    "fireflies:hidden_firefly": Block.AIR,
    "fireflies:firefly": Block.AIR,
    "butterflies:hidden_butterfly_white": Block.AIR,
    "butterflies:hidden_butterfly_red": Block.AIR,
    "butterflies:hidden_butterfly_violet": Block.AIR,
}
"""As which block each node is shown, by name."""
_GROUPS: dict[str, Block] = {
    "water": Block.WATER,
    "lava": Block.LAVA,
    "tree": Block.OAK_LOG,
    "leaves": Block.OAK_LEAVES,
    "flower": Block.RED_FLOWER,
    "sapling": Block.OAK_SAPLING,
    "flora": Block.TALL_GRASS,
    "sand": Block.SAND,
    "soil": Block.GRASS,
    "wood": Block.PLANKS,
}
"""By the game's groups; the first that fits counts."""
# What Minecraft has not, such as copper, is shown as stone, or as grass if it is loose.
_REST: dict[bool, Block] = {True: Block.STONE, False: Block.TALL_GRASS}
"""All others, by whether they stop a player."""


def told_nodes() -> dict[str, Any]:
    """As which block each node is shown, as the server needs to know it."""
    groups = [{"group": group, "class": int(block)} for group, block in _GROUPS.items()]
    rest = [{"walkable": each, "class": int(block)} for each, block in _REST.items()]
    return {
        "class_of": {name: int(block) for name, block in _NODES.items()},
        "class_rules": [*groups, *rest],
    }


def told_special(special: SpecialAction) -> dict[str, Any]:
    """A special action as the server needs to know it; of the kind `none` it is masked for good."""
    name = special.name.partition(" ")[2]
    kinds = COUNTERPARTS.get(name, ())
    if special.kind == Special.PLACE and name in PLACED:
        return {"kind": "place", "names": kinds, "on_walkable": name in _HANGING}
    if special.kind == Special.EQUIP and kinds:
        return {"kind": "equip", "names": kinds}
    if special.kind == Special.SMELT:
        inputs = [each for kind in kinds for each in smelted_from(kind, KINDS)]
        if inputs:
            return {"kind": "smelt", "inputs": inputs}
    if special.kind == Special.CRAFT:
        crafts = [{"name": kind, "recipes": recipes_from(kind, KINDS)} for kind in kinds]
        crafts = [each for each in crafts if each["recipes"]]
        if crafts:
            return {"kind": "craft", "crafts": crafts}
    return {"kind": "none"}


def told_fuels() -> list[dict[str, Any]]:
    """What is burnt, in the order of Minecraft's table of fuels: coal first."""
    items = load_game()["items"]
    kinds = [kind for item in FUEL_ITEM.tolist() for kind in COUNTERPARTS.get(ITEMS[item], ())]
    return [
        {"name": kind, "seconds": items[kind]["fuel_seconds"]}
        for kind in kinds
        if items[kind]["fuel_seconds"]
    ]
