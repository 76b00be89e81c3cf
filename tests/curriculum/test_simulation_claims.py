"""What docs/simulation.md says of the tech tree, on the seeds that it names."""

import numpy as np
import pytest
from rich.console import Console

from lapis.curriculum import LearningProgress, Uniform
from lapis.curriculum.simulation import LearnerModel, Simulation, largest_drop
from lapis.simulate import CYCLE, mean_and_interval, minecraft_graph, run_simulation, run_teachers


def test_in_tenfold_time_bidirectional_progress_knows_twice_as_many_tasks_as_uniform():
    graph = minecraft_graph()
    model = LearnerModel(learning_rate=0.03, relearning_rate=0.3, forgetting_rate=0.01)
    known = {"uniform": 0, "bidirectional": 0}
    for seed in range(2):
        simulation = Simulation(graph, seed, model)
        teacher = LearningProgress(graph.task_count, time_scale=125.0)
        known["bidirectional"] += simulation.run(teacher, 5000).known[-1]
        known["uniform"] += simulation.run(Uniform(graph.task_count), 5000).known[-1]
    assert known["bidirectional"] > 2 * known["uniform"] > 0


def test_demo_prints_a_row_per_teacher_and_names_its_figures(tmp_path):
    console = Console(width=120, record=True, file=(tmp_path / "out.txt").open("w"))
    runs = run_simulation(tmp_path, seeds=(0,), update_count=200, process_count=1, console=console)
    text = console.export_text()
    assert list(runs) == ["uniform", "unidirectional", "bidirectional"]
    for name in runs:
        assert name in text
    for number in (1, 2, 3):
        path = tmp_path / f"simulation_{number}.png"
        assert path.is_file()
        assert str(path) in text.replace("\n", "")


@pytest.mark.slow
def test_on_the_tech_tree_bidirectional_beats_uniform_and_holds_what_unidirectional_loses():
    runs = run_teachers(
        seeds=range(20), update_count=50_000, process_count=2, console=Console(quiet=True)
    )
    known = {name: np.array([one.known for one in histories]) for name, histories in runs.items()}
    uniform, uniform_half = mean_and_interval(known["uniform"][:10, -1])
    bidirectional, bidirectional_half = mean_and_interval(known["bidirectional"][:10, -1])
    assert bidirectional - bidirectional_half > uniform + uniform_half
    drops = {name: np.array([largest_drop(one) for one in rows]) for name, rows in known.items()}
    # Measured: 11 and 1. Runs are chaotic: another machine's rounding may move them a little.
    assert (drops["unidirectional"] >= CYCLE).sum() >= 8
    assert (drops["bidirectional"] >= CYCLE).sum() <= 2
