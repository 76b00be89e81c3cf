"""The page and the game behind it, over plain HTTP on this machine alone.

`GET /` is the page, `GET /status` what there is to tell. `POST /step` plays a step, `POST /skip`
asks for another goal, and both answer with the status; `POST /picture` answers with red, green,
blue and alpha of each pixel. A body is a JSON object with the arguments of the `Session` method of
that name.

One client cannot hold up another: answers are sent after the lock on the game is given back, and
who takes longer than `LONGEST_REQUEST_TIME` over a request is cut off.

It is Python's own server: five kinds of requests by one player need no framework, nor a package
that whoever wants to play must install.
"""

from __future__ import annotations

import errno
import json
import socket
import sys
import threading
import time
from collections.abc import Sequence
from http import HTTPStatus
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
LONGEST_REQUEST_TIME = 20.0
"""To begin a request, and from there to the last byte of its answer [s]."""
MOST_CONNECTIONS = 256
"""At the same time, each with a thread of its own."""


def play_voxel(
    *,
    seed: int = 0,
    goals: Sequence[str] = GOALS,
    size: int = 64,
    pixels: int | None = None,
    port: int = 8000,
) -> tuple[int, int]:
    """Serves the game until Ctrl-C; returns tasks solved and tasks ended.

    Args:
        seed: Decides the world and the goals.
        goals: Items that can be asked for.
        size: Blocks along each side of the world.
        pixels: Pixels along each side of the picture; None takes as many as this machine can draw
            quickly.
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

    Raises:
        OSError: Another program has the port, under either address of localhost.
    """

    session: Session
    request_queue_size = 128
    # Waited for in the end: Python must not go away while one of them is in a kernel.
    daemon_threads = False
    _other_localhost: socket.socket | None = None

    def __init__(self, port: int) -> None:
        self._waiting: dict[socket.socket, float] = {}
        super().__init__((ADDRESS, port), _Handler)
        self.page = (files("lapis.play.voxel") / "page.html").read_bytes()
        self.lock = threading.Lock()
        """Held while the session is in use: a browser asks for several things at once."""
        try:
            self._other_localhost = _held(self.server_port)
        except OSError:
            self.server_close()
            raise

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://localhost:{self.server_port}/"

    @property
    def connection_count(self) -> int:
        """How many connections are open."""
        return len(self._waiting)

    def note(self, connection: socket.socket) -> None:
        """From now on `connection` has `LONGEST_REQUEST_TIME` again."""
        self._waiting[connection] = time.monotonic()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Starts a thread for a connection; who has waited longest makes room where it is full."""
        if len(self._waiting) >= MOST_CONNECTIONS:
            # A list first: the threads change the dictionary.
            self._cut(min(list(self._waiting.items()), key=lambda entry: entry[1])[0])
        self.note(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Closes a connection."""
        self._waiting.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Cuts off who takes too long; called twice a second."""
        end = time.monotonic() - LONGEST_REQUEST_TIME
        for connection, since in list(self._waiting.items()):
            if since < end:
                self._cut(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Silent where the client has gone; anything else is a fault of ours and is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """Cuts off all clients and gives back the port under both addresses."""
        for connection in list(self._waiting):
            self._cut(connection)
        super().server_close()
        if self._other_localhost is not None:
            self._other_localhost.close()

    def _cut(self, connection: socket.socket) -> None:
        """Ends a connection: its thread stops reading or writing, and closes it."""
        self._waiting.pop(connection, None)
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError as error:
            # Its thread was faster.
            if error.errno not in (errno.ENOTCONN, errno.EBADF):
                raise


def _held(port: int) -> socket.socket | None:
    """Holds [::1]:port, where browsers look for localhost first; None where there is no IPv6.

    It does not listen, so that a browser goes on to `ADDRESS` at once.

    Raises:
        OSError: Another program has the port there, and would get our player's requests.
    """
    try:
        held = socket.socket(socket.AF_INET6)
        try:
            held.bind(("::1", port))
        except OSError:
            held.close()
            raise
    except OSError as error:
        if error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
            raise
        return None
    return held


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A small answer must not wait until the browser has confirmed the last one.
    disable_nagle_algorithm = True
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def parse_request(self) -> bool:
        """Reads the rest of a request whose first line has come."""
        # Here, and not when a thread begins to wait: clients are then in the order of what they
        # did, whichever thread runs first.
        self.server.note(self.connection)
        return super().parse_request()

    def do_GET(self) -> None:
        """The page, and what there is to tell."""
        if not self._is_ours():
            return
        if self.path == "/":
            self._send("text/html; charset=utf-8", self.server.page)
        elif self.path == "/status":
            with self.server.lock:
                answer = _answer(self.server.session.status())
            self._send(*answer)
        else:
            self._fail(404, f"there is no {self.path}")

    def do_POST(self) -> None:
        """A step, another goal, or a picture."""
        if not self._is_ours():
            return
        session = self.server.session
        methods = {"/step": session.step, "/skip": session.skip, "/picture": session.picture}
        try:
            asked = self._asked()
            if self.path not in methods:
                self._fail(404, f"there is no {self.path}")
                return
            with self.server.lock:
                picture = methods[self.path](**asked)
                answer = _answer(session.status() if picture is None else picture)
        except (ValueError, TypeError) as error:
            self._fail(400, str(error))
        else:
            # The lock is free by now: a client that does not read waits for itself alone.
            self._send(*answer)

    def _asked(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "0")
        if not (length.isdecimal() and 0 < int(length) <= LONGEST_REQUEST):
            self.close_connection = True
            raise ValueError(f"a request must have 1 to {LONGEST_REQUEST} bytes, not {length}")
        try:
            asked = json.loads(self.rfile.read(int(length)))
        except RecursionError:
            raise ValueError("a request must not be nested that deeply") from None
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

    def _fail(self, code: int, message: str) -> None:
        self._send("text/plain; charset=utf-8", message.encode(errors="replace"), code)

    def _send(self, kind: str, body: bytes, code: int = 200) -> None:
        """Sends head and body together: in one packet where they fit into one."""
        head = [
            f"{self.protocol_version} {code} {HTTPStatus(code).phrase}",
            f"Content-Type: {kind}",
            f"Content-Length: {len(body)}",
            "Cache-Control: no-store",
            *(["Connection: close"] if self.close_connection else []),
        ]
        self.wfile.write("\r\n".join([*head, "", ""]).encode() + body)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: a line for each step helps nobody."""


def _answer(told: dict[str, Any] | np.ndarray) -> tuple[str, bytes]:
    """The type and the bytes of a status or of a picture."""
    if isinstance(told, dict):
        return "application/json", json.dumps(told).encode()
    pixels = np.full((*told.shape[:2], 4), 255, np.uint8)
    pixels[..., :3] = told
    return "application/octet-stream", pixels.tobytes()
