"""What a trainer and a process with worlds say to each other, and how it travels as bytes.

The trainer asks, and each question has one answer:

| question | with                               | answer    | with                                 |
| -------- | ---------------------------------- | --------- | ------------------------------------ |
| hello    | protocol, factory, options,        | welcome   | protocol, items, action_sizes,       |
|          | world_count, seed, first_world     |           | observation (type, shape), can_save  |
| reset    | which, inventory, episode          | rows      | what players see in the rows `which` |
| step     | which, action                      | rows      | what players see in the rows `which` |
| save     |                                    | state     | named arrays                         |
| load     | named arrays                       | done      |                                      |
| close    |                                    | done      |                                      |

Instead of `welcome` there may be `refused`, with a reason. A message is a kind, some JSON values
and some arrays. On a pipe that is: four letters, the lengths of a header and of all arrays, the
header as JSON, and the bytes of the arrays. Reading a message runs no code from it.
"""

from __future__ import annotations

import json
import struct
from typing import Any, Dict, NamedTuple

import numpy as np

PROTOCOL = 1
"""Rises with every change of the messages."""
LONGEST = 2**31
"""Bytes of a message, at most: whatever claims to be longer is none."""

_LETTERS = b"LPIS"
_START = struct.Struct("<4sIQ")
_KINDS = "biuf"
"""Booleans and numbers: arrays of objects would have to be pickled."""


class MessageError(ValueError):
    """What came is not a message."""


class Message(NamedTuple):
    """A question or an answer."""

    kind: str
    values: Dict[str, Any] = {}
    """What JSON can hold."""
    arrays: Dict[str, np.ndarray] = {}


def write(stream: Any, message: Message) -> None:
    """Sends a message."""
    arrays = {name: np.ascontiguousarray(array) for name, array in message.arrays.items()}
    for name, array in arrays.items():
        _check_type(name, array.dtype)
    layout = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    header = json.dumps([message.kind, message.values, layout]).encode()
    size = sum(array.nbytes for array in arrays.values())
    stream.write(_START.pack(_LETTERS, len(header), size) + header)
    for array in arrays.values():
        stream.write(array.reshape(-1).view(np.uint8).data)
    stream.flush()


def read(stream: Any) -> Message:
    """Waits for the next message; EOFError if the other side is gone."""
    letters, header_size, size = _START.unpack(_exactly(stream, _START.size))
    if letters != _LETTERS or header_size + size > LONGEST:
        raise MessageError(f"a message cannot begin with {letters!r} and {header_size + size} B")
    kind, values, layout = json.loads(_exactly(stream, header_size))
    body = np.frombuffer(_exactly(stream, size), np.uint8)
    arrays, first = {}, 0
    for name, type_name, shape in layout:
        _check_type(name, np.dtype(type_name))
        array = np.empty(shape, type_name)
        array.reshape(-1).view(np.uint8)[:] = body[first : first + array.nbytes]
        arrays[name] = array
        first += array.nbytes
    return Message(kind, values, arrays)


def _check_type(name: str, dtype: np.dtype) -> None:
    if dtype.kind not in _KINDS:
        raise MessageError(f"array {name!r} has type {dtype}; it must hold numbers or booleans")


def _exactly(stream: Any, size: int) -> bytearray:
    """The next `size` bytes."""
    content = bytearray(size)
    view, filled = memoryview(content), 0
    while filled < size:
        count = stream.readinto(view[filled:])
        if not count:
            raise EOFError(f"the stream ended after {filled} of {size} bytes")
        filled += count
    return content
