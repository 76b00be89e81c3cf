"""`lapis watch`: a film of a player in the voxel world, or in one like it."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lapis.cli import UsageError, check_known
from lapis.cli.checks import PIXELS, check_least, check_range, check_seed, check_size
from lapis.cli.worlds import refusals_told, take_world
from lapis.minecraft.goals import GOALS

if TYPE_CHECKING:
    import numpy as np
    from rich.progress import TaskID

    from lapis.play.scene import Scene
    from lapis.registry import WorldSettings


@dataclasses.dataclass(frozen=True, kw_only=True)
class WatchArguments:
    """Films a player in the voxel world: a trained policy, a scripted player or a random one.

    The film shows what the player sees, what it is asked for, the time left, rewards, items gained
    and lost, health and food. The policy is the one that comes with Lapis, or a run's newest
    checkpoint, in a world that it was not trained in. A table then lists how many tasks of the film
    were solved, next to the success rates at the end of training.

    `--world minerl` and `--world minetest_voxel`, with `--world.SETTING VALUE`, film in Minecraft
    and in Minetest instead.
    """

    run: tyro.conf.Positional[Path | None] = None
    """Folder of a run in the voxel world, or a file written by `lapis export`. Default: the policy
    that comes with Lapis."""
    random: bool = False
    """Films a player that takes random allowed actions."""
    expert_goal: str | None = None
    """Films a scripted player that obtains this item."""
    output: Annotated[Path, tyro.conf.arg(aliases=["--out"])] = Path("watch.mp4")
    """File for the film; it must end in .mp4 or .gif."""
    steps: int = 600
    """Most policy steps; 5 are a second of game time. The film ends early when the expert is
    done."""
    every: int = 1
    """Steps from one picture to the next."""
    goals: tuple[str, ...] = ()
    """Items to ask for, beginning with the first. Default: those that the policy has learned, or
    all if there are none yet."""
    seed: int = 0
    """Seed of the world and of the player's choices."""
    pixels: int = 256
    """Pixels along each side of the picture."""
    size: int = 64
    """Blocks along each side of the world, for a random or scripted player. A run has its own
    size."""
    frames_per_second: float = 5.0
    """Pictures per second of the film; 5 is the speed of the game."""
    device: str = "cpu"
    """Where the policy plays, whatever device it was trained on: cpu, cuda or cuda:N."""


def main(arguments: list[str]) -> int:
    """Plays, films, and says where the film is and what the player obtained."""
    world, arguments = take_world(arguments, "lapis watch")
    parsed = tyro.cli(WatchArguments, args=arguments, prog="lapis watch")
    output = parsed.output
    _check(parsed, world)
    # Imported here: a wrong flag is answered before kernels are compiled.
    from lapis.play.video import VideoError, write_video

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        bar = progress.add_task("loading", total=None)
        with refusals_told(world):
            scene = _scene(parsed, world)
        progress.update(bar, description="playing", total=parsed.steps // parsed.every + 1)
        pictures = _pictures(parsed, scene, progress, bar)
        try:
            count = write_video(output, pictures, frames_per_second=parsed.frames_per_second)
        except VideoError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    print(_tally(scene))
    print(f"wrote {output}: {count} pictures, {output.stat().st_size / 1e6:.1f} MB")
    return 0


def _pictures(
    parsed: WatchArguments, scene: Scene, progress: Progress, bar: TaskID
) -> Iterator[np.ndarray]:
    """Has the goals asked for, films, and counts pictures on the bar."""
    from lapis.play.film import ask_for_any, ask_only_for, film

    for goal in parsed.goals:
        check_known(goal, scene.game.tasks, "goal")
    if parsed.goals:
        ask_only_for(scene.game, parsed.goals)
    elif learned := scene.learned():
        ask_for_any(scene.game, learned)
    for picture in film(
        scene.game,
        scene.actor,
        steps=parsed.steps,
        pixels=parsed.pixels,
        every=parsed.every,
        until_success=parsed.expert_goal is not None,
    ):
        progress.advance(bar)
        yield picture
    progress.update(bar, description="writing")


def _tally(scene: Scene) -> str:
    """A line for each task that ended in the film."""
    successes, attempts = scene.game.take_counts()
    if not attempts.any():
        return "no task ended during the film"
    head = "asked for"
    width = max(len(head), *(len(scene.game.tasks[task]) for task in attempts.nonzero()[0]))
    lines = [f"{head:{width}}  solved" + "  recorded" * bool(scene.recorded)]
    for task in attempts.nonzero()[0]:
        line = f"{scene.game.tasks[task]:{width}}  {successes[task]:>2} of {attempts[task]}"
        if task < len(scene.recorded):  # Of pairs nothing is recorded.
            line += f"  {scene.recorded[task]:>8.0%}"
        lines.append(line)
    return "\n".join(lines)


def _scene(parsed: WatchArguments, world: WorldSettings | None) -> Scene:
    from lapis.play.scene import SHIPPED, expert_scene, random_scene, run_scene

    if parsed.expert_goal is not None:
        return expert_scene(parsed.expert_goal, seed=parsed.seed, size=parsed.size)
    if parsed.random:
        return random_scene(seed=parsed.seed, size=parsed.size, settings=world)
    return run_scene(parsed.run or SHIPPED, seed=parsed.seed, device=parsed.device, settings=world)


def _check(parsed: WatchArguments, world: WorldSettings | None) -> None:
    """Refuses what cannot be filmed before anything is made."""
    from lapis.play.video import VideoError, check_video

    if [parsed.run is not None, parsed.random, parsed.expert_goal is not None].count(True) > 1:
        raise UsageError("a run folder, --random and --expert-goal exclude each other; choose one")
    if parsed.expert_goal is not None and parsed.goals:
        raise UsageError("--expert-goal and --goals exclude each other; the expert has one goal")
    if parsed.expert_goal is not None and world is not None:
        raise UsageError("--expert-goal plays only in the voxel world; leave --world out")
    check_seed(parsed.seed)
    check_size(parsed.size)
    check_range("pixels", parsed.pixels, *PIXELS)
    check_least(parsed, "steps", "every")
    check_range("frames-per-second", parsed.frames_per_second, 1, 50)
    for goal in [*parsed.goals, *([] if parsed.expert_goal is None else [parsed.expert_goal])]:
        check_known(goal, GOALS, "goal")
    try:
        check_video(parsed.output)
    except VideoError as error:
        raise UsageError(str(error)) from error
