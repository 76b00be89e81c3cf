-- A player without a client. The game's own functions get it wherever they ask for a player.
local Player = {}
Player.__index = Player

local FULL_HEALTH, FULL_BREATH = 20, 10
Player.FULL_HEALTH, Player.FULL_BREATH = FULL_HEALTH, FULL_BREATH
local SLOTS = 200

function Player.new(number, own_land)
	local name = "player" .. number
	local self = setmetatable({name = name, number = number, land = own_land}, Player)
	self.pack = minetest.create_detached_inventory(name, {})
	return self
end

-- How many slots so many things of a name take.
local function slots_of(name, count)
	return math.ceil(count / ItemStack(name):get_stack_max())
end

-- A new life at a node, with nothing but what is given: a list of names and counts.
function Player:begin(place, given)
	self.x, self.y, self.z = place.x, place.y, place.z
	self.facing, self.pitch = 0, 0
	self.health, self.breath = FULL_HEALTH, FULL_BREATH
	self.hand = 0 -- the slot whose item is in hand; 0: none
	self.clock = 0 -- ticks of 50 ms
	self.hurt_clock, self.breath_clock = 0, 0
	self.furnaces = {}
	local taken = 0
	for _, gift in ipairs(given) do
		taken = taken + slots_of(gift.name, gift.count)
	end
	self.pack:set_size("main", 0)
	self.pack:set_size("main", math.max(SLOTS, taken + SLOTS / 2))
	for _, gift in ipairs(given) do
		local stack = ItemStack({name = gift.name, count = 1})
		local most, count = stack:get_stack_max(), gift.count
		while count > 0 do
			stack:set_count(math.min(count, most))
			self.pack:add_item("main", stack)
			count = count - most
		end
	end
	self.pack_changed = true
end

-- How many of each item the player holds, by name, in `counts`.
function Player:count()
	if self.pack_changed then
		local counts = {}
		for _, stack in ipairs(self.pack:get_list("main")) do
			if not stack:is_empty() then
				local name = stack:get_name()
				counts[name] = (counts[name] or 0) + stack:get_count()
			end
		end
		self.counts, self.pack_changed = counts, false
	end
end

-- Leaves behind what is no item of the trainer's, and what is in hand if it is no tool.
function Player:tidy(is_item)
	self:count()
	for name, count in pairs(self.counts) do
		if not is_item[name] then
			self.pack:remove_item("main", ItemStack({name = name, count = count}))
			self.pack_changed = true
		end
	end
	self:count()
	local stack = self:get_wielded_item()
	if stack:get_definition().type ~= "tool" then
		self.hand = 0
	end
	self.hand_item = self.hand > 0 and stack:get_name() or nil
	self.tool_left = self.hand > 0 and 1 - stack:get_wear() / 65536 or 0
end

-- What the engine's players have and the game's functions ask for.
function Player:is_player() return true end
function Player:get_player_name() return self.name end
function Player:get_inventory() return self.pack end
function Player:get_wield_index() return self.hand end
function Player:get_wield_list() return "main" end
function Player:get_hp() return self.health end
function Player:set_hp(health) self.health = math.max(0, math.min(health, FULL_HEALTH)) end
function Player:get_pos() return {x = self.x, y = self.y - 0.5, z = self.z} end
function Player:get_player_control() return {sneak = true} end
function Player:get_look_dir() return self:looks() end
function Player:get_look_horizontal() return self.facing * math.pi / 2 end
function Player:get_look_vertical() return -math.rad(self.pitch) end

function Player:get_wielded_item()
	return self.hand > 0 and self.pack:get_stack("main", self.hand) or ItemStack("")
end

function Player:set_wielded_item(stack)
	if self.hand > 0 then
		self.pack:set_stack("main", self.hand, stack)
		self.pack_changed = true
	end
	return true
end

-- Where the player faces: a step ahead.
local STEP = {[0] = {0, 1}, {-1, 0}, {0, -1}, {1, 0}}
function Player:ahead()
	local step = STEP[self.facing]
	return step[1], step[2]
end

function Player:looks()
	local dx, dz = self:ahead()
	local angle = math.rad(self.pitch)
	local flat = math.cos(angle)
	return {x = dx * flat, y = math.sin(angle), z = dz * flat}
end

function Player:eye()
	return {x = self.x, y = self.y + 1.125, z = self.z}
end

return Player
