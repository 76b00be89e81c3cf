"""The rollout's memory, checked with numbers that say where they come from."""

import numpy as np
import pytest
import torch

from lapis.agent.config import PolicyConfig, PPOConfig
from lapis.agent.encoders import build_encoders
from lapis.agent.lstm import LSTMState
from lapis.agent.player import Player, act, think
from lapis.agent.policy import Policy
from lapis.agent.rollout import ROLLOUT_METRICS, Rollout, take_rows

WORLDS, STEPS, LENGTH, WIDTH = 3, 6, 2, 4
SETTINGS = PPOConfig(discount=0.9, discount_ticks=1, trace_decay=0.9)


class CountingGame:
    """Observation 100 * step + world; world 1 terminates in step 1, world 2 is cut in step 3."""

    def __init__(self):
        self.world_count, self.device = WORLDS, torch.device("cpu")
        self.goals, self.action_sizes = ("a", "b"), (2, 3)
        self.observation = {
            "vector": torch.zeros(WORLDS, 1),
            "goal": torch.zeros(WORLDS, dtype=torch.int64),
            "exploration_set": torch.tensor([True, False]),
        }
        self.action_mask = torch.ones(WORLDS, 5, dtype=torch.bool)
        self.reward = torch.zeros(WORLDS)
        self.ticks = torch.zeros(WORLDS, dtype=torch.int32)
        self.terminated, self.truncated = torch.zeros(2, WORLDS, dtype=torch.bool)
        self.restarted = torch.ones(WORLDS, dtype=torch.bool)
        self.now = 0
        self.actions = []
        self._show()

    def _show(self):
        self.observation["vector"][:, 0] = 100 * self.now + torch.arange(WORLDS)
        self.observation["goal"].fill_(self.now % 2)
        self.action_mask[:, 0] = self.now % 2 == 0

    def step(self, action):
        self.actions.append(action.clone())
        self.restarted.copy_(self.terminated | self.truncated)
        self.reward.copy_(1000 * self.now + torch.arange(WORLDS))
        self.ticks.copy_(10 * self.now + torch.arange(WORLDS))
        self.terminated.copy_((torch.arange(WORLDS) == 1) & (self.now == 1))
        self.truncated.copy_((torch.arange(WORLDS) == 2) & (self.now == 3))
        self.now += 1
        self._show()


@pytest.fixture
def played():
    game = CountingGame()
    torch.manual_seed(0)
    encoders = build_encoders(game.observation, PolicyConfig(width=WIDTH), goal_count=2)
    policy = Policy(encoders, game.action_sizes, width=WIDTH)
    player = Player(policy, game, seed=0)
    rollout = Rollout(
        step_count=STEPS,
        sequence_steps=LENGTH,
        world_count=WORLDS,
        observation=game.observation,
        action_sizes=game.action_sizes,
        width=WIDTH,
        device=game.device,
    )
    player.collect(rollout)
    return game, player, rollout


def expected_numbers(factor):
    return factor * torch.arange(STEPS).unsqueeze(1) + torch.arange(WORLDS).unsqueeze(0)


def test_each_step_is_stored_at_its_place(played):
    game, _, rollout = played
    assert torch.equal(rollout.observation_TW["vector"][..., 0], expected_numbers(100).float())
    assert torch.equal(rollout.reward_TW, expected_numbers(1000).float())
    assert torch.equal(rollout.ticks_TW, expected_numbers(10).int())
    assert rollout.observation_TW["goal"][:, 0].tolist() == [0, 1, 0, 1, 0, 1]
    assert rollout.mask_TWA[:, 0, 0].tolist() == [True, False] * 3
    assert torch.equal(rollout.action_TWK, torch.stack(game.actions).long())
    assert rollout.shared["exploration_set"].tolist() == [True, False]


def test_ends_and_starts_are_stored_at_their_place(played):
    _, _, rollout = played
    assert rollout.terminated_TW.nonzero().tolist() == [[1, 1]]
    assert rollout.restarted_TW.nonzero().tolist() == [[2, 1], [4, 2]]
    starts = [[0, 0], [0, 1], [0, 2], [3, 1], [5, 2]]
    assert rollout.first_TW.nonzero().tolist() == starts


def test_restarted_steps_have_weight_zero_and_no_others(played):
    _, _, rollout = played
    rollout.finish(SETTINGS)
    assert (rollout.weight_TW == 0).nonzero().tolist() == [[2, 1], [4, 2]]
    assert rollout.weight_TW.sum() == STEPS * WORLDS - 2


def test_game_time_discounts(played):
    _, _, rollout = played
    rollout.ticks_TW.fill_(12)
    rollout.finish(PPOConfig(discount=0.9, discount_ticks=4, trace_decay=0.0))
    # World 0 never ends: a return is the reward and what follows, 12 ticks = 0.9^3 later.
    following = torch.cat([rollout.value_TW[1:, 0], rollout.next_value_W[:1]])
    torch.testing.assert_close(rollout.return_TW[:, 0], rollout.reward_TW[:, 0] + 0.729 * following)


