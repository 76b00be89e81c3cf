"""Worlds, teachers and encoders by name, and what a stranger adds without a change in Lapis."""

import dataclasses
import sys

import pytest

from lapis import registry
from lapis.curriculum import UniformConfig
from lapis.registry import ENCODERS, REGISTRIES, TEACHERS, WORLDS, load_object
from lapis.worlds.voxel import VoxelConfig

OWN = '''
from dataclasses import dataclass
from lapis.curriculum import Uniform
from lapis.registry import TeacherSettings

@dataclass(frozen=True, kw_only=True)
class MineConfig(TeacherSettings):
    """Mine."""
    strength: float = 2.0
    """How strong."""

    def build(self, task_count):
        return Uniform(task_count)

class NoDataclass(TeacherSettings):
    pass
'''


@pytest.fixture
def own_module(tmp_path, monkeypatch):
    (tmp_path / "own_teacher.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield "own_teacher"
    sys.modules.pop("own_teacher", None)


def test_own_kinds_have_names_and_come_back_by_them():
    for each in REGISTRIES.values():
        for name in each.own:
            kind = each.find(name)
            assert issubclass(kind, each.base)
            assert each.name_of(kind) == name
            assert dataclasses.fields(kind) is not None
    assert WORLDS.find("voxel") is VoxelConfig
    assert TEACHERS.find("uniform") is UniformConfig


def test_a_class_in_the_current_folder_is_found_by_its_place(own_module):
    kind = TEACHERS.find("own_teacher:MineConfig")
    assert kind(strength=3.0).strength == 3.0
    assert TEACHERS.name_of(kind) == "own_teacher:MineConfig"


def test_an_entry_point_gives_a_class_a_name(own_module, monkeypatch):
    points = {"mine": "own_teacher:MineConfig"}
    monkeypatch.setattr(registry, "_entry_points", lambda group: points if "teach" in group else {})
    kind = TEACHERS.find("mine")
    assert TEACHERS.name_of(kind) == "mine"
    assert TEACHERS.names()[-1] == "mine"
    assert "mine" not in WORLDS.names()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("learnabilty", "curriculum is 'learnabilty'; did you mean 'learnability'. Known: uniform"),
        ("nowhere:Mine", "there is no module 'nowhere': neither installed nor a file nowhere.py"),
        ("own_teacher:Mien", "own_teacher has no 'Mien'; Known: .*MineConfig"),
        ("own_teacher:NoDataclass", "is not a dataclass that inherits from lapis.registry.Teacher"),
        ("own_teacher:dataclass", "is not a dataclass that inherits"),
        ("lapis.worlds.voxel.config:VoxelConfig", "is not a dataclass that inherits"),
    ],
)
def test_bad_names_say_why(own_module, name, message):
    with pytest.raises(ValueError, match=message):
        TEACHERS.find(name)


def test_a_module_that_needs_something_missing_says_what(own_module, tmp_path):
    (tmp_path / "needs_more.py").write_text("import not_there_at_all")
    with pytest.raises(ModuleNotFoundError, match="not_there_at_all"):
        load_object("needs_more:x", "world")


def test_an_encoder_of_ones_own_enters_the_policy(tmp_path, monkeypatch):
    import torch
    from torch import nn

    from lapis.agent.config import PolicyConfig
    from lapis.agent.encoders import build_encoders

    class Mean(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.layer = nn.Linear(3, width, bias=False)

        def forward(self, frame):
            return self.layer(frame.float().mean(dim=(-3, -2)))

    @dataclasses.dataclass(frozen=True, kw_only=True)
    class MeanConfig(ENCODERS.base):
        def build(self, side, width, *, compile):
            return Mean(width)

    frame = torch.randint(0, 255, (4, 8, 8, 3), dtype=torch.uint8)
    config = PolicyConfig(width=5, frames=MeanConfig(), equal_inputs=True)
    encoder = build_encoders({"frame": frame}, config, goal_count=2)["frame"]
    assert encoder(frame).shape == (4, 5)
    assert encoder(frame).square().mean().sqrt().item() == pytest.approx(0.5)
    with pytest.raises(ValueError, match="'frame' is a frame, but policy"):
        build_encoders({"frame": frame}, PolicyConfig(width=5), goal_count=2)
