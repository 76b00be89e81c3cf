"""Makes a plan from what a user asks for and what the folder already has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lapis.reproduce.plan import (
    LAPTOP_FRAMES,
    Plan,
    PlanError,
    PlannedRun,
    Speed,
    differing_settings,
    with_budget,
)
from lapis.train.config import TrainConfig

__all__ = ["Agreement", "Request", "agree"]

DEFAULT_THREADS = 1
"""PyTorch threads of one job: single-threaded jobs side by side use cores best."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What one call of `lapis reproduce` asks for; None means the plan's value or the default."""

    world: str
    configs: Mapping[str, TrainConfig]
    """Per treatment its recipe, before the budget."""
    seeds: tuple[int, ...]
    frames: int | None = None
    """Budget of one run [policy steps]."""
    minutes: float | None = None
    """Budget of one run as time, instead of `frames`."""
    device: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.frames is not None and self.minutes is not None:
            raise ValueError("frames and minutes are both given; choose one of them")
        for name in ("frames", "minutes", "threads"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"{name} is {value}; it must be above 0")
        if not self.seeds:
            raise ValueError("seeds is 0; it must be at least 1")
        if min(self.seeds) < 0:
            raise ValueError(f"first_seed is {min(self.seeds)}; it must be 0 or more")


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """A plan that holds what was asked for before and now."""

    plan: Plan
    runs: list[PlannedRun]
    """Those of the plan that are asked for now, in their order."""
    notes: list[str]
    """How the plan differs from earlier requests, in sentences."""


def agree(
    request: Request, recorded: Plan | None, folder: Path, measure: Callable[[TrainConfig], Speed]
) -> Agreement:
    """The plan that adds the request to what the folder holds.

    Args:
        request: What is asked for now.
        recorded: The folder's plan, None in a new folder.
        folder: For messages.
        measure: Gives the speed of a configuration on this machine; called where a budget in
            minutes needs it.

    Raises:
        PlanError: The budget, the world or the settings of a treatment differ from the plan's.
    """
    plan = _new_plan(request, measure) if recorded is None else _extended(request, recorded, folder)
    asked = [
        run for run in plan.runs() if run.name in request.configs and run.seed in request.seeds
    ]
    notes = [] if recorded is None else _notes(plan, recorded, len(asked))
    return Agreement(plan=plan, runs=asked, notes=notes)


def _new_plan(request: Request, measure: Callable[[TrainConfig], Speed]) -> Plan:
    threads = request.threads or DEFAULT_THREADS
    frames, speed = request.frames or LAPTOP_FRAMES, None
    if request.minutes is not None:
        first = next(iter(request.configs.values()))
        speed = measure(with_budget(first, frames=1, device=request.device, threads=threads))
        step = first.frames_per_update
        frames = step * max(1, round(request.minutes * 60 * speed.frames_per_second / step))
    return Plan(
        world=request.world,
        frames=frames,
        minutes=request.minutes,
        speed=speed,
        configs={
            name: with_budget(config, frames=frames, device=request.device, threads=threads)
            for name, config in request.configs.items()
        },
        seeds={name: tuple(sorted(request.seeds)) for name in request.configs},
    )


def _extended(request: Request, recorded: Plan, folder: Path) -> Plan:
    """The recorded plan with the treatments and seeds of the request added."""
    place = folder / "plan.json"
    if request.world != recorded.world:
        raise PlanError(
            f"{place} is for --world {recorded.world}, not {request.world}; "
            "start the other world in another folder with --folder"
        )
    _require_same_budget(request, recorded, place)
    known = next(iter(recorded.configs.values()))
    configs = dict(recorded.configs)
    for name, config in request.configs.items():
        wanted = with_budget(
            config,
            frames=recorded.frames,
            device=request.device or known.device,
            threads=request.threads or known.threads,
        )
        differing = differing_settings(configs.setdefault(name, wanted), wanted)
        if differing:
            raise PlanError(
                f"{place} has other settings for {name}: {'; '.join(differing)}. Runs of one "
                "treatment must not differ: ask for the plan's settings again, or start in another "
                "folder with --folder"
            )
    seeds = {
        name: tuple(
            sorted(
                {
                    *recorded.seeds.get(name, ()),
                    *(request.seeds if name in request.configs else ()),
                }
            )
        )
        for name in configs
    }
    return Plan(
        world=recorded.world,
        frames=recorded.frames,
        minutes=recorded.minutes,
        speed=recorded.speed,
        configs=configs,
        seeds=seeds,
    )


def _require_same_budget(request: Request, recorded: Plan, place: Path) -> None:
    made = f"{recorded.frames:,} frames a run"
    if recorded.minutes is not None:
        made += f" ({recorded.minutes:g} minutes as measured then)"
    fix = (
        "All runs of a reproduction have the same budget: leave out {flag} to keep the plan's, "
        "or start in another folder with --folder"
    )
    if request.minutes is not None and request.minutes != recorded.minutes:
        raise PlanError(
            f"{place} is for {made}, not for --minutes {request.minutes:g}. "
            + fix.format(flag="--minutes")
        )
    if request.frames is None:
        return
    for config in recorded.configs.values():
        asked = with_budget(config, frames=request.frames, device=None, threads=1)
        if asked.updates != config.updates:
            raise PlanError(
                f"{place} is for {made}, not for --frames {request.frames}. "
                + fix.format(flag="--frames")
            )


def _notes(plan: Plan, recorded: Plan, asked_count: int) -> list[str]:
    notes = []
    new_names = [name for name in plan.configs if name not in recorded.configs]
    if new_names:
        notes.append(f"adding to the plan: {', '.join(new_names)}")
    old_seeds = {seed for seeds in recorded.seeds.values() for seed in seeds}
    new_seeds = sorted({seed for seeds in plan.seeds.values() for seed in seeds} - old_seeds)
    if new_seeds:
        notes.append(f"adding to the plan: seeds {', '.join(map(str, new_seeds))}")
    others = len(plan.runs()) - asked_count
    if others:
        notes.append(f"left alone, not requested now: {others} of the plan's runs")
    return notes
