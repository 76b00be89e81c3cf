"""Draws the scenes of the docs: six views of the voxel world, as a player sees them.

python -m benchmarks.voxel_pictures                   # docs/figures/voxel*.png
python -m benchmarks.voxel_pictures --size 64 --to .  # what an agent gets, elsewhere

Five scenes are found in generated land by what a fan of rays meets there; the base is built.
`voxel.png` shows all six side by side.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import warp as wp
from PIL import Image

from lapis.minecraft.biomes import Biome
from lapis.minecraft.blocks import SOLID, Block
from lapis.minecraft.items import ITEM
from lapis.worlds.launching import launch_all
from lapis.worlds.voxel.config import VoxelConfig
from lapis.worlds.voxel.generation.launches import generation_launches
from lapis.worlds.voxel.state import State
from lapis.worlds.voxel.view import FAN_COLUMNS, FAN_RAYS, FAN_ROWS, FanClass, Picture, fan_launches

ROOT = Path(__file__).resolve().parents[1]
CONFIG = VoxelConfig(fan_view_distance=48)
WORLDS, SEED, ROUNDS = 24, 1, 250
MORNING, DUSK = 4000, 12600
LIT = 6.0
"""How far a torch shows colors [blocks]."""
COLUMNS, GAP = 3, 4
"""Of the picture of all scenes: pictures in a row, and pixels between them."""
IN_PICTURE = torch.arange(FAN_RAYS).reshape(FAN_ROWS, FAN_COLUMNS)[:, 4:12].flatten()
"""Rays of the fan that a square picture shows; the fan is wider."""

Counts = dict[FanClass, int]


def main() -> None:
    """Draws all scenes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=256, help="pixels along each side")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "figures", help="folder")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    pictures = {name: draw(generated(), options.size) for name, draw in SCENES.items()}
    for name, picture in pictures.items():
        save(picture, options.to / f"voxel_{name}.png")
    save(side_by_side(list(pictures.values())), options.to / "voxel.png")


def save(picture: np.ndarray, path: Path) -> None:
    """Writes a small PNG and says how small."""
    Image.fromarray(picture).quantize(256, kmeans=1).save(path, optimize=True)
    print(path, f"{path.stat().st_size / 1000:.0f} kB")


