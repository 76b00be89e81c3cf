import pytest

from lapis.agent import ImpalaConfig, PolicyConfig, PPOConfig, Schedule, paper_ppo


def test_paper_values():
    paper = paper_ppo()
    assert (paper.clip, paper.entropy_coefficient) == (0.2, Schedule(0.01))
    assert (paper.discount, paper.trace_decay) == (0.999, 0.95)
    assert (paper.learning_rate, paper.sequence_steps) == (Schedule(3e-5), 10)
    assert (paper.minibatch_sequences, paper.sample_reuse) == (3264, 1.9)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("discount", 1.01),
        ("trace_decay", -0.1),
        ("clip", -1.0),
        ("sequence_steps", 0),
        ("minibatch_sequences", 0),
        ("microbatch_sequences", -1),
        ("sample_reuse", float("inf")),
    ],
)
def test_settings_out_of_range_are_refused_by_name_and_value(name, value):
    with pytest.raises(ValueError, match=f"{name} is {value}".replace("+", r"\+")):
        PPOConfig(**{name: value})


@pytest.mark.parametrize(
    ("name", "schedule", "value"),
    [
        ("learning_rate", Schedule(0.0), 0.0),
        ("learning_rate", Schedule(1e-4, float("nan"), 3), "nan"),
        ("entropy_coefficient", Schedule(0.01, -0.5, 3), -0.5),
    ],
)
def test_both_ends_of_a_schedule_are_checked(name, schedule, value):
    with pytest.raises(ValueError, match=f"{name} is {value}"):
        PPOConfig(**{name: schedule})


def test_width_must_be_positive():
    with pytest.raises(ValueError, match="width is 0"):
        PolicyConfig(width=0)


def test_precision_is_one_of_two():
    with pytest.raises(ValueError, match="precision is 'float16'; it must be one of"):
        ImpalaConfig(precision="float16")  # pyright: ignore[reportArgumentType]
