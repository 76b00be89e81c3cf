-- Players without clients, who are told what to do through a pipe. Python's side is `server.py`.
local environment = minetest.request_insecure_environment()
assert(environment, "the mod lapis must be listed in secure.trusted_mods")
local ffi = environment.require("ffi")
local path = minetest.get_modpath("lapis")

local function part(name, ...)
	return assert(loadfile(path .. "/" .. name .. ".lua"))(...)
end

local schematics = part("schematics", environment.io.open)
local registry_file = minetest.settings:get("lapis_registry")
if registry_file then
	-- Nobody plays: the server writes down what the game has registered, and ends.
	local registry = part("registry", schematics)
	minetest.register_globalstep(function()
		local content = registry(minetest.settings:get("lapis_biome"))
		minetest.safe_file_write(registry_file, assert(minetest.write_json(content)))
		minetest.request_shutdown()
	end)
	return
end

schematics.settle()
local pipe = part("pipe", ffi)
local land = part("land", ffi)
local falling = part("falling", land)
local Player = part("player")
local body = part("body", land)
local hands = part("hands", land, body)
local senses = part("senses", ffi, land)
local motion = part("motion", land, Player)
local game = part("game", ffi, land, body, {
	nodes = part("nodes", ffi, land, Player, body, hands, senses, falling),
	keys = part("keys", ffi, land, motion, body, hands, falling),
})
part("quiet", land, game, falling)

local is_open = false
minetest.register_globalstep(function()
	if not is_open then
		is_open = true
		pipe.open(minetest.settings:get("lapis_pipes"))
		local content, size = pipe.read()
		game.setup(minetest.parse_json(ffi.string(content, size)))
	end
	-- The engine goes on only while the map generator works for somebody.
	while not game.is_waiting() do
		if game.answer then
			pipe.write(game.answer, game.answer_size)
			game.answer = nil
		end
		local content, size = pipe.read()
		if not content then
			minetest.request_shutdown()
			return
		end
		game.ask(content, size)
	end
end)
