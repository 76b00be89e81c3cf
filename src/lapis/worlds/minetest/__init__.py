"""Minetest: the game's own server, with players that are told what to do through a pipe."""
