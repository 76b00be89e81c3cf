"""Configurations of earlier versions, translated to the current form.

Until 0.1 a run had the settings of both worlds and of all teachers side by side, a number that
changes in three settings, and no label. Nothing else of Lapis knows about that form.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from lapis.minecraft.goals import IMPOSSIBLE
from lapis.treatments import CUSTOM, label_of

__all__ = ["current_config"]

_PROBES = ("bandit", "memory", "first_step", "masked", "two_goals")
_FRAMES = {"filters": [16, 32, 32], "stem": "impala", "blocks": 2, "precision": "float32"}
"""Settings of the network for frames, which worlds without frames had too."""
_LATER: dict[str, dict[str, Any]] = {
    "": {"evaluation_worlds": 0, "checkpoint_worlds": True},
    "policy": {
        "observe_mask": False,
        "observe_ingredients": False,
        "equal_inputs": False,
        "compile": False,
        "action_items": False,
        "goal_blind_items": False,
        "action_prior": False,
    },
    "ppo": {"normalize_values": False, "microbatch_sequences": 0},
    "voxel": {"fan_view_distance": 24},
}
"""What settings were before there was a word for them: the same run has the same settings."""
_ADDED: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    ("simonsays", None, {"pairs": False}),
    ("policy", None, {"goal_blind_items": False}),
    ("world", "minetest", {"frame_size": 0}),
)
"""Part, kind (None: any) and settings that runs of today's form may lack, as they were then."""
_PROGRESS = ("direction", "reweight_threshold", "weighting", "noise_shrinkage")
_AVERAGE = ("time_scale", "floor")
_OF_TEACHER: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "uniform": ((), {}),
    "learning_progress": (
        (*_AVERAGE, *_PROGRESS),
        {"averaging": "tried_updates", "optimism": 0.0},
    ),
    "success_band": (_AVERAGE, {"low": 0.1, "high": 0.9}),
    "learnability": (_AVERAGE, {"top_count": None}),
    "regression_slope": (("floor",), {"temperature": 0.0}),
    "rank_staleness": (_AVERAGE, {"temperature": 0.1, "staleness": 0.1, "error": "mean"}),
    "half_window": (("floor",), {}),
}
"""Per teacher the settings that belong to it, and those that could not be chosen."""


def current_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run from any version of Lapis; current ones are left as they are.

    Which goals pay a bonus has one spelling: `bonus_goals` is null wherever it names just those
    that null stands for, and where nothing pays.
    """
    settings = copy.deepcopy(dict(config))
    if isinstance(settings.get("world"), str):
        settings = _translated(settings)
    if "policy" in settings:
        settings.setdefault("initial_policy", "")
    for part, kind, then in _ADDED:
        own = settings.get(part)
        if isinstance(own, dict) and kind in (None, own.get("kind")):
            settings[part] = {**then, **own}
    if "evaluation_attempts" in settings:
        settings = {"evaluation_pairs": 0, "overlap": False, **settings}
    if "curriculum" in settings and "treatment" not in settings:
        settings["treatment"] = label_of(settings, settings.pop("variant", None) or CUSTOM)
    game = settings.get("simonsays")
    if isinstance(game, dict) and game.get("bonus_goals") is not None:
        usual = set(game.get("goals", ())) - set(IMPOSSIBLE)
        if game.get("bonus") == "none" or set(game["bonus_goals"]) == usual:
            game["bonus_goals"] = None
    return settings


def _translated(old: dict[str, Any]) -> dict[str, Any]:
    name = old.pop("world")
    own = {world: old.pop(world, {}) for world in ("techtree", "voxel")}
    policy, ppo, curriculum = (old.pop(part, {}) for part in ("policy", "ppo", "curriculum"))
    frames = {key: policy.pop(key, default) for key, default in _FRAMES.items()}
    policy["frames"] = {"kind": "impala", **frames} if name == "voxel" else None
    if "habits" in policy:
        policy["action_prior"] = policy.pop("habits")
    _join(ppo, "learning_rate", "final_learning_rate", "learning_rate_updates")
    _join(ppo, "entropy_coefficient", "final_entropy_coefficient", "entropy_updates")
    world = (
        {"kind": "probe", "name": name} if name in _PROBES else {"kind": name, **own.get(name, {})}
    )
    return {
        **_LATER[""],
        **old,
        "world": {**(_LATER["voxel"] if name == "voxel" else {}), **world},
        "policy": {**_LATER["policy"], **policy},
        "ppo": {**_LATER["ppo"], **ppo},
        "curriculum": _teacher(curriculum),
        "exploration": {
            "threshold": curriculum.get("exploration_threshold", 0.1),
            "time_scale": curriculum.get("time_scale", 1250.0),
        },
    }


def _teacher(old: Mapping[str, Any]) -> dict[str, Any]:
    kind = old.get("kind", "learning_progress")
    own, fixed = _OF_TEACHER.get(kind, ((), {}))
    new = {"kind": kind, **fixed, **{name: old[name] for name in own if name in old}}
    # Windows were made for the time scale: four time scales of scores.
    half = round(2.0 * old.get("time_scale", 1250.0))
    if kind == "regression_slope":
        new["window"] = 2 * half
    if kind == "half_window":
        new["half_window"] = half
    return new


def _join(settings: dict[str, Any], start: str, end: str, updates: str) -> None:
    """Three settings become one: a number, or where it changes start, end and updates."""
    last, count = settings.pop(end, None), settings.pop(updates, 0)
    if count and start in settings:
        settings[start] = [settings[start], last, count]
