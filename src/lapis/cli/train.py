"""`lapis train RECIPE`: a new run."""

from __future__ import annotations

import dataclasses
import inspect
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import tyro

from lapis import recipes
from lapis.cli import UsageError, check_known
from lapis.cli.short_help import READERS, setting_lines
from lapis.minecraft.items import ITEM
from lapis.registry import ENCODERS, TEACHERS, WORLDS, load_object
from lapis.running.options import RunOptions
from lapis.runs import RunFolder
from lapis.torchrun import launch
from lapis.train.config import TrainConfig, load_config, with_curriculum, with_treatment
from lapis.treatments import TREATMENTS

KINDS = {"--world": WORLDS, "--curriculum": TEACHERS, "--policy.frames": ENCODERS}
"""Flags that choose a kind, whose settings then have flags of their own."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainArguments:
    """What can follow the recipe's name."""

    run: Path | None = None
    """Folder of the run; by default the first free one of runs/RECIPE, runs/RECIPE-2, ..."""
    keep: Annotated[RunOptions, tyro.conf.arg(name="")] = dataclasses.field(
        default_factory=RunOptions
    )
    """How the run is kept and shown."""
    config: Annotated[TrainConfig, tyro.conf.arg(name="")]
    """The recipe's settings, each of which can be overridden."""


class Start(NamedTuple):
    """What flags override: a recipe, or the configuration of an earlier run."""

    name: str
    """Of the recipe, for the record and for the run's folder."""
    config: TrainConfig
    description: str


def main(arguments: list[str]) -> int:
    """Trains by the recipe, or by the saved configuration, that the first argument names."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help())
        return 0
    flag, equals, file = arguments[0].partition("=")
    if flag != "--config":
        start, count = recipe_start(arguments[0]), 1
    else:
        count = 1 if equals else 2
        if len(arguments) < count:
            raise UsageError("--config needs a file: the config.json of a run, or the run's folder")
        start = saved_start(Path(file if equals else arguments[1]))
    return run(start, arguments[count:], ["lapis", "train", *arguments[:count]])[1]


def run(start: Start, rest: list[str], command: list[str]) -> tuple[Path, int]:
    """Trains under the flags of `rest`, which followed `command`: the folder and the exit code."""
    parsed = parse(start, rest, " ".join(command))
    treatment = _split(rest, ("--treatment",))[0].get("--treatment")
    recipe = start.name if treatment is None else f"{start.name}-{treatment}"
    folder = parsed.run or _free_folder(Path("runs"), recipe)
    here = launch()
    if here is None:
        RunFolder.require_free(folder)
    elif here.restart_limit and parsed.run is None:
        raise UsageError("with --max-restarts of torchrun, name the run's folder with --run")
    # Imported here: a wrong command line is answered before PyTorch is loaded.
    from lapis.running.run import resume
    from lapis.running.run import start as start_run
    from lapis.train.loop import Trainer
    from lapis.train.ranks import join

    ranks = join(parsed.config.device)
    # Of several machines, only those on which a rank died count the restart.
    is_restart = ranks.largest(here.restart_count if here else 0) > 0
    is_restart = is_restart and _holds(folder, parsed.config)
    folder, is_restart = ranks.from_first((folder, is_restart))
    if is_restart:  # What died before its first checkpoint has nothing to lose.
        command = [*command, *rest]
        return folder, resume(folder, command=command, from_start=True, options=parsed.keep)
    try:
        code = start_run(
            folder,
            config=parsed.config,
            make_trainer=lambda config: _or_usage_error(Trainer, config),
            recipe=recipe,
            command=[*command, *rest],
            options=parsed.keep,
        )
    except FileExistsError:
        if parsed.run is not None or here is not None:  # The other ranks do not come back here.
            raise
        return run(start, rest, command)  # Another run has taken the name since: the next one.
    return folder, code


def recipe_start(name: str) -> Start:
    """The recipe of this name, or the function that `module:function` names."""
    if ":" in name:
        function, name = _or_usage_error(load_object, name, "recipe"), name.rpartition(":")[2]
    else:
        _check_recipe(name)
        function = getattr(recipes, name)
    config = function() if callable(function) else None
    if not isinstance(config, TrainConfig):
        raise UsageError(f"recipe {name!r} is not a function that returns a TrainConfig")
    return Start(name, config, inspect.getdoc(function) or "")


def saved_start(path: Path) -> Start:
    """The configuration in a run's folder, or in a file like its config.json."""
    file = path / "config.json" if path.is_dir() else path
    try:
        config = load_config(json.loads(file.read_text()))
    except json.JSONDecodeError as error:
        raise UsageError(f"--config {path}: {file} is not JSON: {error}") from error
    except ValueError as error:  # A setting that is unknown or out of range.
        raise UsageError(f"--config {path}: {error}") from error
    is_run = (file.parent / "recipe.txt").is_file()
    name = RunFolder.open(file.parent).read_recipe() if is_run else file.stem
    return Start(name, config, f"The settings of {file}.")


