"""The curriculum in other people's trainers, one small module for each of them.

| module | for | brought by |
| --- | --- | --- |
| `lapis.integrations.sb3` | Stable-Baselines3 and sb3-contrib | `pip install 'lapis-rl[sb3]'` |
| `lapis.integrations.gym_vector` | loops over Gymnasium's vector environments | NumPy alone |
| `lapis.integrations.torchrl` | TorchRL | `pip install 'lapis-rl[torchrl]'` |
| `lapis.integrations.rllib` | RLlib's new API stack | `pip install 'lapis-rl[rllib]'` |
| `lapis.integrations.trl` | GRPO of language models with TRL | `pip install 'lapis-rl[trl]'` |
| `lapis.integrations.prime_rl`, `.verl` | GRPO with prime-rl, or with verl up to 0.7.1 | these |

Environments follow `TaskEnvironment`; `lapis.integrations.tasks.TaskChoice` makes any Gymnasium
environment follow it. All modules count with `lapis.curriculum.OutcomeCounts`.
"""

import lapis.threads  # noqa: F401  (before anything loads PyTorch)
from lapis.integrations.convention import TaskEnvironment, TaskInfo, check_task_probabilities

__all__ = ["TaskEnvironment", "TaskInfo", "check_task_probabilities"]
