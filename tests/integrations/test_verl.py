"""The sampler of verl, against the real `AbstractCurriculumSampler` of version 0.7.1.

verl 0.7.1 asks for NumPy below 2, so that no environment of Lapis's own has it: run this file with
`PYTHONPATH` at a folder made by `pip install --no-deps --target FOLDER verl==0.7.1 ...`.
"""

import numpy as np
import pytest

pytest.importorskip("verl", reason="verl 0.7.1 needs NumPy below 2: not installed")

import torch
from verl import DataProto
from verl.experimental.dataset.sampler import AbstractCurriculumSampler

from lapis.curriculum import LearningProgress
from lapis.integrations.verl import CurriculumSampler
from tests.teacher_contract import assert_same_state

pytestmark = pytest.mark.slow

ROWS = [{"data_source": "math" if i % 3 else "code", "prompt": str(i)} for i in range(12)]


class Sampler(CurriculumSampler):
    def make_curriculum(self, task_count):
        return LearningProgress(task_count, time_scale=2, floor=0.1)


def make(seed=1):
    return Sampler(data_source=ROWS, data_config={"train_batch_size": 4, "seed": seed})


def batch(sources, rewards):
    scores = torch.zeros(len(rewards), 3)
    scores[:, -1] = torch.tensor(rewards)
    return DataProto.from_dict(
        tensors={"token_level_scores": scores},
        non_tensors={"data_source": np.array(sources, dtype=object)},
    )


def test_it_is_a_sampler_of_verl():
    assert isinstance(make(), AbstractCurriculumSampler)


def test_a_batch_follows_the_probabilities_of_its_time():
    sampler = make()
    assert sampler.groups.names == ("code", "math")
    sampler.curriculum.probabilities = lambda: np.array([1.0, 0.0])
    rows = iter(sampler)
    assert {ROWS[next(rows)]["data_source"] for _ in range(4)} == {"code"}
    sampler.curriculum.probabilities = lambda: np.array([0.0, 1.0])
    assert {ROWS[next(rows)]["data_source"] for _ in range(4)} == {"math"}
    assert len(list(make())) == len(make()) == 12


def test_state_is_that_of_a_plain_loop_and_comes_back():
    sampler = make()
    sampler.update(batch(["code", "math", "math"], [1.0, 0.0, 0.5]))
    plain = LearningProgress(2, time_scale=2, floor=0.1)
    plain.update([1, 0.5], [1, 2], [1, 0.25])
    assert_same_state(sampler.curriculum.state_dict(), plain.state_dict())
    restored = make(seed=5)
    restored.load_state_dict(sampler.state_dict())
    assert list(restored) == list(sampler)


def test_verl_makes_it_from_its_configuration(tmp_path):
    main_ppo = pytest.importorskip("verl.trainer.main_ppo", reason="parts of verl are missing")
    from omegaconf import OmegaConf

    (tmp_path / "own.py").write_text(
        "from lapis.curriculum import LearningProgress\n"
        "from lapis.integrations.verl import CurriculumSampler\n"
        "class Own(CurriculumSampler):\n"
        "    def make_curriculum(self, task_count):\n"
        "        return LearningProgress(task_count)\n"
    )
    sampler = {"class_path": str(tmp_path / "own.py"), "class_name": "Own"}
    config = {"dataloader_num_workers": 0, "train_batch_size": 4, "seed": 1, "sampler": sampler}
    made = main_ppo.create_rl_sampler(OmegaConf.create(config), ROWS)
    assert made.curriculum.task_count == 2
