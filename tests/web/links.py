"""One-time links, real ones and such as nobody has signed. No tests."""

import base64
import json

from playwright.sync_api import Page

_GET_LINK = """
async (name) => {
  const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
  await new Promise((resolve) => (socket.onopen = resolve));
  return new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") socket.send('{"type":"get-link","ref":1}');
      if (message.type === "link") (socket.close(), resolve(message.token));
    };
    socket.send(JSON.stringify({ type: "hello", name }));
  });
}
"""


def link_of(page: Page, name: str = "Dora of Discord") -> str:
    """A one-time token for a new player of this name, as the Discord bot asks for it."""
    token: str = page.evaluate(_GET_LINK, name)
    return token


def unsigned(payload: object) -> str:
    """A token that says anything at all."""
    said = json.dumps(payload, ensure_ascii=False)
    parts = [json.dumps({"alg": "HS256"}), said, "signed by nobody"]
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
