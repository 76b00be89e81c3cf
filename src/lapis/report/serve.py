"""`lapis report --serve`: the report of runs while they train, on this machine alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from lapis.report.command import find_runs, load_groups
from lapis.report.page import report_html, waiting_html
from lapis.runs import RunError

__all__ = ["LivePage", "ReportServer", "serve_report"]

ADDRESS = "127.0.0.1"
LARGEST_SHARE = 0.1
"""Share of the time that drawing may take: the runs need the processor more."""


def serve_report(paths: Sequence[Path], *, port: int = 8010) -> None:
    """Serves the report on these runs until Ctrl-C; pages in browsers follow the runs.

    Port 0 takes a free one. Paths are those of `write_report`.

    Raises:
        RunError: The port is taken.
    """
    try:
        server = ReportServer(LivePage(paths), port)
    except OSError as error:
        raise RunError(f"port {port} cannot be used: {error.strerror}; try --port 0") from error
    with server:
        address = f"http://localhost:{server.server_port}/"
        print(f"open {address} in a browser; the page follows the runs; Ctrl-C ends", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


class LivePage:
    """The report on runs, redrawn on request if their files have changed."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = list(paths)
        self._lock = threading.Lock()  # Browsers ask for several things at once.
        self._seen: object = None
        self._html = ""
        self._version = ""
        self._next_drawing = 0.0

    def current(self) -> tuple[str, str]:
        """Version and text of the page."""
        with self._lock:
            files = self._files()
            if files != self._seen and time.monotonic() >= self._next_drawing:
                start = time.monotonic()
                self._version = f"{time.time_ns():x}"
                try:
                    self._html = report_html(load_groups(self._paths), version=self._version)
                except (RunError, FileNotFoundError) as error:  # Such as no finished update.
                    self._html = waiting_html(str(error), version=self._version)
                self._seen = files
                end = time.monotonic()
                self._next_drawing = end + (end - start) / LARGEST_SHARE
            return self._version, self._html

    def _files(self) -> list[tuple[str, int, int]]:
        """Names, sizes and times of what a report reads."""
        found = []
        for run in find_runs(self._paths):
            for path in (run, run / "metrics.jsonl", run / "evaluation.jsonl"):
                if path.is_file():
                    state = path.stat()
                    found.append((str(path), state.st_size, state.st_mtime_ns))
        return found


class ReportServer(ThreadingHTTPServer):
    """Answers `GET /` with the page and `GET /version` with its version."""

    daemon_threads = True

    def __init__(self, page: LivePage, port: int) -> None:
        super().__init__((ADDRESS, port), _Handler)
        self.page = page


class _Handler(BaseHTTPRequestHandler):
    server: ReportServer  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        """The page or its version, only under this machine's name."""
        code, text, kind = 404, f"there is no {self.path}", "text/plain"
        # Other sites can have names that lead here; the Host header gives them away.
        if self.headers.get("Host", "").partition(":")[0] not in ("localhost", ADDRESS):
            code, text = 403, "only this machine may ask"
        elif self.path == "/":
            code, text, kind = 200, self.server.page.current()[1], "text/html"
        elif self.path == "/version":
            code, text = 200, self.server.page.current()[0]
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silent, because a page asks every few seconds."""
