import math

import pytest
import torch

from lapis.agent import ppo
from lapis.agent.config import PPOConfig
from lapis.agent.lstm import LSTMState
from lapis.agent.policy import Policy


def gae_of(reward, value, next_value, terminated=(), restarted=(), discount=(), trace_decay=0.5):
    """One world; `terminated` and `restarted` list the steps where they are true."""

    def flags(steps):
        return torch.tensor([[step in steps] for step in range(len(reward))])

    advantage = ppo.gae(
        torch.tensor(reward).unsqueeze(1),
        torch.tensor(value).unsqueeze(1),
        torch.tensor([next_value]),
        torch.tensor(discount or [0.5] * len(reward)).unsqueeze(1),
        flags(terminated),
        flags(restarted),
        trace_decay=trace_decay,
    )
    return advantage[:, 0].tolist()


def test_gae_sums_discounted_errors():
    # errors: 1 + .5*4 - 2 = 1;  0 + .5*6 - 4 = -1;  2 + .5*8 - 6 = 0
    # sums with factor .25: A2 = 0; A1 = -1; A0 = 1 - .25
    assert gae_of([1.0, 0.0, 2.0], [2.0, 4.0, 6.0], 8.0) == [0.75, -1.0, 0.0]


def test_long_steps_are_discounted_more():
    # errors: 1 + .5*4 - 2 = 1;  0 + .25*6 - 4 = -2.5;  2 + .125*8 - 6 = -3
    # A1 = -2.5 + .5*.25*-3 = -2.875;  A0 = 1 + .5*.5*-2.875
    got = gae_of([1.0, 0.0, 2.0], [2.0, 4.0, 6.0], 8.0, discount=[0.5, 0.25, 0.125])
    assert got == [0.28125, -2.875, -3.0]


def test_termination_cuts():
    # Step 0 terminates: its error is 1 - 2. Step 1 only resets: zero. Step 2: 2 + .5*8 - 6 = 0.
    got = gae_of([1.0, 0.0, 2.0], [2.0, 100.0, 6.0], 8.0, terminated=[0], restarted=[1])
    assert got == [-1.0, 0.0, 0.0]


def test_truncation_bootstraps_from_the_final_observation():
    # Step 0 is cut by time: its error is 1 + .5*4 - 2 = 1 with the final observation's value 4.
    # What follows the reset (an error of 3 + .5*8 - 6 = 1) must not reach it.
    got = gae_of([1.0, 0.0, 3.0], [2.0, 4.0, 6.0], 8.0, restarted=[1])
    assert got == [1.0, 0.0, 1.0]


def test_truncation_in_the_last_step_bootstraps_from_the_next_value():
    assert gae_of([1.0], [2.0], 4.0) == [1.0]


def test_termination_in_the_last_step_ignores_the_next_value():
    assert gae_of([1.0], [2.0], 4.0, terminated=[0]) == [-1.0]


def test_worlds_do_not_mix():
    torch.manual_seed(0)
    reward, value = torch.randn(2, 6, 3)
    next_value = torch.randn(3)
    terminated = torch.rand(6, 3) < 0.3
    restarted = torch.cat([torch.zeros(1, 3, dtype=torch.bool), terminated[:-1]])
    discount = torch.rand(6, 3)
    together = ppo.gae(reward, value, next_value, discount, terminated, restarted, trace_decay=0.8)
    for world in range(3):
        one = slice(world, world + 1)
        alone = ppo.gae(
            reward[:, one], value[:, one], next_value[one], discount[:, one], terminated[:, one],
            restarted[:, one], trace_decay=0.8,
        )  # fmt: skip
        assert torch.equal(together[:, one], alone)


def test_policy_loss_clips_gains_and_not_losses():
    ratio = torch.tensor([1.5, 0.5, 1.5, 0.5, 1.1])
    advantage = torch.tensor([1.0, 1.0, -1.0, -1.0, 2.0])
    # min(ratio A, clipped A): 1.2, 0.5, -1.5, -0.8, 2.2; sum 1.6
    loss = ppo.policy_loss(ratio.log(), torch.zeros(5), advantage, torch.ones(5), clip=0.2)
    torch.testing.assert_close(loss, torch.tensor(-1.6 / 5))


