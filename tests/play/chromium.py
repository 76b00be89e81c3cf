"""A headless Chromium that is driven through its debugging pipe, with keys and a mouse."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
PATIENCE = 60.0
"""How long to wait for the browser or the page [s]."""


class Chromium:
    """One page in a browser of its own; use it in a `with` statement."""

    def __init__(self, profile: Path, width: int = 1200, height: int = 800) -> None:
        assert BROWSER is not None
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        os.set_blocking(self._read, False)

        # The browser reads commands from descriptor 3 and writes to 4.
        script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            [
                *("bash", "-c", script, "browser", BROWSER, "--remote-debugging-pipe"),
                *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
                f"--user-data-dir={profile}",
                f"--window-size={width},{height}",
                "about:blank",
            ],
            pass_fds=(to_browser, from_browser),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._rest = b""
        self.errors: list[str] = []
        """What went wrong in the page, as the browser tells it."""
        page = self._ask("Target.createTarget", browser=True, url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", browser=True, targetId=page, flatten=True)
        self._page = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self._send({"method": "Browser.close"})
        self._process.wait(PATIENCE)
        os.close(self._write)
        os.close(self._read)

    def open(self, address: str) -> None:
        """Goes to a page."""
        self.errors.clear()
        self._ask("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        """The JSON value of an expression in the page."""
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """Waits until an expression is true in the page; its value then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = self.value(expression)
            if value:
                return value
            time.sleep(0.02)
        raise TimeoutError(f"{expression} stayed {value!r}; errors: {self.errors}")

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """Gives the page another window, or the screen of a phone."""
        scale = 2 if phone else 1
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=phone,
        )
        self._ask("Emulation.setTouchEmulationEnabled", enabled=phone)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """A touch event, kind being touchStart, touchMove or touchEnd."""
        places = [{"x": x, "y": y} for x, y in points]
        self._ask("Input.dispatchTouchEvent", type=kind, touchPoints=places)

    def press(self, code: str, key: str) -> None:
        """Holds a key down."""
        self._ask("Input.dispatchKeyEvent", type="rawKeyDown", code=code, key=key)

    def release(self, code: str, key: str) -> None:
        """Lets a key go."""
        self._ask("Input.dispatchKeyEvent", type="keyUp", code=code, key=key)

    def write(self, text: str) -> None:
        """Types text into what has the focus."""
        self._ask("Input.insertText", text=text)

    def mouse(self, kind: str, x: float, y: float, button: str = "none") -> None:
        """A mouse event, kind being mouseMoved, mousePressed or mouseReleased."""
        self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def screenshot(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])

    def _ask(self, method: str, *, browser: bool = False, **parameters: Any) -> dict[str, Any]:
        session = {} if browser else {"sessionId": self._page}
        self._send({"method": method, "params": parameters, **session})
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for answer in self._messages():
                if answer.get("id") == self._number:
                    assert "error" not in answer, (method, answer)
                    return answer["result"]
        raise TimeoutError(f"no answer to {method}")

    def _send(self, message: dict[str, Any]) -> None:
        self._number += 1
        os.write(self._write, json.dumps(message | {"id": self._number}).encode() + b"\0")

    def _messages(self) -> list[dict[str, Any]]:
        """What the browser has said since; errors are noted."""
        try:
            said = os.read(self._read, 1 << 20)
        except BlockingIOError:
            time.sleep(0.005)
            return []
        if not said:
            raise ConnectionError("the browser is gone")
        *whole, self._rest = (self._rest + said).split(b"\0")
        messages = [json.loads(text) for text in whole]
        for message in messages:
            parameters = message.get("params", {})
            match message.get("method"):
                case "Runtime.exceptionThrown":
                    self.errors.append(str(parameters["exceptionDetails"]))
                case "Log.entryAdded":
                    self.errors.append(str(parameters["entry"]))
                case "Runtime.consoleAPICalled":
                    self.errors.append(str(parameters["args"]))
        return messages
