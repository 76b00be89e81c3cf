-- The layout of the voxel world: keys, a camera and one special action, four ticks a step. Names of
-- components and choices are those of `lapis.worlds.voxel.actions`.
local ffi, land, motion, body, hands, falling = ...

local keys = {Player = motion.Player}
local FACTS = 22 -- numbers at the head of a row
local STEP_TICKS = 4
local ATTACK, WALK, STRAFE, JUMP, GAIT, USE, PITCH, YAW, SPECIAL = 0, 1, 2, 3, 4, 5, 6, 7, 8
local CHANNEL, SNEAK = 2, 1
local LONGEST_PAUSE, SHORT_PAUSE = 6, 3 -- ticks between two nodes: a fifth of the time, 0.3 s at most
local SECOND = 20

local items, is_item, specials, fuels, foods
local turns, levels, channel_ticks
local height, depth, stride -- of what is shown of the land: nodes, below the feet, and its steps

-- Takes the settings; returns the size of a row.
function keys.setup(given, places)
	items, is_item, specials, fuels = given.items, places, given.actions, given.fuels
	foods, turns, levels = given.foods, given.camera_angles, given.pitch_levels
	channel_ticks = given.channel_ticks
	height, depth, stride = given.window.height, given.window.depth, given.window.stride
	return 4 * FACTS + 4 * #items + #specials
end

local function held(player, names)
	for _, name in ipairs(names) do
		if (player.counts[name] or 0) > 0 then
			return name
		end
	end
	return nil
end

-- Which special actions can be done now, and how they are done, which returns the ticks.
local can, act = {}, {}
function can.place(player, special)
	local name, place = held(player, special.names), player.free_place
	if not name or not place then
		return false
	end
	local definition = minetest.registered_nodes[name]
	local under = minetest.get_node(player.hit.under).name
	return not (definition.walkable and motion.is_in_the_way(player, place))
		and (not special.on_walkable or minetest.registered_nodes[under].walkable)
end
function act.place(player, special)
	local name, place = held(player, special.names), player.free_place
	local ticks = hands.place(player, player.hit, name, place)
	if minetest.registered_nodes[name].walkable then
		motion.lift(player, place)
	end
	return ticks
end

function can.equip(player, special)
	local name = held(player, special.names)
	return name ~= nil and player.hand_item ~= name
end
function act.equip(player, special)
	player.target = nil
	return hands.equip(player, held(player, special.names))
end

local function craft_of(player, special)
	for _, craft in ipairs(special.crafts) do
		if hands.can_craft(craft.recipes, player.counts) then
			return craft
		end
	end
	return nil
end
function can.craft(player, special) return craft_of(player, special) ~= nil end
function act.craft(player, special)
	local craft = craft_of(player, special)
	return hands.craft(player, craft.name, craft.recipes, player.counts)
end

local function smelted(player, special)
	for _, each in ipairs(special.inputs) do
		if (player.counts[each.name] or 0) > 0 and hands.has_fire(
				player, player.furnace, fuels, player.counts, each.name, each.seconds) then
			return each.name
		end
	end
	return nil
end
function can.smelt(player, special)
	return player.furnace ~= nil and smelted(player, special) ~= nil
end
function act.smelt(player, special)
	return hands.smelt(player, player.furnace, smelted(player, special), fuels)
end

local function can_do(player, special)
	return can[special.kind] ~= nil and can[special.kind](player, special)
end

local function can_eat(player)
	return player.health < player.FULL_HEALTH and held(player, foods) or nil
end

function keys.take_in(player)
	player:tidy(is_item)
	player.hit = hands.point(player)
	player.free_place = hands.open_place(player, player.hit)
	player.furnace = hands.furnace(player)
	if player.steps == 0 then
		player.target, player.dug, player.pause = nil, 0, 0
	end
	local base = stride * math.floor(player.y / stride) - depth
	if base ~= player.window_base then
		player.window_base, player.land.has_changed = base, true
	end
end

-- Digs what is looked at for a tick. Returns whether it broke.
local function dig(player)
	local hit = player.hit
	local seconds = hands.can_dig(player, hit)
	if not seconds then
		player.target, player.dug = nil, 0
		return false
	end
	if not player.target or not vector.equals(player.target, hit.under) then
		player.target, player.dug = hit.under, 0
	end
	-- The game's numbers have single precision: 0.6 s are 12 ticks, and not 13.
	player.dug_ticks = math.max(1, math.ceil(seconds * SECOND - 0.001))
	if player.pause > 0 then
		player.pause = player.pause - 1
		return false
	end
	player.dug = player.dug + 1
	if player.dug < player.dug_ticks then
		return false
	end
	hands.dig(player, hit, seconds)
	falling.settle(player.land)
	player:tidy(is_item)
	player.target, player.dug = nil, 0
	player.pause = seconds > 0 and math.min(LONGEST_PAUSE, math.ceil(seconds * SECOND / 5)) or SHORT_PAUSE
	return true
end

