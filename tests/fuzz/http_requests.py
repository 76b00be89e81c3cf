"""Raw requests against the play server: garbage, halves, floods, slow and silent clients.

    python -m tests.fuzz.http_requests --requests 500 --connections 200

The server is the command itself, in a process of its own. After all this it must still answer,
must have printed nothing on stderr, and must end in good order with Ctrl-C.
"""

import argparse
import contextlib
import json
import os
import random
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter

from tests.fuzz.mutations import ESCAPES, hostile_value, mutate_bytes

COMMAND = ["play", "voxel", "--port", "0", "--size", "16", "--pixels", "16"]
GOOD = {
    "step": {"held": ["jump"], "turn": [5, -3]},
    "skip": {},
    "picture": {"between": 0.5},
}
METHODS = (
    "GET",
    "POST",
    "PUT",
    "HEAD",
    "OPTIONS",
    "DELETE",
    "TRACE",
    "get",
    "",
    "\x00",
    "G" * 9000,
)
PATHS = ("/", "/status", "/step", "/picture", "/skip", "/../../etc/passwd", "//", "*", "", "/%00")
VERSIONS = ("HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9999999.1", "HTTP/-1", "x", "")
HOSTS = ("localhost", "127.0.0.1", "evil.example", "localhost:x", "[::1]", "", "\xff")
LENGTHS = ("-1", "0", "1", "99999999999999999999", "1e3", "x", "", "+5", "\u0663", "10001")
ANSWER_SECONDS = 60
"""The machine may be busy; the server itself gives a request 20 s."""


def request(rng: random.Random) -> bytes:
    """A request that is seldom as it should be."""
    kind = rng.randrange(10)
    if kind == 0:
        return rng.randbytes(rng.randint(1, 4000))
    name = rng.choice(list(GOOD))
    body = json.dumps(GOOD[name]).encode()
    if kind in (1, 2, 3):
        body = json.dumps(
            {**GOOD[name], rng.choice(("held", "turn", "between", "x")): hostile_value(rng)}
        )
        body = body.encode()
    if kind == 4:
        body = rng.choice(
            (b"[" * 9000, b'{"held":' * 1200, b"{" * 9999, b"", b"null", b"\xff" * 50)
        )
    head = [f"POST /{name} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    if kind == 5:
        head[0] = f"{rng.choice(METHODS)} {rng.choice(PATHS)} {rng.choice(VERSIONS)}"
        head[1] = f"Host: {rng.choice(HOSTS)}"
    length = rng.choice(LENGTHS) if kind == 6 else str(len(body))
    head.append(f"Content-Length: {length}")
    if kind == 7:
        head += [f"X-{number}: {'y' * rng.choice((1, 70_000))}" for number in range(150)]
    if kind == 8:
        head += [
            rng.choice(("Expect: 100-continue", "Transfer-Encoding: chunked", ESCAPES, ":", " "))
        ]
    whole = "\r\n".join([*head, "", ""]).encode(errors="replace") + body
    return mutate_bytes(rng, whole)[0] if kind == 9 else whole


def talk(
    rng: random.Random, port: int, requests: int, counts: Counter, end: threading.Event
) -> None:
    """A client: sends, and reads, or does not, or not yet; comes back when it was cut off."""
    manner = rng.choice(("reads", "reads", "leaves", "resets", "silent", "slow", "half"))
    while requests:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            counts["connections"] += 1
            with contextlib.suppress(ConnectionError, TimeoutError):
                while requests:
                    requests -= 1
                    counts["requests"] += 1
                    send(rng, client, manner)
                    if manner in ("reads", "slow"):
                        counts[answered(client)] += 1
            if manner == "resets":
                # With this a close is a reset.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            if manner in ("silent", "half") and not requests:
                end.wait()  # Says and reads nothing more, but stays.


def send(rng: random.Random, client: socket.socket, manner: str) -> None:
    """Sends a request, half of one, or one that begins byte by byte."""
    data = request(rng)
    if manner == "half":
        data = data[: rng.randint(1, len(data))]
    for byte in data[:20] if manner == "slow" else b"":
        client.sendall(bytes([byte]))
        time.sleep(0.02)
    client.sendall(data[20:] if manner == "slow" else data)


def answered(client: socket.socket) -> str:
    """The status of an answer; nothing comes while the server waits for the rest of a request."""
    ready, _, _ = select.select([client], [], [], 0.5)
    if not ready:
        return "no answer yet"
    data = client.recv(1_000_000)
    status = re.match(rb"HTTP/1\.1 (\d+) ", data)
    return f"answer {status[1].decode()}" if status else ("closed" if not data else "answer, rest")


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )
    server = subprocess.Popen(
        [sys.executable, "-m", "lapis", *COMMAND],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        errors = attacked(server, options)
    finally:
        server.kill()
    assert server.returncode == 0, f"it ended with {server.returncode}: {errors}"
    assert not errors, errors


def attacked(server: subprocess.Popen, options: argparse.Namespace) -> str:
    """Talks to the server in many ways at once, then looks after it; returns its stderr."""
    assert server.stdout is not None
    address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+/", line)))
    port = int(address.rstrip("/").rpartition(":")[2])
    counts: Counter[str] = Counter()
    end = threading.Event()
    shares = [
        len(range(k, options.requests, options.connections)) for k in range(options.connections)
    ]
    clients = []
    for number, requests in enumerate(shares):
        rng = random.Random(f"{options.seed} {number}")
        clients.append(
            threading.Thread(target=talk, args=(rng, port, requests, counts, end), daemon=True)
        )
        clients[-1].start()
    # Meanwhile a player is served.
    steps = [step(address) for _ in range(5)]
    time.sleep(3)
    steps.append(step(address))
    assert steps == sorted(steps), steps
    end.set()
    for client in clients:
        client.join(ANSWER_SECONDS)
        assert not client.is_alive(), "a client waits for ever"
    assert step(address) > steps[0]
    server.send_signal(signal.SIGINT)
    output, errors = server.communicate(timeout=ANSWER_SECONDS)
    assert re.search(r"You solved \d+ of \d+ tasks", output), output
    counts["clients at once"] = len(clients)
    print(json.dumps(counts))
    return errors


def step(address: str) -> int:
    """Plays a step as the page does; returns how many were played."""
    asked = urllib.request.Request(
        f"{address}step",
        data=json.dumps(GOOD["step"]).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=ANSWER_SECONDS) as answer:
        return json.load(answer)["step"]


if __name__ == "__main__":
    main()
