"""All measures of one policy, as plain numbers that can be written to JSON."""

# T = steps, W = worlds, G = goals, K = action components
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from lapis.inspect import activity, values
from lapis.inspect.activity import chain, shares, weighted_share
from lapis.inspect.probe import Comparison, Probe, Question
from lapis.inspect.reading import Reading, items_of, read_world
from lapis.inspect.recording import Recording, Setup, make_inspected_game, record
from lapis.minecraft.goals import ALL_PREREQUISITES
from lapis.minecraft.items import ITEM, ITEMS
from lapis.minecraft.planner import source_blocks
from lapis.minecraft.tools import TOOLS
from lapis.running.trained import TrainedPolicy
from lapis.worlds.planning import PICKAXES

__all__ = ["FORMAT", "inspect_policy", "measure"]

FORMAT = "lapis-inspect"
VERSION = 1
MOST_UNREAL = 0.1
"""A step's return counts as real if values, and not rewards, make up at most this weight of it."""
PROBES = 16
"""Moments of a play at which the policy is asked what it would do if things were different."""
STATIONS = ("crafting_table", "furnace")


def inspect_policy(
    trained: TrainedPolicy,
    setup: Setup,
    question: Question,
    *,
    show: Callable[[range], Iterable[int]] = iter,
) -> dict:
    """Lets a policy play and measures what it does; see docs/inspect.md for what is in the result.

    `show` wraps the steps, for a progress bar.

    Raises:
        ValueError: The policy is for another kind of world.
    """
    trained.policy.eval()
    game = make_inspected_game(trained, setup)
    reading = read_world(game.world)
    needed = sorted({ITEM[item] for goal in setup.goals for item in chain(goal)})
    probe = Probe(trained.policy, game, reading, question, needed)
    recording = record(
        trained.policy,
        game,
        reading,
        step_count=setup.step_count,
        seed=setup.seed,
        probe=probe,
        probe_steps=max(1, setup.step_count // PROBES),
        show=show,
    )
    return {
        "format": FORMAT,
        "version": VERSION,
        "world": trained.config.world_name,
        "world_version": getattr(game.world, "version", None),
        "update": trained.update,
        "frames": trained.frames,
        "device": trained.config.device,
        "worlds": setup.world_count,
        "steps": setup.step_count,
        "seed": setup.seed,
        "later_tasks": setup.later,
        **measure(recording, reading, trained, setup.goals),
        "on_paper": {
            "item": question.given,
            "goal": question.goal,
            "instead": question.instead,
            **{name: _compared(each, reading) for name, each in probe.comparisons().items()},
        },
        "embeddings": probe.loudness("norm"),
        "one_item_more": probe.loudness("more"),
    }


def measure(
    recording: Recording, reading: Reading, trained: TrainedPolicy, goals: Sequence[str]
) -> dict:
    """All measures that need only a recording."""
    all_goals = trained.config.simonsays.goals
    group_of = trained.groups or ("all",) * len(all_goals)
    groups = list(dict.fromkeys(group_of))
    group_G = np.array([groups.index(name) for name in group_of])
    pickaxes = [ITEM[name] for name in PICKAXES]
    time_TW, played_TW = recording.time_TW, recording.played_TW
    band_TW = np.digitize(recording.depth_TW, [least for _, least in reading.bands[1:]])
    band_shares = shares(band_TW, time_TW, len(reading.bands)).tolist()
    bands = [name for name, _ in reading.bands]
    return {
        "ticks": int(time_TW.sum()),
        "funnels": {
            goal: activity.funnel(recording, all_goals.index(goal), chain(goal)) for goal in goals
        },
        "time_by_depth": dict(zip(bands, band_shares, strict=True)),
        "time_by_hand": _by_hand(recording),
        "time_by_group": activity.by_group(recording, group_G, groups, pickaxes),
        "moves": {
            "entropy": _by_component(reading, recording.entropy_TWK[played_TW]),
            "divergence": _by_component(reading, recording.divergence_TWK[played_TW]),
        },
        "value_fit": _fits(recording, trained, group_G, groups),
        "value_at_first_tool": _at_first_tools(recording, all_goals),
        "waste": _waste(recording, reading),
        "placed": _placed(recording, reading),
        "stations": _stations(recording, reading),
    }


def _by_hand(recording: Recording) -> dict[str, float]:
    share = shares(recording.hand_TW + 1, recording.time_TW, len(ITEMS) + 1)
    held = sorted(np.flatnonzero(share), key=lambda index: -share[index])
    names = ("nothing", *ITEMS)
    return {names[index]: float(share[index]) for index in held}


def _by_component(reading: Reading, number_NK: np.ndarray) -> dict[str, float]:
    """Mean numbers of the components by name, and their sum as `whole`."""
    number_K = number_NK.mean(axis=0)
    named = dict(zip(reading.components, number_K.tolist(), strict=True))
    return {**named, "whole": float(number_K.sum())}


def _compared(comparison: Comparison, reading: Reading) -> dict | None:
    """Means over the moments; None where there are none."""
    if len(comparison.first_N) == 0:
        return None
    change_N = comparison.first_N - comparison.second_N
    return {
        "moments": len(comparison.first_N),
        "value_first": float(comparison.first_N.mean()),
        "value_second": float(comparison.second_N.mean()),
        "change": float(change_N.mean()),
        "absolute_change": float(np.abs(change_N).mean()),
        "divergence": _by_component(reading, comparison.divergence_NK),
    }


def _fits(
    recording: Recording, trained: TrainedPolicy, group_G: np.ndarray, groups: Sequence[str]
) -> list[dict]:
    """Of all goals together and of each group: the fit by both kinds of returns."""
    settings = trained.config.ppo
    discount_TW = np.power(
        settings.discount, recording.ticks_TW / settings.discount_ticks, dtype=np.float32
    )
    real_TW, unreal_TW = values.real_returns(recording, discount_TW)
    learned_TW = values.bootstrapped_returns(
        recording,
        discount_TW,
        window=trained.config.rollout_steps,
        trace_decay=settings.trace_decay,
    )
    value_TW = recording.value_MW[:-1]
    group_TW = group_G[recording.goal_TW]
    found = []
    for index, name in [(-1, "all"), *enumerate(groups)]:
        in_TW = recording.played_TW & ((group_TW == index) | (index < 0))
        known_TW = in_TW & (unreal_TW <= MOST_UNREAL)
        if not in_TW.any() or (index >= 0 and groups == ["all"]):
            continue
        found.append(
            {
                "group": name,
                "steps": int(in_TW.sum()),
                "bootstrapped": values.fit(value_TW, learned_TW, in_TW),
                "real_steps": int(known_TW.sum()),
                "real": values.fit(value_TW, real_TW, known_TW),
                "mean_value": float(value_TW[known_TW].mean()) if known_TW.any() else None,
                "mean_return": float(real_TW[known_TW].mean()) if known_TW.any() else None,
            }
        )
    return found


def _at_first_tools(recording: Recording, goals: Sequence[str]) -> list[dict]:
    found = []
    for tool in TOOLS:
        needs_G = np.array([tool in ALL_PREREQUISITES.get(goal, ()) for goal in goals])
        found.append({"tool": tool, **values.changes_at_first(recording, ITEM[tool], needs_G)})
    return [each for each in found if each["count"]]


def _waste(recording: Recording, reading: Reading) -> dict:
    """Shares of the game time; `bare_hand` and `longest` are shares of the attacks in vain."""
    attack_TW = reading.attacks(recording.action_TWK) & recording.played_TW
    met_TW = (recording.target_TW >= 0) | (recording.ticks_TW > reading.idle_ticks)
    gain_TW = activity.gains(recording.inventory_MWI, recording.restarted_TW)
    paid_TW = activity.pays_off(attack_TW, gain_TW, recording.target_TW)
    vain_TW = attack_TW & met_TW & ~paid_TW
    time_TW = recording.time_TW
    longest_TW = recording.ticks_TW >= reading.longest_attack
    return {
        "attacks": weighted_share(attack_TW, time_TW),
        "in_vain": weighted_share(vain_TW, time_TW),
        "bare_hand": weighted_share(recording.hand_TW < 0, time_TW * vain_TW),
        "longest": weighted_share(longest_TW, time_TW * vain_TW),
        "longest_attack": reading.longest_attack,
    }


def _placed(recording: Recording, reading: Reading) -> list[dict]:
    """Things that were placed and do not lie in the world anyway: a dig then is of a placed one."""
    last = recording.action_TWK[..., -1]
    placed_TW = items_of(reading.choices, "place")[last]
    made_TW = items_of(reading.choices, "craft", "smelt")[last]
    found = []
    for item in np.unique(placed_TW[placed_TW >= 0]):
        if source_blocks(ITEMS[item]):
            continue
        count, again = activity.dug_up_again(
            placed_TW == item,
            made_TW == item,
            recording.inventory_MWI[:, :, item],
            recording.restarted_TW,
        )
        if count:
            found.append({"item": ITEMS[item], "placed": count, "dug_up_again": again})
    return found


def _stations(recording: Recording, reading: Reading) -> list[dict]:
    """How many of each station are crafted for each of the first pickaxe that needs it."""
    made_TW = items_of(reading.choices, "craft")[recording.action_TWK[..., -1]]
    found = []
    for station in STATIONS:
        tool = next(name for name in PICKAXES if station in ALL_PREREQUISITES[name])
        crafted, tools = (
            int(((made_TW == ITEM[name]) & recording.played_TW).sum()) for name in (station, tool)
        )
        found.append({"station": station, "crafted": crafted, "tool": tool, "tools": tools})
    return found