def test_policy_loss_has_no_gradient_beyond_the_clip():
    log_probability = torch.tensor([1.5, 0.5, 1.1]).log().requires_grad_()
    advantage = torch.tensor([1.0, -1.0, 2.0])
    loss = ppo.policy_loss(log_probability, torch.zeros(3), advantage, torch.ones(3), clip=0.2)
    (gradient,) = torch.autograd.grad(loss, log_probability)
    # Inside the clip: - A ratio / 3 = -2.2 / 3.
    torch.testing.assert_close(gradient, torch.tensor([0.0, 0.0, -2.2 / 3]))


def test_steps_of_weight_zero_count_in_no_loss():
    weight = torch.tensor([1.0, 0.0, 1.0])
    values, targets = torch.tensor([1.0, 50.0, 3.0]), torch.tensor([2.0, 0.0, 5.0])
    # half of (1 + 4) / 2
    torch.testing.assert_close(ppo.value_loss(values, targets, weight), torch.tensor(1.25))
    ratio = torch.tensor([1.1, 9.0, 0.9])
    loss = ppo.policy_loss(ratio.log(), torch.zeros(3), torch.ones(3), weight, clip=0.2)
    torch.testing.assert_close(loss, torch.tensor(-1.0))


def test_advantages_are_normalized_over_counting_steps():
    advantage, weight = torch.tensor([1.0, 1000.0, 3.0]), torch.tensor([1.0, 0.0, 1.0])
    normal = ppo.normalize(advantage, weight)
    torch.testing.assert_close(normal[[0, 2]], torch.tensor([-1.0, 1.0]))


def test_equal_advantages_normalize_to_zero():
    normal = ppo.normalize(torch.full((4,), 2.5), torch.ones(4))
    assert normal.tolist() == [0.0] * 4


def test_explained_variance_of_perfect_constant_and_unvarying():
    target, weight = torch.tensor([1.0, 2.0, 4.0]), torch.ones(3)
    assert ppo.explained_variance(target, target, weight) == 1.0
    constant = ppo.explained_variance(torch.full((3,), 9.0), target, weight)
    torch.testing.assert_close(constant, torch.tensor(0.0), rtol=0, atol=1e-6)
    assert ppo.explained_variance(target, torch.ones(3), weight) == 0.0


@pytest.mark.parametrize(("reuse", "uses"), [(1.0, [1]), (1.9, [1, 2]), (0.3, [0, 1]), (3.0, [3])])
def test_each_sequence_is_used_as_often_as_the_reuse_says(reuse, uses):
    order = ppo.sequence_order(100, reuse, torch.Generator().manual_seed(0))
    assert len(order) == round(100 * reuse)
    count = torch.bincount(order, minlength=100)
    assert sorted(set(count.tolist())) == uses
    assert not torch.equal(order, order.sort().values)


def test_minibatches_are_all_of_about_one_size():
    order = torch.arange(190)
    parts = ppo.minibatches(order, 64)
    assert [len(part) for part in parts] == [64, 63, 63]
    assert torch.equal(torch.cat(parts), order)


def test_orders_shorter_than_a_minibatch_are_one_minibatch():
    assert [len(part) for part in ppo.minibatches(torch.arange(5), 64)] == [5]


class FixedPolicy(Policy):
    """Gives set logits and values, so that a loss can be computed by hand."""

    def __init__(self, logits, value):
        torch.nn.Module.__init__(self)
        self.prior_A = None
        self.action_sizes = (logits.shape[-1],)
        self.logits, self.value = torch.nn.Parameter(logits), torch.nn.Parameter(value)

    def forward(self, observation, first_TW, state):
        return self.logits, self.value, state


