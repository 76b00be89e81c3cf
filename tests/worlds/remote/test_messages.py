"""Messages as bytes, the hello, and settings that are refused."""

import ast
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lapis.worlds.remote import RemoteConfig, far
from lapis.worlds.remote.far.host import Host
from lapis.worlds.remote.far.messages import PROTOCOL, Message, MessageError, read, write
from lapis.worlds.remote.lines import LostError, ProcessLine
from tests.worlds.remote.test_remote_contract import TOY, make

FAR = Path(far.__file__).parent
HELLO = {"protocol": PROTOCOL, "factory": TOY, "world_count": 1, "first_world": 0, "seed": 0}


def test_a_message_comes_back_as_it_was():
    arrays = {
        "flags": np.array([True, False]),
        "none": np.zeros((0, 3), np.int32),
        "frames": np.arange(24, dtype=np.uint8).reshape(2, 3, 4)[:, ::2],
        "one": np.float32(0.1) * np.ones(()),
    }
    stream = io.BytesIO()
    write(stream, Message("rows", {"text": "a\u00e9", "number": 0.1}, arrays))
    stream.seek(0)
    message = read(stream)
    assert (message.kind, message.values) == ("rows", {"text": "a\u00e9", "number": 0.1})
    for name, array in arrays.items():
        assert message.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(message.arrays[name], array)


def test_objects_and_other_bytes_are_no_messages():
    with pytest.raises(MessageError, match="'bad' has type object"):
        write(io.BytesIO(), Message("rows", {}, {"bad": np.array([{}])}))
    with pytest.raises(MessageError, match="cannot begin with b'Hell'"):
        read(io.BytesIO(b"Hello, I am a game of the year"))
    with pytest.raises(EOFError, match="after 2 of 16 bytes"):
        read(io.BytesIO(b"LP"))


def test_another_version_of_the_protocol_is_refused_by_both_sides(monkeypatch):
    answer = Host().answer(Message("hello", {**HELLO, "protocol": 7, "options": {}}))
    assert answer.kind == "refused"
    assert answer.values["reason"] == f"protocol is 7; the far side uses {PROTOCOL}"

    monkeypatch.setattr("lapis.worlds.remote.ends.PROTOCOL", 7)
    with pytest.raises(ValueError, match="cannot be made elsewhere: protocol is 7"):
        make(1)
    monkeypatch.setattr(Host, "_hello", lambda self, values: Message("welcome", {"protocol": 6}))
    with pytest.raises(ValueError, match="uses protocol 6, not 7; run the same version"):
        make_here(Host)


def make_here(kind):
    """A world whose far ends are in this process."""
    from lapis.worlds.remote.world import RemoteWorld

    class Here:
        def __init__(self):
            self.host = kind()

        def send(self, question, seconds):
            self.answer = self.host.answer(question)

        def receive(self, seconds):
            return self.answer

        def end(self, *, at_once):
            pass

    return RemoteWorld(1, config=RemoteConfig(factory=TOY), open_line=Here)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"factory": "toy"}, "factory is 'toy'; it must be module:Class"),
        ({"transport": "pigeon"}, "transport is 'pigeon'; it must be process, ray or ray:ADDRESS"),
        ({"ends": 0}, "ends is 0; it must be a whole number of at least 1"),
        ({"step_seconds": 0.0}, "step_seconds is 0.0; it must be a finite number above 0"),
        ({"options": ("size",)}, "options is 'size'; it must be name=value"),
        ({"python": "python3", "transport": "ray"}, "python is 'python3'; it must be empty unless"),
        ({"python": "/no/python"}, "python is '/no/python', which cannot be run: No such file"),
        ({"factory": "nowhere:Toy"}, "worlds 0 to 0 cannot be made elsewhere: ModuleNotFoundError"),
        ({"factory": TOY + "s"}, "has no 'FarToys'"),
        ({"options": ("item_count=0",)}, "item_count must be at least 1, not 0"),
        ({"options": ("size=3",)}, "unexpected keyword argument 'size'"),
    ],
)
def test_bad_settings_say_in_one_line_what_is_wrong(settings, message):
    with pytest.raises(ValueError, match=r"elsewhere|is") as caught:
        make(1, ends=settings.pop("ends", 1), **settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_crafter_the_command_that_brings_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "crafter", None)
    monkeypatch.delitem(sys.modules, "lapis.worlds.remote.far.crafter_worlds", raising=False)
    hello = {**HELLO, "factory": RemoteConfig().factory, "options": {}}
    answer = Host().answer(Message("hello", hello))
    assert answer.values["reason"] == (
        "ModuleNotFoundError: Crafter's worlds need crafter, which is not installed in "
        f"{sys.executable}; get it with: pip install crafter"
    )


def test_a_factory_that_gives_other_arrays_is_named():
    world = make(2, factory="tests.worlds.remote.far_toy:WrongShape")
    with pytest.raises(ValueError, match=r"WrongShape gave 'ticks' as int64 .* must be int32"):
        world.step(world.inventory[:, :2] * 0)


def test_an_interpreter_that_serves_nothing_is_told_with_its_last_words(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no such thing >&2; exit 4\n")
    python.chmod(0o755)
    line = ProcessLine(str(python))
    with pytest.raises(LostError, match="exit status 4: no such thing"):
        line.receive(10.0)
    line.end(at_once=True)


def test_the_far_side_needs_neither_pytorch_nor_a_new_python():
    result = subprocess.run(
        [sys.executable, "-X", "importtime", str(FAR / "start.py")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.split("|")[-1].strip() for line in result.stderr.splitlines()}
    assert "lapis.worlds.remote.far.host" in loaded
    assert not loaded & {"torch", "warp", "lapis.registry", "lapis.worlds.remote.config"}
    for file in FAR.glob("*.py"):
        ast.parse(file.read_text(), feature_version=(3, 8))
