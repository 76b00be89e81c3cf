"""Large task spaces with a known truth, and the learner of their skills."""

import numpy as np
import pytest

from lapis.curriculum import Uniform
from lapis.curriculum.simulation import (
    SPACES,
    Kind,
    SkillLearner,
    SkillModel,
    SkillOracle,
    SkillSimulation,
    SkillSpace,
    skill_grid,
    skill_tree,
)


def line(kinds=(Kind.LEARNABLE, Kind.LEARNABLE, Kind.NOISY), tasks_per_skill=2) -> SkillSpace:
    """Skills in a row, each opened by the one before; all ceilings 1 but for noise, at 0.5."""
    count = len(kinds)
    skill = np.repeat(np.arange(count), tasks_per_skill)
    kind = np.array(kinds)
    ceilings = {Kind.LEARNABLE: 1.0, Kind.IMPOSSIBLE: 0.0, Kind.NOISY: 0.5}
    return SkillSpace(
        features=skill[:, None].astype(float),
        skill=skill,
        ceiling=np.array([ceilings[each] for each in kind[skill].tolist()]),
        neighbors=np.array([[count], *([each] for each in range(count - 1))]),
        kind=kind,
        is_root=np.arange(count) == 0,
    )


@pytest.mark.parametrize("name", SPACES)
def test_a_third_of_a_space_is_junk_and_all_the_rest_can_be_opened(name):
    space = SPACES[name](20_000, seed=3)
    assert 0.30 < 1.0 - space.is_learnable.mean() < 0.37
    assert set(np.unique(space.kind)) == {Kind.LEARNABLE, Kind.IMPOSSIBLE, Kind.NOISY}
    learnable = space.kind == Kind.LEARNABLE
    opened = space.is_root & learnable
    for _ in range(space.skill_count):
        opened |= np.append(opened, False)[space.neighbors].any(axis=1) & learnable
    assert (opened == learnable).all()
    assert (space.ceiling[space.kind[space.skill] == Kind.IMPOSSIBLE] == 0.0).all()
    assert space.ceiling[space.is_learnable].min() >= 0.2


@pytest.mark.parametrize("name", SPACES)
def test_a_seed_decides_a_space_whole(name):
    one, same, other = (SPACES[name](500, seed=seed) for seed in (1, 1, 2))
    for field in ("features", "skill", "ceiling", "neighbors", "kind"):
        np.testing.assert_array_equal(getattr(one, field), getattr(same, field))
    assert (one.features != other.features).any()


def test_in_a_grid_the_skill_is_the_cell():
    space = skill_grid(1000, side=4, junk=0.0)
    cell = np.floor(space.features * 4).astype(int)
    np.testing.assert_array_equal(space.skill, 4 * cell[:, 0] + cell[:, 1])
    assert space.neighbors[5].tolist() == [1, 9, 4, 6]
    assert space.neighbors[0].tolist() == [16, 4, 16, 1]  # 16: none


def test_a_tree_is_deep_and_tasks_lie_near_their_skill():
    space = skill_tree(50_000, seed=0)
    depth = np.zeros(space.skill_count, int)
    for skill in range(1, space.skill_count):
        depth[skill] = depth[space.neighbors[skill, 0]] + 1
    assert 20 < depth.max() < 60
    center = (
        np.stack([np.bincount(space.skill, column) for column in space.features.T], axis=1)
        / np.bincount(space.skill)[:, None]
    )
    within = np.linalg.norm(space.features - center[space.skill], axis=1).mean()
    step = np.linalg.norm(center[1:] - center[space.neighbors[1:, 0]], axis=1).mean()
    assert within == pytest.approx(step / 3, rel=0.1)


def test_one_update_of_the_learner_by_hand():
    space = line()
    model = SkillModel(learning_rate=0.1, luck=0.2, washed_out=0.5, gate_success=0.3)
    learner = SkillLearner(space, model)
    # The root is open: success is luck. Its success opens the next by 0.2^2 / (0.2^2 + 0.3^2), of
    # which luck is a fifth. But a gate follows the update before, when nothing had been opened.
    np.testing.assert_allclose(learner.success_, [0.2, 0.0, 0.0])
    learner.skill_[:] = [0.5, 0.0, 0.0]

    class AllWin:
        def random(self, count):
            return np.zeros(count)

    won = learner.practice(np.array([0, 1, 2, 5]), AllWin())
    # The second skill is closed, so its task fails; the noisy one succeeds and teaches nothing.
    assert won.tolist() == [True, True, False, True]
    gain, loss = 1.0 - 0.9**2, 0.1 * 0.5 * 0.5
    skill = 0.5 + 0.5 * (gain - loss)
    np.testing.assert_allclose(learner.skill_, [skill, 0.0, 0.0])
    gate = 0.04 / (0.04 + 0.09)
    np.testing.assert_allclose(learner.success_, [0.2 + 0.8 * skill, gate * 0.2, 0.0])


def test_the_oracle_samples_the_frontier_alone():
    space = line(kinds=(Kind.LEARNABLE,) * 3)
    learner = SkillLearner(space, SkillModel())
    oracle = SkillOracle(learner)
    np.testing.assert_allclose(oracle.probabilities(), [0.5, 0.5, 0, 0, 0, 0])
    learner.success_[:] = [0.9, 0.05, 0.001]
    np.testing.assert_allclose(oracle.probabilities(), [0, 0, 0.5, 0.5, 0, 0])
    learner.success_[:] = 0.9
    np.testing.assert_allclose(oracle.probabilities(), 1 / 6)


def test_the_oracle_learns_all_while_uniform_sampling_learns_next_to_nothing():
    space = skill_grid(2000, side=12)
    reached = {}
    for name in ("oracle", "uniform"):
        simulation = SkillSimulation(space, seed=0)
        teacher = SkillOracle(simulation.learner) if name == "oracle" else Uniform(2000)
        reached[name] = simulation.run(teacher, 300, record_every=100).reached[-1]
    assert reached["oracle"] == 1.0
    assert reached["uniform"] < 0.2


def test_history_counts_reached_tasks_and_samples_on_junk():
    simulation = SkillSimulation(line(), seed=0)
    history = simulation.run(Uniform(6), 200, record_every=100)
    assert history.update.tolist() == [100, 200]
    assert history.reached.tolist() == [1.0, 1.0]
    assert history.area == 1.0
    np.testing.assert_allclose(history.junk, 1 / 3, atol=0.02)


def test_a_teacher_of_another_number_of_tasks_is_refused():
    with pytest.raises(ValueError, match="teacher has 5 tasks; the space has 6"):
        SkillSimulation(line(), seed=0).run(Uniform(5), 10)
