"""The server behind the page, and the command that starts it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import numpy as np
import pytest

from lapis.cli import main
from lapis.play.voxel.server import Server


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
        ({"turn": [1, "a"]}, "must be real number"),
        ({"speed": 3}, "unexpected keyword argument 'speed'"),
        ([], "must be a JSON object"),
        (b"{", "Expecting property name"),
        (b"[" * 20_000, "1 to 10000 bytes"),
    ],
)
def test_a_step_that_makes_no_sense_is_refused_and_changes_nothing(server, body, told):
    before = server.session.status()
    code, text = refused(server, "/step", body)
    assert code == 400
    assert told in text
    assert server.session.status() == before


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


def test_the_command_prints_the_address_and_ends_with_the_signal_of_ctrl_c():
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
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 0
    assert "You solved 0 of 0 tasks." in rest


def test_a_port_that_is_taken_is_told(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["play", "voxel", "--port", str(port), "--size", "16"]) == 2
    assert f"port {port} is taken" in capsys.readouterr().err


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
