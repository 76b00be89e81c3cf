-- Who plays, and what passes between them and the trainer. What players can do, and what they are
-- told, is the affair of their layout: `nodes` or `keys`.
local ffi, land, body, layouts = ...

local game = {}
local players, items = {}, {}
local layout, biome
local waiting = 0
local row_size, component_count

-- Messages of the trainer: a letter and the number of players that it is about, and for each
-- either a choice of each component, or where and with what to begin.
ffi.cdef([[
typedef struct { uint16_t kind, count; } lapis_head;
typedef struct { uint32_t player, seed, cells, gifts; } lapis_start;
]])
local STEP, START = 1, 2

function game.is_waiting()
	return waiting > 0
end

-- Takes the settings: layout, the players' number, items, classes of nodes, what can be done.
function game.setup(given)
	items, biome = given.items, given.biome
	layout, component_count = layouts[given.layout], given.components
	local places = {}
	for place, name in ipairs(items) do
		places[name] = place
	end
	local by_name, rules = given.sight.class_of, given.sight.class_rules
	land.learn_nodes(function(name, definition)
		if by_name[name] then
			return by_name[name]
		end
		for _, rule in ipairs(rules) do
			local is_match = rule.group == nil
				or minetest.get_item_group(name, rule.group) > 0
			if is_match and (rule.walkable == nil or rule.walkable == definition.walkable) then
				return rule.class
			end
		end
		error("no class for " .. name)
	end)
	for number = 1, given.players do
		players[number] = layout.Player.new(number, land.new(given.lowest))
	end
	row_size = math.ceil(layout.setup(given, places) / 4) * 4
	game.answer, game.answer_size = ffi.new("uint32_t[1]", row_size), 4
end

local function play(player, choice)
	game.player = player
	player.steps = player.steps + 1
	math.randomseed(player.seed + player.steps)
	player.ticks = 0
	if player.health > 0 then
		player.ticks = layout.play(player, choice)
		layout.take_in(player)
	end
	game.player = nil
end

local asked = {}
-- A row for each, then what some have to say besides.
local function answer()
	local size = row_size * #asked
	game.answer_size = size
	for _, player in ipairs(asked) do
		game.answer_size = game.answer_size + layout.more_size(player)
	end
	game.answer = ffi.new("uint8_t[?]", math.max(game.answer_size, 1))
	for place, player in ipairs(asked) do
		layout.write_row(player, game.answer + row_size * (place - 1))
		local more = layout.more_size(player)
		if more > 0 then
			layout.write_more(player, game.answer + size)
			size = size + more
		end
	end
end

local function done()
	waiting = waiting - 1
	if waiting == 0 then
		answer()
	end
end

-- Land below a player is generated before the answer, so that what is seen does not depend on how
-- long it takes.
local function deepen(player, after)
	if land.is_wanting(player.land, player.y) then
		land.deepen(player.land, function() deepen(player, after) end)
	else
		after()
	end
end

local function step(content, count)
	local number = ffi.cast("uint16_t *", content)
	for _ = 1, count do
		local player = players[number[0] + 1]
		play(player, number + 1)
		number = number + 1 + component_count
		asked[#asked + 1] = player
		waiting = waiting + 1
	end
	for _, player in ipairs(asked) do
		deepen(player, done)
	end
end

-- A place near the middle where a player can stand, on the ground and not in a tree.
local function standing_place(own, middle)
	for radius = 0, 30 do
		for dx = -radius, radius do
			for dz = -radius, radius do
				if math.max(math.abs(dx), math.abs(dz)) == radius then
					local x, z = middle.x + dx, middle.z + dz
					local y = middle.y + 6
					while y > 1 and body.is_free(own, x, y - 1, z) do
						y = y - 1
					end
					local ground = minetest.get_name_from_content_id(land.at(own, x, y - 1, z))
					if minetest.get_item_group(ground, "soil") > 0
							and land.at(own, x, y + 1, z) == minetest.CONTENT_AIR
							and land.at(own, x, y, z) == minetest.CONTENT_AIR then
						return {x = x, y = y, z = z}
					end
				end
			end
		end
	end
	return nil
end

local function begin(player, cells, first, count, given)
	math.randomseed(player.seed)
	land.move(player.land, cells, first, count, biome, function(middle, index)
		local place = standing_place(player.land, middle)
		if not place then
			begin(player, cells, index + 1, count, given)
			return
		end
		player:begin(place, given)
		player.steps, player.ticks = 0, 0
		layout.take_in(player)
		deepen(player, done)
	end)
end

local function start(content, count)
	local place = content
	for _ = 1, count do
		local head = ffi.cast("lapis_start *", place)
		local player = players[tonumber(head.player) + 1]
		local cell_count, gift_count = tonumber(head.cells), tonumber(head.gifts)
		player.seed = tonumber(head.seed)
		-- The content is overwritten by the next message, and this may last longer.
		local cells = ffi.new("int16_t[?]", 2 * cell_count)
		place = place + ffi.sizeof("lapis_start")
		ffi.copy(cells, place, ffi.sizeof(cells))
		place = place + ffi.sizeof(cells)
		local gifts = ffi.cast("int32_t *", place)
		local given = {}
		for index = 0, gift_count - 1 do
			given[index + 1] = {name = items[gifts[2 * index] + 1], count = gifts[2 * index + 1]}
		end
		place = place + 8 * gift_count
		asked[#asked + 1] = player
		waiting = waiting + 1
		begin(player, cells, 0, cell_count, given)
	end
end

-- Begins what the trainer asks for; once nobody is waiting for land, there is an answer.
function game.ask(content)
	local head = ffi.cast("lapis_head *", content)
	local kind, count = tonumber(head.kind), tonumber(head.count)
	asked = {}
	content = content + ffi.sizeof("lapis_head")
	if kind == STEP then
		step(content, count)
	elseif kind == START then
		start(content, count)
	else
		error("no message has the kind " .. kind)
	end
end

return game