def batch_of(**changes):
    """Two steps of one world; the second only resets."""
    fields = {
        "observation": {},
        "first_LS": torch.zeros(2, 1, dtype=torch.bool),
        "state": LSTMState(torch.zeros(1, 1), torch.zeros(1, 1)),
        "mask_LSA": torch.tensor([[[True, True, False]], [[True, True, True]]]),
        "action_LSK": torch.tensor([[[1]], [[0]]]),
        "log_probability_LS": torch.tensor([[math.log(0.625)], [-5.0]]),
        "advantage_LS": torch.tensor([[2.0], [100.0]]),
        "return_LS": torch.tensor([[3.0], [100.0]]),
        "value_scale": torch.tensor(1.0),
        "weight_LS": torch.tensor([[1.0], [0.0]]),
    }
    return ppo.Batch(**{**fields, **changes})


def test_batch_loss_equals_the_hand_computed_one():
    logits = torch.tensor([[[0.0, math.log(3.0), 9.0]], [[1.0, 2.0, 3.0]]])
    policy = FixedPolicy(logits, torch.tensor([[1.0], [7.0]]))
    config = PPOConfig(value_coefficient=0.5, clip=0.1)
    loss, parts = ppo.batch_loss(policy, batch_of(), config, 0.1)
    ratio = 0.75 / 0.625  # 1.2, clipped to 1.1
    entropy = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    expected = {
        "policy": -1.1 * 2.0,
        "value": 0.5 * (1.0 - 3.0) ** 2,
        "entropy": entropy,
        "kl": ratio - 1 - math.log(ratio),
        "clip_share": 1.0,
    }
    for name, value in expected.items():
        torch.testing.assert_close(parts[name], torch.tensor(value), msg=name)
    torch.testing.assert_close(loss, torch.tensor(-2.2 + 0.5 * 2.0 - 0.1 * entropy))


def test_the_value_loss_is_scaled():
    policy = FixedPolicy(torch.zeros(2, 1, 3), torch.tensor([[1.0], [7.0]]))
    config = PPOConfig(value_coefficient=0.5)
    batch = batch_of(value_scale=torch.tensor(4.0))
    _, parts = ppo.batch_loss(policy, batch, config, 0.0)
    torch.testing.assert_close(parts["value"], torch.tensor(4.0 * 0.5 * (1.0 - 3.0) ** 2))


def test_variance_is_weighted():
    """By hand: of 1, 3 and 50 with weights 1, 1 and 0 the mean is 2 and the variance 1."""
    value, weight = torch.tensor([1.0, 3.0, 50.0]), torch.tensor([1.0, 1.0, 0.0])
    torch.testing.assert_close(ppo.variance(value, weight), torch.tensor(1.0))


def test_with_a_prior_the_entropy_term_is_minus_the_divergence_from_it():
    """By hand: p = (1/4, 3/4), a prior of 1 : 2 among what is allowed, that is (1/3, 2/3)."""
    logits = torch.tensor([[[0.0, math.log(3.0), 9.0]], [[1.0, 2.0, 3.0]]])
    policy = FixedPolicy(logits, torch.tensor([[1.0], [7.0]]))
    config = PPOConfig(value_coefficient=0.0)
    batch = batch_of(advantage_LS=torch.zeros(2, 1))
    policy.prior_A = torch.tensor([0.0, math.log(2.0), 5.0])
    loss, parts = ppo.batch_loss(policy, batch, config, 0.1)
    divergence = 0.25 * math.log(0.25 * 3) + 0.75 * math.log(0.75 * 3 / 2)
    constant = math.log(3.0)  # The prior's scores are not normalized.
    torch.testing.assert_close(loss, torch.tensor(0.1 * (divergence - constant)))
    entropy = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    torch.testing.assert_close(parts["entropy"], torch.tensor(entropy))


def test_the_entropy_term_leaves_the_prior_as_it_is():
    prior = torch.tensor([0.3, -1.0, 2.0])
    policy = FixedPolicy(prior.expand(2, 1, 3).clone(), torch.zeros(2, 1))
    policy.prior_A = prior
    batch = batch_of(advantage_LS=torch.zeros(2, 1), return_LS=torch.zeros(2, 1))
    loss, _ = ppo.batch_loss(policy, batch, PPOConfig(), 1.0)
    loss.backward()
    assert policy.logits.grad.abs().max() < 1e-6


