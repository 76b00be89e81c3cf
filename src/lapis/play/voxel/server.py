"""The page and the game behind it, over plain HTTP on this machine alone.

`GET /` is the page, `GET /status` what there is to tell. `POST /step` plays a step and answers
with the status; `POST /picture` answers with red, green, blue and alpha of each pixel. Both take a
JSON object with the arguments of `Session.step` and `Session.picture`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

import numpy as np

from lapis.minecraft.goals import GOALS
from lapis.play.voxel.session import Session

__all__ = ["Server", "play_voxel"]

ADDRESS = "127.0.0.1"
LONGEST_REQUEST = 10_000
"""Bytes of a request's body."""


def play_voxel(
    *,
    seed: int = 0,
    goals: Sequence[str] = GOALS,
    size: int = 64,
    pixels: int = 512,
    port: int = 8000,
) -> tuple[int, int]:
    """Serves the game until Ctrl-C; returns tasks solved and tasks ended.

    Args:
        seed: Decides the world and the goals.
        goals: Items that can be asked for.
        size: Blocks along each side of the world.
        pixels: Pixels along each side of the picture.
        port: Where the page is; 0 takes a free one.

    Raises:
        OSError: The port is taken.
    """
    # The port first: that it is taken is told before kernels are compiled.
    with Server(port) as server:
        print("making the world ...", flush=True)
        session = Session(seed=seed, goals=goals, size=size, pixels=pixels)
        session.picture()
        server.session = session
        print(f"open {server.address} in a browser; Ctrl-C ends the game", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
        with server.lock:
            print(f"You solved {session.solved} of {session.ended} tasks.")
    return session.solved, session.ended


class Server(ThreadingHTTPServer):
    """Listens on this machine; answers once it has a session.

    Args:
        port: Where to listen; 0 takes a free port.
    """

    session: Session

    def __init__(self, port: int) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.page = (files("lapis.play.voxel") / "page.html").read_bytes()
        self.lock = threading.Lock()
        """Held while the session is in use: a browser asks for several things at once."""

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://localhost:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        """The page, and what there is to tell."""
        if not self._is_ours():
            return
        if self.path == "/":
            self._send("text/html; charset=utf-8", self.server.page)
        elif self.path == "/status":
            with self.server.lock:
                self._send_json(self.server.session.status())
        else:
            self._fail(404, f"there is no {self.path}")

    def do_POST(self) -> None:
        """A step, or a picture."""
        if not self._is_ours():
            return
        try:
            asked = self._asked()
            if self.path == "/step":
                self._step(asked)
            elif self.path == "/picture":
                self._picture(asked)
            else:
                self._fail(404, f"there is no {self.path}")
        except (ValueError, TypeError) as error:
            self._fail(400, str(error))

    def _step(self, asked: dict[str, Any]) -> None:
        with self.server.lock:
            session = self.server.session
            session.step(**asked)
            self._send_json(session.status())

    def _picture(self, asked: dict[str, Any]) -> None:
        with self.server.lock:
            picture = self.server.session.picture(**asked)
        opaque = np.full((*picture.shape[:2], 1), 255, np.uint8)
        self._send("application/octet-stream", np.dstack([picture, opaque]).tobytes())

    def _asked(self) -> dict[str, Any]:
        length = int(self.headers.get("Content-Length", 0))
        if not 0 < length <= LONGEST_REQUEST:
            self.close_connection = True
            raise ValueError(f"a request must have 1 to {LONGEST_REQUEST} bytes, not {length}")
        asked = json.loads(self.rfile.read(length))
        if not isinstance(asked, dict):
            raise ValueError(f"a request must be a JSON object, not {asked!r}")
        return asked

    def _is_ours(self) -> bool:
        """Pages of other sites can send requests here, but not under this name and type."""
        # Any port: a tunnel from another machine may have one of its own.
        name = self.headers.get("Host", "").partition(":")[0]
        is_here = name in ("localhost", ADDRESS)
        is_json = self.headers.get("Content-Type") == "application/json"
        if is_here and (is_json or self.command == "GET"):
            return True
        self.close_connection = True
        self._fail(403, "only the page itself may ask")
        return False

    def _send_json(self, value: Any) -> None:
        self._send("application/json", json.dumps(value).encode())

    def _fail(self, code: int, message: str) -> None:
        self._send("text/plain; charset=utf-8", message.encode(), code)

    def _send(self, kind: str, body: bytes, code: int = 200) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: a line for each step helps nobody."""
