-- What hands do: dig, place, craft, smelt, take in hand, eat. All of it through the game's own
-- functions, recipes and times.
local land, body = ...

local hands = {}
local REACH = 4 -- nodes, of the bare hand
local NIMBLE_TICKS = 4 -- to place, craft or take in hand
local PAUSE_TICKS = 3 -- between two nodes that are dug
local SECOND = 20
local FURNACE, BURNING = "default:furnace", "default:furnace_active"

local flag, at = land.flag, land.at

-- The node that the player looks at and the one before it, or nil.
function hands.point(player)
	local eye = player:eye()
	local far = vector.add(eye, vector.multiply(player:looks(), REACH))
	for hit in minetest.raycast(eye, far, false, false) do
		if hit.type == "node" then
			local under = hit.under
			if at(player.land, under.x, under.y, under.z) ~= land.UNKNOWN then
				return hit
			end
			return nil
		end
	end
	return nil
end

-- Seconds to dig a node with what is in hand, or by hand if that is no use; nil if it cannot be.
function hands.dig_seconds(player, node_name)
	local definition = minetest.registered_nodes[node_name]
	if not definition or definition.diggable == false then
		return nil
	end
	local groups = definition.groups
	for _, stack in ipairs({player:get_wielded_item(), ItemStack("")}) do
		local params = minetest.get_dig_params(groups, stack:get_tool_capabilities())
		if params.diggable then
			return params.time
		end
	end
	return nil
end

function hands.can_dig(player, hit)
	if not hit then
		return nil
	end
	local name = minetest.get_node(hit.under).name
	local definition = minetest.registered_nodes[name]
	if definition and definition.can_dig and not definition.can_dig(hit.under, player) then
		return nil
	end
	return hands.dig_seconds(player, name)
end

function hands.dig(player, hit, seconds)
	minetest.node_dig(hit.under, minetest.get_node(hit.under), player)
	player.pack_changed = true
	-- The game's numbers have single precision: 0.6 s are 12 ticks, and not 13.
	return math.max(1, math.ceil(seconds * SECOND - 0.001)) + PAUSE_TICKS
end

-- The node that something would be placed in: nil where nothing can be.
function hands.open_place(player, hit)
	if not hit then
		return nil
	end
	local under, place = hit.under, hit.above
	if bit.band(flag[at(player.land, under.x, under.y, under.z)], land.OPEN) ~= 0 then
		place = under
	end
	local id = at(player.land, place.x, place.y, place.z)
	return bit.band(flag[id], land.OPEN) ~= 0 and id ~= land.UNKNOWN and place or nil
end

-- The same for a player who fills two nodes: what is put under its feet lifts it, if there is room.
function hands.free_place(player, hit)
	local place = hands.open_place(player, hit)
	if place and place.x == player.x and place.z == player.z and (place.y == player.y + 1 or
			(place.y == player.y and not body.is_free(player.land, player.x, player.y + 2, player.z))) then
		return nil
	end
	return place
end

local function slot_of(player, name)
	local list = player.pack:get_list("main")
	for slot, stack in ipairs(list) do
		if stack:get_name() == name then
			return slot, stack
		end
	end
	return nil
end

