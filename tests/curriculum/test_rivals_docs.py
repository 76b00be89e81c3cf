"""The pages on the rivals: their code runs, and their numbers are right."""

import re
from pathlib import Path

import numpy as np
import pytest

from lapis.curriculum import HalfWindow, RegressionSlope, rank_probabilities

PAGES = sorted((Path(__file__).parents[2] / "docs" / "rivals").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_code_of_each_page_runs(page: Path):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        names: dict = {}
        exec(compile(block, page.name, "exec"), names)
        assert abs(names["curriculum"].probabilities().sum() - 1.0) <= 1e-12


def test_index_links_every_page():
    index = next(page for page in PAGES if page.name == "README.md").read_text()
    linked = set(re.findall(r"\]\((\w+\.md)\)", index))
    assert linked == {page.name for page in PAGES} - {"README.md"}


def test_slope_of_noise_has_the_stated_deviation():
    rng = np.random.default_rng(0)
    rival = RegressionSlope(20_000, window=10)
    for _ in range(10):
        rival.update(rng.integers(0, 2, 20_000), np.ones(20_000, int))
    deviation = np.sqrt(np.square(rival.slope_).mean())
    # 20,000 tasks give the deviation to half a percent.
    assert deviation == pytest.approx(np.sqrt(12 * 0.25 / (10**3 - 10)), rel=0.03)
    assert deviation == pytest.approx(0.055, abs=0.002)


def test_half_window_progress_of_noise_has_the_stated_deviation():
    rng = np.random.default_rng(0)
    rival = HalfWindow(20_000, half_window=10)
    for _ in range(20):
        rival.update(rng.integers(0, 2, 20_000), np.ones(20_000, int))
    deviation = np.sqrt(np.square(rival.progress_).mean())
    assert deviation == pytest.approx(np.sqrt(2 * 0.25 / 10), rel=0.03)


def test_first_rank_holds_the_stated_share():
    assert rank_probabilities(np.arange(107.0), 0.1).max() == pytest.approx(0.999, abs=5e-4)
