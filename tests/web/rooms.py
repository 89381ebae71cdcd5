"""Rooms opened from within a page by a socket of its own, with what no form offers. No tests."""

import json
from typing import Any

from playwright.sync_api import Page

_CREATE = """
async (wanted) => {
  const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
  const heard = (type) => new Promise((resolve) => {
    socket.addEventListener("message", ({ data }) => {
      if (JSON.parse(data).type === type) resolve(JSON.parse(data));
    });
  });
  await new Promise((resolve) => (socket.onopen = resolve));
  const welcomed = heard("welcome");
  const token = localStorage.getItem("bigben.token");
  socket.send(JSON.stringify({ type: "hello", ...(token ? { token } : { name: "Ada" }) }));
  localStorage.setItem("bigben.token", (await welcomed).token);
  const opened = heard("room");
  socket.send(JSON.stringify({ type: "create", ...JSON.parse(wanted) }));
  const { race } = await opened;
  socket.close();
  return race;
}
"""


def room_with(page: Page, **wanted: Any) -> str:
    """The code of a room that the player of this page has opened; the fields are Create's."""
    race: str = page.evaluate(_CREATE, json.dumps(wanted))
    return race