-- Places one of what the player holds; `place` is what `open_place` says.
function hands.place(player, hit, name, place)
	local slot, stack = slot_of(player, name)
	local left = stack:get_definition().on_place(stack, player, hit) or stack
	player.pack:set_stack("main", slot, left)
	player.pack_changed = true
	if name == FURNACE then
		player.furnaces[#player.furnaces + 1] = {place = place, clock = player.clock}
	end
	return NIMBLE_TICKS
end

function hands.equip(player, name)
	player.hand = slot_of(player, name)
	return NIMBLE_TICKS
end

function hands.eat(player, name)
	local slot, stack = slot_of(player, name)
	local hand = player.hand
	player.hand = slot
	local left = stack:get_definition().on_use(stack, player, {type = "nothing"})
	if left then
		player.pack:set_stack("main", slot, left)
	end
	player.hand, player.pack_changed = hand, true
	return NIMBLE_TICKS
end

-- The items to lay into a recipe's places, if the player holds them: names by place, and how many
-- of each; nil if not. A recipe's `parts` are in the order in which they are to be served: those
-- with fewer candidates first.
function hands.ingredients(recipe, counts)
	local used, laid = {}, {}
	for _, part in ipairs(recipe.parts) do
		local chosen
		for _, name in ipairs(part.names) do
			if (counts[name] or 0) - (used[name] or 0) > 0 then
				chosen = name
				break
			end
		end
		if not chosen then
			return nil
		end
		used[chosen] = (used[chosen] or 0) + 1
		laid[part.place] = chosen
	end
	return laid, used
end

function hands.can_craft(recipes, counts)
	for _, recipe in ipairs(recipes) do
		if hands.ingredients(recipe, counts) then
			return true
		end
	end
	return false
end

function hands.craft(player, name, recipes, counts)
	for _, recipe in ipairs(recipes) do
		local laid, used = hands.ingredients(recipe, counts)
		if laid then
			local grid = {}
			for place = 1, recipe.places do
				grid[place] = ItemStack(laid[place] or "")
			end
			local made, left = minetest.get_craft_result({
				method = "normal", width = recipe.width, items = grid
			})
			assert(made.item:get_name() == name, "the grid gives " .. made.item:to_string())
			for part, count in pairs(used) do
				player.pack:remove_item("main", ItemStack({name = part, count = count}))
			end
			player.pack:add_item("main", made.item)
			for _, stack in ipairs(left.items) do
				player.pack:add_item("main", stack)
			end
			for _, stack in ipairs(made.replacements) do
				player.pack:add_item("main", stack)
			end
			player.pack_changed = true
			return NIMBLE_TICKS
		end
	end
end

-- A furnace of the player's within reach, or nil.
function hands.furnace(player)
	for index = #player.furnaces, 1, -1 do
		local place = player.furnaces[index].place
		local name = minetest.get_node(place).name
		if name ~= FURNACE and name ~= BURNING then
			table.remove(player.furnaces, index)
		elseif vector.distance(place, player:eye()) <= REACH then
			return player.furnaces[index]
		end
	end
	return nil
end

-- Whether there is fire enough for what takes so many seconds, apart from the item itself.
function hands.has_fire(player, furnace, fuels, counts, input, seconds)
	local meta = minetest.get_meta(furnace.place)
	local burn = meta:get_float("fuel_totaltime") - meta:get_float("fuel_time")
	-- What burns while nothing is smelted is lost.
	burn = math.max(burn - (player.clock - furnace.clock) / SECOND, 0)
	for _, fuel in ipairs(fuels) do
		local count = (counts[fuel.name] or 0) - (fuel.name == input and 1 or 0)
		burn = burn + math.max(count, 0) * fuel.seconds
		if burn >= seconds then
			return true
		end
	end
	return false
end

-- Smelts one item in the game's furnace, whose clock runs by the player's; returns the ticks.
function hands.smelt(player, furnace, input, fuels)
	local inventory = minetest.get_meta(furnace.place):get_inventory()
	local run = minetest.registered_nodes[FURNACE].on_timer
	local idle = (player.clock - furnace.clock) / SECOND
	if idle > 0 then
		run(furnace.place, idle)
	end
	player.pack:remove_item("main", ItemStack(input))
	inventory:set_stack("src", 1, ItemStack(input))
	local seconds = 0
	while inventory:is_empty("dst") do
		if inventory:is_empty("fuel") then
			for _, fuel in ipairs(fuels) do
				local taken = player.pack:remove_item("main", ItemStack(fuel.name))
				if not taken:is_empty() then
					inventory:set_stack("fuel", 1, taken)
					break
				end
			end
		end
		run(furnace.place, 1)
		seconds = seconds + 1
		assert(seconds < 100, "the furnace does not smelt " .. input)
	end
	for _, list in ipairs({"src", "fuel", "dst"}) do
		for slot, stack in ipairs(inventory:get_list(list)) do
			player.pack:add_item("main", stack)
			inventory:set_stack(list, slot, "")
		end
	end
	furnace.clock = player.clock + seconds * SECOND
	player.pack_changed = true
	return seconds * SECOND
end

return hands