def side_by_side(pictures: list[np.ndarray]) -> np.ndarray:
    """All pictures in rows of `COLUMNS`, on white."""
    size, cell = len(pictures[0]), len(pictures[0]) + GAP
    rows = -(-len(pictures) // COLUMNS)
    sheet = np.full((rows * cell - GAP, COLUMNS * cell - GAP, 3), 255, np.uint8)
    for index, picture in enumerate(pictures):
        row, column = divmod(index, COLUMNS)
        sheet[row * cell :, column * cell :][:size, :size] = picture
    return sheet


def generated() -> State:
    """Fresh worlds in the morning, with bare hands."""
    wp.init()
    state = State.allocate(WORLDS, CONFIG, torch.device("cpu"))
    for tensor in (state.hand, state.target, state.looked_at):
        tensor.fill_(-1)
    state.time.fill_(MORNING)
    which = wp.from_torch(torch.ones(WORLDS, dtype=torch.bool))
    launches = generation_launches(state, CONFIG, which, "cpu", seed=SEED)
    launch_all(launches, torch.device("cpu"))
    return state


def best_view(
    state: State,
    places: np.ndarray,
    pitch: tuple[int, int],
    score: Callable[[Counts], float],
    *,
    near: float = 2.0,
    far: float = CONFIG.fan_view_distance,
) -> int:
    """Puts players at random places of a mask (world, x, z, y of the feet) and turns them.

    Args:
        state: The worlds.
        places: Where feet may stand.
        pitch: Range of angles down [tenths of degrees].
        score: Of the number of rays that meet each class.
        near: Things closer than this block the view [blocks].
        far: Things farther away than this do not count [blocks].

    Returns:
        The world whose player has the view of the highest score; it stays there.
    """
    rng = np.random.default_rng(SEED)
    kinds = torch.zeros((WORLDS, FAN_RAYS), dtype=torch.uint8)
    distances, light = torch.zeros((WORLDS, FAN_RAYS)), torch.zeros((WORLDS, 1))
    outputs = map(wp.from_torch, (kinds, distances, light))
    launches = fan_launches(state, CONFIG, *outputs, "cpu")
    choices = [np.argwhere(places[world]) for world in range(WORLDS)]
    best, pose = -np.inf, (0, state.position[0].clone(), 0, 0)
    for _ in range(ROUNDS):
        for world, choice in enumerate(choices):
            if len(choice):
                x, z, y = choice[rng.integers(len(choice))]
                state.position[world] = torch.tensor([x + 0.5, float(y), z + 0.5])
        state.yaw.copy_(torch.from_numpy(rng.integers(0, 3600, WORLDS)))
        state.pitch.copy_(torch.from_numpy(rng.integers(*pitch, WORLDS)))
        launch_all(launches, torch.device("cpu"))
        for world, choice in enumerate(choices):
            if len(choice):
                away = distances[world][IN_PICTURE] * CONFIG.fan_view_distance
                seen = kinds[world][IN_PICTURE][away <= far]
                counts = {kind: int((seen == kind).sum()) for kind in FanClass}
                value = score(counts) - 2.0 * int((away < near).sum())
                if value > best:
                    best, turn = value, (int(state.yaw[world]), int(state.pitch[world]))
                    pose = (world, state.position[world].clone(), *turn)
    world, position, yaw, down = pose
    state.position[world], state.yaw[world], state.pitch[world] = position, yaw, down
    return world


def standing(state: State) -> np.ndarray:
    """Where feet may stand: two blocks of air above something solid; (world, x, z, y)."""
    blocks = state.blocks.numpy()
    places = np.zeros(blocks.shape, bool)
    air = blocks == Block.AIR
    places[..., 1:-1] = SOLID[blocks[..., :-2]] & air[..., 1:-1] & air[..., 2:]
    return places


def on_land(state: State, biome: Biome) -> np.ndarray:
    """Places to stand under the open sky of a biome."""
    y = np.arange(CONFIG.height)
    open_sky = y >= state.top.numpy()[..., None]
    return standing(state) & open_sky & (state.biome.numpy() == biome)[..., None]


def underground(state: State, highest: int) -> np.ndarray:
    """Places to stand in caves below a height."""
    places = standing(state)
    places[..., highest:] = False
    return places


def woods(biome: Biome, hand: str | None = None) -> Callable[[State, int], np.ndarray]:
    """A scene with trunks, leaves and some sky."""

    def draw(state: State, size: int) -> np.ndarray:
        def score(seen: Counts) -> float:
            sky = min(seen[FanClass.NOTHING], 25) + min(seen[FanClass.SOIL], 40)
            return 2 * min(seen[FanClass.LOG], 25) + min(seen[FanClass.LEAVES], 60) + sky

        world = best_view(state, on_land(state, biome), (-80, 80), score, near=5.0)
        if hand is not None:
            state.hand[world] = ITEM[hand]
        return Picture(state, CONFIG, world=world, size=size).draw()

    return draw


def desert(state: State, size: int) -> np.ndarray:
    """Sand and cacti."""

    def score(seen: Counts) -> float:
        sand = min(seen[FanClass.SAND], 60) + min(seen[FanClass.NOTHING], 40)
        return 4 * min(seen[FanClass.CACTUS], 14) + sand

    world = best_view(state, on_land(state, Biome.DESERT), (-50, 80), score)
    return Picture(state, CONFIG, world=world, size=size).draw()


def cave(state: State, size: int) -> np.ndarray:
    """Several ores in the walls of a cave, by the light of a torch at the player's feet."""
    ores = range(FanClass.COAL_ORE, FanClass.DIAMOND_ORE + 1)

    def score(seen: Counts) -> float:
        kinds = sum(seen[FanClass(ore)] >= 1 for ore in ores)
        found = sum(min(seen[FanClass(ore)], 5) for ore in ores)
        return 30 * kinds + 3 * found - 2 * seen[FanClass.LAVA]

    world = best_view(state, underground(state, 50), (-100, 250), score, far=LIT)
    state.hand[world] = ITEM["iron_pickaxe"]
    x, y, z = map(int, state.position[world])
    state.blocks[world, x, z, y] = Block.TORCH
    state.torch[world, 0] = (x * CONFIG.size + z) * CONFIG.height + y
    return Picture(state, CONFIG, world=world, size=size).draw()


def lava(state: State, size: int) -> np.ndarray:
    """A lake of lava on the ground of a cave."""

    def score(seen: Counts) -> float:
        return 3 * min(seen[FanClass.LAVA], 25) + min(seen[FanClass.STONE], 40)

    world = best_view(state, underground(state, 18), (50, 250), score)
    return Picture(state, CONFIG, world=world, size=size).draw()


def base(state: State, size: int) -> np.ndarray:
    """A floor with table, furnace, chest and two torches before a wall, at dusk."""
    world, x, z = 3, 32, 32
    y = int(state.top[world, x - 5 : x + 6, z - 5 : z + 6].max())
    blocks = state.blocks[world]
    blocks[x - 5 : x + 6, z - 7 : z + 6, y:] = Block.AIR
    blocks[x - 5 : x + 6, z - 7 : z + 6, y - 1] = Block.GRASS
    blocks[x - 3 : x + 4, z - 3 : z + 4, y - 1] = Block.PLANKS
    blocks[x - 3 : x + 4, z + 3, y : y + 3] = Block.COBBLESTONE
    blocks[x, z + 3, y + 1] = Block.GLASS
    blocks[x + 3, z - 1 : z + 4, y : y + 3] = Block.OAK_LOG
    for place, block in (
        ((x + 1, z + 2, y), Block.CRAFTING_TABLE),
        ((x - 1, z + 2, y), Block.FURNACE),
        ((x - 3, z + 2, y), Block.CHEST),
        ((x, z + 1, y), Block.TORCH),
        ((x + 2, z, y), Block.TORCH),
    ):
        blocks[place] = block
    full = state.blocks[world] != Block.AIR
    levels = torch.arange(1, CONFIG.height + 1)
    state.top[world] = (full * levels).amax(-1).to(torch.uint8)
    state.bricks[world] = 1
    state.ceiling[world] = CONFIG.height // 4
    side, height = CONFIG.size, CONFIG.height
    state.torch[world, 0] = (x * side + z + 1) * height + y
    state.torch[world, 1] = ((x + 2) * side + z) * height + y
    state.position[world] = torch.tensor([x - 0.6, float(y), z - 1.6])
    state.yaw[world], state.pitch[world], state.time[world] = 3560, 170, DUSK
    state.hand[world] = ITEM["stone_pickaxe"]
    state.looked_at[world] = ((x - 1) * side + z + 2) * height + y
    return Picture(state, CONFIG, world=world, size=size).draw()


SCENES: dict[str, Callable[[State, int], np.ndarray]] = {
    "forest": woods(Biome.FOREST, "wooden_axe"),
    "jungle": woods(Biome.JUNGLE),
    "desert": desert,
    "cave": cave,
    "lava": lava,
    "base": base,
}

if __name__ == "__main__":
    main()
