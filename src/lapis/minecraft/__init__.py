"""Minecraft's rules as data: typed tables over plain JSON files, no state, NumPy only.

One module per subject; names without a leading underscore are public:

- `items`: the inventory's columns; `goals`: the 107 + 6 goals, their groups and prerequisites;
- `recipes`: crafting; `smelting`: the furnace and its fuels; `tools`: tier, speed, durability;
- `blocks`: hardness, drops, experience; `digging`: ticks to break a block with a tool;
- `foods`, `ores`, `biomes`: what is eaten, where ores lie, where trees stand;
- `planner`: what can be obtained from nothing, and how.

Every value in `data/*.json` names its source. Arrays are read-only. In arrays of item indices,
-1 means none.
"""
