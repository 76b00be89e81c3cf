-- What a player sees: the classes of the nodes around it, and along rays that fan out ahead.
local ffi, land = ...

local senses = {}
local at, class, UNKNOWN = land.at, land.class, land.UNKNOWN

-- Cells around the player: to the left and right, below and above the feet, behind and ahead.
local SIDEWAYS, BELOW, ABOVE, BEHIND, AHEAD = 2, 2, 3, 1, 3
local REACH = 24 -- nodes along a ray
local TURNS = {-75, -50, -30, -15, 0, 15, 30, 50, 75} -- degrees, right is positive
local SLOPES = {45, 25, 10, 0, -12, -25, -40, -60} -- degrees, up is positive

senses.cells = (2 * SIDEWAYS + 1) * (BELOW + ABOVE + 1) * (BEHIND + AHEAD + 1)
senses.rays = #TURNS * #SLOPES
senses.reach = REACH

local ray = ffi.new("double[?]", 3 * senses.rays)
for t, turn in ipairs(TURNS) do
	for s, slope in ipairs(SLOPES) do
		local place = 3 * ((t - 1) * #SLOPES + s - 1)
		ray[place] = math.sin(math.rad(turn)) * math.cos(math.rad(slope)) -- to the right
		ray[place + 1] = math.sin(math.rad(slope)) -- up
		ray[place + 2] = math.cos(math.rad(turn)) * math.cos(math.rad(slope)) -- ahead
	end
end

-- The first node along a ray that is not air: its class and the distance to it [1/10 node].
local function cast(own, x, y, z, dx, dy, dz)
	local air = minetest.CONTENT_AIR
	local i, j, k = math.floor(x + 0.5), math.floor(y + 0.5), math.floor(z + 0.5)
	local si, sj, sk = dx > 0 and 1 or -1, dy > 0 and 1 or -1, dz > 0 and 1 or -1
	local step_x, step_y, step_z = math.abs(1 / dx), math.abs(1 / dy), math.abs(1 / dz)
	local next_x = (0.5 - si * (x - i)) * step_x
	local next_y = (0.5 - sj * (y - j)) * step_y
	local next_z = (0.5 - sk * (z - k)) * step_z
	local distance = 0
	while true do
		if next_x < next_y and next_x < next_z then
			i, distance, next_x = i + si, next_x, next_x + step_x
		elseif next_y < next_z then
			j, distance, next_y = j + sj, next_y, next_y + step_y
		else
			k, distance, next_z = k + sk, next_z, next_z + step_z
		end
		if distance > REACH then
			return class[air], 10 * REACH
		end
		local id = at(own, i, j, k)
		if id ~= air then
			return class[id], math.floor(10 * distance)
		end
	end
end

-- Writes a byte for each cell and ray to `classes`, and one for each ray to `distances`.
function senses.look(player, classes, distances)
	local own = player.land
	local ahead_x, ahead_z = player:ahead()
	local right_x, right_z = ahead_z, -ahead_x
	local n = 0
	for ahead = -BEHIND, AHEAD do
		for side = -SIDEWAYS, SIDEWAYS do
			local x = player.x + ahead * ahead_x + side * right_x
			local z = player.z + ahead * ahead_z + side * right_z
			for up = -BELOW, ABOVE do
				classes[n] = class[at(own, x, player.y + up, z)]
				n = n + 1
			end
		end
	end
	for index = 0, senses.rays - 1 do
		local right, up, ahead = ray[3 * index], ray[3 * index + 1], ray[3 * index + 2]
		classes[n + index], distances[index] = cast(
			own, player.x, player.y + 1.125, player.z,
			right * right_x + ahead * ahead_x, up, right * right_z + ahead * ahead_z
		)
	end
end

return senses
