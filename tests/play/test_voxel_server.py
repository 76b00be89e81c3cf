"""The server behind the page, and the command that starts it."""

import contextlib
import json
import os
import re
import signal
import socket
import socketserver
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable

import numpy as np
import pytest

from lapis.cli import main
from lapis.play.voxel import server as server_module
from lapis.play.voxel.server import Server


def _has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


HAS_IPV6 = _has_ipv6()
REQUEST = b"GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def flood(port: int) -> socket.socket:
    """A connection that has sent requests, and read nothing, until the server took no more."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.settimeout(1)
    with contextlib.suppress(TimeoutError):
        for _ in range(400):
            client.sendall(1000 * REQUEST)
        raise AssertionError("the server takes everything")
    return client


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def ask(server: Server, path: str, body=None, **headers: str) -> bytes:
    """The answer to a GET, or to a POST where there is a body."""
    kind = {} if body is None else {"Content-Type": "application/json"}
    sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(
        server.address.rstrip("/") + path, data=sent, headers=kind | headers
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()


def refused(server: Server, path: str, body=None, **headers: str) -> tuple[int, str]:
    """Code and text of an answer that is an error."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(server, path, body, **headers)
    return caught.value.code, caught.value.read().decode()


def test_the_page_needs_nothing_from_elsewhere(server):
    page = ask(server, "/").decode()
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r"https?://|src=|@import", page)


def test_a_step_answers_with_the_status_after_it(server):
    before = json.loads(ask(server, "/status"))
    after = json.loads(ask(server, "/step", {"held": ["jump"], "turn": [50, 0]}))
    assert (before["step"], after["step"]) == (0, 1)
    assert after["yaw"] == (before["yaw"] + 50) % 3600
    assert after["position"][1] > before["position"][1]
    assert json.loads(ask(server, "/status")) == after


def test_a_picture_is_opaque_pixels(server):
    pixels = np.frombuffer(ask(server, "/picture", {"between": 1}), np.uint8).reshape(64, 64, 4)
    assert (pixels[..., 3] == 255).all()
    assert np.array_equal(pixels[..., :3], server.session.picture())
    assert json.loads(ask(server, "/status"))["step"] == 0


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"held": ["fly"]}, "held has ['fly']"),
        ({"held": 3}, "'int' object is not iterable"),
        ({"turn": [1, "a"]}, "bad operand type for abs(): 'str'"),
        ({"turn": [1e300, 0]}, "both must be from -360000 to 360000"),
        (b'{"turn": [' + b"9" * 400 + b", 0]}", "both must be from -360000 to 360000"),
        ({"speed": 3}, "unexpected keyword argument 'speed'"),
        ([], "must be a JSON object"),
        (b"{", "Expecting property name"),
        (b"[" * 20_000, "1 to 10000 bytes"),
        (b"[" * 9_000, "must not be nested that deeply"),
        (b'{"held":' * 1_200, "must not be nested that deeply"),
    ],
)
def test_a_step_that_makes_no_sense_is_refused_and_changes_nothing(server, body, told):
    before = server.session.status()
    code, text = refused(server, "/step", body)
    assert code == 400
    assert told in text
    assert server.session.status() == before


def test_a_skip_answers_with_the_next_goal(server):
    before = json.loads(ask(server, "/status"))
    after = json.loads(ask(server, "/skip", {}))
    assert after["goal"] != before["goal"]
    assert after["step"] == 0
    assert refused(server, "/skip", {"goal": "log"})[0] == 400


