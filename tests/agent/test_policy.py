import pytest
import torch

from lapis.agent.config import PolicyConfig
from lapis.agent.encoders import LinearEncoder, build_encoders
from lapis.agent.policy import Policy


@pytest.fixture
def observation():
    torch.manual_seed(0)
    return {
        "vector": torch.randn(4, 6),
        "inventory": torch.randint(0, 9, (4, 5), dtype=torch.int32),
        "goal": torch.tensor([2, 0, 2, 1]),
        "exploration_set": torch.tensor([True, False, True]),
    }


@pytest.fixture
def policy(observation):
    torch.manual_seed(1)
    return Policy(build_encoders(observation, PolicyConfig(width=8), goal_count=3), (4, 3), width=8)


def timed(observation):
    return {
        name: value if name == "exploration_set" else value.unsqueeze(0)
        for name, value in observation.items()
    }


def test_embeddings_are_the_sum_of_one_linear_map_per_observation(policy, observation):
    encoders = policy.encoders
    goal = torch.nn.functional.one_hot(observation["goal"], 3).float() @ encoders["goal"].weight
    expected = (
        encoders["vector"](observation["vector"])
        + encoders["inventory"](observation["inventory"].float())
        + goal
        + encoders["exploration_set"](observation["exploration_set"].float())
    )
    embedded = sum(policy._embed(timed(observation)).values())
    torch.testing.assert_close(embedded[0], expected)


def test_logits_and_values_have_a_row_per_step_and_world(policy, observation):
    first = torch.ones(1, 4, dtype=torch.bool)
    logits, value, state = policy(timed(observation), first, policy.initial_state(4))
    assert logits.shape == (1, 4, 7)
    assert value.shape == (1, 4)
    assert state.hidden_SH.shape == state.cell_SH.shape == (4, 8)


def test_trunk_is_lstm_then_a_rectified_layer_then_two_linear_heads(policy, observation):
    first = torch.ones(1, 4, dtype=torch.bool)
    logits, value, _ = policy(timed(observation), first, policy.initial_state(4))
    embedded = sum(policy._embed(timed(observation)).values())
    hidden, _ = policy.lstm(embedded, first, policy.initial_state(4))
    trunk = policy.layer(hidden).clamp(min=0)
    torch.testing.assert_close(logits, policy.action_head(trunk))
    torch.testing.assert_close(value, policy.value_head(trunk)[..., 0])


def test_worlds_do_not_see_each_other(policy, observation):
    first = torch.ones(1, 4, dtype=torch.bool)
    changed = {name: value.clone() for name, value in observation.items()}
    changed["vector"][3] += 1.0
    before, _, _ = policy(timed(observation), first, policy.initial_state(4))
    after, _, _ = policy(timed(changed), first, policy.initial_state(4))
    assert torch.equal(before[0, :3], after[0, :3])
    assert not torch.equal(before[0, 3], after[0, 3])


def test_a_new_policy_chooses_almost_evenly(policy, observation):
    first = torch.ones(1, 4, dtype=torch.bool)
    logits, _, _ = policy(timed(observation), first, policy.initial_state(4))
    assert logits.abs().max() < 0.1


def test_policy_names_the_observations_it_misses(policy, observation):
    del observation["goal"]
    first = torch.ones(1, 4, dtype=torch.bool)
    with pytest.raises(ValueError, match="lacks \\['goal'\\]"):
        policy(timed(observation), first, policy.initial_state(4))


def test_policy_without_observations_is_refused():
    with pytest.raises(ValueError, match="encoders is empty"):
        Policy({}, (2,), width=4)


def test_an_observation_without_encoder_is_refused_by_name():
    frame = torch.zeros(4, 64, 32, 3, dtype=torch.uint8)
    with pytest.raises(ValueError, match="'frame' has shape"):
        build_encoders({"frame": frame}, PolicyConfig(width=8), goal_count=3)


def test_a_policy_without_encoder_for_the_exploration_set_does_not_see_it(observation):
    encoders = build_encoders(
        observation, PolicyConfig(width=8, observe_exploration_set=False), goal_count=3
    )
    assert encoders.keys() == {"vector", "inventory", "goal"}
    policy = Policy(encoders, (4, 3), width=8)
    first = torch.ones(1, 4, dtype=torch.bool)
    outputs = []
    for members in ([True, False, True], [False, True, False]):
        observation["exploration_set"] = torch.tensor(members)
        logits, values, _ = policy(timed(observation), first, policy.initial_state(4))
        outputs.append((logits, values))
    assert torch.equal(outputs[0][0], outputs[1][0])
    assert torch.equal(outputs[0][1], outputs[1][1])


def test_any_encoder_of_the_right_width_can_be_added(observation):
    class Mean(LinearEncoder):
        def forward(self, input):
            return super().forward(input.float().mean(dim=(-3, -2)))

    encoders = build_encoders(observation, PolicyConfig(width=8), goal_count=3) | {
        "frame": Mean(3, 8)
    }
    policy = Policy(encoders, (4,), width=8)
    observation["frame"] = torch.zeros(4, 16, 16, 3, dtype=torch.uint8)
    first = torch.ones(1, 4, dtype=torch.bool)
    logits, _, _ = policy(timed(observation), first, policy.initial_state(4))
    assert logits.shape == (1, 4, 4)


def test_a_new_policy_follows_its_prior(observation):
    torch.manual_seed(1)
    prior = [0.0, 1.0, 2.0, 3.0, -1.0, 0.0, 1.0]
    encoders = build_encoders(observation, PolicyConfig(width=8), goal_count=3)
    policy = Policy(encoders, (4, 3), width=8, action_prior=prior)
    first = torch.zeros(1, 4, dtype=torch.bool)
    with torch.no_grad():
        logits, _, _ = policy(timed(observation), first, policy.initial_state(4))
        torch.nn.init.zeros_(policy.action_head.weight)
        exact, _, _ = policy(timed(observation), first, policy.initial_state(4))
    torch.testing.assert_close(logits, torch.tensor(prior).expand(1, 4, 7), rtol=0, atol=0.1)
    assert torch.equal(exact, torch.tensor(prior).expand(1, 4, 7))
    assert "habit_A" not in policy.state_dict()


def test_a_prior_of_another_length_are_refused(observation):
    encoders = build_encoders(observation, PolicyConfig(width=8), goal_count=3)
    with pytest.raises(ValueError, match="action_prior has 2 scores"):
        Policy(encoders, (4, 3), width=8, action_prior=[0.0, 1.0])
