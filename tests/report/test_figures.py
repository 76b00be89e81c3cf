"""Pictures for papers."""

import matplotlib.image
import numpy as np

from lapis.report.figures import write_figures

NAMES = (
    "figure_1_discovered",
    "figure_2_success",
    "figure_3_sampling",
    "figure_4_tech_tree",
    "forgetting",
)


def test_every_figure_is_written_as_png_and_svg(groups, tmp_path):
    paths = write_figures(groups, tmp_path / "new" / "folder")
    assert sorted(path.name for path in paths) == sorted(
        f"{name}.{suffix}" for name in NAMES for suffix in ("png", "svg")
    )
    for path in paths:
        if path.suffix == ".svg":
            assert path.read_text(encoding="utf-8").rstrip().endswith("</svg>")
        else:
            pixels = np.rint(255 * np.asarray(matplotlib.image.imread(path))[:, :, :3])
            colors = np.unique(pixels @ [1.0, 256.0, 65536.0])
            assert len(colors) > 20  # Something is drawn.


def test_figures_of_one_run_are_the_same_every_time(groups, tmp_path):
    first, second = (write_figures(groups[4:], tmp_path / name) for name in "ab")
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
