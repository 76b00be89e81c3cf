"""A tiny language model learns arithmetic by GRPO, with a curriculum over its difficulty.

    pip install 'lapis-rl[trl]'
    OMP_NUM_THREADS=1 python examples/trl_curriculum.py                     (a minute)
    OMP_NUM_THREADS=1 python examples/trl_curriculum.py --teacher uniform

The model is a GPT-2 with two layers that starts from nothing, so nothing is downloaded. Task number
k is to add one to each of k + 1 digits: `394=` has the answer `405` (9 becomes 0).
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig

from lapis.curriculum import Learnability, LearningProgress, Teacher, Uniform
from lapis.integrations.trl import CurriculumGRPOTrainer

TASK_COUNT = 6
PROMPTS_PER_TASK = 1000


def make_teacher(name: str) -> Teacher:
    if name == "progress":
        return LearningProgress(TASK_COUNT, time_scale=20, floor=0.1)
    if name == "learnability":
        return Learnability(TASK_COUNT, time_scale=20, floor=0.1, top_count=1)
    return Uniform(TASK_COUNT)


def make_tokenizer() -> PreTrainedTokenizerFast:
    vocabulary = {"<pad>": 0, "<eos>": 1, "=": 2, **{str(digit): 3 + digit for digit in range(10)}}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", padding_side="left"
    )


def make_model(tokenizer: PreTrainedTokenizerFast) -> GPT2LMHeadModel:
    end = tokenizer.eos_token_id
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_layer=2,
        n_head=4,
        n_embd=64,
        n_positions=32,
        bos_token_id=end,
        eos_token_id=end,
        pad_token_id=tokenizer.pad_token_id,
    )
    return GPT2LMHeadModel(config)


def make_prompt(task: int, rng: np.random.Generator) -> dict:
    digits = rng.integers(10, size=task + 1)
    answer = "".join(str((digit + 1) % 10) for digit in digits)
    return {"prompt": "".join(map(str, digits)) + "=", "answer": answer, "task": task}


def reward(completions: list[str], answer: list[str], **_) -> list[float]:
    pairs = zip(completions, answer, strict=True)
    return [float(text.startswith(right)) for text, right in pairs]


def make_trainer(
    teacher: Teacher, *, steps: int, seed: int, folder: str, prompts: int = 32, **options
) -> CurriculumGRPOTrainer:
    transformers.set_seed(seed)
    rng = np.random.default_rng(seed)
    rows = [make_prompt(task, rng) for task in range(TASK_COUNT) for _ in range(PROMPTS_PER_TASK)]
    tokenizer = make_tokenizer()
    generations = 8
    settings = {
        "output_dir": folder,
        "use_cpu": True,
        "bf16": False,
        "report_to": "none",
        "save_strategy": "no",
        "logging_strategy": "no",
        "disable_tqdm": True,
        "max_steps": steps,
        "per_device_train_batch_size": prompts * generations,
        "num_generations": generations,
        "max_completion_length": TASK_COUNT,
        "beta": 0.0,
        "learning_rate": 1e-3,
        "lr_scheduler_type": "constant",
        "gradient_checkpointing": False,
        "seed": seed,
    }
    return CurriculumGRPOTrainer(
        model=make_model(tokenizer),
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=Dataset.from_list(rows),
        args=GRPOConfig(**{**settings, **options}),
        curriculum=teacher,
    )


def evaluate(trainer: CurriculumGRPOTrainer, prompt_count: int = 200) -> np.ndarray:
    """Success on each task with new prompts, always taking the likeliest token."""
    model, tokenizer = trainer.model.eval(), trainer.processing_class
    rng = np.random.default_rng(10**6)
    success = []
    for task in range(TASK_COUNT):
        rows = [make_prompt(task, rng) for _ in range(prompt_count)]
        batch = tokenizer([row["prompt"] for row in rows], return_tensors="pt", padding=True)
        batch.pop("token_type_ids", None)
        with torch.no_grad():
            tokens = model.generate(**batch, max_new_tokens=TASK_COUNT, do_sample=False)
        texts = tokenizer.batch_decode(
            tokens[:, batch["input_ids"].shape[1] :], skip_special_tokens=True
        )
        success.append(np.mean(reward(texts, [row["answer"] for row in rows])))
    return np.array(success)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument(
        "--teacher", choices=("progress", "learnability", "uniform"), default="progress"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--table", type=Path, help="appends a line of JSON with the results")
    arguments = parser.parse_args()
    transformers.logging.set_verbosity_error()
    teacher = make_teacher(arguments.teacher)
    with tempfile.TemporaryDirectory() as folder:
        trainer = make_trainer(teacher, steps=arguments.steps, seed=arguments.seed, folder=folder)
        trainer.train()
    success = evaluate(trainer)
    print(arguments.teacher, "success per task:", " ".join(f"{each:.2f}" for each in success))
    if arguments.table:
        row = {"teacher": arguments.teacher, "seed": arguments.seed, "steps": arguments.steps}
        with arguments.table.open("a") as file:
            file.write(json.dumps({**row, "success": success.tolist()}) + "\n")


if __name__ == "__main__":
    main()
