import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lapis import simulate
from lapis.curriculum import reweight
from lapis.curriculum.simulation import KNOWN_SUCCESS, History
from lapis.report import theory
from lapis.report.statistics import learning_order


@pytest.fixture
def axes():
    figure, one = plt.subplots()
    yield one
    plt.close(figure)


def curve(axes, label):
    return next(line for line in axes.lines if str(line.get_label()).startswith(label))


def test_slope_and_curvature_are_derivatives_of_the_curve():
    step = 1e-4
    for time in (-1.0, 0.0, 0.8):
        below, here, above = theory.success_curve(np.array([time - step, time, time + step]))
        # Central differences err by the order of step squared, rounding by 1e-16 / step squared.
        assert theory.success_slope(time) == pytest.approx((above - below) / (2 * step), rel=1e-5)
        assert theory.success_curvature(time) == pytest.approx(
            (above - 2 * here + below) / step**2, rel=1e-4, abs=1e-6
        )


def test_figure_5_shows_an_error_with_its_least_value_near_the_best_interval():
    figure, (left, middle, right) = plt.subplots(1, 3)
    theory.draw_error(middle)
    theory.draw_averages(right)
    best = curve(middle, "best interval").get_xdata()[0]
    interval, error = curve(middle, "resampled").get_data()
    # The curve is flat around its minimum, and resampling leaves 1.4 % of noise.
    assert 0.5 * best < interval[np.argmin(error)] < 2.0 * best
    formula = curve(middle, "formula").get_ydata()
    short = interval < 0.5 * best
    np.testing.assert_allclose(np.asarray(error)[short], np.asarray(formula)[short], rtol=0.1)
    progress = np.asarray(curve(right, "progress").get_ydata())
    reweighted = np.asarray(curve(right, "reweighted").get_ydata())
    # Reweighting makes up for the delay of the averages: it peaks earlier.
    assert reweighted.argmax() < progress.argmax()
    plt.close(figure)


def test_figure_6_draws_the_reweighting_function(axes):
    theory.draw_reweighting(axes)
    p, height = curve(axes, "f(p)").get_data()
    np.testing.assert_array_equal(height, reweight(p))
    assert {text.get_text() for text in axes.texts} == {
        "0.1 to 0.2\ncounts 0.19",
        "0.6 to 0.7\ncounts 0.02",
    }


def test_figure_7_crosses_one_half_at_the_90_percent_quantile(axes):
    theory.draw_sampling(axes)
    z, weight = curve(axes, "sampling weight").get_data()
    assert np.interp(1.2816, z, weight) == pytest.approx(0.5, abs=1e-3)


def test_theory_figures_are_written_as_png_and_svg(tmp_path):
    paths = theory.write_theory_figures(tmp_path / "new")
    assert [path.name for path in paths] == [
        f"theory_{number}.{suffix}" for number in (5, 6, 7) for suffix in ("png", "svg")
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths[::2])
    assert all(path.read_text().rstrip().endswith("</svg>") for path in paths[1::2])


def test_interval_of_the_mean_is_computed_as_by_hand():
    mean, half = simulate.mean_and_interval(np.array([[1.0], [2.0], [3.0]]))
    assert mean[0] == pytest.approx(2.0)
    # 4.303: the 97.5 % quantile of Student's t with two degrees of freedom, from a table.
    assert half[0] == pytest.approx(4.303 * 1.0 / np.sqrt(3.0), rel=1e-4)
    assert np.isnan(simulate.mean_and_interval(np.array([[1.0]]))[1]).all()
    assert simulate.mean_and_interval(np.zeros((21, 1)))[1] == [0.0]


def test_minecraft_graph_has_107_goals_in_8_groups():
    graph = simulate.minecraft_graph()
    assert graph.task_count == 107
    assert len(set(graph.groups)) == 8


def test_simulation_figures_are_written_as_png(tmp_path):
    rng = np.random.default_rng(0)
    runs = {
        name: [History(np.arange(1, 6), rng.random((5, 4)), rng.random((5, 4))) for _ in range(2)]
        for name in ("uniform", "bidirectional")
    }
    paths = simulate.write_simulation_figures(runs, tmp_path)
    assert [path.name for path in paths] == [f"simulation_{number}.png" for number in (1, 2, 3)]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_tasks_are_ordered_by_when_they_became_known_and_unknown_ones_come_last():
    success = np.array([[0.0, 0.2, 0.0], [0.0, 0.2, 0.9]])
    assert learning_order(success[None], KNOWN_SUCCESS).tolist() == [1, 2, 0]


def test_more_teachers_than_colors_are_refused(tmp_path):
    runs = {
        str(number): [History(np.ones(1), np.ones((1, 1)), np.ones((1, 1)))] for number in range(6)
    }
    with pytest.raises(ValueError, match="1 to 5 teachers, not 6"):
        simulate.write_simulation_figures(runs, tmp_path)
