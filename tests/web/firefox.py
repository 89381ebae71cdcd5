"""Firefox, driven over WebDriver BiDi (W3C) without a driver between. No tests."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from tests.support.patience import PATIENCE_S
from websockets.sync.client import ClientConnection, connect

BINARY = Path(os.environ.get("BIGBEN_FIREFOX") or "/usr/bin/firefox-esr")
needs_firefox: Final = pytest.mark.skipif(
    not BINARY.exists(), reason=f"there is no Firefox at {BINARY}"
)


def button(name: str) -> str:
    """JavaScript that finds a button or link by the beginning of its text."""
    return f"""[...document.querySelectorAll("button, a")].find(
        (one) => one.textContent.trim().startsWith("{name}"))"""


def pile(name: str) -> str:
    """JavaScript that finds a pile by the beginning of its description."""
    return f"""document.querySelector('[aria-label^="{name}"]')"""


class Tab:
    """One tab of a Firefox; what its page complains about is kept."""

    def __init__(self, socket: ClientConnection, proxy: int) -> None:
        self._socket = socket
        self._ids = count(1)
        self.wrong: list[str] = []
        wanted: dict[str, Any] = {"acceptInsecureCerts": True} if proxy else {}
        if proxy:
            wanted["proxy"] = {"proxyType": "manual", "sslProxy": f"127.0.0.1:{proxy}"}
        self.ask("session.new", capabilities={"alwaysMatch": wanted})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._context = self._tree()["context"]

    def _tree(self) -> Any:
        return self.ask("browsingContext.getTree")["contexts"][0]

    # Any: BiDi's own JSON.
    def ask(self, method: str, **params: Any) -> Any:
        """The result of a command. Raises AssertionError with Firefox's words if it fails."""
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv(timeout=PATIENCE_S))
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.wrong.append(told["params"]["text"])
            if told.get("id") == number:
                assert told["type"] == "success", told
                return told["result"]

    def open(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._page, url=address, wait="complete")
        self._context = self._page

    def enter_frame(self) -> None:
        """From now on all is about what is in the only frame of the page, which it fills."""
        self._context = self._tree()["children"][0]["context"]

    def evaluate(self, body: str) -> Any:
        """What the body of an async function returns, as a string or a number."""
        done = self.ask(
            "script.evaluate",
            expression=f"(async () => {{ {body} }})()",
            target={"context": self._context},
            awaitPromise=True,
        )
        assert done["type"] == "success", done
        return done["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until this JavaScript is true, after each change of the page."""
        self.evaluate(f"""
            await new Promise((resolve, reject) => {{
              const look = () => {{ if ({condition}) resolve(); }};
              new MutationObserver(look).observe(document, {{
                childList: true, subtree: true, attributes: true, characterData: true,
              }});
              look();
              const tell = () => reject(new Error(`It is not on: ${{document.body.innerText}}`));
              setTimeout(tell, {PATIENCE_S * 1000 / 2});
            }});
        """)

    def press(self, found: str) -> None:
        """Press the mouse on the middle of the element that this JavaScript finds.

        A page that is still loading moves under the mouse, so a press that missed is made again.
        """
        assert any(self._pressed(found) for _ in range(20)), f"something covers {found}"

    def _pressed(self, found: str) -> bool:
        at = json.loads(
            self.evaluate(f"""
            const element = {found};
            element.scrollIntoView({{ block: "center" }});
            window.hit = false;
            const hit = ({{ target }}) => {{ window.hit = element.contains(target); }};
            document.addEventListener("pointerdown", hit, {{ capture: true, once: true }});
            const box = element.getBoundingClientRect();
            return JSON.stringify([box.x + box.width / 2, box.y + box.height / 2].map(Math.round));
        """)
        )
        pointer = [
            {"type": "pointerMove", "x": at[0], "y": at[1]},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": pointer}
        self.ask("input.performActions", context=self._context, actions=[mouse])
        return bool(self.evaluate("return window.hit"))

    def type(self, text: str) -> None:
        """Type on the keyboard."""
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": keys}
        self.ask("input.performActions", context=self._context, actions=[keyboard])


@contextmanager
def firefox(folder: Path, proxy: int = 0) -> Iterator[Tab]:
    """A Firefox with a new profile in this folder.

    With a ``proxy``, a port of this machine, it asks for all of https there, and takes whatever
    certificate it gets.
    """
    profile = folder / "profile"
    profile.mkdir()
    command = [str(BINARY), "--headless", "--remote-debugging-port=0", "--profile", str(profile)]
    environment = {**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
    with subprocess.Popen(
        command, env=environment, text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        try:
            assert process.stderr
            lines = (re.search(r"BiDi listening on (ws://\S+)", line) for line in process.stderr)
            address = next(found[1] for found in lines if found)
            with connect(f"{address}/session", max_size=None) as socket:
                yield Tab(socket, proxy)
        finally:
            process.kill()
