-- A body that moves freely, by the formulas of the engine's client: its acceleration, gravity and
-- drag in water, in ticks of 50 ms with five parts each, as the client divides its time. A node that
-- stops players fills its cell.
local land, Player = ...

local motion = {}
local TICK, PARTS = 0.05, 5 -- seconds; the client moves in parts of 10 ms at most
local PART = TICK / PARTS
local GRID = 16384 -- places per node, so that sums are exact: who touches a wall never overlaps it
local HALF, HEIGHT = math.floor(0.3 * GRID + 0.5) / GRID, math.floor(1.7 * GRID + 0.5) / GRID
local EYE = 1.47 -- height above the feet; this and the size are those of the game's `player_api`
local TURN = 3600 -- tenths of degrees
local STEP = 0.6 -- height that is climbed without a jump
local SAFE_SPEED = 14 -- of a fall, nodes per second
local FEEL, FEEL_DEEP = 0.5, 0.1 -- heights at which who is dry, or wet, feels water

local function setting(name)
	return tonumber(minetest.settings:get("movement_" .. name))
end
local WALK, SNEAK = setting("speed_walk"), setting("speed_crouch")
local CLIMB, JUMP = setting("speed_climb"), setting("speed_jump")
-- The client multiplies these by ten, and gravity and sinking by two.
local PUSH, AIR_PUSH = 10 * setting("acceleration_default"), 10 * setting("acceleration_air")
local GRAVITY, SINK = 2 * setting("gravity"), 2 * setting("liquid_sink")
local FLUID, MOST_DRAG = setting("liquid_fluidity"), 10 * setting("liquid_fluidity_smooth")
local DRAG_RATE = 10

local flag, at = land.flag, land.at
local WALKABLE, LIQUID, CLIMBABLE = land.WALKABLE, land.LIQUID, land.CLIMBABLE

local function has(own, x, y, z, bit_value)
	return bit.band(flag[at(own, x, y, z)], bit_value) ~= 0
end

-- A node reaches half a node to each side of the whole number that names it.
local function low_cell(face) return math.floor(face + 0.5) end
local function high_cell(face) return math.ceil(face + 0.5) - 1 end
local function snap(place) return math.floor(place * GRID + 0.5) / GRID end

local function is_solid(own, x1, y1, z1, x2, y2, z2)
	for y = y1, y2 do
		for z = z1, z2 do
			for x = x1, x2 do
				if has(own, x, y, z, WALKABLE) then
					return true
				end
			end
		end
	end
	return false
end

-- The cells of a body with its feet here: the lowest and the highest, along x, y and z.
local function cells(x, y, z)
	return low_cell(x - HALF), low_cell(y), low_cell(z - HALF),
		high_cell(x + HALF), high_cell(y + HEIGHT), high_cell(z + HALF)
end

local Mover = setmetatable({}, {__index = Player})
Mover.__index = Mover
motion.Player = Mover

function Mover.new(number, own_land)
	return setmetatable(Player.new(number, own_land), Mover)
end

function Mover:begin(place, given)
	Player.begin(self, place, given)
	self.feet = {x = place.x, y = place.y - 0.5, z = place.z}
	self.speed = {x = 0, y = 0, z = 0} -- nodes per second
	self.yaw, self.tilt = 0, 0 -- tenths of degrees: 0 is south, 900 west; down is positive
	self.on_ground, self.in_water = true, false
end

function Mover:get_pos() return vector.new(self.feet) end
function Mover:get_look_horizontal() return math.pi - math.rad(self.yaw / 10) end
function Mover:get_look_vertical() return math.rad(self.tilt / 10) end
function Mover:eye() return {x = self.feet.x, y = self.feet.y + EYE, z = self.feet.z} end
function Mover:get_properties() return {eye_height = EYE} end
function Mover:get_eye_offset() return vector.zero() end
function Mover:looks()
	local yaw, tilt = math.rad(self.yaw / 10), math.rad(self.tilt / 10)
	local flat = math.cos(tilt)
	return {x = -math.sin(yaw) * flat, y = -math.sin(tilt), z = -math.cos(yaw) * flat}