def test_a_step_that_only_resets_moves_no_weight():
    policy = FixedPolicy(torch.zeros(2, 1, 3), torch.zeros(2, 1))
    loss, _ = ppo.batch_loss(policy, batch_of(), PPOConfig(), 0.01)
    loss.backward()
    assert policy.logits.grad is not None
    assert policy.value.grad is not None
    assert policy.logits.grad[1].abs().max() == 0.0
    assert policy.value.grad[1].abs().max() == 0.0
    assert policy.logits.grad[0].abs().max() > 0.0


@pytest.mark.parametrize("field", ["advantage_LS", "return_LS", "log_probability_LS"])
def test_a_loss_that_is_not_finite_changes_no_weight_nor_does_what_follows(field):
    policy = FixedPolicy(torch.zeros(2, 1, 3), torch.zeros(2, 1))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1.0, fused=True)
    bad = batch_of(**{field: torch.tensor([[float("nan")], [0.0]])})
    ppo.update(policy, optimizer, [batch_of()], PPOConfig(), 0.01)
    before = [parameter.detach().clone() for parameter in policy.parameters()]
    moments = [state["exp_avg"].clone() for state in optimizer.state.values()]
    rows = ppo.update(policy, optimizer, [bad, batch_of()], PPOConfig(), 0.01).tolist()
    for parameter, old in zip(policy.parameters(), before, strict=True):
        assert torch.equal(parameter, old)
    for state, old in zip(optimizer.state.values(), moments, strict=True):
        assert torch.equal(state["exp_avg"], old)
        assert state["step"] == 1
    with pytest.raises(FloatingPointError, match=r"update 12, minibatch 0: .*policy .*value"):
        ppo.check_finite(rows, number=12)


def test_steps_go_on_in_the_next_update_after_good_ones():
    policy = FixedPolicy(torch.zeros(2, 1, 3), torch.zeros(2, 1))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1.0, fused=True)
    for number in range(2):
        before = [parameter.detach().clone() for parameter in policy.parameters()]
        rows = ppo.update(policy, optimizer, [batch_of()], PPOConfig(), 0.01).tolist()
        ppo.check_finite(rows, number=number)
        for parameter, old in zip(policy.parameters(), before, strict=True):
            assert not torch.equal(parameter, old)


def test_update_limits_the_gradient_and_reports_its_norm():
    policy = FixedPolicy(torch.zeros(2, 1, 3), torch.zeros(2, 1))
    optimizer = torch.optim.SGD(policy.parameters(), lr=1.0, fused=True)
    before = torch.cat([parameter.detach().flatten() for parameter in policy.parameters()])
    rows = ppo.update(policy, optimizer, [batch_of()], PPOConfig(gradient_limit=0.25), 0.01)
    after = torch.cat([parameter.detach().flatten() for parameter in policy.parameters()])
    assert rows.shape == (1, len(ppo.LOGGED))
    assert rows[0, ppo.LOGGED.index("gradient_norm")] > 0.25
    torch.testing.assert_close((after - before).norm(), torch.tensor(0.25))


class LinearPolicy(Policy):
    """Logits and values that depend on what each step shows."""

    def __init__(self):
        torch.nn.Module.__init__(self)
        self.prior_A = None
        self.action_sizes = (3,)
        self.linear = torch.nn.Linear(2, 4)

    def forward(self, observation, first_TW, state):
        assert observation["exploration_set"].shape == (5,)  # The same for all.
        assert state.hidden_SH.shape[0] == first_TW.shape[1]
        result = self.linear(observation["vector"] + state.hidden_SH)
        return result[..., :3], result[..., 3], state


