"""Batched worlds: the contract in `world`, Minecraft's tech tree without space in `techtree`."""