def parse(start: Start, rest: list[str], prog: str) -> TrainArguments:
    """The configuration under the treatment, the kinds and the overrides of `rest`."""
    chosen, rest = _split(rest, ("--treatment", "--config", *KINDS))
    if "--config" in chosen:
        raise UsageError("--config replaces the recipe: lapis train --config FILE ...")
    if "--treatment" in chosen:
        check_known(chosen["--treatment"], TREATMENTS, "treatment")
    default = TrainArguments(config=_or_usage_error(_with_choices, start.config, chosen))
    if "-h" in rest or "--help" in rest:
        print(_settings_help(start, default, prog))
        raise SystemExit(0)
    parsed = _or_usage_error(
        tyro.cli,
        TrainArguments,
        args=rest,
        prog=prog,
        description=start.description,
        default=default,
        compact_help=True,
        registry=READERS,
        config=(tyro.conf.AvoidSubcommands,),
    )
    if parsed.config.world_name in (
        "techtree",
        "voxel",
        "minerl",
        "minetest_voxel",
    ):  # With the items of Minecraft.
        for goal in parsed.config.simonsays.goals:
            check_known(goal, ITEM, "goal")
    return parsed


def _with_choices(config: TrainConfig, chosen: Mapping[str, str]) -> TrainConfig:
    """The run under a treatment, and then with parts of other kinds."""
    if "--treatment" in chosen:
        config = with_treatment(config, chosen["--treatment"])
    if "--curriculum" in chosen:
        config = with_curriculum(config, chosen["--curriculum"])
    if "--world" in chosen:
        kind = WORLDS.find(chosen["--world"])
        if type(config.world) is not kind:
            config = dataclasses.replace(config, world=kind())
    if "--policy.frames" in chosen:
        kind = ENCODERS.find(chosen["--policy.frames"])
        if type(config.policy.frames) is not kind:
            policy = dataclasses.replace(config.policy, frames=kind())
            config = dataclasses.replace(config, policy=policy)
    return config


def _or_usage_error(make: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What `make` returns; a value that it refuses becomes an error of the command line."""
    try:
        return make(*arguments, **options)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _split(arguments: list[str], flags: tuple[str, ...]) -> tuple[dict[str, str], list[str]]:
    """What follows each of the flags, as the next argument or after an equals sign; the rest."""
    chosen: dict[str, str] = {}
    rest: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        name, equals, value = argument.partition("=")
        if name in flags:
            chosen[name] = value if equals else next(remaining, "")
        else:
            rest.append(argument)
    return chosen, rest


def _check_recipe(name: str) -> None:
    # Once treatments were part of recipes' names.
    base, _, treatment = name.replace("-", "_").partition("_")
    if base in recipes.__all__ and treatment in TREATMENTS:
        raise UsageError(
            f"there is no recipe `{name}`; type: lapis train {base} --treatment {treatment}"
        )
    check_known(name, recipes.__all__, "recipe")


def _holds(folder: Path, config: TrainConfig) -> bool:
    """Whether there is a run of this configuration, as torchrun's last start left it."""
    is_run = (folder / "config.json").is_file()
    return is_run and load_config(RunFolder.open(folder).read_config()) == config


def _free_folder(parent: Path, name: str) -> Path:
    path, number = parent / name, 1
    while path.exists():
        number += 1
        path = parent / f"{name}-{number}"
    return path


def _help() -> str:
    usage = (
        "usage: lapis train RECIPE [--run FOLDER] [--treatment NAME] [--SETTING VALUE ...]\n"
        " lapis train MODULE:FUNCTION ...   with your own recipe\n"
        "       lapis train --config FILE ...     with the settings of a run's config.json instead"
    )
    about = {
        name: (inspect.getdoc(getattr(recipes, name)) or "").partition("\n")[0]
        for name in recipes.__all__
    }
    lines = [usage, "", "recipes:", *_columns(about)]
    for title, family in (
        ("treatments of the paper", "paper"),
        ("rivals of its curriculum", "rival"),
        ("ablations of its curriculum", "ablation"),
        ("without the floor", "floor"),
    ):
        members = {
            key: each.description for key, each in TREATMENTS.items() if each.family == family
        }
        lines += ["", f"{title} (--treatment NAME):", *_columns(members)]
    kinds = {
        f"{flag} NAME": ", ".join([*registry.names(), "or your own MODULE:CLASS"])
        for flag, registry in KINDS.items()
    }
    lines += ["", "other parts, with settings such as --world.NAME:", *_columns(kinds)]
    more = "`lapis train RECIPE --help` lists its settings; `--help-verbose` explains them."
    return "\n".join([*lines, "", more])


def _settings_help(start: Start, default: TrainArguments, prog: str) -> str:
    width = max(60, shutil.get_terminal_size((100, 24)).columns)
    return "\n".join(
        [
            f"usage: {prog} [--NAME VALUE ...]",
            "",
            start.description,
            "",
            "--NAME VALUE, with this recipe's values (switches: --quiet or --no-quiet)",
            *setting_lines(default, width, flat=("keep", "config")),
            "",
            "`--world`, `--curriculum` and `--policy.frames` choose other parts with other",
            "settings; `lapis train --help` lists them. `--help-verbose` shows more.",
        ]
    )


def _columns(rows: Mapping[str, str]) -> list[str]:
    width = max(map(len, rows), default=0)
    return [f"  {name:{width}}  {text}" for name, text in rows.items()]
