"""TRL's GRPO trainer with a curriculum, against the real library."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("trl", reason="not installed: pip install 'lapis-rl[trl]'")

from trl.trainer.utils import RepeatSampler

from lapis.curriculum import LearningProgress, Uniform, scores_of_returns
from lapis.integrations.prompts import PromptGroups
from lapis.integrations.trl import CurriculumMixin, CurriculumSampler, CurriculumState
from tests.teacher_contract import assert_same_state

ROOT = Path(__file__).parents[2]
RUN = Path(__file__).parent / "trl_run.py"
TASKS = [0, 1, 2] * 8


def make_sampler(curriculum=None, **options):
    settings = {"prompts": 4, "generations": 3, "repeats": 2, "seed": 1} | options
    return CurriculumSampler(PromptGroups(TASKS, 3), curriculum or Uniform(3), **settings)


def test_rows_repeat_as_in_the_sampler_of_trl():
    ours = list(make_sampler())
    theirs = list(RepeatSampler(TASKS, mini_repeat_count=3, batch_size=4, repeat_count=2, seed=0))
    assert len(ours) == len(theirs) == len(make_sampler())

    def pattern(rows):
        """Each block of 24 with its rows renamed in the order in which they come."""
        blocks = np.array(rows).reshape(-1, 24)
        return [[block.tolist().index(row) // 3 for row in block] for block in blocks]

    # The same prompt may be drawn twice here; blocks without such luck have the same pattern.
    unique = [i for i, b in enumerate(np.array(ours).reshape(-1, 24)) if len(set(b)) == 4]
    assert len(unique) >= 3
    for block in unique:
        assert pattern(ours)[block] == pattern(theirs)[block]


def test_a_block_follows_the_probabilities_of_its_time():
    class Fixed(Uniform):
        now = 0

        def probabilities(self):
            return np.eye(3)[self.now]

    curriculum = Fixed(3)
    sampler = iter(make_sampler(curriculum))
    first = [next(sampler) for _ in range(24)]
    curriculum.now = 2
    second = [next(sampler) for _ in range(24)]
    assert {TASKS[row] for row in first} == {0}
    assert {TASKS[row] for row in second} == {2}


def test_all_processes_draw_the_same_and_epochs_differ():
    assert list(make_sampler()) == list(make_sampler())
    assert list(make_sampler()) != list(make_sampler(seed=2))
    assert list(make_sampler()) != list(make_sampler(epoch=lambda: 1))


def test_blocks_that_were_drawn_stay_as_they_are():
    sampler = make_sampler()
    sampler.drawn = {1: [5, 6, 7, 8]}
    rows = np.array(list(sampler)).reshape(-1, 24)
    assert rows[1].tolist() == ([5] * 3 + [6] * 3 + [7] * 3 + [8] * 3) * 2
    assert rows[0].tolist() == list(make_sampler())[:24]


def test_too_few_rows_are_refused():
    with pytest.raises(ValueError, match="24 rows, but a generation needs 25"):
        make_sampler(prompts=25)


def test_a_checkpoint_without_a_curriculum_is_refused():
    callback = CurriculumState(Uniform(3))
    with pytest.raises(ValueError, match="holds no curriculum"):
        callback.on_train_begin(None, SimpleNamespace(stateful_callbacks={}), None)


def test_a_state_comes_back_from_json():
    saved, loaded = LearningProgress(3), LearningProgress(3)
    saved.update([1, 0, 0.3], [1, 2, 1])
    callback, other = CurriculumState(saved), CurriculumState(loaded)
    callback.sampler, other.sampler = make_sampler(saved), make_sampler(loaded)
    drawn = list(callback.sampler)
    text = json.dumps({"CurriculumState": callback.state()})
    state = SimpleNamespace(stateful_callbacks=json.loads(text))
    other.on_train_begin(None, state, None)
    assert_same_state(saved.state_dict(), loaded.state_dict())
    assert list(other.sampler) == drawn


def scores_of(rewards, score=None, weights=(1.0, 0.5)):
    import torch

    class Bare(CurriculumMixin):
        def __init__(self):
            self._score, self.reward_weights = score, torch.tensor(weights)

    return Bare()._scores(np.array(rewards))


def test_scores_are_weighted_rewards():
    nan = float("nan")
    scores = scores_of([[0.5, 1.0], [nan, 1.0], [nan, nan], [0.0, 0.0]])
    np.testing.assert_array_equal(scores, [1.0, 0.5, nan, 0.0])


def test_rewards_outside_0_and_1_need_a_score():
    with pytest.raises(ValueError, match=r"a reward is 2\.5; .* score="):
        scores_of([[2.0, 1.0]])
    scores = scores_of([[2.0, 1.0]], score=lambda rewards: scores_of_returns(rewards[:, 0], 0, 4))
    assert scores.tolist() == [0.5]


def run(folder, *options, processes=1, killed=False):
    """What each process of a run writes at its end."""
    launch = [sys.executable]
    if processes > 1:
        # What `accelerate launch` starts too; its own switches for CPUs need MPI.
        launch += ["-m", "torch.distributed.run", "--standalone"]
        launch += ["--nproc_per_node", str(processes)]
    paths = [str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }
    finished = subprocess.run(
        [*launch, str(RUN), str(folder), *options],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if killed:
        assert finished.returncode == -9, finished.stderr
        return []
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return [json.loads((folder / f"rank{rank}.json").read_text()) for rank in range(processes)]


def plain_loop(outcomes):
    curriculum = LearningProgress(len(outcomes[0][0]), time_scale=4, floor=0.1)
    for successes, attempts in outcomes:
        curriculum.update(successes, attempts)
    return json.loads(
        json.dumps({k: np.asarray(v).tolist() for k, v in curriculum.state_dict().items()})
    )


@pytest.mark.slow
def test_a_killed_run_resumes_with_the_same_state(tmp_path):
    (through,) = run(tmp_path / "through")
    run(tmp_path / "killed", "--kill-at", "5", killed=True)
    (resumed,) = run(tmp_path / "killed", "--resume")
    assert len(through["outcomes"]) == 8
    assert all(sum(attempts) == 32 for _, attempts in through["outcomes"])
    assert any(sum(successes) for successes, _ in through["outcomes"])
    assert through["state"] == plain_loop(through["outcomes"])
    # It goes on after step 3, the last that was saved, with the same prompts and outcomes.
    assert resumed["outcomes"] == through["outcomes"][3:]
    assert resumed["state"] == through["state"]


@pytest.mark.slow
def test_two_processes_hold_the_same_curriculum(tmp_path):
    one, two = run(tmp_path, processes=2)
    assert one == two
    assert len(one["outcomes"]) == 8
    # Both count the completions of both: 2 processes x 4 prompts x 8 completions.
    assert all(sum(attempts) == 64 for _, attempts in one["outcomes"])
    assert one["state"] == plain_loop(one["outcomes"])


@pytest.mark.slow
def test_one_generation_of_several_steps_counts_once(tmp_path):
    (result,) = run(tmp_path, "--steps-per-generation", "2", "--steps", "4")
    assert len(result["outcomes"]) == 4
    assert all(sum(attempts) == 64 for _, attempts in result["outcomes"])


@pytest.mark.slow
def test_the_state_is_that_of_a_plain_loop_over_rewards(tmp_path):
    """Rewards are written down by the reward function itself, which sees each row's task."""
    from trl_curriculum import TASK_COUNT, make_trainer, reward

    seen = []

    def spy(completions, answer, task, **rest):
        rewards = reward(completions, answer, **rest)
        seen.append(list(zip(task, rewards, strict=True)))
        return rewards

    curriculum = LearningProgress(TASK_COUNT, time_scale=4, floor=0.1)
    trainer = make_trainer(curriculum, steps=4, seed=0, folder=str(tmp_path), prompts=4)
    trainer.reward_funcs = [spy]
    trainer.train()
    plain = LearningProgress(TASK_COUNT, time_scale=4, floor=0.1)
    for batch in seen:
        for task, outcome in batch:
            plain.record(task, outcome)
        plain.update()
    assert len(seen) == 4
    assert plain.fast_.any()
    assert_same_state(curriculum.state_dict(), plain.state_dict())
