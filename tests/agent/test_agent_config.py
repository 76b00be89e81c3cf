import pytest

from lapis.agent import PolicyConfig, PPOConfig, paper_ppo


def test_paper_values():
    paper = paper_ppo()
    assert (paper.clip, paper.entropy_coefficient) == (0.2, 0.01)
    assert (paper.discount, paper.trace_decay) == (0.999, 0.95)
    assert (paper.learning_rate, paper.sequence_steps) == (3e-5, 10)
    assert (paper.minibatch_sequences, paper.sample_reuse) == (3264, 1.9)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("learning_rate", 0.0),
        ("learning_rate", float("nan")),
        ("final_learning_rate", 0.0),
        ("learning_rate_updates", -1),
        ("discount", 1.01),
        ("trace_decay", -0.1),
        ("clip", -1.0),
        ("entropy_coefficient", -0.01),
        ("final_entropy_coefficient", float("nan")),
        ("entropy_updates", -1),
        ("sequence_steps", 0),
        ("minibatch_sequences", 0),
        ("microbatch_sequences", -1),
        ("sample_reuse", float("inf")),
    ],
)
def test_settings_out_of_range_are_refused_by_name_and_value(name, value):
    with pytest.raises(ValueError, match=f"{name} is {value}".replace("+", r"\+")):
        PPOConfig(**{name: value})


def test_the_weight_of_the_entropy_goes_in_a_straight_line_and_stays():
    settings = PPOConfig(
        entropy_coefficient=0.02, final_entropy_coefficient=0.01, entropy_updates=100
    )
    weights = [settings.entropy_coefficient_at(update) for update in (0, 25, 100, 5000)]
    assert weights == pytest.approx([0.02, 0.0175, 0.01, 0.01])


def test_the_weight_of_the_entropy_is_constant_in_the_paper_and_unless_asked():
    assert {paper_ppo().entropy_coefficient_at(update) for update in (0, 1, 10**6)} == {0.01}
    assert PPOConfig(final_entropy_coefficient=0.5).entropy_coefficient_at(10) == 0.01


def test_the_learning_rate_goes_in_a_straight_line_and_stays():
    settings = PPOConfig(learning_rate=5e-4, final_learning_rate=1e-4, learning_rate_updates=10)
    rates = [settings.learning_rate_at(update) for update in (0, 5, 10, 99)]
    assert rates == pytest.approx([5e-4, 3e-4, 1e-4, 1e-4])
    assert {paper_ppo().learning_rate_at(update) for update in (0, 1, 10**6)} == {3e-5}


def test_width_must_be_positive():
    with pytest.raises(ValueError, match="width is 0"):
        PolicyConfig(width=0)


def test_precision_is_one_of_two():
    with pytest.raises(ValueError, match="precision is 'float16'; it must be one of"):
        PolicyConfig(precision="float16")  # pyright: ignore[reportArgumentType]
