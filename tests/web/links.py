"""One-time links, real ones and such as nobody has signed. No tests."""

import base64
import json
import time

from playwright.sync_api import Page
from tests.support.server_process import PLATFORM_KEY

from bigben_chat.connections.identity import Issuer
from bigben_protocol import PlayerId

_GET_LINK = """
async (said) => {
  const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
  await new Promise((resolve) => (socket.onopen = resolve));
  return new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") socket.send('{"type":"get-link","ref":1}');
      if (message.type === "link") (socket.close(), resolve(message.token));
    };
    socket.send(JSON.stringify({ type: "hello", ...said }));
  });
}
"""


def link_of(page: Page, name: str = "Dora of Discord") -> str:
    """A one-time token for a new player of this name, as the Discord bot asks for it."""
    return _link(page, {"name": name})


def link_of_user(page: Page, player: str, name: str, *groups: str) -> str:
    """The same for a user of a platform, such as ``matrix:@ada:example.org``."""
    issuer = Issuer(player.partition(":")[0], PLATFORM_KEY)
    return _link(page, {"token": issuer.token(PlayerId(player), name, groups, time.time())})


def _link(page: Page, hello: dict[str, str]) -> str:
    token: str = page.evaluate(_GET_LINK, hello)
    return token


def unsigned(payload: object) -> str:
    """A token that says anything at all."""
    said = json.dumps(payload, ensure_ascii=False)
    parts = [json.dumps({"alg": "HS256"}), said, "signed by nobody"]
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
