"""The page in a real browser: keys and mouse play, the picture is there, and nothing fails."""

import threading
import time

import numpy as np
import pytest
import torch

from lapis.minecraft.items import ITEM
from lapis.play.voxel.server import Server
from tests.play.chromium import BROWSER, PATIENCE, Chromium

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium to open the page with")

TEXT = "document.getElementById('{}').textContent"
PIXELS = """(() => {
  const canvas = document.getElementById("canvas");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  return new Set(new Uint32Array(data.buffer)).size;
})()"""
MIDDLE = """(() => {
  const box = document.getElementById("canvas").getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Chromium(tmp_path_factory.mktemp("browser") / "profile") as browser:
        yield browser


@pytest.fixture
def short_timeout(monkeypatch):
    monkeypatch.setattr("lapis.play.voxel.server._Handler.timeout", 0.2)


@pytest.fixture
def page(server, browser):
    browser.resize(1200, 800)
    browser.open(server.address)
    browser.until("document.getElementById('canvas')?.width === 64")
    return browser


def turned(server: Server, pitch: int) -> dict:
    """Waits until the camera has turned and come to rest; the status then."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with server.lock:
            status = server.session.status()
        if status["settled"] and status["pitch"] != pitch:
            return status
        time.sleep(0.02)
    raise TimeoutError(f"the camera did not come to rest: {status}")


def test_keys_and_mouse_play_the_game(server: Server, page: Chromium):
    session = server.session
    assert page.value(TEXT.format("goal")) == session.status()["goal"].replace("_", " ")
    assert page.value(TEXT.format("how")) == session.status()["hint"]["how"]
    assert page.value(PIXELS) > 20

    # Nothing is held: time stands still.
    assert session.status()["step"] == 0
    start = session.status()["position"]
    assert page.value("document.getElementById('intro').checkVisibility()")
    page.press("KeyW", "w")
    page.press("Space", " ")
    page.until(f"{TEXT.format('clock')} < '4:59'")
    assert not page.value("document.getElementById('intro').checkVisibility()")
    page.release("KeyW", "w")
    page.release("Space", " ")
    assert np.linalg.norm(np.subtract(session.status()["position"], start)) > 0.3

    # The first click takes the mouse; then moving it turns the camera.
    x, y = page.value(MIDDLE)
    page.mouse("mousePressed", x, y, "left")
    page.mouse("mouseReleased", x, y, "left")
    page.until("document.pointerLockElement?.id === 'canvas'")
    page.until("document.getElementById('hint').hidden")
    yaw, pitch = session.status()["yaw"], session.status()["pitch"]
    page.mouse("mouseMoved", x + 100, y + 300)
    status = turned(server, pitch)
    # A pixel is 0.15 degrees; the rest is smaller than half the least turn.
    assert abs((status["yaw"] - yaw + 1800) % 3600 - 1800 - 150) <= 7
    assert abs(status["pitch"] - pitch - 450) <= 7

    # The left button digs the ground.
    page.mouse("mouseMoved", x + 100, y + 600)
    assert turned(server, status["pitch"])["pitch"] > 850
    page.mouse("mousePressed", x + 100, y + 600, "left")
    page.until(f"{TEXT.format('inventory')} !== 'nothing'")
    page.mouse("mouseReleased", x + 100, y + 600, "left")
    name = session.status()["inventory"][0][0]
    assert f"+1 {name}" in page.value(TEXT.format("gained"))
    assert session.status()["inventory"][0][0] in page.value(TEXT.format("inventory"))
    assert page.errors == []


def test_what_is_typed_is_crafted(server: Server, page: Chromium):
    with server.lock:
        server.session.world.inventory[0, ITEM["log"]] = 3
    page.press("Space", " ")
    page.until(f"{TEXT.format('actions')}.includes('craft planks')")
    page.release("Space", " ")
    assert page.value(TEXT.format("inventory")) == "3 log"
    page.press("KeyC", "c")
    page.until("document.activeElement.id === 'filter'")
    page.write("craft pl")
    assert page.until("document.querySelector('#actions .first').textContent") == "craft planks"
    page.press("Enter", "Enter")
    page.until(f"{TEXT.format('inventory')} === '2 log4 planks'")
    assert page.value("document.activeElement.id") == "canvas"
    # Now planks could be placed as well, but who types the name wants more of them.
    page.press("KeyC", "c")
    page.write("planks")
    names = "[...document.querySelectorAll('#actions button')].map((button) => button.textContent)"
    assert page.value(names) == ["craft planks", "place planks"]
    page.press("Enter", "Enter")
    page.until(f"{TEXT.format('inventory')} === '1 log8 planks'")
    # A click does the same.
    page.value(
        "[...document.querySelectorAll('#actions button')]"
        ".find((button) => button.textContent === 'craft stick').click()"
    )
    page.until(f"{TEXT.format('inventory')}.includes('4 stick')")
    assert page.errors == []


