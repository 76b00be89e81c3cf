"""RLlib's new API stack with a curriculum, against the real library."""

import os

import pytest

pytest.importorskip("ray.rllib", reason="not installed: pip install 'lapis-rl[rllib]'")

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray

from lapis.curriculum import LearningProgress
from lapis.integrations.rllib import OUTCOMES
from tests.integrations.journal import replay, sent_probabilities
from tests.teacher_contract import assert_same_state

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def cluster():
    from tests.integrations.conftest import EXAMPLES

    root = EXAMPLES.parent
    paths = os.pathsep.join([str(root / "src"), str(root), str(EXAMPLES)])
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        configure_logging=False,
        runtime_env={"env_vars": {"PYTHONPATH": paths}},
    )
    yield
    ray.shutdown()


@pytest.mark.parametrize("runners", [0, 2])
def test_state_is_that_of_a_plain_loop(runners, make_journal, tmp_path):
    from rllib_curriculum import make_algorithm

    algorithm = make_algorithm(make_journal, runners=runners)
    results = [algorithm.train() for _ in range(3)]
    curriculum = algorithm.curriculum
    algorithm.stop()
    folder = tmp_path / "journal"
    plain = replay(folder, LearningProgress(10, time_scale=8, floor=0.2), updates=3)
    assert plain.fast_.any()
    assert_same_state(curriculum.state_dict(), plain.state_dict())
    sent = [each for each in sent_probabilities(folder) if each]
    assert len(sent) == 8 * max(runners, 1)
    for each in sent:
        assert len(each) == 4
        assert each[-1] == plain.probabilities().tolist()
    assert results[-1]["curriculum"]["probabilities"] == plain.probabilities().tolist()
    assert all(OUTCOMES not in result["env_runners"] for result in results)


def test_an_iteration_without_outcomes_moves_nothing():
    from lapis.integrations.rllib import curriculum_callbacks

    class Group:
        def foreach_env_runner(self, function):
            class Local:
                env = None  # as where all environments are elsewhere

            function(Local())

    class Algorithm:
        env_runner_group = Group()

    algorithm = Algorithm()
    callbacks = curriculum_callbacks(lambda: LearningProgress(3))()
    callbacks.on_algorithm_init(algorithm=algorithm)
    before = algorithm.curriculum.state_dict()
    for result in ({}, {"env_runners": {}}, {"env_runners": {OUTCOMES: float("nan")}}):
        callbacks.on_train_result(algorithm=algorithm, result=result)
        assert result["curriculum"]["attempts"] == [0, 0, 0]
    assert_same_state(algorithm.curriculum.state_dict(), before)


def test_the_example_learns():
    from rllib_curriculum import make_algorithm

    algorithm = make_algorithm(runners=0)
    for _ in range(30):
        algorithm.train()
    success = algorithm.curriculum.fast_
    algorithm.stop()
    assert success[:3].min() > 0.5
