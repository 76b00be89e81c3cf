"""Making what a config names: the worlds, the game and the policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from lapis.agent.action_items import ActionItems
from lapis.agent.encoders import build_encoders
from lapis.agent.policy import Policy
from lapis.minecraft.goals import ALL_PREREQUISITES
from lapis.minecraft.planner import STATION_ITEM, needed_at_once
from lapis.simonsays import SimonSays
from lapis.train.config import TrainConfig
from lapis.worlds.making import MOST_COUNTED, count_features
from lapis.worlds.world import World


def make_game(
    config: TrainConfig, *, first_world: int = 0, world: World | None = None
) -> SimonSays:
    """Simon Says over `world`, or over the worlds that `config` names from this number on."""
    made: World = world or config.world.build(
        config.world_count, seed=config.seed, device=config.device, first_world=first_world
    )
    return SimonSays(made, config.simonsays, seed=config.seed, first_world=first_world)


def ingredients(
    goals: Sequence[str], prerequisites: Mapping[str, frozenset[str]] | None = None
) -> Tensor:
    """Which goals (columns) each goal (row) is made from, directly or not, bool (goal, goal).

    Stations and tools count. Goals that cannot be obtained, and those that `prerequisites` do not
    know, have none; without them Minecraft's hold.
    """
    needs = ALL_PREREQUISITES if prerequisites is None else prerequisites
    return torch.tensor([[part in needs.get(goal, ()) for part in goals] for goal in goals])


def make_policy(config: TrainConfig, game: SimonSays) -> Policy:
    """A policy for the game's observations, the same for the same seed on every device."""
    settings = config.policy
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        encoders = build_encoders(
            {**game.observation, "action_mask": game.action_mask},
            settings,
            goal_count=len(game.goals),
            ingredients=_ingredients(config, game) if settings.observe_ingredients else None,
        )
        policy = Policy(
            encoders,
            game.action_sizes,
            width=settings.width,
            compile=settings.compile,
            action_prior=config.world.action_prior if settings.action_prior else None,
            action_items=_action_items(config, game),
        )
        return policy.to(game.device)


def _ingredients(config: TrainConfig, game: SimonSays) -> Tensor:
    return ingredients(game.goals, config.world.prerequisites)


def _action_items(config: TrainConfig, game: SimonSays) -> ActionItems | None:
    items = config.world.action_items
    if items is None or not config.policy.action_items:
        return None
    blind = config.policy.goal_blind_items
    if blind:
        # What is placed serves a goal if it is a station; other things are only lost.
        stations = STATION_ITEM.values()
        items = [
            None if item and item[0] == "place" and item[1] not in stations else item
            for item in items
        ]
    return ActionItems(
        items,
        goals=game.goals,
        held=game.world.items,
        # The tech tree shows all in one vector, which begins with the inventory.
        inventory="inventory" if "inventory" in game.observation else "vector",
        needed=_needed(config, game),
        width=config.policy.width,
        see_bonus=config.policy.observe_exploration_set,
        goal_blind=blind,
    )


def _needed(config: TrainConfig, game: SimonSays) -> Tensor:
    """How much of each goal (column) makes each goal (row), as inventories show it."""
    shown = count_features()
    if not config.policy.goal_blind_items or config.world.prerequisites is not None:
        return float(shown[1]) * _ingredients(config, game)
    rows = [needed_at_once(goal) for goal in game.goals]
    return torch.from_numpy(
        shown[[[min(row.get(part, 0), MOST_COUNTED) for part in game.goals] for row in rows]]
    )
