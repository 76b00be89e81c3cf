-- Walking, falling, and what hurts. The engine leaves the first two to its client, whose place this
-- takes, with whole nodes for steps; damage and breath follow the engine's rules for players.
local land = ...

local body = {}
local SECOND = 20 -- ticks
local STEP_TICKS = 5 -- a node at the client's 4 nodes per second
local GRAVITY = 9.81 -- nodes per second per second
local SAFE_SPEED = 14 -- of a fall, nodes per second
local HURT_SECONDS, DROWN_SECONDS, BREATHE_SECONDS = 1, 2, 0.5

local flag, at = land.flag, land.at
local WALKABLE, LIQUID = land.WALKABLE, land.LIQUID

local function has(id, bit_value)
	return bit.band(flag[id], bit_value) ~= 0
end

local function is_free(own, x, y, z)
	return not has(at(own, x, y, z), WALKABLE)
end
body.is_free = is_free

-- The height at which the player would stand one node ahead; nil if the way is blocked.
function body.height_ahead(player, x, y, z)
	local own = player.land
	local dx, dz = player:ahead()
	if not is_free(own, x + dx, y + 1, z + dz) then
		return nil
	elseif is_free(own, x + dx, y, z + dz) then
		return y
	elseif is_free(own, x + dx, y + 2, z + dz) and is_free(own, x, y + 2, z) then
		return y + 1
	end
	return nil
end

-- The player falls as far as nothing holds; returns the ticks that it takes.
function body.fall(player)
	local own = player.land
	local height = 0
	while is_free(own, player.x, player.y - 1, player.z)
			and not has(at(own, player.x, player.y, player.z), LIQUID) do
		player.y = player.y - 1
		height = height + 1
	end
	if height == 0 then
		return 0
	end
	local is_wet = has(at(own, player.x, player.y, player.z), LIQUID)
	local speed = math.sqrt(2 * GRAVITY * height)
	if speed > SAFE_SPEED and not is_wet then
		player:set_hp(player.health - math.floor(speed - SAFE_SPEED + 0.5))
	end
	return math.ceil(math.sqrt(2 * height / GRAVITY) * SECOND)
end

-- Walks up to `count` nodes ahead; returns the ticks that it takes.
function body.walk(player, count)
	local ticks = 0
	for _ = 1, count do
		local height = body.height_ahead(player, player.x, player.y, player.z)
		if not height then
			break
		end
		local dx, dz = player:ahead()
		player.x, player.y, player.z = player.x + dx, height, player.z + dz
		local fallen = body.fall(player)
		ticks = ticks + STEP_TICKS + fallen
		if fallen > SECOND / 2 or player.health == 0 then
			break
		end
	end
	return ticks
end

local function definition_at(player, height)
	local id = at(player.land, player.x, player.y + height, player.z)
	return minetest.registered_nodes[minetest.get_name_from_content_id(id)] or {}
end

-- Lets time pass: lava and fire hurt, under water the breath runs out.
function body.live(player, ticks)
	local own = player.land
	player.clock = player.clock + ticks
	local feet = at(own, player.x, player.y, player.z)
	local head = at(own, player.x, player.y + 1, player.z)
	local air = minetest.CONTENT_AIR
	if feet == air and head == air and player.breath == player.FULL_BREATH then
		player.hurt_clock, player.breath_clock = 0, 0
		return
	end
	local at_feet, at_head = definition_at(player, 0), definition_at(player, 1)
	local damage = math.max(at_feet.damage_per_second or 0, at_head.damage_per_second or 0)
	player.hurt_clock = damage > 0 and player.hurt_clock + ticks or 0
	while player.hurt_clock >= HURT_SECONDS * SECOND do
		player.hurt_clock = player.hurt_clock - HURT_SECONDS * SECOND
		player:set_hp(player.health - damage)
	end
	local drowning = at_head.drowning or 0
	player.breath_clock = player.breath_clock + ticks
	local period = (drowning > 0 and DROWN_SECONDS or BREATHE_SECONDS) * SECOND
	while player.breath_clock >= period do
		player.breath_clock = player.breath_clock - period
		if drowning == 0 then
			player.breath = math.min(player.breath + 1, player.FULL_BREATH)
		elseif player.breath > 0 then
			player.breath = player.breath - 1
		else
			player:set_hp(player.health - drowning)
		end
	end
end

return body