end


function motion.turn(player, across, tilt)
	player.yaw = (player.yaw + across) % TURN
	player.tilt = math.max(-900, math.min(tilt, 900))
end

-- Moves along one axis as far as the cells that the body enters are free; whether it was stopped.
local function glide(own, feet, axis, way)
	local x1, y1, z1, x2, y2, z2 = cells(feet.x, feet.y, feet.z)
	local behind = axis == "y" and 0 or HALF
	local ahead = axis == "y" and HEIGHT or HALF
	local aim = snap(feet[axis] + way)
	local from = axis == "x" and (way > 0 and x2 or x1) or axis == "y" and (way > 0 and y2 or y1)
		or (way > 0 and z2 or z1)
	local step = way > 0 and 1 or -1
	local to = way > 0 and high_cell(aim + ahead) or low_cell(aim - behind)
	for cell = from + step, to, step do
		local is_wall
		if axis == "x" then
			is_wall = is_solid(own, cell, y1, z1, cell, y2, z2)
		elseif axis == "y" then
			is_wall = is_solid(own, x1, cell, z1, x2, cell, z2)
		else
			is_wall = is_solid(own, x1, y1, cell, x2, y2, cell)
		end
		if is_wall then
			feet[axis] = way > 0 and cell - 0.5 - ahead or cell + 0.5 + behind
			return true
		end
	end
	feet[axis] = aim
	return false
end

-- Sets the feet of a body, moved by `dx` and `dz`, onto the node at a height, if it is no more than a
-- step away and there is room; whether they are there.
local function step_onto(own, feet, height, dx, dz)
	local rise = height + 0.5 - feet.y
	if rise <= 0 or rise > STEP then
		return false
	end
	local x1, y1, z1, x2, y2, z2 = cells(feet.x, feet.y + rise, feet.z)
	local x3, y3, z3, x4, y4, z4 = cells(snap(feet.x + dx), feet.y + rise, snap(feet.z + dz))
	if is_solid(own, x1, y1, z1, x2, y2, z2) or is_solid(own, x3, y3, z3, x4, y4, z4) then
		return false
	end
	feet.x, feet.y, feet.z = snap(feet.x + dx), feet.y + rise, snap(feet.z + dz)
	return true
end

-- Whether the player leaves no room for a node in a cell. Who has jumped does: it is lifted.
function motion.is_in_the_way(player, cell)
	local feet = player.feet
	local x1, y1, z1, x2, y2, z2 = cells(feet.x, feet.y, feet.z)
	local covers = x1 <= cell.x and cell.x <= x2 and y1 <= cell.y and cell.y <= y2
		and z1 <= cell.z and cell.z <= z2
	return covers and not (not player.on_ground
		and step_onto(player.land, vector.new(feet), cell.y, 0, 0))
end

-- Lifts a player onto the node that it has put under its feet.
function motion.lift(player, cell)
	local x1, y1, z1, x2, _, z2 = cells(player.feet.x, player.feet.y, player.feet.z)
	if x1 <= cell.x and cell.x <= x2 and y1 == cell.y and z1 <= cell.z and cell.z <= z2 then
		player.feet.y, player.speed.y = cell.y + 0.5, 0
	end
end

local function has_ground(own, x, y, z)
	local x1, y1, z1, x2, _, z2 = cells(x, y, z)
	return is_solid(own, x1, y1 - 1, z1, x2, y1 - 1, z2)
end

-- The way that a sneaking player may go along an axis: none that leads over an edge.
local function kept(own, feet, axis, way)
	local x, z = feet.x, feet.z
	if axis == "x" then x = snap(x + way) else z = snap(z + way) end
	return has_ground(own, x, feet.y, z) and way or 0
end

local function toward(speed, wish, most)
	return speed + math.max(-most, math.min(wish - speed, most))
end

