"""A factory for the far side: MineRL starts the game in the folder TOY_GAME."""

import os

from lapis.worlds.remote.far.minerl import malmo
from lapis.worlds.remote.far.minerl.worlds import MineRLWorlds


class LaunchedWorlds(MineRLWorlds):
    def __init__(self, world_count, **options):
        malmo.check_game = lambda: None
        malmo.server.InstanceManager.MINECRAFT_DIR = os.environ["TOY_GAME"]
        super().__init__(world_count, **options)
