-- The land of each player: a column of the map, 80 x 80 nodes wide, that no other player can
-- reach. It is generated from the top down, as deep as the player gets. A copy of what the map
-- holds makes looking fast; the game's own functions change the map, and the copy follows.
local ffi = ...

local SIDE = 80 -- of the cubes that the map generator makes at once
local ORIGIN = -32 -- of the cube with number 0
local TOP = ORIGIN + SIDE - 1 -- of all land
local MARGIN = 24 -- nodes below the player that are generated before they are needed
local SPILL = 16 -- how far the generator writes into the cubes around

local land = {SIDE = SIDE, TOP = TOP}
local flag = ffi.new("uint8_t[65536]")
land.WALKABLE, land.LIQUID, land.OPEN, land.CLIMBABLE = 1, 2, 4, 8
land.flag = flag
land.class = ffi.new("uint8_t[65536]")
local UNKNOWN = minetest.get_content_id("ignore")
land.UNKNOWN = UNKNOWN

function land.learn_nodes(class_of)
	for name, definition in pairs(minetest.registered_nodes) do
		local id = minetest.get_content_id(name)
		local bits = definition.walkable and land.WALKABLE or 0
		if definition.liquidtype and definition.liquidtype ~= "none" then
			bits = bits + land.LIQUID
		end
		if definition.buildable_to then
			bits = bits + land.OPEN
		end
		if definition.climbable then
			bits = bits + land.CLIMBABLE
		end
		flag[id] = bits
		land.class[id] = class_of(name, definition)
	end
	flag[UNKNOWN] = land.WALKABLE
end

-- Land whose lowest node is at `lowest`, which is rounded down to whole cubes.
function land.new(lowest)
	local cubes = math.ceil((TOP + 1 - lowest) / SIDE)
	local bottom = TOP + 1 - cubes * SIDE
	return {
		bottom = bottom,
		cubes = cubes,
		known = 0, -- cubes that are generated, from the top
		has_changed = false, -- since somebody last took note of it
		x = 0, z = 0,
		nodes = ffi.new("uint16_t[?]", SIDE * SIDE * cubes * SIDE),
	}
end

-- Content id of the node at a place; unknown outside of the land.
function land.at(own, x, y, z)
	local i, k = x - own.x, z - own.z
	if i < 0 or k < 0 or i >= SIDE or k >= SIDE or y > TOP or y < own.bottom then
		return UNKNOWN
	end
	return own.nodes[((y - own.bottom) * SIDE + k) * SIDE + i]
end

function land.put(own, position, name)
	local i, k = position.x - own.x, position.z - own.z
	local j = position.y - own.bottom
	if i >= 0 and k >= 0 and i < SIDE and k < SIDE and position.y <= TOP and j >= 0 then
		own.nodes[(j * SIDE + k) * SIDE + i] = minetest.get_content_id(name)
		own.has_changed = true
	end
end

-- Writes a byte for the class of each node in `height` layers from `bottom` up: layers of rows along
-- x, as the land has them.
function land.write_classes(own, bottom, height, bytes)
	local layer = SIDE * SIDE
	for y = bottom, bottom + height - 1 do
		local out = bytes + (y - bottom) * layer
		if y < own.bottom or y > TOP then
			ffi.fill(out, layer, land.class[y > TOP and minetest.CONTENT_AIR or UNKNOWN])
		else
			local nodes = own.nodes + (y - own.bottom) * layer
			for index = 0, layer - 1 do
				out[index] = land.class[nodes[index]]
			end
		end
	end
end

local function low_corner(own, cube)
	return {x = own.x, y = TOP + 1 - (cube + 1) * SIDE, z = own.z}
end

local buffer = {}
local function copy_cube(own, cube)
	local low = low_corner(own, cube)
	local manip = minetest.get_voxel_manip()
	local from, to = manip:read_from_map(low, vector.add(low, SIDE - 1))
	-- Cubes are whole blocks, so that what is read is exactly the cube.
	assert(vector.equals(from, low) and vector.equals(to, vector.add(low, SIDE - 1)))
	local data = manip:get_data(buffer)
	local nodes, n = own.nodes, 0
	for k = 0, SIDE - 1 do
		for j = low.y - own.bottom, low.y - own.bottom + SIDE - 1 do
			local start = (j * SIDE + k) * SIDE
			for i = 0, SIDE - 1 do
				n = n + 1
				nodes[start + i] = data[n]
			end
		end
	end
end

local function generate_next(own, done)
	local cube = own.known
	local middle = vector.add(low_corner(own, cube), SIDE / 2)
	minetest.emerge_area(middle, middle, function(_, action)
		assert(action ~= minetest.EMERGE_ERRORED and action ~= minetest.EMERGE_CANCELLED,
			"the map generator failed")
		copy_cube(own, cube)
		own.known, own.has_changed = cube + 1, true
		done()
	end)
end

-- The cell of the map that a pair of numbers names, if it is in the biome and a player can stand
-- there; nil if not. Cells have a free cube between them.
local function site(cell_x, cell_z, biome)
	local x, z = ORIGIN + 2 * SIDE * cell_x, ORIGIN + 2 * SIDE * cell_z
	local middle = {x = x + SIDE / 2, z = z + SIDE / 2}
	middle.y = minetest.get_spawn_level(middle.x, middle.z)
	if not middle.y or middle.y > TOP - SPILL then
		return nil
	end
	if minetest.get_biome_name(minetest.get_biome_data(middle).biome) ~= biome then
		return nil
	end
	return {x = x, z = z, middle = middle}
end

local function forget(own)
	local low = {x = own.x - SPILL, y = own.bottom - SPILL, z = own.z - SPILL}
	local high = {x = own.x + SIDE - 1 + SPILL, y = TOP + SPILL, z = own.z + SIDE - 1 + SPILL}
	minetest.delete_area(low, high)
end

-- Leaves the old land, and takes the first of the candidates, pairs of numbers, from number `first`
-- on, that is in the biome. The land is as the generator makes it, also where somebody has been
-- before. Then calls `done` with a place near which to begin, and the candidate's number.
function land.move(own, cells, first, count, biome, done)
	if own.known > 0 then
		forget(own)
	end
	local found
	local index = first - 1
	while not found and index < count - 1 do
		index = index + 1
		found = site(cells[2 * index], cells[2 * index + 1], biome)
	end
	assert(found, "no land of the biome " .. biome .. " was found")
	own.x, own.z, own.known = found.x, found.z, 0
	for index = 0, SIDE * SIDE * own.cubes * SIDE - 1 do
		own.nodes[index] = UNKNOWN
	end
	generate_next(own, function() done(found.middle, index) end)
end

-- Whether a player at this height needs more land below, which is not at the bottom yet.
function land.is_wanting(own, y)
	return own.known < own.cubes and y - MARGIN < TOP + 1 - own.known * SIDE
end

land.deepen = generate_next
return land
