"""Treatments, rivals and ablations are told apart."""

import pytest

from lapis.report.command import load_groups, write_compact
from lapis.report.figures import write_figures
from lapis.report.grouping import reference_group, split_groups
from lapis.report.page import report_html
from lapis.report.series import TREATMENTS
from lapis.runs import RunError, RunFolder
from tests.report.synthetic import make_run

SLOW = {"kind": "learning_progress", "direction": "both", "time_scale": 500.0}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Two treatments, an ablation told by its settings, a rival, and a variant with a name."""
    folder = tmp_path_factory.mktemp("mixed")
    more = [
        ("uniform", {}),
        ("bidirectional", {"curriculum": SLOW}),
        ("bidirectional", {}),
        ("bidirectional", {"curriculum": {"kind": "learnability", "time_scale": 50.0}}),
        ("bidirectional", {"label": "no_inheritance"}),
    ]
    return [
        make_run(folder / f"{index}-{seed}", name, seed, updates=8, evaluation=True, **settings)
        for index, (name, settings) in enumerate(more)
        for seed in range(2)
    ]


def test_the_group_with_the_usual_settings_is_the_treatment(mixed):
    groups = load_groups(mixed)
    treatments, variants = split_groups(groups)
    assert [group.label for group in treatments] == ["uniform", "bidirectional"]
    assert [group.label for group in variants] == [
        "bidirectional, time_scale 500.0",
        "learnability",
        "no inheritance",
    ]
    assert [group.name for group in groups] == [
        *("uniform", "bidirectional", "bidirectional_time_scale_500.0"),
        *("learnability", "no_inheritance"),
    ]
    assert reference_group(treatments).label == "bidirectional"


def test_a_variant_named_as_a_treatment_is_that_treatment(tmp_path):
    path = make_run(tmp_path / "a", updates=3, curriculum=SLOW, label="uniform_dynamic")
    (group,) = load_groups([path])
    assert group.treatment is not None
    assert group.treatment.name == group.name == "uniform_dynamic"


def test_without_treatments_every_group_is_shown(tmp_path):
    paths = [
        make_run(tmp_path / "a", updates=3, label="one"),
        make_run(tmp_path / "b", updates=3, label="two"),
    ]
    treatments, variants = split_groups(load_groups(paths))
    assert [group.label for group in treatments] == ["one", "two"]
    assert variants == []


def test_variants_have_their_own_section_and_figure(mixed, tmp_path):
    groups = load_groups(mixed)
    page = report_html(groups)
    assert 'id="variants"' in page
    figure_2 = page.partition('id="figure-2"')[2].partition("</section>")[0]
    assert figure_2.count("<figure>") == 2
    figure = page.partition('id="variants"')[2].partition("</svg>")[0]
    assert figure.count('class="part"') == 4  # Three variants and the reference.
    names = {path.name for path in write_figures(groups, tmp_path)}
    assert {"variants.png", "variants.svg"} <= names


def test_compact_files_are_named_by_variant_and_seed(mixed, tmp_path):
    paths = write_compact(load_groups(mixed[:4]), tmp_path / "tables")
    assert sorted(path.name for path in paths) == [
        *("bidirectional-seed-0.npz", "bidirectional-seed-1.npz"),
        *("uniform-seed-0.npz", "uniform-seed-1.npz"),
    ]


def test_compact_files_make_the_same_groups(mixed, tmp_path):
    groups = load_groups(mixed)
    again = load_groups(write_compact(groups, tmp_path))
    assert [group.label for group in again] == [group.label for group in groups]
    assert [len(group.runs) for group in again] == [2] * 5


def test_two_runs_of_one_seed_cannot_be_compacted_together(tmp_path):
    paths = [make_run(tmp_path / name, updates=3) for name in ("a", "b")]
    with pytest.raises(RunError, match="are both seed 0 of bidirectional"):
        write_compact(load_groups(paths), tmp_path / "tables")
    assert not (tmp_path / "tables").exists()


def test_variants_of_the_recipes_keep_their_names(tmp_path):
    from lapis.recipes import techtree
    from lapis.train.config import to_dict, with_treatment
    from lapis.treatments import TREATMENTS as ALL

    paths = []
    for name in ALL:
        folder = RunFolder.create(
            tmp_path / name,
            config=to_dict(with_treatment(techtree(), name)),
            recipe="r",
            command=["c"],
            goals=("a",),
        )
        with folder.writing() as log:
            log.append({"update": 1, "frames": 1, "success": [0.5], "probabilities": [1.0]})
        paths.append(folder.path)
    groups = load_groups(paths)
    assert {group.name: group.runs[0].path.name for group in groups} == {name: name for name in ALL}
    treatments, variants = split_groups(groups)
    assert [group.name for group in treatments] == [each.name for each in TREATMENTS]
    assert len(variants) == len(ALL) - 5
