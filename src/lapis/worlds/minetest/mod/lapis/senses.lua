-- What a player sees: the classes of the nodes around it, and along rays that fan out ahead.
local ffi, land = ...

local senses = {cells = 0, rays = 0}
local at, class = land.at, land.class
local reach -- nodes along a ray
local cell, ray -- three numbers each: ahead, to the right, up

local function numbers(kind, triples)
	local found = ffi.new(kind, 3 * #triples)
	for place, triple in ipairs(triples) do
		for axis = 1, 3 do
			found[3 * (place - 1) + axis - 1] = triple[axis]
		end
	end
	return found
end

function senses.setup(sight)
	reach, senses.cells, senses.rays = sight.reach, #sight.cells, #sight.rays
	cell, ray = numbers("int[?]", sight.cells), numbers("double[?]", sight.rays)
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
		if distance > reach then
			return class[air], 10 * reach
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
	for index = 0, senses.cells - 1 do
		local ahead, right, up = cell[3 * index], cell[3 * index + 1], cell[3 * index + 2]
		local x = player.x + ahead * ahead_x + right * right_x
		local z = player.z + ahead * ahead_z + right * right_z
		classes[index] = class[at(own, x, player.y + up, z)]
	end
	local n = senses.cells
	for index = 0, senses.rays - 1 do
		local ahead, right, up = ray[3 * index], ray[3 * index + 1], ray[3 * index + 2]
		classes[n + index], distances[index] = cast(
			own, player.x, player.y + 1.125, player.z,
			right * right_x + ahead * ahead_x, up, right * right_z + ahead * ahead_z
		)
	end
end

return senses
