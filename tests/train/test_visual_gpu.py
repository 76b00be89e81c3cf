"""Training from pixels on a GPU: precision, compiled code, graphs, and what is left of a run.

Convolutions on a GPU may add up in another order from call to call, so that what is compared here
agrees to rounding and not to the bit; the tech-tree world's agreement to the bit is tested apart.
"""

import dataclasses

import numpy as np
import pytest
import torch

from lapis import recipes
from lapis.agent import actions, ppo
from lapis.agent.compiling import compiled_once
from lapis.agent.frames import FrameEncoder
from lapis.agent.lstm import LSTM, LSTMState
from lapis.cli import main
from lapis.running.run import RunOptions, restore, start
from lapis.running.trained import load_run
from lapis.train.evaluation import evaluate
from lapis.train.loop import Trainer
from lapis.train.speed import measure_gpu, plain

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]


def small(**changes):
    """The recipe `voxel` with few and small worlds."""
    config = recipes.voxel()
    ppo = dataclasses.replace(
        config.ppo, sequence_steps=8, minibatch_sequences=61, microbatch_sequences=0
    )
    return dataclasses.replace(
        config,
        world_count=64,
        rollout_steps=16,
        evaluation_attempts=1,
        world=dataclasses.replace(config.world, size=32),
        policy=dataclasses.replace(config.policy, width=64),
        ppo=ppo,
        simonsays=dataclasses.replace(config.simonsays, task_ticks=400),
        **changes,
    )


def in_float32(config):
    """Without bfloat16 and compiled code."""
    frames = dataclasses.replace(config.policy.frames, precision="float32")
    policy = dataclasses.replace(config.policy, frames=frames, compile=False)
    return dataclasses.replace(config, policy=policy)


def frames(count=256, side=64):
    generator = torch.Generator().manual_seed(3)
    drawn = torch.randint(0, 256, (count, side, side, 3), dtype=torch.uint8, generator=generator)
    return drawn.cuda()


def encoder_of(**settings):
    torch.manual_seed(0)
    return FrameEncoder(64, (16, 32, 32), 64, **settings).cuda()


def assert_near(result, expected, share):
    """Differences are small beside the largest value."""
    scale = float(expected.detach().abs().max())
    torch.testing.assert_close(result, expected, rtol=0, atol=share * scale)


@pytest.mark.parametrize("compiled", [False, True])
def test_bfloat16_and_compiled_code_are_near_float32_and_its_gradient(compiled):
    exact, fast = encoder_of(), encoder_of(precision="bfloat16", compile=compiled)
    expected, result = exact(frames()), fast(frames())
    assert result.dtype == torch.float32
    assert_near(result, expected, 0.05)
    target = torch.linspace(-1.0, 1.0, 64, device="cuda")
    for embedding in (expected, result):
        (embedding * target).mean().backward()
    for (name, weight), other in zip(fast.named_parameters(), exact.parameters(), strict=True):
        angle = torch.cosine_similarity(weight.grad.flatten(), other.grad.flatten(), dim=0)
        assert angle > 0.9, (name, float(angle))


def test_a_frame_on_a_gpu_is_as_on_a_cpu():
    encoder = encoder_of()
    with torch.no_grad():
        on_gpu = encoder(frames(8)).cpu()
        on_cpu = encoder.cpu()(frames(8).cpu())
    assert_near(on_gpu, on_cpu, 0.01)  # Convolutions of float32 are TF32 by default: ten bits.


@pytest.mark.parametrize("steps", [1, 9])
def test_compiled_steps_of_the_lstm_are_those_of_single_kernels(steps):
    torch.manual_seed(1)
    lstms = [LSTM(24, 32, compile=compile).cuda() for compile in (False, True)]
    lstms[1].load_state_dict(lstms[0].state_dict())
    seen = torch.randn(steps, 40, 24, device="cuda")
    first = torch.rand(steps, 40, device="cuda") < 0.2
    state = LSTMState(*torch.randn(2, 40, 32, device="cuda"))
    target = torch.randn(steps, 40, 32, device="cuda")
    results = []
    for lstm in lstms:
        hidden, end = lstm(seen, first, state)
        gradients = torch.autograd.grad((hidden * target).sum(), list(lstm.parameters()))
        results.append((hidden, end.hidden_SH, end.cell_SH, *gradients))
    for expected, result in zip(*results, strict=True):
        assert_near(result, expected, 1e-5)


