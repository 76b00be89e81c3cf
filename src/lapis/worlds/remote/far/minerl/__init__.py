"""Minecraft through MineRL 0.4.4; `malmo` alone needs MineRL."""