def test_head_and_body_go_out_together_and_at_once(server, monkeypatch):
    writes = []
    write = socketserver._SocketWriter.write

    def noted(self, data):
        writes.append((data, self._sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
        return write(self, data)

    monkeypatch.setattr(socketserver._SocketWriter, "write", noted)
    body = ask(server, "/status")
    assert len(writes) == 1
    sent, does_not_wait = writes[0]
    head, _, rest = sent.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert rest == body
    assert does_not_wait


def test_only_the_page_itself_may_ask(server):
    assert refused(server, "/status", Host="evil.example")[0] == 403
    assert refused(server, "/status", Host="localhost.evil.example:80")[0] == 403
    assert ask(server, "/status", Host="localhost:9000")  # A tunnel has a port of its own.
    assert refused(server, "/step", {}, **{"Content-Type": "text/plain"})[0] == 403
    assert server.session.status()["step"] == 0
    assert refused(server, "/nowhere") == (404, "there is no /nowhere")
    assert refused(server, "/nowhere", {}) == (404, "there is no /nowhere")


def test_only_this_machine_is_served(server):
    assert server.server_address[0] == "127.0.0.1"


def test_a_client_that_reads_nothing_holds_up_nobody(server):
    with flood(server.server_port):
        assert json.loads(ask(server, "/status"))["step"] == 0
        assert json.loads(ask(server, "/step", {}))["step"] == 1


def test_a_client_that_reads_nothing_is_cut_off(server, monkeypatch):
    monkeypatch.setattr(server_module, "LONGEST_REQUEST_TIME", 0.5)
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ConnectionError):  # It may be cut off while it still sends.
            stack.enter_context(flood(server.server_port))
        until(lambda: server.connection_count == 0)


def test_a_client_that_sends_a_byte_now_and_then_is_cut_off(server, monkeypatch):
    monkeypatch.setattr(server_module, "LONGEST_REQUEST_TIME", 0.5)
    with connected(server.server_port) as client:

        def is_cut() -> bool:
            try:
                client.send(b"G")
            except ConnectionError:
                return True
            return False

        until(is_cut)
    until(lambda: server.connection_count == 0)


def test_where_there_are_too_many_who_has_waited_longest_makes_room(server, monkeypatch):
    monkeypatch.setattr(server_module, "MOST_CONNECTIONS", 3)
    with contextlib.ExitStack() as stack:
        clients = []
        for count in range(1, 4):
            clients.append(stack.enter_context(connected(server.server_port)))
            until(lambda count=count: server.connection_count == count)
        # The first one asks, and so the second has waited longest.
        clients[0].sendall(REQUEST)
        assert clients[0].recv(100).startswith(b"HTTP/1.1 200 OK")
        assert json.loads(ask(server, "/status"))["step"] == 0
        assert clients[1].recv(100) == b""
        clients[2].sendall(REQUEST)
        assert clients[2].recv(100).startswith(b"HTTP/1.1 200 OK")


def test_many_can_connect_before_the_first_is_answered():
    with Server(0) as busy, contextlib.ExitStack() as stack:
        for _ in range(100):
            client = socket.create_connection(("127.0.0.1", busy.server_port), timeout=5)
            stack.enter_context(client)


def test_a_client_that_goes_away_is_not_an_error(server, capfd):
    with connected(server.server_port) as client:
        # With this a close is a reset.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.sendall(REQUEST * 50)
    until(lambda: server.connection_count == 0)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("is_flooded", [False, True])
def test_the_command_prints_the_address_and_ends_with_the_signal_of_ctrl_c(is_flooded):
    command = [sys.executable, "-m", "lapis", "play", "voxel", "--port", "0", "--size", "16"]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        address = None
        for line in process.stdout:
            if address := re.search(r"http://localhost:\d+/", line):
                break
        assert address is not None
        with urllib.request.urlopen(address[0] + "status", timeout=30) as answer:
            assert json.loads(answer.read())["step"] == 0
        with contextlib.ExitStack() as stack:
            if is_flooded:
                port = int(address[0].rpartition(":")[2].strip("/"))
                stack.enter_context(flood(port))
            process.send_signal(signal.SIGINT)
            try:
                rest, _ = process.communicate(timeout=30)
            finally:
                process.kill()
    assert process.returncode == 0
    assert "You solved 0 of 0 tasks." in rest


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_a_port_that_is_taken_is_told(capsys, address):
    family = socket.AF_INET6 if address == "::1" else socket.AF_INET
    if family == socket.AF_INET6 and not HAS_IPV6:
        pytest.skip("no IPv6 here")
    with socket.create_server((address, 0), family=family) as taken:
        port = taken.getsockname()[1]
        assert main(["play", "voxel", "--port", str(port), "--size", "16"]) == 2
    assert f"port {port} is taken" in capsys.readouterr().err


@pytest.mark.skipif(not HAS_IPV6, reason="no IPv6 here")
def test_nobody_else_can_take_the_other_address_of_localhost(server):
    port = server.server_port
    with pytest.raises(OSError, match="in use"):
        socket.create_server(("::1", port), family=socket.AF_INET6)
    # A browser that asks there first is turned away at once and takes the other.
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("::1", port), timeout=30)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["voxel", "--size", "17", "--port", "0"], "--size is 17; it must be a power of two"),
        (["voxel", "--pixels", "4", "--port", "0"], "--pixels is 4"),
        (["voxel", "--port", "70000"], "--port is 70000"),
        (["voxel", "--seed", "-1"], "--seed is -1"),
        (["voxel", "--goals", "diamnd"], "did you mean `diamond`?"),
        (["techtree", "--size", "16"], "--size is for `lapis play voxel`"),
    ],
)
def test_wrong_arguments_are_told(capsys, arguments, told):
    assert main(["play", *arguments]) == 2
    assert told in capsys.readouterr().err
