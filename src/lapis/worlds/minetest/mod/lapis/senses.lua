-- What a player sees: the classes of the nodes around it, and along rays that fan out ahead.
local ffi, land = ...

local senses = {cells = 0, rays = 0, frame_side = 0}
local at, class = land.at, land.class
local reach -- nodes along a ray
local cell, ray -- three numbers each: ahead, to the right, up
local colour -- of each class; of class 0, air, that of the sky
local half_view -- half of the picture's width, at a distance of 1
local VISIBLE = 40 -- nodes; what is farther away is in the haze

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
	senses.frame_side, half_view = sight.frame_side, math.tan(math.rad(sight.view_degrees) / 2)
	colour = numbers("double[?]", sight.colours)
	cell, ray = numbers("int[?]", sight.cells), numbers("double[?]", sight.rays)
end

-- The first node along a ray that is not air: its class, the distance to it, and the axis of the
-- side that is met, 1 to 3; air if there is none up to `far`.
local function cast(own, x, y, z, dx, dy, dz, far)
	local air = minetest.CONTENT_AIR
	local i, j, k = math.floor(x + 0.5), math.floor(y + 0.5), math.floor(z + 0.5)
	local si, sj, sk = dx > 0 and 1 or -1, dy > 0 and 1 or -1, dz > 0 and 1 or -1
	local step_x, step_y, step_z = math.abs(1 / dx), math.abs(1 / dy), math.abs(1 / dz)
	local next_x = (0.5 - si * (x - i)) * step_x
	local next_y = (0.5 - sj * (y - j)) * step_y
	local next_z = (0.5 - sk * (z - k)) * step_z
	local distance, axis = 0, 0
	while true do
		if next_x < next_y and next_x < next_z then
			i, distance, next_x, axis = i + si, next_x, next_x + step_x, 1
		elseif next_y < next_z then
			j, distance, next_y, axis = j + sj, next_y, next_y + step_y, 2
		else
			k, distance, next_z, axis = k + sk, next_z, next_z + step_z, 3
		end
		if distance > far then
			return class[air], far, axis
		end
		local id = at(own, i, j, k)
		if id ~= air then
			return class[id], distance, axis
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
		local met, distance = cast(
			own, player.x, player.y + 1.125, player.z,
			right * right_x + ahead * ahead_x, up, right * right_z + ahead * ahead_z, reach
		)
		classes[n + index], distances[index] = met, math.floor(10 * distance)
	end
end

-- How bright the sides of a node are, by their axis.
local SHADE = {0.8, 1, 0.65}

-- How bright a point of a side is: each side is a pattern of 8 x 8 fields.
local function grain(u, v)
	local field = math.floor(8 * (u + 0.5)) * 31 + math.floor(8 * (v + 0.5)) * 17
	return 0.85 + 0.3 * (field * field % 23) / 23
end

-- Draws what the player looks at, three bytes a pixel, from the upper left corner on.
function senses.draw(player, pixels)
	local own, side = player.land, senses.frame_side
	local ahead_x, ahead_z = player:ahead()
	local right_x, right_z = ahead_z, -ahead_x
	local pitch = math.rad(player.pitch)
	local sin, cos = math.sin(pitch), math.cos(pitch)
	local x, y, z = player.x, player.y + 1.125, player.z
	for row = 0, side - 1 do
		local v = half_view * (1 - 2 * (row + 0.5) / side)
		-- The picture's plane turns up and down with the look.
		local flat, up = cos - v * sin, sin + v * cos
		for column = 0, side - 1 do
			local right = half_view * (2 * (column + 0.5) / side - 1)
			local length = math.sqrt(flat * flat + up * up + right * right)
			local dx = (flat * ahead_x + right * right_x) / length
			local dz = (flat * ahead_z + right * right_z) / length
			local dy = up / length
			local met, distance, axis = cast(own, x, y, z, dx, dy, dz, VISIBLE)
			local light = 1
			if met ~= class[minetest.CONTENT_AIR] then
				local px, py, pz = x + distance * dx, y + distance * dy, z + distance * dz
				local a, b = axis == 1 and py or px, axis == 3 and py or pz
				light = SHADE[axis] * grain(a - math.floor(a + 0.5), b - math.floor(b + 0.5))
			end
			local fog = distance / VISIBLE
			local place = 3 * (row * side + column)
			for part = 0, 2 do
				local own_colour = math.min(light * colour[3 * met + part], 255)
				pixels[place + part] = own_colour + fog * fog * (colour[part] - own_colour)
			end
		end
	end
end

return senses
