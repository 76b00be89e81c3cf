"""Run folders with made-up metrics, the same for the same arguments: no training needed.

Goals are learned in the order of their depth, as many as the paper's treatment found; the
unidirectional one loses its deeper half again and again.
"""

import json

import numpy as np

from lapis.minecraft.goals import ALL_GOALS, DEPTH, GOAL_GROUP, GOALS, GROUPS
from lapis.runs import RunFolder

TREATMENTS = {
    "uniform": ("uniform", "both", "none", 0.0, 17),
    "uniform_fixed": ("uniform", "both", "fixed", 0.05, 43),
    "uniform_dynamic": ("uniform", "both", "dynamic", 0.5, 70),
    "unidirectional": ("learning_progress", "up", "dynamic", 0.5, 79),
    "bidirectional": ("learning_progress", "both", "dynamic", 0.5, 82),
}
FRAMES_PER_UPDATE = 2048


def make_config(treatment, seed=0, updates=60, label=None, **settings):
    """Settings under the names that the trainer's configuration has, `label` as its treatment."""
    kind, direction, bonus, coefficient, _ = TREATMENTS[treatment]
    return {
        "simonsays": {"bonus": bonus, "bonus_coefficient": coefficient},
        "world_count": 128,
        "seed": seed,
        "updates": updates,
        "device": "cpu",
        "curriculum": {"kind": kind, "direction": direction, "time_scale": 50.0},
        **({} if label is None else {"treatment": label}),
        **settings,
    }


def make_run(path, treatment="bidirectional", seed=0, updates=60, evaluation=False, **settings):
    """A whole run folder; returns its path."""
    folder = RunFolder.create(
        path,
        config=make_config(treatment, seed, updates, **settings),
        recipe="demo",
        command=["lapis", "train", "demo", "--seed", str(seed)],
        device="cpu (made up)",
        goals=ALL_GOALS,
        groups=[GROUPS[group] for group in GOAL_GROUP],
    )
    success = make_success(treatment, seed, updates)
    sampling = make_sampling(success, treatment)
    noise = np.random.default_rng(seed).normal(size=(updates, 4))
    with folder.writing() as log:
        for row in range(updates):
            log.append(make_metrics(row + 1, success[row], sampling[row], noise[row]))
    if evaluation:
        write_evaluation(path, success)
    return path


def make_success(treatment, seed, updates):
    """Success averages, shape (update, goal)."""
    limit = TREATMENTS[treatment][-1] + np.random.default_rng(seed + 1).integers(-3, 4)
    rank = np.argsort(np.argsort([DEPTH[goal] for goal in GOALS], kind="stable"))
    time = np.linspace(0.0, 1.0, updates)[:, None]
    height = np.where(rank < limit, 0.95 - 0.007 * rank, 0.0)
    success = height / (1.0 + np.exp(-(time - 0.02 - 0.9 * rank / limit) / 0.02))
    if treatment == "unidirectional":
        forgetting = 0.5 + 0.5 * np.sin(2.0 * np.pi * (4.0 * time - 0.2 * seed))
        success *= np.where(rank > limit // 2, 1.0 - 0.98 * forgetting, 1.0)
    impossible = np.zeros((updates, len(ALL_GOALS) - len(GOALS)))
    return np.concatenate([success, impossible], axis=1)


def make_sampling(success, treatment):
    """Uniform, or in proportion to the change of success."""
    if TREATMENTS[treatment][0] == "uniform":
        weight = np.ones_like(success)
    else:
        weight = np.abs(np.diff(success, axis=0, prepend=success[:1])) + 1e-4
    return weight / weight.sum(axis=1, keepdims=True)


def make_metrics(update, success, sampling, noise):
    """One line of the log, with the names that the trainer uses."""
    return {
        "update": update,
        "frames": update * FRAMES_PER_UPDATE,
        "discovered": int(np.count_nonzero(success > 0.05)),
        "success": success,
        "probabilities": sampling,
        "value_fit": 1.0 - 1.0 / (1.0 + 0.1 * update) + 0.02 * noise[0],
        "reward_per_step": 0.001 * update,
        "losses": {"total": 0.1, "policy": 0.001 * noise[1], "value": 1.0 / (10.0 + update)},
        "entropy": 2.0 + 0.1 * noise[2],
        "kl": 0.001 * noise[3] ** 2,
        "clip_share": 0.05,
        "gradient_norm": 0.5,
        "frames_per_second": 8000.0 + 100.0 * noise[0],
    }


def write_evaluation(path, success, attempts=20, count=4):
    """Evaluations that find a little less than the averages say."""
    lines = []
    for update in np.linspace(0, len(success), count + 1).astype(int)[1:]:
        successes = np.floor(0.9 * attempts * success[update - 1]).astype(int)
        line = {"update": int(update), "frames": int(update) * FRAMES_PER_UPDATE}
        line |= {"successes": successes.tolist(), "attempts": [attempts] * len(ALL_GOALS)}
        lines.append(json.dumps(line) + "\n")
    (path / "evaluation.jsonl").write_text("".join(lines))