local function direction(choice)
	return choice == 1 and 1 or choice == 2 and -1 or 0
end

-- The ticks of a step. Channel attack lasts until what is looked at breaks or is out of sight, or the
-- player is hurt; it holds no key but its own, and sneaking.
local function pass(player, pressed, ticks, attacks, channels)
	local done, health = 0, player.health
	local let_go = {ahead = 0, left = 0, jump = false, sneak = pressed.sneak}
	while done < ticks and player.health > 0 do
		local target, broke = player.hit and player.hit.under, false
		if attacks then
			broke = dig(player)
		end
		local x, y, z = player.feet.x, player.feet.y, player.feet.z
		motion.move(player, (channels or done >= STEP_TICKS) and let_go or pressed)
		body.live(player, 1)
		done = done + 1
		local is_moved = x ~= player.feet.x or y ~= player.feet.y or z ~= player.feet.z
		if attacks and (broke or is_moved) then
			player.hit = hands.point(player)
		end
		if channels and attacks then
			local is_same = player.hit and target and vector.equals(player.hit.under, target)
			if broke or not is_same or player.health < health then
				attacks, ticks = false, math.max(done, STEP_TICKS)
			end
		end
	end
	return done
end

-- Plays a step; returns its ticks. Attack and use rest in a step with a special action, and attack
-- in one with use, as in the voxel world.
function keys.play(player, choice)
	local ticks, uses = STEP_TICKS, choice[USE] == 1
	local special = specials[choice[SPECIAL] + 1]
	if choice[SPECIAL] > 0 then
		ticks = math.max(act[special.kind](player, special), STEP_TICKS)
		falling.settle(player.land)
		player:tidy(is_item)
	elseif uses then
		hands.eat(player, can_eat(player))
	end
	local tilt = choice[PITCH] < #turns and player.tilt + turns[choice[PITCH] + 1]
		or levels[choice[PITCH] - #turns + 1]
	motion.turn(player, turns[choice[YAW] + 1], tilt)
	player.hit = hands.point(player)
	local attacks = choice[ATTACK] > 0 and choice[SPECIAL] == 0 and not uses
	local channels = attacks and choice[ATTACK] == CHANNEL
	if channels then
		attacks = hands.can_dig(player, player.hit) ~= nil
		channels = attacks
	end
	if not attacks then
		player.target, player.dug = nil, 0
	end
	return pass(player, {
		ahead = direction(choice[WALK]),
		left = direction(choice[STRAFE]),
		jump = choice[JUMP] == 1,
		sneak = choice[GAIT] == SNEAK,
	}, channels and channel_ticks or ticks, attacks, channels)
end

local function write_cell(facts, own, cell)
	facts[0], facts[1], facts[2] = -1, -1, -1
	if cell then
		facts[0], facts[1], facts[2] = cell.x - own.x, cell.y, cell.z - own.z
	end
end

function keys.write_row(player, start)
	local facts = ffi.cast("float *", start)
	local own, feet = player.land, player.feet
	local at_feet = land.at(own, player.x, player.y, player.z)
	local at_eye = land.at(own, player.x, math.floor(player:eye().y + 0.5), player.z)
	local lower = minetest.registered_nodes[minetest.get_name_from_content_id(at_feet)]
	facts[0], facts[1], facts[2], facts[3] = player.health, player.breath, player.yaw, player.tilt
	-- Relative to the land: far from the middle of the map single precision is coarse.
	facts[4], facts[5], facts[6] = feet.x - own.x, feet.y, feet.z - own.z
	facts[7] = player.hand_item and is_item[player.hand_item] or 0
	facts[8] = player.on_ground and 1 or 0
	facts[9] = bit.band(land.flag[at_eye], land.LIQUID) ~= 0 and 1 or 0
	facts[10] = lower and (lower.damage_per_second or 0) > 0 and 1 or 0
	facts[11] = player.target and player.dug / player.dug_ticks or 0
	facts[12] = player.tool_left
	write_cell(facts + 13, own, player.hit and player.hit.under)
	write_cell(facts + 16, own, player.target)
	facts[19] = player.ticks
	facts[20] = player.health > 0 and can_eat(player) and 1 or 0
	facts[21] = player.window_base
	local counts = ffi.cast("int32_t *", start + 4 * FACTS)
	for place = 1, #items do
		counts[place - 1] = player.counts[items[place]] or 0
	end
	local mask = start + 4 * FACTS + 4 * #items
	for place, special in ipairs(specials) do
		mask[place - 1] = player.health > 0 and can_do(player, special) and 1 or 0
	end
end

-- Where something has changed, the classes of the nodes around are told anew. Python knows by the
-- length of the answer whom it concerns: each part begins with the player's number.
function keys.more_size(player)
	return player.land.has_changed and 4 + height * land.SIDE * land.SIDE or 0
end

function keys.write_more(player, start)
	ffi.cast("uint32_t *", start)[0] = player.number - 1
	land.write_classes(player.land, player.window_base, height, start + 4)
	player.land.has_changed = false
end

return keys
