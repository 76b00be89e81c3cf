-- Who plays, what they can do, and what they are told of it.
local ffi, land, Player, body, hands, senses = ...

local game = {falling = {}}
local TURN_TICKS, WAIT_TICKS = 4, 20
local FACTS = 16 -- numbers at the head of a row

local players, items, actions, fuels = {}, {}, {}, {}
local biome
local waiting = 0
local row_size

-- Messages of the trainer: a letter and the number of players that it is about, and for each
-- either what to do, or where and with what to begin.
ffi.cdef([[
typedef struct { uint16_t kind, count; } lapis_head;
typedef struct { uint16_t player, action; } lapis_step;
typedef struct { uint32_t player, seed, cells, gifts; } lapis_start;
]])
local STEP, START = 1, 2

function game.is_waiting()
	return waiting > 0
end

-- Takes the settings: the players' number, items, actions, fuels, and classes of nodes.
function game.setup(given)
	items, actions, fuels, biome = given.items, given.actions, given.fuels, given.biome
	game.is_item = {}
	for place, name in ipairs(items) do
		game.is_item[name] = place
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
		players[number] = Player.new(number, land.new(given.lowest))
	end
	senses.setup(given.sight)
	row_size = 4 * FACTS + 4 * #items + senses.cells + senses.rays + senses.rays + #actions
		+ 3 * senses.frame_side ^ 2
	row_size = math.ceil(row_size / 4) * 4
	game.answer, game.answer_size = ffi.new("uint32_t[1]", row_size), 4
end

local function counts_of(player)
	if player.pack_changed then
		local counts = {}
		for _, stack in ipairs(player.pack:get_list("main")) do
			if not stack:is_empty() then
				local name = stack:get_name()
				counts[name] = (counts[name] or 0) + stack:get_count()
			end
		end
		player.counts, player.pack_changed = counts, false
	end
	return player.counts
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
function act.place(player, action) return hands.place(player, player.hit, action.item) end

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

-- What is in the way of what falls is looked for node by node.
local function settle()
	while #game.falling > 0 do
		local each = table.remove(game.falling, 1)
		local place = each.place
		local own = game.player.land
		repeat
			place.y = place.y - 1
		until bit.band(land.flag[land.at(own, place.x, place.y, place.z)], land.WALKABLE) ~= 0
		place.y = place.y + 1
		minetest.set_node(place, each.node)
		minetest.check_for_falling(place)
	end
end

-- Leaves behind what is no item of the tree, and what is in hand if it is no tool.
local function tidy(player)
	local counts = counts_of(player)
	for name in pairs(counts) do
		if not game.is_item[name] then
			player.pack:remove_item("main", ItemStack({name = name, count = counts[name]}))
			player.pack_changed = true
		end
	end
	counts_of(player)
	local stack = player:get_wielded_item()
	if stack:get_definition().type ~= "tool" then
		player.hand = 0
	end
	player.hand_item = player.hand > 0 and stack:get_name() or nil
	player.tool_left = player.hand > 0 and 1 - stack:get_wear() / 65536 or 0
end

local function take_in(player)
	tidy(player)
	player.hit = hands.point(player)
	player.dig_seconds = hands.can_dig(player, player.hit)
	player.free_place = hands.free_place(player, player.hit)
	player.furnace = hands.furnace(player)
end

local function play(player, action)
	game.player = player
	player.steps = player.steps + 1
	math.randomseed(player.seed + player.steps)
	player.ticks = 0
	if player.health > 0 then
		if can[action.kind](player, action) then
			player.ticks = act[action.kind](player, action)
		else
			player.ticks = WAIT_TICKS
		end
		settle()
		player.ticks = player.ticks + body.fall(player)
		body.live(player, player.ticks)
		take_in(player)
	end
	game.player = nil
end

local function write_row(player, start)
	local facts = ffi.cast("float *", start)
	local own = player.land
	local feet = land.flag[land.at(own, player.x, player.y, player.z)]
	local head = land.flag[land.at(own, player.x, player.y + 1, player.z)]
	local hit = player.hit
	facts[0], facts[1] = player.health, player.breath
	facts[2], facts[3] = player.facing, player.pitch
	facts[4], facts[5], facts[6] = player.x, player.y, player.z
	facts[7] = player.hand_item and game.is_item[player.hand_item] or 0
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

local asked = {}
local function answer()
	game.answer_size = row_size * #asked
	game.answer = ffi.new("uint8_t[?]", math.max(game.answer_size, 1))
	for place, player in ipairs(asked) do
		write_row(player, game.answer + row_size * (place - 1))
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
	local steps = ffi.cast("lapis_step *", content)
	for index = 0, count - 1 do
		local player = players[steps[index].player + 1]
		play(player, actions[steps[index].action + 1])
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
		take_in(player)
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