def test_a_whole_name_comes_before_a_part_of_another(server: Server, page: Chromium):
    with server.lock:
        for name in ("stone", "stonebrick"):
            server.session.world.inventory[0, ITEM[name]] = 9
    page.press("Space", " ")
    page.until(f"{TEXT.format('actions')}.includes('craft stonebrick')")
    page.release("Space", " ")
    page.press("KeyC", "c")
    page.write("stone")
    assert page.value("document.querySelector('#actions .first').textContent") == "place stone"


def test_the_card_tells_what_is_missing(server: Server, page: Chromium):
    session = server.session
    with server.lock:
        shovel = session.game.goals.index("wooden_shovel")
        session.game.ask_for(torch.full_like(session.game.goal, shovel))
        session.world.inventory[0, ITEM["planks"]] = 3
    page.press("Space", " ")
    page.until(f"{TEXT.format('goal')} === 'wooden shovel'")
    page.release("Space", " ")
    parts = (
        "[...document.querySelectorAll('.part')].map((part) => [part.className, part.innerText])"
    )
    assert page.value(parts) == [
        ["part have", "\u2713 1 planks"],
        ["part", "0 of 2 stick"],
        ["part", "0 of 1 crafting table"],
    ]
    assert page.value(TEXT.format("next")) == "Craft stick."


def test_a_button_and_a_key_ask_for_another_goal(server: Server, page: Chromium):
    for skip in (lambda: page.press("KeyN", "n"), lambda: page.value("skip.click()")):
        before = page.value(TEXT.format("goal"))
        skip()
        page.until(f"{TEXT.format('goal')} !== '{before}'")
        assert page.value(TEXT.format("log")) == f"Skipped: {before}."
    assert server.session.status()["step"] == 0
    assert page.errors == []


def test_fingers_play_on_a_phone(server: Server, page: Chromium):
    page.resize(390, 844, phone=True)
    page.open(server.address)
    page.until("document.getElementById('canvas')?.width === 64")
    assert page.value("document.documentElement.scrollWidth") == 390
    assert page.value("keys.innerText").strip() == ""
    page.value("begin.click()")
    assert not page.value("intro.checkVisibility()")
    x, y = page.value(MIDDLE)
    yaw = server.session.status()["yaw"]
    page.touch("touchStart", (x, y))
    page.touch("touchMove", (x - 50, y))
    page.touch("touchEnd")
    page.until("document.getElementById('hint').hidden")
    end = time.monotonic() + PATIENCE
    # 50 pixels to the left turn to the right by 200 tenths of a degree.
    while abs((server.session.status()["yaw"] - yaw) % 3600 - 200) > 7:
        assert time.monotonic() < end
        time.sleep(0.02)
    start = server.session.status()["position"][1]
    jump = page.value(
        "(({ left, top }) => [left + 9, top + 9])"
        "(document.querySelector('[data-control=jump]').getBoundingClientRect())"
    )
    page.touch("touchStart", tuple(jump))
    while server.session.status()["position"][1] <= start:
        assert time.monotonic() < end
        time.sleep(0.02)
    page.touch("touchEnd")
    assert page.errors == []


def test_the_end_of_an_episode_asks_for_the_next(server: Server, page: Chromium):
    with server.lock:
        server.session.world.state.health.fill_(0)
    page.press("KeyD", "d")
    page.until("!document.getElementById('veil').hidden")
    page.release("KeyD", "d")
    assert page.value(TEXT.format("veil-text")) == "You died. The episode is over."
    assert page.value(TEXT.format("goal")) == "..."
    page.press("Enter", "Enter")
    page.until("document.getElementById('veil').hidden")
    assert page.value(TEXT.format("health")) == "20 / 20"
    assert page.value(TEXT.format("log")) == "A new episode begins."


def test_a_game_that_has_stopped_says_so(server: Server, page: Chromium, monkeypatch):
    def step(**_):
        raise ValueError("out of order")

    monkeypatch.setattr(server.session, "step", step)
    page.press("KeyD", "d")
    page.until("!document.getElementById('veil').hidden")
    page.release("KeyD", "d")
    assert page.value(TEXT.format("veil-text")) == "The game has stopped: out of order"


def test_the_page_fits_into_its_window(page: Chromium):
    size = page.value(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert size == page.value("[innerWidth, innerHeight]")
    box = page.value("(({ width, height }) => [width, height])(canvas.getBoundingClientRect())")
    assert box[0] == pytest.approx(box[1], abs=1)
    assert box[0] > 400


def test_the_page_goes_on_after_its_idle_connections_were_cut(short_timeout: None, page: Chromium):
    end = time.monotonic() + PATIENCE
    while any("process_request" in thread.name for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.02)
    page.press("Space", " ")
    page.until(f"{TEXT.format('clock')} !== '5:00'")
    page.release("Space", " ")
    assert not page.value("document.getElementById('veil').checkVisibility()")
    assert page.errors == []