-- What the keys do to the speed, once a tick.
local function push(player, keys, climbs)
	local speed = player.speed
	local is_afloat = player.in_water or climbs
	local jumps = keys.jump and player.on_ground and not is_afloat
	local rate = (is_afloat or (player.on_ground and not jumps)) and PUSH or AIR_PUSH
	local yaw, pace = math.rad(player.yaw / 10), keys.sneak and SNEAK or WALK
	local length = math.max(math.sqrt(keys.ahead ^ 2 + keys.left ^ 2), 1)
	local ahead, left = keys.ahead / length * pace, keys.left / length * pace
	local dx = ahead * -math.sin(yaw) + left * math.cos(yaw) - speed.x
	local dz = ahead * -math.cos(yaw) - left * math.sin(yaw) - speed.z
	local change = math.sqrt(dx * dx + dz * dz)
	local share = change > 0 and math.min(rate * TICK / change, 1) or 0
	speed.x, speed.z = speed.x + share * dx, speed.z + share * dz
	if jumps then
		speed.y = JUMP
	elseif is_afloat then
		local pace_up = player.in_water and WALK or CLIMB
		local up = keys.jump and pace_up or keys.sneak and -pace_up or 0
		speed.y = toward(speed.y, up, PUSH * TICK)
	end
	return is_afloat and (keys.jump or keys.sneak)
end

local function drag(speed)
	local size = math.sqrt(speed.x ^ 2 + speed.y ^ 2 + speed.z ^ 2)
	if size > 0 then
		local share = math.min(size / FLUID, MOST_DRAG) * DRAG_RATE * PART / size
		speed.x, speed.y, speed.z = (1 - share) * speed.x, (1 - share) * speed.y, (1 - share) * speed.z
	end
end

-- A part of a tick; returns the health that the end of a fall takes.
local function move_on(player, keys, climbs, swims)
	local own, feet, speed = player.land, player.feet, player.speed
	if player.in_water then
		if not swims then
			speed.y = speed.y - SINK * PART
		end
		drag(speed)
	elseif not climbs then
		speed.y = speed.y - GRAVITY * PART
	end
	local damage = 0
	local guards = keys.sneak and player.on_ground and not player.in_water
	player.on_ground = false
	if glide(own, feet, "y", speed.y * PART) then
		player.on_ground = speed.y < 0
		if -speed.y > SAFE_SPEED then
			damage = math.floor(-speed.y - SAFE_SPEED + 0.5)
		end
		speed.y = 0
	end
	for _, axis in ipairs({"x", "z"}) do
		local way = speed[axis] * PART
		if guards and player.on_ground then
			way = kept(own, feet, axis, way)
		end
		local dx, dz = axis == "x" and way or 0, axis == "z" and way or 0
		if way ~= 0 and glide(own, feet, axis, way)
				and not step_onto(own, feet, low_cell(feet.y), dx, dz) then
			speed[axis] = 0
		end
	end
	local height = feet.y + (player.in_water and FEEL_DEEP or FEEL)
	player.in_water = has(own, low_cell(feet.x), low_cell(height), low_cell(feet.z), LIQUID)
	return damage
end

-- Moves for a tick. `keys`: `ahead` and `left`, each -1, 0 or 1, `jump` and `sneak`.
function motion.move(player, keys)
	local own, feet = player.land, player.feet
	local x, z = low_cell(feet.x), low_cell(feet.z)
	local climbs = has(own, x, low_cell(feet.y + 0.5), z, CLIMBABLE)
		or has(own, x, low_cell(feet.y - 0.2), z, CLIMBABLE)
	local swims = push(player, keys, climbs)
	local damage = 0
	for _ = 1, PARTS do
		damage = damage + move_on(player, keys, climbs, swims)
	end
	-- Where the game's own functions look for the player.
	player.x, player.y, player.z = low_cell(feet.x), low_cell(feet.y), low_cell(feet.z)
	if damage > 0 then
		player:set_hp(player.health - damage)
	end
end

return motion
