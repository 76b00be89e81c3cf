-- The layout of this world's own: one action of a list, and a body that walks from node to node.
local ffi, land, Player, body, hands, senses, falling = ...

local nodes = {Player = Player}
local TURN_TICKS, WAIT_TICKS = 4, 20
local FACTS = 16 -- numbers at the head of a row

local items, is_item, actions, fuels

-- Takes the settings; returns the size of a row.
function nodes.setup(given, places)
	items, is_item, actions, fuels = given.items, places, given.actions, given.fuels
	senses.setup(given.sight)
	return 4 * FACTS + 4 * #items + senses.cells + senses.rays + senses.rays + #actions
		+ 3 * senses.frame_side ^ 2
end

-- Which actions of a kind can be done now, and how they are done, which returns the ticks.
local can, act = {}, {}
function can.wait() return true end
function act.wait() return WAIT_TICKS end

function can.walk(player)
	return body.height_ahead(player, player.x, player.y, player.z) ~= nil
end
function act.walk(player, action) return body.walk(player, action.value) end

function can.turn() return true end
function act.turn(player, action)
	player.facing = (player.facing + action.value) % 4
	return TURN_TICKS
end

function can.look(player, action) return player.pitch ~= action.value end
function act.look(player, action)
	player.pitch = action.value
	return TURN_TICKS
end

function can.dig(player) return player.dig_seconds ~= nil end
function act.dig(player) return hands.dig(player, player.hit, player.dig_seconds) end

function can.place(player, action)
	return (player.counts[action.item] or 0) > 0 and player.free_place ~= nil
		and (not action.on_walkable or minetest.registered_nodes[
			minetest.get_node(player.hit.under).name].walkable)
end
function act.place(player, action)
	local place = player.free_place
	local ticks = hands.place(player, player.hit, action.item, place)
	local is_own = vector.equals(place, {x = player.x, y = player.y, z = player.z})
	if is_own and minetest.registered_nodes[action.item].walkable then
		player.y = player.y + 1
	end
	return ticks
end

function can.equip(player, action)
	return (player.counts[action.item] or 0) > 0 and player.hand_item ~= action.item
end
function act.equip(player, action) return hands.equip(player, action.item) end

function can.eat(player, action)
	return (player.counts[action.item] or 0) > 0 and player.health < player.FULL_HEALTH
end
function act.eat(player, action) return hands.eat(player, action.item) end

function can.craft(player, action) return hands.can_craft(action.recipes, player.counts) end
function act.craft(player, action)
	return hands.craft(player, action.item, action.recipes, player.counts)
end

local function smelted(player, action)
	for _, each in ipairs(action.inputs) do
		local is_held = (player.counts[each.name] or 0) > 0
		if is_held and hands.has_fire(
				player, player.furnace, fuels, player.counts, each.name, each.seconds) then
			return each.name
		end
	end
	return nil
end
function can.smelt(player, action)
	return player.furnace ~= nil and smelted(player, action) ~= nil
end
function act.smelt(player, action)
	return hands.smelt(player, player.furnace, smelted(player, action), fuels)
end

function nodes.take_in(player)
	player:tidy(is_item)
	player.hit = hands.point(player)
	player.dig_seconds = hands.can_dig(player, player.hit)
	player.free_place = hands.free_place(player, player.hit)
	player.furnace = hands.furnace(player)
end

-- Plays one action; returns the ticks that it takes.
function nodes.play(player, choice)
	local action = actions[choice[0] + 1]
	local ticks = WAIT_TICKS
	if can[action.kind](player, action) then
		ticks = act[action.kind](player, action)
	end
	falling.settle(player.land)
	ticks = ticks + body.fall(player)
	body.live(player, ticks)
	return ticks
end

function nodes.write_row(player, start)
	local facts = ffi.cast("float *", start)
	local own = player.land
	local feet = land.flag[land.at(own, player.x, player.y, player.z)]
	local head = land.flag[land.at(own, player.x, player.y + 1, player.z)]
	local hit = player.hit
	facts[0], facts[1] = player.health, player.breath
	facts[2], facts[3] = player.facing, player.pitch
	facts[4], facts[5], facts[6] = player.x, player.y, player.z
	facts[7] = player.hand_item and is_item[player.hand_item] or 0
	facts[8] = hit and land.class[land.at(own, hit.under.x, hit.under.y, hit.under.z)] or -1
	facts[9] = player.dig_seconds or -1
	facts[10] = hit and vector.distance(player:eye(), hit.under) or -1
	facts[11] = player.furnace and 1 or 0
	facts[12] = player.ticks
	facts[13] = bit.band(feet, land.LIQUID) ~= 0 and 1 or 0
	facts[14] = bit.band(head, land.LIQUID) ~= 0 and 1 or 0
	facts[15] = player.tool_left
	local held = ffi.cast("int32_t *", start + 4 * FACTS)
	for place = 1, #items do
		held[place - 1] = player.counts[items[place]] or 0
	end
	local classes = start + 4 * FACTS + 4 * #items
	local distances = classes + senses.cells + senses.rays
	senses.look(player, classes, distances)
	local mask = distances + senses.rays
	for place, action in ipairs(actions) do
		local is_allowed = action.kind == "wait"
		if not is_allowed and player.health > 0 then
			is_allowed = can[action.kind](player, action)
		end
		mask[place - 1] = is_allowed and 1 or 0
	end
	senses.draw(player, mask + #actions)
end

function nodes.more_size()
	return 0
end

return nodes
