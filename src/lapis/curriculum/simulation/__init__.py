"""A simulated learner: shows in seconds what a curriculum does with tasks that build on each other.

from lapis.curriculum import LearningProgress
from lapis.curriculum.simulation import Simulation, chain

history = Simulation(chain(20), seed=0).run(LearningProgress(20), update_count=10_000)
history.known[-1]                                # tasks known at the end

It is a caricature of a learning agent, made to compare teachers and to guard them against
regressions; `docs/simulation.md` says what is modeled, why, and what it cannot show.
"""

from lapis.curriculum.simulation.frontier import Frontier
from lapis.curriculum.simulation.graph import TaskGraph, chain, tree
from lapis.curriculum.simulation.learner import LearnerModel, SimulatedLearner
from lapis.curriculum.simulation.run import (
    KNOWN_SUCCESS,
    History,
    Simulation,
    largest_cycle,
    largest_drop,
)
from lapis.curriculum.simulation.skills import (
    SkillHistory,
    SkillLearner,
    SkillModel,
    SkillOracle,
    SkillSimulation,
)
from lapis.curriculum.simulation.spaces import (
    SPACES,
    Kind,
    SkillSpace,
    skill_box,
    skill_grid,
    skill_tree,
)

__all__ = [
    "SPACES",
    "KNOWN_SUCCESS",
    "Frontier",
    "History",
    "Kind",
    "LearnerModel",
    "SimulatedLearner",
    "Simulation",
    "SkillHistory",
    "SkillLearner",
    "SkillModel",
    "SkillOracle",
    "SkillSimulation",
    "SkillSpace",
    "TaskGraph",
    "chain",
    "largest_cycle",
    "largest_drop",
    "skill_box",
    "skill_grid",
    "skill_tree",
    "tree",
]
