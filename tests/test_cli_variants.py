"""`lapis train --variant`: help, names, errors, and flags beside it."""

import pytest

from lapis import recipes
from lapis.cli import UsageError, main
from lapis.cli.train import parse, recipe_start
from lapis.recipes.variants import VARIANTS, techtree_variant

FUNCTIONS = {"demo": recipes.demo, "techtree": recipes.techtree_bidirectional}


def parsed(*rest: str):
    start = recipe_start("techtree", FUNCTIONS)
    return parse(start, list(rest), "lapis train techtree").config


@pytest.mark.parametrize("form", [["--variant", "half_window"], ["--variant=half_window"]])
def test_a_variant_changes_the_defaults(form):
    assert parsed(*form) == techtree_variant("half_window")


def test_flags_change_what_is_no_part_of_the_variant():
    config = parsed("--variant", "time_scale_long", "--seed", "7", "--curriculum.floor", "0.5")
    assert (config.treatment, config.seed, config.curriculum.floor) == ("time_scale_long", 7, 0.5)
    base = techtree_variant("bidirectional").curriculum.time_scale
    assert config.curriculum.time_scale == 4 * base


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (
            ["--variant", "learnabilty"],
            "unknown variant `learnabilty`; did you mean `learnability`",
        ),
        (["--variant"], "unknown variant ``; there are: success_band, learnability"),
        (["--variant", "uniform"], "is one of the paper's treatments: --treatment uniform"),
        (["--variant=no_floor", "--treatment=uniform"], "exclude each other"),
        (
            ["--variant", "no_floor", "--curriculum.floor", "0.1"],
            "curriculum.floor is 0.1; it must be 0.0 in the variant 'no_floor'",
        ),
    ],
)
def test_errors_say_what_to_do(rest, message):
    with pytest.raises(UsageError, match=message):
        parsed(*rest)


def test_the_run_is_named_after_the_variant(monkeypatch, tmp_path):
    calls = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "lapis.running.run.start", lambda path, **settings: calls.append((path, settings)) or 0
    )
    assert main(["train", "demo", "--variant", "no_floor"]) == 0
    ((path, settings),) = calls
    assert str(path) == "runs/demo-no_floor"
    assert settings["recipe"] == "demo-no_floor"
    assert settings["config"].variant == "no_floor"


def test_help_lists_every_variant(capsys):
    assert main(["train"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for variant in VARIANTS.values():
        assert any(
            line.split()[:1] == [variant.name] and line.endswith(variant.description)
            for line in lines
        ), variant.name
