-- What the game has registered, as one JSON value: Python derives the tech tree from it.
local schematics = ...

local function drops_of(name)
	-- All items that digging may give, with the tools that each needs.
	local drop = minetest.registered_nodes[name].drop
	if drop == nil then
		return {{item = name}}
	elseif type(drop) == "string" then
		return drop == "" and {} or {{item = ItemStack(drop):get_name()}}
	end
	local found = {}
	for _, each in ipairs(drop.items or {}) do
		for _, item in ipairs(each.items) do
			found[#found + 1] = {
				item = ItemStack(item):get_name(),
				rarity = each.rarity,
				tools = each.tools,
			}
		end
	end
	return found
end

local function dig_seconds(name, tools)
	-- How long each tool takes; "" is the bare hand. What cannot be dug with a tool is left out.
	local groups = minetest.registered_nodes[name].groups
	local seconds = {}
	for _, tool in ipairs(tools) do
		local params = minetest.get_dig_params(groups, ItemStack(tool):get_tool_capabilities())
		if params.diggable then
			seconds[tool] = params.time
		end
	end
	return seconds
end

local function natural_nodes(biome_name)
	-- What the map generator puts into the ground of a biome and onto it, by name: the greatest
	-- height at which it is found.
	local highest = {}
	local function add(name, y_max)
		if name and name ~= "air" and minetest.registered_nodes[name] then
			highest[name] = math.max(highest[name] or -31000, y_max)
		end
	end
	local function is_here(biomes)
		if biomes == nil then
			return true
		end
		for _, each in ipairs(type(biomes) == "table" and biomes or {biomes}) do
			if each == biome_name then
				return true
			end
		end
		return false
	end
	local biome = minetest.registered_biomes[biome_name]
	for _, part in ipairs({"node_top", "node_filler", "node_riverbed"}) do
		add(biome[part], biome.y_max)
	end
	add("default:stone", 31000)
	for _, ore in pairs(minetest.registered_ores) do
		-- Ores above y = 1024 lie in floating land, which this map has not.
		if is_here(ore.biomes) and ore.y_min < 1024 then
			add(ore.ore, ore.y_max)
		end
	end
	for _, decoration in pairs(minetest.registered_decorations) do
		if is_here(decoration.biomes) and type(decoration.schematic) == "string" then
			for _, name in ipairs(schematics.read(decoration.schematic).names) do
				add(name, decoration.y_max)
			end
		elseif is_here(decoration.biomes) then
			local names = decoration.decoration or {}
			for _, name in ipairs(type(names) == "table" and names or {names}) do
				add(name, decoration.y_max)
			end
		end
	end
	return highest
end

local function recipes_of(name)
	local found = {}
	for _, recipe in ipairs(minetest.get_all_craft_recipes(name) or {}) do
		local items = {}
		for slot = 1, 9 do
			items[slot] = recipe.items[slot] or ""
		end
		local cooked = minetest.get_craft_result({
			method = "cooking", width = 1, items = {ItemStack(items[1])}
		})
		found[#found + 1] = {
			method = recipe.method,
			width = recipe.width,
			items = items,
			count = ItemStack(recipe.output):get_count(),
			seconds = recipe.method == "cooking" and cooked.time or nil,
		}
	end
	return found
end

return function(biome_name)
	local tools, items = {""}, {}
	for name, definition in pairs(minetest.registered_items) do
		if definition.tool_capabilities and name ~= "" and definition.type == "tool" then
			tools[#tools + 1] = name
		end
	end
	table.sort(tools)
	local natural = natural_nodes(biome_name)
	for name, definition in pairs(minetest.registered_items) do
		local listed = (definition.groups or {}).not_in_creative_inventory == nil
		if name:find(":") and (listed or natural[name]) then
			local fuel = minetest.get_craft_result({
				method = "fuel", width = 1, items = {ItemStack(name)}
			})
			items[name] = {
				type = definition.type,
				groups = definition.groups,
				description = minetest.get_translated_string("en", definition.description or ""),
				recipes = recipes_of(name),
				fuel_seconds = fuel.time,
				drops = natural[name] and drops_of(name) or nil,
				dig_seconds = natural[name] and dig_seconds(name, tools) or nil,
				y_max = natural[name],
			}
		end
	end
	return {
		engine = minetest.get_version().string,
		biome = biome_name,
		items = items,
	}
end