@pytest.mark.parametrize("with_prior", [False, True])
def test_compiled_losses_and_choices_are_those_of_single_kernels(with_prior):
    generator = torch.Generator("cuda").manual_seed(2)
    sizes, shape = (3, 2, 9), (8, 50)
    logits = torch.randn(*shape, 14, device="cuda", generator=generator, requires_grad=True)
    mask = torch.rand(*shape, 14, device="cuda", generator=generator) < 0.7
    mask[..., 0] = mask[..., 3] = mask[..., 5] = True
    dice = actions.uniform(logits, generator)
    action, log_probability = actions.choose(logits, mask, dice, sizes)
    again, its_log_probability = compiled_once(actions.choose)(logits, mask, dice, sizes)
    assert torch.equal(action, again)
    torch.testing.assert_close(its_log_probability, log_probability)
    old, advantage, value, target = torch.randn(4, *shape, device="cuda", generator=generator)
    weight = (torch.rand(shape, device="cuda", generator=generator) < 0.9).float()
    prior = torch.randn(14, device="cuda", generator=generator) if with_prior else None
    settings = {"sizes": sizes, "clip": 0.2, "value_coefficient": 0.5}
    results = []
    for function in (ppo.losses, compiled_once(ppo.losses)):
        old_log_probability = log_probability.detach() + 0.1 * old
        loss, parts = function(
            logits, value, mask, action, old_log_probability, advantage, target,
            torch.tensor(2.0, device="cuda"), weight, torch.tensor(0.01, device="cuda"), prior,
            **settings,
        )  # fmt: skip
        results.append((loss, parts, *torch.autograd.grad(loss, logits)))
    for expected, result in zip(*results, strict=True):
        assert_near(result, expected, 1e-4)


def test_compiled_code_in_graphs_trains_as_plain_code_does():
    """The same games to the first update; then the weights part, by rounding, slowly."""
    fast, slow = Trainer(small()), Trainer(plain(small()))
    for number in range(6):
        first, second = fast.train_one_update(), slow.train_one_update()
        assert np.isfinite(first["losses"]["total"])
        if number == 0:
            for name in ("value", "total"):
                assert first["losses"][name] == pytest.approx(
                    second["losses"][name], rel=0.1, abs=0.02
                )
            assert first["entropy"] == pytest.approx(second["entropy"], rel=0.02)
    fast.game.world.check()
    assert "rollout" in first["seconds"]
    before, after = (each.policy.layer.weight for each in (slow, fast))
    assert torch.cosine_similarity(before.flatten(), after.flatten(), dim=0) > 0.9


@pytest.mark.parametrize("size", [0, 31])
def test_replayed_updates_are_those_of_single_launches(size):
    """Without compiled code, in float32: what is left is the order of sums in convolutions."""
    config = in_float32(small())
    config = dataclasses.replace(
        config, ppo=dataclasses.replace(config.ppo, microbatch_sequences=size)
    )
    graph = Trainer(config)
    eager = Trainer(dataclasses.replace(config, cuda_graphs=False))
    for _ in range(5):
        first, second = graph.train_one_update(), eager.train_one_update()
    assert first["losses"]["total"] == pytest.approx(second["losses"]["total"], rel=0.2, abs=0.02)
    assert first["frames"] == second["frames"]


def test_microbatches_learn_what_minibatches_do():
    config = in_float32(small())
    parts = dataclasses.replace(
        config, ppo=dataclasses.replace(config.ppo, microbatch_sequences=16)
    )
    whole, split = Trainer(config), Trainer(parts)
    first, second = whole.train_one_update(), split.train_one_update()
    for name in ("policy", "value", "total"):
        assert first["losses"][name] == pytest.approx(second["losses"][name], rel=0.02, abs=1e-3)


def test_an_evaluation_between_updates_leaves_training_as_it_was(tmp_path):
    trainer = Trainer(small(evaluation_worlds=64))
    for _ in range(5):
        trainer.train_one_update()
    counts = evaluate(trainer)
    assert counts["attempts"].tolist() == [1] * 113
    assert trainer.policy.training
    trainer.train_one_update()
    trainer.game.world.check()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("gpu") / "run"
    config = small(updates=5)
    config = dataclasses.replace(config, evaluation_updates=5, evaluation_worlds=128)
    options = RunOptions(quiet=True)
    start(path, config=config, recipe="voxel", command=["test"], options=options)
    return path


def test_a_resumed_run_goes_on_from_the_same_state(run):
    first, second = restore(run), restore(run)
    for name, tensor in first.state_dict()[0].items():
        assert torch.equal(tensor, second.state_dict()[0][name]), name
    one, other = first.train_one_update(), second.train_one_update()
    # The rollout has no sums of convolutions' gradients in it.
    assert one["reward_per_step"] == pytest.approx(other["reward_per_step"], rel=0.05, abs=1e-3)
    assert one["losses"]["total"] == pytest.approx(other["losses"]["total"], rel=0.05, abs=5e-3)


def test_a_run_on_a_gpu_plays_on_a_cpu(run, tmp_path, capsys):
    pytest.importorskip("av", reason="films need PyAV")
    on_gpu, on_cpu = load_run(run), load_run(run, device="cpu")
    assert on_gpu.config.device == "cuda"
    for name, weight in on_gpu.policy.state_dict().items():
        assert torch.equal(weight.cpu(), on_cpu.policy.state_dict()[name]), name
    file, film = tmp_path / "policy.safetensors", tmp_path / "film.gif"
    assert main(["export", str(run), str(file)]) == 0
    assert main(["watch", str(file), "--steps", "20", "--out", str(film)]) == 0
    assert film.stat().st_size > 1000


def test_the_speed_is_measured_in_parts():
    measured = measure_gpu(small(), update_count=2)
    for part in ("world", "render", "policy", "update"):
        assert measured[f"{part}_microseconds_per_step"] > 0, part
    assert measured["steps_per_second"] > 0
    assert measured["times_plain"] > 0
    assert 0 < measured["share_of_peak"] < 1