def test_a_batch_holds_whole_sequences_of_the_chosen_worlds(played):
    _, _, rollout = played
    rollout.finish(SETTINGS)
    # Sequence 4 is the second sequence (steps 2, 3) of world 1; 8 the third (4, 5) of world 2.
    batch = rollout.batch(torch.tensor([4, 8, 0]))
    numbers = batch.observation["vector"][..., 0].tolist()
    assert numbers == [[201.0, 402.0, 0.0], [301.0, 502.0, 100.0]]
    assert batch.observation["exploration_set"].shape == (2,)
    assert batch.first_LS.tolist() == [[False, False, True], [True, True, False]]
    assert batch.weight_LS.tolist() == [[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]
    assert torch.equal(batch.action_LSK[1, 1], rollout.action_TWK[5, 2])
    assert torch.equal(batch.advantage_LS[:, 0], rollout.advantage_TW[2:4, 1])


def test_replaying_the_sequences_gives_the_values_of_the_rollout(played):
    """Stored memories, cleared memories and observations fit together."""
    _, player, rollout = played
    rollout.finish(SETTINGS)
    batch = rollout.batch(torch.arange(rollout.sequence_count))
    with torch.no_grad():
        _, value_LS, _ = player.policy(batch.observation, batch.first_LS, batch.state)
    stored = rollout.value_TW.unflatten(0, (-1, LENGTH)).transpose(0, 1).flatten(1)
    # The same sums in products of other shapes.
    torch.testing.assert_close(value_LS, stored, rtol=1e-5, atol=1e-6)


def test_log_probabilities_are_those_of_the_actions_taken(played):
    from lapis.agent import actions

    _, player, rollout = played
    state = player.policy.initial_state(WORLDS)
    observation = rollout.observation_TW | rollout.shared
    with torch.no_grad():
        logits, _, _ = player.policy(observation, rollout.first_TW, state)
    components = actions.choices(logits, rollout.mask_TWA, (2, 3))
    again = actions.log_probability(components, rollout.action_TWK)
    torch.testing.assert_close(rollout.log_probability_TW, again, rtol=1e-5, atol=1e-6)


def test_memory_continues_into_the_next_rollout(played):
    _, player, rollout = played
    before = LSTMState(*(tensor.clone() for tensor in player.state))
    player.collect(rollout)
    assert torch.equal(rollout.start_hidden_CWH[0], before.hidden_SH)
    assert torch.equal(rollout.start_cell_CWH[0], before.cell_SH)
    assert before.cell_SH.abs().max() > 0


def test_a_policy_can_act_in_some_worlds_alone(played):
    game, player, _ = played
    row = torch.tensor([2, 0])
    whole = think(player.policy, game, player.state)
    memory = LSTMState(*(part[row] for part in player.state))
    before = [part.clone() for part in memory]
    move = act(player.policy, game, memory, torch.Generator().manual_seed(0), row)
    # The same sums in products of other shapes.
    torch.testing.assert_close(move.thought.logits_WA, whole.logits_WA[row])
    torch.testing.assert_close(move.thought.value_W, whole.value_W[row])
    torch.testing.assert_close(move.thought.memory.cell_SH, whole.memory.cell_SH[row])
    assert move.action_WK.shape == (2, 2)
    assert all(torch.equal(part, kept) for part, kept in zip(memory, before, strict=True))


def test_an_action_that_is_not_allowed_is_never_drawn(played):
    game, player, _ = played
    game.action_mask[:] = torch.tensor([False, True, False, True, False])
    generator = torch.Generator().manual_seed(0)
    for _ in range(20):
        move = act(player.policy, game, player.state, generator)
        assert move.action_WK.tolist() == [[1, 1]] * WORLDS
        assert move.log_probability_W.tolist() == [0.0] * WORLDS


def test_steps_must_fill_whole_sequences():
    with pytest.raises(ValueError, match="step_count is 5; it must be a multiple"):
        Rollout(
            step_count=5,
            sequence_steps=2,
            world_count=1,
            observation={"vector": torch.zeros(1, 1)},
            action_sizes=(2,),
            width=2,
            device=torch.device("cpu"),
        )


def test_report_of_a_rollout(played):
    _, _, rollout = played
    values = rollout.finish(SETTINGS).tolist()
    report = dict(zip(ROLLOUT_METRICS, values, strict=True))
    counted = rollout.reward_TW[~rollout.restarted_TW]
    assert np.isclose(report["reward_per_step"], counted.mean().item())


@pytest.mark.parametrize("dtype", [torch.uint8, torch.bool, torch.int32, torch.float32])
@pytest.mark.parametrize("shape", [(16,), (2, 4, 3), (3,), ()])
def test_rows_are_taken_whatever_their_type_and_size(dtype, shape):
    generator = torch.Generator().manual_seed(1)
    table = torch.randint(0, 2 if dtype == torch.bool else 256, (7, *shape), generator=generator)
    table, row = table.to(dtype), torch.tensor([5, 0, 5, 6])
    taken = take_rows(table, row)
    assert taken.dtype == dtype
    assert torch.equal(taken, table[row])


def test_values_are_scaled_by_the_variance_of_the_returns(played):
    _, _, rollout = played
    rollout.finish(SETTINGS)
    assert float(rollout.value_scale) == 1.0
    normalized = PPOConfig(discount=0.9, discount_ticks=4, trace_decay=0.95, normalize_values=True)
    rollout.finish(normalized)
    counting = rollout.return_TW[rollout.weight_TW > 0]
    torch.testing.assert_close(rollout.value_scale, 1.0 / counting.var(correction=0))
    assert rollout.batch(torch.tensor([0])).value_scale is rollout.value_scale
    rollout.reward_TW.zero_()
    rollout.value_TW.zero_()
    rollout.next_value_W.zero_()
    rollout.finish(normalized)
    assert float(rollout.value_scale) == pytest.approx(1e4)  # Nothing to learn, nothing to blow up.


def test_a_batch_shows_what_was_possible(played):
    _, _, rollout = played
    batch = rollout.batch(torch.tensor([0, 4]))
    assert torch.equal(batch.observation["action_mask"], batch.mask_LSA)
