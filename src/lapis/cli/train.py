"""`lapis train RECIPE`: a new run."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import tyro

from lapis import recipes
from lapis.cli import UsageError, nearest
from lapis.minecraft.goals import groups_of
from lapis.recipes.variants import VARIANTS
from lapis.train.config import TREATMENTS, TrainConfig
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
    other = parsed.config.variant or parsed.treatment
    recipe = name if other is None else f"{name}-{other}"
    folder = parsed.run or _free_folder(Path("runs"), recipe)
    code = start(
        folder,
        config=parsed.config,
        build=Trainer,
        recipe=recipe,
        command=[*command, *rest],
        device=describe_device(parsed.config.device),
        groups_of=groups_of,
        options=parsed.keep,
    )
    return folder, code


def recipe_functions() -> dict[str, Callable[[], TrainConfig]]:
    """The recipes by the name they have on the command line."""
    return {name.replace("_", "-"): getattr(recipes, name) for name in recipes.__all__}


def parse(
    functions: dict[str, Callable[[], TrainConfig]], name: str, rest: list[str], prog: str
) -> TrainArguments:
    """The recipe's configuration under the treatment or variant and the overrides of `rest`."""
    if name not in functions:
        raise UsageError(nearest(name, functions, "recipe"))
    config = functions[name]()
    chosen = _chosen_variant(rest)
    if chosen is not None:
        config = VARIANTS[chosen].apply(config)
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


def _chosen_variant(arguments: Sequence[str]) -> str | None:
    """What --treatment or --variant names: it decides the defaults of what is parsed with it."""
    treatment, variant = _value("--treatment", arguments), _value("--variant", arguments)
    if treatment is not None and variant is not None:
        raise UsageError("--treatment and --variant exclude each other: give one of them")
    if treatment is not None and treatment not in TREATMENTS:
        raise UsageError(nearest(treatment, TREATMENTS, "treatment"))
    if variant in TREATMENTS:
        raise UsageError(f"`{variant}` is one of the paper's treatments: --treatment {variant}")
    if variant is not None and variant not in VARIANTS:
        known = [name for name in VARIANTS if name not in TREATMENTS]
        raise UsageError(nearest(variant, known, "variant"))
    return treatment if variant is None else variant


def _value(flag: str, arguments: Sequence[str]) -> str | None:
    """What follows `flag`, as the next argument or after an equals sign; None without the flag."""
    for index, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == flag:
            return value if equals else "".join(arguments[index + 1 : index + 2])
    return None


def _free_folder(parent: Path, name: str) -> Path:
    path, number = parent / name, 1
    while path.exists():
        number += 1
        path = parent / f"{name}-{number}"
    return path


def _help(functions: dict[str, Callable[[], TrainConfig]]) -> str:
    usage = (
        "usage: lapis train RECIPE [--run FOLDER] [--treatment NAME | --variant NAME] "
        "[--SETTING VALUE ...]"
    )
    about = {
        name: (inspect.getdoc(function) or "").partition("\n")[0]
        for name, function in functions.items()
    }
    lines = [usage, "", "recipes:", *_columns(about)]
    for title, family in (
        ("treatments of the paper (--treatment NAME)", "treatment"),
        ("rivals of its curriculum (--variant NAME)", "rival"),
        ("ablations of its curriculum (--variant NAME)", "ablation"),
    ):
        members = {key: each.description for key, each in VARIANTS.items() if each.family == family}
        lines += ["", f"{title}:", *_columns(members)]
    return "\n".join([*lines, "", "`lapis train RECIPE --help` lists its settings."])


def _columns(rows: Mapping[str, str]) -> list[str]:
    width = max(map(len, rows), default=0)
    return [f"  {name:{width}}  {text}" for name, text in rows.items()]
