"""`lapis train RECIPE`: a new run."""

from __future__ import annotations

import dataclasses
import inspect
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import tyro

from lapis import recipes
from lapis.cli import UsageError, nearest
from lapis.cli.short_help import FOLDED_LISTS, setting_lines
from lapis.minecraft.items import ITEM
from lapis.recipes.variants import VARIANTS
from lapis.running.options import RunOptions
from lapis.runs import RunFolder
from lapis.train.config import TREATMENTS, TrainConfig, from_dict

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


@dataclasses.dataclass(frozen=True, kw_only=True)
class Start:
    """What flags override: a recipe, or the configuration of an earlier run."""

    name: str
    """Of the recipe, for the record and for the run's folder."""
    config: TrainConfig
    """The whole configuration."""
    description: str
    """What it is, for the help."""


def main(arguments: list[str]) -> int:
    """Trains by the recipe, or by the saved configuration, that the first argument names."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help(recipe_functions()))
        return 0
    flag, equals, file = arguments[0].partition("=")
    if flag != "--config":
        _, code = run_recipe(arguments[0], arguments[1:], ["lapis", "train", arguments[0]])
        return code
    count = 1 if equals else 2
    if len(arguments) < count:
        raise UsageError("--config needs a file: the config.json of a run, or the run's folder")
    start = saved_start(Path(file if equals else arguments[1]))
    _, code = _run(start, arguments[count:], ["lapis", "train", *arguments[:count]])
    return code


def run_recipe(name: str, rest: list[str], command: list[str]) -> tuple[Path, int]:
    """Trains by a recipe under the flags of `rest`, which followed `command`.

    Returns:
        The run's folder and the exit code.
    """
    return _run(recipe_start(name, recipe_functions()), rest, command)


def recipe_functions() -> dict[str, Callable[[], TrainConfig]]:
    """The recipes by the name they have on the command line."""
    return {name.replace("_", "-"): getattr(recipes, name) for name in recipes.__all__}


def recipe_start(name: str, functions: Mapping[str, Callable[[], TrainConfig]]) -> Start:
    """The recipe of this name."""
    if name not in functions:
        raise UsageError(nearest(name, functions, "recipe"))
    description = inspect.getdoc(functions[name]) or ""
    return Start(name=name, config=functions[name](), description=description)


def saved_start(path: Path) -> Start:
    """The configuration in a run's folder, or in a file like its config.json."""
    file = path / "config.json" if path.is_dir() else path
    try:
        config = from_dict(TrainConfig, json.loads(file.read_text()))
    except json.JSONDecodeError as error:
        raise UsageError(f"--config {path}: {file} is not JSON: {error}") from error
    except ValueError as error:  # A setting that is unknown or out of range.
        raise UsageError(f"--config {path}: {error}") from error
    is_run = (file.parent / "recipe.txt").is_file()
    name = RunFolder.open(file.parent).read_recipe() if is_run else file.stem
    return Start(name=name, config=config, description=f"The settings of {file}.")


def parse(start: Start, rest: list[str], prog: str) -> TrainArguments:
    """The configuration under the treatment or variant and the overrides of `rest`."""
    if _value("--config", rest) is not None:
        raise UsageError("--config stands in place of a recipe: lapis train --config FILE ...")
    chosen = _chosen_variant(rest)
    try:
        config = start.config if chosen is None else VARIANTS[chosen].apply(start.config)
        default = TrainArguments(config=config)
        if "-h" in rest or "--help" in rest:
            print(_settings_help(start, default, prog))
            raise SystemExit(0)
        parsed = tyro.cli(
            TrainArguments,
            args=rest,
            prog=prog,
            description=start.description,
            default=default,
            compact_help=True,
            registry=FOLDED_LISTS,
        )
    except ValueError as error:  # A value of the right type that the configuration refuses.
        raise UsageError(str(error)) from error
    _check_goals(parsed.config)
    return parsed


def _check_goals(config: TrainConfig) -> None:
    """Refuses goals that are no items of Minecraft, where the world is one of its worlds."""
    if config.world in ("techtree", "voxel"):
        for goal in config.simonsays.goals:
            if goal not in ITEM:
                raise UsageError(nearest(goal, ITEM, "goal"))


def _run(start: Start, rest: list[str], command: list[str]) -> tuple[Path, int]:
    """Trains from `start` under the flags of `rest`, which followed `command`."""
    parsed = parse(start, rest, " ".join(command))
    chosen = _chosen_variant(rest)
    recipe = start.name if chosen is None else f"{start.name}-{chosen}"
    folder = parsed.run or _free_folder(Path("runs"), recipe)
    RunFolder.require_free(folder)
    # Imported here: a wrong command line is answered before PyTorch is loaded.
    from lapis.running.run import start as start_run

    code = start_run(
        folder,
        config=parsed.config,
        recipe=recipe,
        command=[*command, *rest],
        options=parsed.keep,
    )
    return folder, code


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
        "[--SETTING VALUE ...]\n"
        "       lapis train --config FILE ...   with the settings of a run's config.json instead"
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
    more = "`lapis train RECIPE --help` lists its settings, `--help-verbose` explains them."
    return "\n".join([*lines, "", more])


def _settings_help(start: Start, default: TrainArguments, prog: str) -> str:
    width = max(60, shutil.get_terminal_size((100, 24)).columns)
    others = {"techtree", "voxel"} - {default.config.world}
    return "\n".join(
        [
            f"usage: {prog} [--NAME VALUE ...]",
            "",
            start.description,
            "",
            "--NAME VALUE, with the values of this recipe (a switch: --quiet or --no-quiet)",
            *setting_lines(default, width, flat=("keep", "config"), hidden=others),
            "",
            f"`{prog} --help-verbose` says more, also of the other world.",
        ]
    )


def _columns(rows: Mapping[str, str]) -> list[str]:
    width = max(map(len, rows), default=0)
    return [f"  {name:{width}}  {text}" for name, text in rows.items()]
