"""`lapis train RECIPE`: a new run."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import tyro

from lapis import recipes
from lapis.cli import UsageError, nearest
from lapis.minecraft.goals import ALL_GOALS, GOAL_GROUP, GROUPS
from lapis.train.config import TREATMENTS, TrainConfig, with_treatment
from lapis.train.device import describe_device
from lapis.train.loop import Trainer
from lapis.train.run import RunOptions, start

TreatmentName = Literal[
    "uniform", "uniform_fixed", "uniform_dynamic", "unidirectional", "bidirectional"
]


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainArguments:
    """What can be said after the recipe's name."""

    run: Path | None = None
    """Folder of the run; without it the first free of runs/RECIPE, runs/RECIPE-2, ..."""
    treatment: TreatmentName | None = None
    """Curriculum and bonus of one of the paper's five runs (paper P23) instead of the recipe's."""
    keep: Annotated[RunOptions, tyro.conf.arg(name="")] = dataclasses.field(
        default_factory=RunOptions
    )
    """How the run is kept and shown."""
    config: Annotated[TrainConfig, tyro.conf.arg(name="")]
    """The recipe's settings, each of which can be overridden."""


def main(arguments: list[str]) -> int:
    """Trains by the recipe that the first argument names."""
    functions = recipe_functions()
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help(functions))
        return 0
    _, code = run_recipe(arguments[0], arguments[1:], ["lapis", "train", arguments[0]])
    return code


def run_recipe(name: str, rest: list[str], command: list[str]) -> tuple[Path, int]:
    """Trains by a recipe under the flags of `rest`, which followed `command`.

    Returns:
        The run's folder and the exit code.
    """
    parsed = parse(recipe_functions(), name, rest, " ".join(command))
    recipe = name if parsed.treatment is None else f"{name}-{parsed.treatment}"
    folder = parsed.run or _free_folder(Path("runs"), recipe)
    code = start(
        folder,
        config=parsed.config,
        build=Trainer,
        recipe=recipe,
        command=[*command, *rest],
        device=describe_device(parsed.config.device),
        groups_of=_groups_of,
        options=parsed.keep,
    )
    return folder, code


def recipe_functions() -> dict[str, Callable[[], TrainConfig]]:
    """The recipes by the name they have on the command line."""
    return {name.replace("_", "-"): getattr(recipes, name) for name in recipes.__all__}


def parse(
    functions: dict[str, Callable[[], TrainConfig]], name: str, rest: list[str], prog: str
) -> TrainArguments:
    """The recipe's configuration under the treatment and the overrides of `rest`."""
    if name not in functions:
        raise UsageError(nearest(name, functions, "recipe"))
    config = functions[name]()
    treatment = _treatment(rest)
    if treatment is not None:
        config = with_treatment(config, treatment)
    try:
        return tyro.cli(
            TrainArguments,
            args=rest,
            prog=prog,
            description=inspect.getdoc(functions[name]),
            default=TrainArguments(config=config),
        )
    except ValueError as error:  # A value of the right type that the configuration refuses.
        raise UsageError(str(error)) from error


def _treatment(arguments: Sequence[str]) -> str | None:
    """The value of --treatment: it decides the defaults of what is parsed with it."""
    for index, argument in enumerate(arguments):
        flag, equals, value = argument.partition("=")
        if flag == "--treatment":
            name = value if equals else "".join(arguments[index + 1 : index + 2])
            if name not in TREATMENTS:
                raise UsageError(nearest(name, TREATMENTS, "treatment"))
            return name
    return None


def _free_folder(parent: Path, name: str) -> Path:
    path, number = parent / name, 1
    while path.exists():
        number += 1
        path = parent / f"{name}-{number}"
    return path


def _groups_of(goals: Sequence[str]) -> Sequence[str]:
    """The resource group of each goal, or nothing for goals from another game."""
    if not set(goals) <= set(ALL_GOALS):
        return ()
    return [GROUPS[GOAL_GROUP[ALL_GOALS.index(goal)]] for goal in goals]


def _help(functions: dict[str, Callable[[], TrainConfig]]) -> str:
    width = max((len(name) for name in functions), default=0)
    lines = [
        f"  {name:{width}}  {(inspect.getdoc(function) or '').partition(chr(10))[0]}"
        for name, function in functions.items()
    ]
    usage = "usage: lapis train RECIPE [--run FOLDER] [--treatment NAME] [--SETTING VALUE ...]"
    footer = "`lapis train RECIPE --help` lists its settings."
    return "\n".join([usage, "", "recipes:", *lines, "", footer])
