-- What the engine would do by itself and in its own time is done at once, or not at all, so that
-- an episode depends on nothing but its seed and its actions.
local land, game, falling = ...

-- The copy of the land follows every change of the map.
for _, name in ipairs({"set_node", "add_node", "swap_node"}) do
	local original = minetest[name]
	minetest[name] = function(position, node)
		local result = original(position, node)
		if game.player then
			land.put(game.player.land, vector.round(position), node.name)
		end
		return result
	end
end
local remove_node = minetest.remove_node
function minetest.remove_node(position)
	local result = remove_node(position)
	if game.player then
		land.put(game.player.land, vector.round(position), "air")
	end
	return result
end

-- What loses its hold is picked up by who is playing.
function minetest.add_item(_, item)
	if game.player then
		game.player.pack:add_item("main", item)
	end
end

-- Sand and gravel fall to the ground at once. The game decides what falls; by the engine's way it
-- would become a thing that moves.
local add_entity = minetest.add_entity
function minetest.add_entity(position, name, ...)
	if name ~= "__builtin:falling_node" then
		return add_entity(position, name, ...)
	end
	local thing = {}
	function thing.set_node(_, node)
		falling.add(vector.round(position), node)
	end
	return {get_luaentity = function() return thing end}
end

-- Nobody hears sounds, and the furnace would keep a list of them.
function minetest.sound_play()
	return 0
end
function minetest.sound_fade() end
