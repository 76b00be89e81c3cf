-- Trees and bushes as the game's files have them, with shapes that depend on nothing but the place.
local open = ...

local schematics = {}
local SHAPES = 4 -- of each kind of tree
local ALWAYS, FORCED = 127, 128 -- in a file: the greatest chance, and the flag above it

-- A schematic's file. `minetest.read_schematic` ends the server of version 5.6.1 when it is given a
-- path outside of the map generator.
function schematics.read(path)
	local file = open(path, "rb")
	local content = file:read("*a")
	file:close()
	local place = 1
	local function byte()
		place = place + 1
		return content:byte(place - 1)
	end
	local function number()
		return byte() * 256 + byte()
	end
	assert(content:sub(1, 4) == "MTSM", path .. " is no schematic")
	place = 5
	assert(number() == 4, path .. " has an unknown version")
	local size = {x = number(), y = number(), z = number()}
	local slices, names = {}, {}
	for y = 1, size.y do
		slices[y] = byte()
	end
	for index = 1, number() do
		local length = number()
		names[index] = content:sub(place, place + length - 1)
		place = place + length
	end
	local nodes = minetest.decompress(content:sub(place), "deflate")
	local count = size.x * size.y * size.z
	local data = {}
	for index = 1, count do
		local id = nodes:byte(2 * index - 1) * 256 + nodes:byte(2 * index)
		local chance = nodes:byte(2 * count + index)
		data[index] = {
			name = names[id + 1],
			chance = chance % FORCED,
			force_place = chance >= FORCED,
			param2 = nodes:byte(3 * count + index),
		}
	end
	return {size = size, slices = slices, names = names, data = data}
end

-- One of the shapes that the chances of a schematic allow, all of whose nodes are certain.
local function shape(schematic, random)
	local size, data, slices = schematic.size, {}, {}
	local function happens(chance)
		return chance > random:next(0, ALWAYS - 1)
	end
	for y = 1, size.y do
		slices[y] = {ypos = y - 1, prob = happens(schematic.slices[y] % FORCED) and 255 or 0}
	end
	for index, node in ipairs(schematic.data) do
		data[index] = {
			name = node.name,
			prob = happens(node.chance) and 255 or 0,
			param2 = node.param2,
			force_place = node.force_place,
		}
	end
	return {size = size, data = data, yslice_prob = slices}
end

-- The engine draws a tree's leaves from a generator that all players share. So that the land of
-- one does not depend on what others do, each kind of tree gets a few shapes that are certain.
function schematics.settle()
	local decorations = {}
	for key, decoration in pairs(minetest.registered_decorations) do
		decorations[#decorations + 1] = {key = tostring(key), decoration = decoration}
	end
	table.sort(decorations, function(one, other) return one.key < other.key end)
	minetest.clear_registered_decorations()
	for number, each in ipairs(decorations) do
		local decoration = each.decoration
		if type(decoration.schematic) ~= "string" then
			minetest.register_decoration(decoration)
		else
			local schematic = schematics.read(decoration.schematic)
			local random = PcgRandom(number)
			for index = 1, SHAPES do
				local one = table.copy(decoration)
				one.name = each.key .. "_" .. index
				one.schematic = shape(schematic, random)
				-- Together as many as there were.
				if one.noise_params then
					one.noise_params.offset = one.noise_params.offset / SHAPES
					one.noise_params.scale = one.noise_params.scale / SHAPES
				else
					one.fill_ratio = one.fill_ratio / SHAPES
				end
				minetest.register_decoration(one)
			end
		end
	end
end

return schematics
