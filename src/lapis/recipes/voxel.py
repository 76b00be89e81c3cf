"""Runs from pixels, in the voxel world: small ones for one GPU and tens of minutes, the paper's."""

from __future__ import annotations

import dataclasses

from lapis.agent.config import ImpalaConfig, PolicyConfig, PPOConfig, paper_ppo
from lapis.agent.schedule import Schedule
from lapis.curriculum import ExplorationConfig, LearningProgressConfig
from lapis.minecraft.goals import ALL_GOALS
from lapis.simonsays import SimonSaysConfig
from lapis.train.config import TrainConfig
from lapis.worlds.voxel.config import VoxelConfig


def voxel() -> TrainConfig:
    """From pixels, one GPU, tens of minutes: the bidirectional treatment."""
    # DEVIATION: a smaller network whose first layer has stride 4, and a larger learning rate, for
    # minutes instead of weeks; sequences of 32 steps instead of 10 and longer traces, since what is
    # asked for and found lies further apart than two seconds; inputs that start equally loud, the
    # mask and a goal's ingredients among them, and a value loss divided by the returns' variance,
    # or one item and the value of a tool would hardly be felt. Actions know their items, or what
    # never paid would soon never be tried. The entropy term draws to a prior, because players whose
    # moves are all alike take long to walk to a tree. It falls to a tenth of the paper's weight in
    # two steps: with more, players find out what to make, with less they learn to walk and dig.
    # Averages follow faster because a run has thousands of updates, not fifty thousand. The floor
    # keeps the mix of goals: with less, players learn the surface and the stone below in turns, and
    # each time forget the other.
    # 2560 sequences, used 1.9 times, are eight minibatches of 608: one size, compiled once.
    return dataclasses.replace(
        _from_pixels(),
        world_count=2560,
        rollout_steps=32,
        updates=3500,
        evaluation_updates=500,
        policy=PolicyConfig(
            width=256,
            frames=ImpalaConfig(filters=(64, 64), stem="strided", blocks=1, precision="bfloat16"),
            equal_inputs=True,
            observe_mask=True,
            observe_ingredients=True,
            compile=True,
            action_items=True,
            action_prior=True,
        ),
        ppo=PPOConfig(
            learning_rate=Schedule(4e-4, 1.5e-4, 3000),
            adam_epsilon=1e-7,
            discount=0.999,
            trace_decay=0.98,
            entropy_coefficient=Schedule(0.03, 0.004, 400, ((0.004, 628), (0.001, 1000))),
            normalize_values=True,
            gradient_limit=1.0,
            sequence_steps=32,
            minibatch_sequences=608,
            sample_reuse=1.9,
        ),
        curriculum=LearningProgressConfig(time_scale=40.0, floor=0.2),
        exploration=ExplorationConfig(time_scale=40.0),
    )


def paper() -> TrainConfig:
    """The paper's network and hyperparameters, bidirectional (paper P20-P23)."""
    # DEVIATION: an update plays 1718 worlds for 10 steps, the paper's 17,180 new frames, and takes
    # one gradient step on 3264 of these sequences: each is used once, and nine tenths of them,
    # chosen by chance, twice. The paper draws its 3264 sequences from a buffer of 209,728 steps
    # that asynchronous workers fill: 12 optimization steps' worth, so that its frames are up to 12
    # steps old. Here every frame is of the policy that is changed.
    # DEVIATION: the network for frames computes in bfloat16.
    return dataclasses.replace(
        _from_pixels(),
        world_count=1718,
        rollout_steps=10,
        updates=50_000,
        evaluation_updates=2500,
        policy=PolicyConfig(
            width=512,
            frames=ImpalaConfig(filters=(64, 128, 128), precision="bfloat16"),
            compile=True,
        ),
        ppo=dataclasses.replace(paper_ppo(), microbatch_sequences=816),
        # The time scale counts the updates in which a goal was tried: 11 tasks of 1500 steps end in
        # one, so a goal that is drawn uniformly has one about ten times as long (docs/floor.md).
        curriculum=LearningProgressConfig(time_scale=1250.0, averaging="tried_updates"),
        exploration=ExplorationConfig(time_scale=1250.0),
    )


def _from_pixels() -> TrainConfig:
    """What both recipes share: worlds, goals, GPU and memory settings."""
    return TrainConfig(
        world=VoxelConfig(),
        simonsays=SimonSaysConfig(goals=ALL_GOALS),
        evaluation_attempts=4,
        evaluation_worlds=512,
        checkpoint_worlds=False,  # They would be half a gigabyte and more of each.
        device="cuda",
    )
