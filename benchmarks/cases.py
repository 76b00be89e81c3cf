"""All cases: a name, the function that measures ("module:function") and its keyword arguments.

The function returns a dict of metrics. Modules load only when one of their cases runs.
"""

from __future__ import annotations

CASES: list[dict] = [
    *(
        case
        for task_count in (107, 10_000, 1_000_000)
        for case in (
            {
                "name": f"curriculum_{task_count}",
                "function": "benchmarks.curriculum:step_cost",
                "options": {"task_count": task_count},
            },
            {
                "name": f"curriculum_noise_aware_{task_count}",
                "function": "benchmarks.curriculum:step_cost",
                "options": {"task_count": task_count, "noise_shrinkage": 1.0},
            },
            {
                "name": f"curriculum_all_updates_{task_count}",
                "function": "benchmarks.curriculum:step_cost",
                "options": {
                    "task_count": task_count,
                    "averaging": "all_updates",
                    "optimism": 1.0,
                },
            },
            {
                "name": f"syllabus_{task_count}",
                "function": "benchmarks.syllabus_rival:step_cost",
                "options": {"task_count": task_count},
            },
        )
    ),
    {
        "name": "curriculum_share_on_top_fifth",
        "function": "benchmarks.curriculum:focus",
        "options": {},
    },
    {
        "name": "syllabus_share_on_top_fifth",
        "function": "benchmarks.syllabus_rival:focus",
        "options": {},
    },
    *(
        {
            "name": f"{teacher}_{task_count}",
            "function": "benchmarks.large_spaces:step_cost",
            "options": {"teacher_name": teacher, "task_count": task_count},
        }
        for teacher in ("clusters", "function")
        for task_count in (10_000, 100_000, 1_000_000)
    ),
    *(
        {
            "name": f"techtree_{world_count}",
            "function": "benchmarks.techtree:speed",
            "options": {"world_count": world_count},
        }
        for world_count in (64, 256, 1024, 4096, 16384)
    ),
]
