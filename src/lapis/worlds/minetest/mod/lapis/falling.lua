-- Sand and gravel that the game lets fall: they are on the ground at once.
local land = ...

local falling = {waiting = {}}

function falling.add(place, node)
	falling.waiting[#falling.waiting + 1] = {place = place, node = node}
end

-- What is in the way is looked for node by node.
function falling.settle(own)
	while #falling.waiting > 0 do
		local each = table.remove(falling.waiting, 1)
		local place = each.place
		repeat
			place.y = place.y - 1
		until bit.band(land.flag[land.at(own, place.x, place.y, place.z)], land.WALKABLE) ~= 0
		place.y = place.y + 1
		minetest.set_node(place, each.node)
		minetest.check_for_falling(place)
	end
end

return falling
