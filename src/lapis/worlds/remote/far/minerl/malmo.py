"""The game itself, through MineRL 0.4.4's own client; this file alone needs MineRL."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import minerl  # pyright: ignore[reportMissingImports]
import minerl.env.malmo as server  # pyright: ignore[reportMissingImports]
from minerl.herobraine.env_specs import simple_embodiment  # pyright: ignore[reportMissingImports]
from minerl.herobraine.hero import handlers, mc, spaces  # pyright: ignore[reportMissingImports]
from minerl.herobraine.hero.handlers.translation import (  # pyright: ignore[reportMissingImports]
    TranslationHandler,
)

from lapis.worlds.remote.far.minerl.env import LostGame, Seen
from lapis.worlds.remote.far.minerl.keys import KEYS
from lapis.worlds.remote.far.minerl.reading import FROM_GAME, Reader

GAME = Path(minerl.__file__).parent / "Malmo" / "Minecraft" / "build" / "libs"
JAVA = "1.8"
_SWAP_HANDS = "33"
"""Code of the key, which MineRL has left out of its list."""


def check_game() -> None:
    """Says what is missing where no game can be started."""
    java = shutil.which("java")
    if java is None:
        raise ValueError("Minecraft needs Java 8, and there is no `java`; docs/minerl.md says more")
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "([^"]*)"', said)
    if version is None or not version[1].startswith(JAVA):
        found = version[1] if version else said.strip()
        raise ValueError(
            f"Minecraft needs Java 8 (version {JAVA}), and `java` is {found}; "
            "docs/minerl.md says more"
        )
    if not list(GAME.glob("*-fat.jar")):
        raise ValueError(
            f"there is no Minecraft in {GAME}: MineRL was installed without building it; "
            "docs/minerl.md says more"
        )


class MalmoEnv:
    """A game that MineRL has started, or one at a port; follows `Env`."""

    def __init__(self, *, frame_size: int, port: Optional[int] = None) -> None:
        self._spec = SimonSaysSpec(frame_size)
        instances = [] if port is None else [server.InstanceManager.add_existing_instance(port)]
        # Not fault tolerant: a game that ends is not started again behind our back.
        self._env = self._spec.make(instances=instances, is_fault_tolerant=False)
        self._reader = Reader()

    def reset(self, seed: int, slots: Dict[int, Dict[str, Any]]) -> Seen:
        """Starts a mission in a new world."""
        self._spec.start_inventory = slots
        self._env.seed(seed, seed_spaces=False)
        self._reader = Reader()
        try:
            return self._read(self._env.reset())
        except (OSError, TypeError, struct.error, EOFError) as error:
            # What MineRL raises when its game is gone, or ends in the middle of an answer.
            raise LostGame(f"no mission was started: {error}") from error

    def step(self, action: Dict[str, Any]) -> Tuple[Seen, bool]:
        """Plays a tick."""
        try:
            shown, _, is_over, info = self._env.step(action)
        except (struct.error, AttributeError) as error:
            raise LostGame(f"the game broke off: {error}") from error
        if "error" in info:  # Then MineRL makes up what is seen.
            raise LostGame(info["error"])
        seen = self._read(shown)
        if is_over and not self._reader.is_dead:
            raise LostGame("the mission ended, and the player is alive")
        return seen, self._reader.is_dead

    def close(self) -> None:
        """Ends the game if it was started here, and says goodbye to it if not."""
        self._env.close()

    def _read(self, shown: Dict[str, Any]) -> Seen:
        told: Dict[str, Any] = {}
        for name, part in shown.items():
            if name != "pov":
                told.update(part)
        return self._reader.read(shown["pov"], told)


class Part(TranslationHandler):
    """Some of the JSON that the game sends in a tick, as it is.

    MineRL's own handlers leave out what is needed here: variant and slot of a stack, the wear of
    the tool in hand, and what is looked at.
    """

    def __init__(self, xml: str) -> None:
        self._xml = xml
        super().__init__(spaces.Box(low=0, high=0, shape=()))

    def to_string(self) -> str:
        """The name in observations."""
        return self._xml

    def xml_template(self) -> str:
        """What makes the game tell it."""
        return self._xml

    def from_hero(self, x: Dict[str, Any]) -> Dict[str, Any]:
        """Of all that the game has told."""
        return {key: x[key] for key in FROM_GAME[self._xml] if key in x}


class SimonSaysSpec(simple_embodiment.SimpleEmbodimentEnvSpec):
    """Survival in a new world, with all commands that MineRL 0.4.4 knows.

    Attributes:
        start_inventory: What the next mission begins with: type, metadata and quantity by slot.
    """

    def __init__(self, frame_size: int) -> None:
        self.start_inventory: Dict[int, Dict[str, Any]] = {}
        super().__init__("LapisSimonSays-v0", resolution=(frame_size, frame_size))

    def create_observables(self) -> List[Any]:
        """Frames, and parts of the JSON."""
        return [handlers.POVObservation(self.resolution), *map(Part, FROM_GAME)]

    def create_actionables(self) -> List[Any]:
        """Keys, then commands, then the camera: the game is told in this order."""
        codes = {**mc.INVERSE_KEYMAP, "swapHands": _SWAP_HANDS}
        none = {"_other": "none", "_default": "none"}
        return [
            *(handlers.KeybasedCommandAction(key, codes[key]) for key in KEYS),
            handlers.PlaceBlock(mc.ALL_ITEMS, **none),
            handlers.EquipAction(mc.ALL_ITEMS, **none),
            handlers.CraftAction(mc.ALL_ITEMS, **none),
            handlers.CraftNearbyAction(mc.ALL_ITEMS, **none),
            handlers.SmeltItemNearby(mc.ALL_ITEMS, **none),
            handlers.CameraAction(),
        ]

    def create_agent_start(self) -> List[Any]:
        """Made anew by MineRL at every reset."""
        return [handlers.InventoryAgentStart(self.start_inventory)]

    def create_server_world_generators(self) -> List[Any]:
        """A new world for every episode."""
        return [handlers.DefaultWorldGenerator(force_reset=True)]

    def create_server_initial_conditions(self) -> List[Any]:
        """Day and night, animals and monsters, as in MineRL's own tasks from morning on."""
        return [
            handlers.TimeInitialCondition(allow_passage_of_time=True, start_time=6000),
            handlers.SpawningInitialCondition(allow_spawning=True),
        ]

    def create_rewardables(self) -> List[Any]:
        """None: Simon Says pays."""
        return []

    def create_agent_handlers(self) -> List[Any]:
        """None: death alone ends a mission."""
        return []

    def create_server_quit_producers(self) -> List[Any]:
        """None: Simon Says keeps the clocks."""
        return []

    def create_server_decorators(self) -> List[Any]:
        """None."""
        return []

    def is_from_folder(self, folder: str) -> bool:
        """It has no recorded data."""
        return False

    def determine_success_from_rewards(self, rewards: list) -> bool:
        """Simon Says decides."""
        return False

    def get_docstring(self) -> str:
        """Nobody prints it."""
        return ""
