"""The curriculum as a `torch.utils.data.Sampler`: which training examples come next.

Each of twelve groups of examples is a task, every one with smaller features than the one before
and so slower to learn. Whether the classifier is right about an example is one attempt's outcome.
"""

from collections.abc import Iterator

import numpy as np
import torch
from torch.utils.data import DataLoader, Sampler, TensorDataset

from lapis.curriculum import LearningProgress


class CurriculumSampler(Sampler[int]):
    """Draws a group from the curriculum, then an example of that group.

    The curriculum may change while an epoch runs: each chunk is drawn from what it knows by then.
    """

    def __init__(self, group: torch.Tensor, curriculum: LearningProgress, count: int, seed: int):
        self.members = [
            torch.nonzero(group == task).flatten().numpy() for task in range(curriculum.task_count)
        ]
        self.curriculum, self.count = curriculum, count
        self.rng = np.random.default_rng(seed)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[int]:
        for start in range(0, self.count, 64):
            for task in self.curriculum.sample(min(64, self.count - start), self.rng):
                yield int(self.rng.choice(self.members[task]))


def make_examples(seed: int, group_count: int = 12, size: int = 200) -> TensorDataset:
    generator = torch.Generator().manual_seed(seed)
    group = torch.arange(group_count).repeat_interleave(size)
    side = torch.randn(group.numel(), generator=generator)
    scale = 0.7 ** group.float()
    features = torch.nn.functional.one_hot(group, group_count) * (side * scale)[:, None]
    return TensorDataset(features, (side > 0).long(), group)


def main(seed: int = 0) -> tuple[float, np.ndarray]:
    """Returns the accuracy on all examples, and how often each group was drawn."""
    torch.manual_seed(seed)
    examples = make_examples(seed)
    group = examples.tensors[2]
    # A coin flip is right half of the time; what counts is what lies above that.
    curriculum = LearningProgress(12, time_scale=20, floor=0.2, random_success=[0.5] * 12)
    loader = DataLoader(
        examples, batch_size=64, sampler=CurriculumSampler(group, curriculum, 12_800, seed)
    )
    model = torch.nn.Linear(12, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    drawn = np.zeros(12, np.int64)
    for features, label, task in loader:
        logits = model(features)
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(logits, label).backward()
        optimizer.step()
        correct = logits.argmax(1) == label
        attempts = torch.bincount(task, minlength=12)
        curriculum.update(torch.bincount(task[correct], minlength=12), attempts)
        drawn += attempts.numpy()
    with torch.no_grad():
        correct = model(examples.tensors[0]).argmax(1) == examples.tensors[1]
    accuracy = correct.float().mean().item()
    print(f"accuracy {accuracy:.3f}; draws per group: {drawn.tolist()}")
    return accuracy, drawn


if __name__ == "__main__":
    main()
