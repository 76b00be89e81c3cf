"""One server of the game, as the distribution ships it, with our mod and two pipes to it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

__all__ = ["INSTALL", "Server", "find_server", "game_folder", "write_registry"]

INSTALL = "apt-get install minetest-server minetest-data"
SERVERS = ("/usr/lib/minetest/minetestserver", "minetestserver")
"""Where the program is. Debian's script of the same name in /usr/games adds options, so that the
program itself comes first."""
GAMES = ("/usr/share/games/minetest/games", "/usr/share/minetest/games")
GAME = "minetest_game"
MOD = Path(__file__).parent / "mod" / "lapis"
START_SECONDS = 30.0
GOODBYE_SECONDS = 2.0
_LENGTH = struct.Struct("<I")

SETTINGS = """\
server_announce = false
bind_address = 127.0.0.1
port = {port}
dedicated_server_step = 0.001
secure.trusted_mods = lapis
mg_name = v7
fixed_map_seed = {seed}
num_emerge_threads = 1
liquid_update = 1000000
server_map_save_interval = 1000000
server_unload_unused_data_timeout = 1000000
debug_log_level = warning
"""
# Water stands still, and nothing is unloaded: land stays until its player moves on.
WORLD = """\
gameid = minetest
backend = dummy
auth_backend = sqlite3
player_backend = sqlite3
mod_storage_backend = sqlite3
load_mod_lapis = true
"""


def find_server() -> str:
    """The server's program.

    Raises:
        FileNotFoundError: It is not installed; the message says how to install it.
    """
    for name in SERVERS:
        place = shutil.which(name)
        if place is not None:
            return place
    raise FileNotFoundError(f"Minetest's server is not installed; get it with: {INSTALL}")


def game_folder() -> Path:
    """The folder of the game that comes with the engine.

    Raises:
        FileNotFoundError: It is not installed; the message says how to install it.
    """
    for folder in GAMES:
        if (Path(folder) / GAME).is_dir():
            return Path(folder) / GAME
    raise FileNotFoundError(f"Minetest's game is not installed; get it with: {INSTALL}")


class Server:
    """A running server, which answers one message at a time."""

    def __init__(self, seed: int) -> None:
        """Starts it with a map of this seed, and opens the pipes.

        Raises:
            FileNotFoundError: The server or its game is not installed.
            RuntimeError: It ends before it listens; the message has its last words.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="lapis-minetest-")
        folder = Path(self._folder.name)
        for name in ("questions", "answers"):
            os.mkfifo(folder / name)
        self._process = _start(folder, seed, f"lapis_pipes = {folder}\n")
        self._answers = os.open(folder / "answers", os.O_RDONLY | os.O_NONBLOCK)
        self._questions = self._open_questions(folder / "questions")
        self._await_answers()
        for pipe in (self._answers, self._questions):
            os.set_blocking(pipe, True)

    @property
    def process_id(self) -> int:
        """Of the server."""
        return self._process.pid

    def ask(self, question: bytes) -> bytes:
        """The answer to a question.

        Raises:
            RuntimeError: The server is gone; the message has its last words.
        """
        try:
            _write(self._questions, _LENGTH.pack(len(question)) + question)
            (size,) = _LENGTH.unpack(_read(self._answers, _LENGTH.size))
            return _read(self._answers, size)
        except (BrokenPipeError, EOFError) as error:
            raise RuntimeError(f"the server is gone: {self._last_words()}") from error

    def close(self) -> None:
        """The server is no more, and its map is forgotten."""
        # Its map is worth nothing, so that it need not be asked to end in order.
        self._process.kill()
        self._process.wait()
        for pipe in (self._answers, self._questions):
            os.close(pipe)
        self._folder.cleanup()

    def _open_questions(self, path: Path) -> int:
        """The pipe, once the server has opened its other end."""
        for _ in self._while_it_starts():
            with contextlib.suppress(OSError):  # ENXIO: nobody reads it yet.
                return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        raise RuntimeError(f"the server did not start: {self._last_words()}")

    def _await_answers(self) -> None:
        """The server has opened the other end of the answers; before that they look closed."""
        for _ in self._while_it_starts():
            try:
                os.read(self._answers, 1)
            except BlockingIOError:  # Open, and empty: it speaks only when it is asked.
                return
        raise RuntimeError(f"the server did not start: {self._last_words()}")

    def _while_it_starts(self) -> Iterator[None]:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            yield
            time.sleep(0.01)

    def _last_words(self) -> str:
        """Of a server that has closed its pipes, and so ends, if it has not been killed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GOODBYE_SECONDS)
        self._process.kill()
        code = self._process.wait()
        return f"exit status {code}, {_errors(Path(self._folder.name))}"


def write_registry(biome: str) -> bytes:
    """What the game has registered, as JSON; the server writes it and ends."""
    find_server()
    with tempfile.TemporaryDirectory(prefix="lapis-minetest-") as name:
        folder = Path(name)
        file = folder / "world" / "registry.json"
        settings = f"lapis_registry = {file}\nlapis_biome = {biome}\n"
        _start(folder, 0, settings).wait(START_SECONDS)
        if not file.is_file():
            raise RuntimeError(f"the server wrote no registry: {_errors(folder)}")
        return file.read_bytes()


def _start(folder: Path, seed: int, more: str) -> subprocess.Popen[bytes]:
    game_folder()
    # Without such a folder at home the engine does not start.
    (folder / "home" / ".minetest").mkdir(parents=True)
    world = folder / "world"
    shutil.copytree(MOD, world / "worldmods" / "lapis")
    (world / "world.mt").write_text(WORLD)
    settings = folder / "minetest.conf"
    settings.write_text(SETTINGS.format(port=_free_port(), seed=seed) + more)
    command = [find_server(), "--config", settings, "--world", world, "--gameid", GAME]
    return subprocess.Popen(
        [*command, "--logfile", folder / "log.txt"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder / "home")},
    )


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _errors(folder: Path) -> str:
    """The first error that the server has logged."""
    log = folder / "log.txt"
    lines = log.read_text(errors="replace").splitlines() if log.is_file() else []
    return next((line for line in lines if "ERROR" in line), "no error logged")


def _write(pipe: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(pipe, view) :]


def _read(pipe: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(pipe, min(size, 1 << 20))
        if not part:
            raise EOFError("the pipe is closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
