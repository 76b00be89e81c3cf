"""`lapis bench train`: how fast training is here, and where its time goes."""

from __future__ import annotations

import dataclasses

import tyro

from lapis.cli import check_known
from lapis.cli.train import recipe_start
from lapis.torchrun import launch


@dataclasses.dataclass(frozen=True, kw_only=True)
class BenchArguments:
    """Trains for a few updates and prints policy steps per second and where the time goes.

    From pixels on a GPU it also prints the times of world, drawing and policy, the share of the
    matrix units' peak that is reached, and how many times slower a plain version is. Under torchrun
    it prints the cost of training with several ranks.
    """

    recipe: str = "demo"
    """Recipe whose settings are used."""
    updates: int = 12
    """Updates to time, after three that are not timed."""
    threads: int = 0
    """PyTorch's CPU threads; 0: as in the recipe."""
    device: str = ""
    """Where to train: cpu, cuda or cuda:N; empty: as in the recipe."""
    baseline: bool = True
    """From pixels on a GPU: whether to measure the plain version too (eager, float32)."""


def main(arguments: list[str]) -> int:
    """Measures and prints."""
    if arguments[:1] not in (["-h"], ["--help"]):
        check_known(" ".join(arguments[:1]), ("train",), "benchmark")
        arguments = arguments[1:]
    parsed = tyro.cli(BenchArguments, args=arguments, prog="lapis bench train")
    config = recipe_start(parsed.recipe).config
    config = dataclasses.replace(
        config, threads=parsed.threads or config.threads, device=parsed.device or config.device
    )
    # Imported here: a wrong flag is answered before PyTorch is loaded.
    from lapis.train.device import check_device
    from lapis.train.speed import has_parts, measure, measure_gpu, measure_ranks

    check_device(config.device)
    if launch() is not None:
        measured = measure_ranks(config, update_count=parsed.updates)
    elif has_parts(config):
        measured = measure_gpu(config, update_count=parsed.updates, baseline=parsed.baseline)
    else:
        measured = measure(config, update_count=parsed.updates)
    for name, value in measured.items():
        print(f"train.{name} {value}")
    return 0