def random_batch(sequence_count, step_count=3):
    generator = torch.Generator().manual_seed(5)
    shape = (step_count, sequence_count)

    def normal(*more):
        return torch.randn(*shape, *more, generator=generator)

    # Weights of very different sums in the parts, one of them zero.
    weight = (torch.arange(sequence_count) % 4 < 2).float().expand(shape).clone()
    weight[:, :2] = 0.0
    return ppo.Batch(
        observation={"vector": normal(2), "exploration_set": torch.ones(5)},
        first_LS=torch.zeros(shape, dtype=torch.bool),
        state=LSTMState(torch.randn(sequence_count, 2, generator=generator), normal(2)[0]),
        mask_LSA=torch.ones(*shape, 3, dtype=torch.bool),
        action_LSK=torch.zeros(*shape, 1, dtype=torch.int64),
        log_probability_LS=normal() - 1.0,
        advantage_LS=normal(),
        return_LS=normal(),
        value_scale=torch.tensor(1.0),
        weight_LS=weight,
    )


def test_a_batch_splits_into_whole_sequences():
    batch = random_batch(7)
    parts = list(batch.split(3))
    assert [part.first_LS.shape[1] for part in parts] == [2, 2, 3]
    for name in ("weight_LS", "mask_LSA", "action_LSK", "advantage_LS", "return_LS"):
        joined = torch.cat([getattr(part, name) for part in parts], dim=1)
        assert torch.equal(joined, getattr(batch, name)), name
    assert torch.equal(torch.cat([part.state.cell_SH for part in parts]), batch.state.cell_SH)
    assert torch.equal(
        torch.cat([part.observation["vector"] for part in parts], dim=1),
        batch.observation["vector"],
    )


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_microbatches_add_up_to_the_gradient_and_the_log_of_the_whole(size):
    torch.manual_seed(0)
    policy, batch = LinearPolicy(), random_batch(9)
    results = []
    for limit in (0, size):
        policy.zero_grad()
        logged = ppo.add_gradient(policy, batch, PPOConfig(microbatch_sequences=limit), 0.01)
        results.append((logged, [parameter.grad.clone() for parameter in policy.parameters()]))
    (whole, gradient), (parts, sum_of_gradients) = results
    torch.testing.assert_close(sum_of_gradients, gradient)
    assert max(float(each.abs().max()) for each in gradient) > 0.01
    assert whole.keys() == parts.keys()
    for name in whole:
        torch.testing.assert_close(parts[name], whole[name], msg=name)


def test_the_weights_of_microbatches_by_hand():
    """Errors of 1 in one step of one sequence and 3 in two steps of another: half of 19 / 3."""
    policy = FixedPolicy(torch.zeros(2, 1, 3), torch.zeros(2, 1))
    weight = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
    shape = (2, 2)
    batch = ppo.Batch(
        observation={},
        first_LS=torch.zeros(shape, dtype=torch.bool),
        state=LSTMState(torch.zeros(2, 1), torch.zeros(2, 1)),
        mask_LSA=torch.ones(*shape, 3, dtype=torch.bool),
        action_LSK=torch.zeros(*shape, 1, dtype=torch.int64),
        log_probability_LS=torch.zeros(shape),
        advantage_LS=torch.zeros(shape),
        return_LS=torch.tensor([[1.0, 3.0], [50.0, 3.0]]),
        value_scale=torch.tensor(1.0),
        weight_LS=weight,
    )
    config = PPOConfig(microbatch_sequences=1, value_coefficient=1.0)
    logged = ppo.add_gradient(policy, batch, config, 0.0)
    torch.testing.assert_close(logged["value"], torch.tensor(0.5 * (1 + 9 + 9) / 3))
    torch.testing.assert_close(logged["total"], logged["value"])
    assert policy.value.grad is not None
    expected = torch.tensor([[-(1 + 3) / 3], [-3 / 3]])
    torch.testing.assert_close(policy.value.grad, expected)


def test_one_step_of_the_optimizer_follows_all_microbatches():
    torch.manual_seed(0)
    policy, batch = LinearPolicy(), random_batch(6)
    optimizer = torch.optim.Adam(policy.parameters(), fused=True)
    rows = ppo.update(policy, optimizer, [batch, batch], PPOConfig(microbatch_sequences=2), 0.01)
    assert rows.shape == (2, len(ppo.LOGGED))
    assert all(state["step"] == 2 for state in optimizer.state.values())
