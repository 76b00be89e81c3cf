"""Treatments, rivals and ablations are told apart."""

import pytest

from lapis.report.command import load_groups, write_compact
from lapis.report.figures import write_figures
from lapis.report.grouping import reference_group, split_groups
from lapis.report.page import report_html
from lapis.report.series import PAPER
from lapis.runs import RunError, RunFolder
from lapis.treatments import TREATMENTS
from tests.report.synthetic import make_run


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Two treatments, two rivals, one of which has no name, and an ablation."""
    folder = tmp_path_factory.mktemp("mixed")
    more = [
        ("uniform", {}),
        ("bidirectional", {"label": "custom", "curriculum": {"kind": "mine"}}),
        ("bidirectional", {}),
        ("bidirectional", {"label": "learnability"}),
        ("bidirectional", {"label": "no_inheritance"}),
    ]
    return [
        make_run(folder / f"{index}-{seed}", name, seed, updates=8, evaluation=True, **settings)
        for index, (name, settings) in enumerate(more)
        for seed in range(2)
    ]


def test_runs_are_named_by_their_treatment_or_else_by_curriculum_and_bonus(mixed):
    groups = load_groups(mixed)
    treatments, variants = split_groups(groups)
    assert [group.label for group in treatments] == ["uniform", "bidirectional"]
    assert [group.label for group in variants] == [
        "mine, dynamic bonus 0.5",
        "learnability",
        "no inheritance",
    ]
    assert [group.name for group in groups] == [
        *("uniform", "bidirectional", "mine_dynamic_bonus_0.5", "learnability", "no_inheritance"),
    ]
    assert reference_group(treatments).label == "bidirectional"


def test_which_goals_pay_a_bonus_counts_and_not_how_it_is_spelled(tmp_path):
    spellings = ({"bonus_goals": None}, {"bonus_goals": ["log", "planks"]}, {})
    goals = ["log", "planks", "quartz_block"]
    paths = [
        make_run(
            tmp_path / str(seed),
            seed=seed,
            updates=3,
            simonsays={"goals": goals, "bonus": "fixed", "bonus_goals": None, **own},
        )
        for seed, own in enumerate(spellings)
    ]
    assert [len(group.runs) for group in load_groups(paths)] == [3]


def test_without_treatments_every_group_is_shown(tmp_path):
    paths = [
        make_run(tmp_path / "a", updates=3, label="no_floor"),
        make_run(tmp_path / "b", updates=3, label="learnability"),
    ]
    treatments, variants = split_groups(load_groups(paths))
    assert [group.label for group in treatments] == ["no floor", "learnability"]
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
        *("mine_dynamic_bonus_0.5-seed-0.npz", "mine_dynamic_bonus_0.5-seed-1.npz"),
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


def test_every_treatment_keeps_its_name(tmp_path):
    from lapis.recipes import techtree
    from lapis.train.config import to_dict, with_treatment

    paths = []
    for name in TREATMENTS:
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
    assert {group.name: group.runs[0].path.name for group in groups} == {
        name: name for name in TREATMENTS
    }
    treatments, variants = split_groups(groups)
    assert [group.treatment for group in treatments] == list(PAPER)
    assert len(variants) == len(TREATMENTS) - 5
