"""Rooms opened from within a page by a socket of its own, with what no form offers. No tests."""

import json
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, expect
from tests.web.guests import EARLY_KINGS, TO_LAST_KING

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


_PLAY = """
async ([race, most, wish, written]) => {
  const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
  const come = [];
  let wake = () => {};
  socket.addEventListener("message", ({ data }) => { come.push(JSON.parse(data)); wake(); });
  const next = async (...types) => {
    for (;;) {
      while (come.length) {
        const message = come.shift();
        if (types.includes(message.type)) return message;
      }
      await new Promise((resolve) => (wake = resolve));
    }
  };
  const send = (message) => socket.send(JSON.stringify(message));
  await new Promise((resolve) => (socket.onopen = resolve));
  send({ type: "hello", token: localStorage.getItem("bigben.token") });
  await next("welcome");
  send({ type: "join", race });
  await next("room");
  send({ type: "ready", race });
  let { n, legal = [] } = await next("snapshot");
  for (const move of written) {
    send({ type: "move", race, n: n + 1, move });
    ({ n, legal = [] } = await next("diff"));
  }
  for (let i = 0; i < most && legal.length; i++) {
    const wished = legal.filter((move) => new RegExp(wish).test(move));
    const from = wished.length ? wished : legal;
    send({ type: "move", race, n: n + 1, move: from[(i * 7) % from.length] });
    ({ n, legal = [] } = await next("diff"));
  }
  socket.close();
  return n;
}
"""


def play_on(page: Page, race: str, most: int, wish: str) -> int:
    """Play a practice game from another connection; moves that fit ``wish`` come first.

    Returns the number of the last move.
    """
    n: int = page.evaluate(_PLAY, [race, most, wish, []])
    return n


def come_to_exchange(page: Page, address: str) -> int:
    """Come to a practice game of Watch when its last king is exposed, which can be exchanged.

    Returns the number of the last move.
    """
    race = room_with(page, practice=True, **EARLY_KINGS)
    n = play_moves(page, race, TO_LAST_KING)
    page.goto(f"{address}/#room={race}")
    page.reload()
    expect(page.locator("svg.board")).to_have_attribute("data-n", str(n))
    return n


def play_moves(page: Page, race: str, moves: Sequence[str]) -> int:
    """Play these moves from another connection. Returns the number of the last one."""
    n: int = page.evaluate(_PLAY, [race, 0, "", list(moves)])
    return n


_CROWD = """
async ([race, count]) => {
  const seated = async (_, at) => {
    const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
    const send = (message) => socket.send(JSON.stringify(message));
    await new Promise((resolve) => (socket.onopen = resolve));
    await new Promise((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const { type, ref } = JSON.parse(data);
        if (type === "welcome") send({ type: "join", race, ref: 1 });
        if (type === "room" && ref === 1) send({ type: "ready", race, ref: 2 });
        if (type === "room" && ref === 2) resolve();
        if (type === "snapshot") send({ type: "move", race, n: 1, move: "resign" });
      });
      send({ type: "hello", name: `Crowd ${at}` });
    });
  };
  await Promise.all(Array.from({ length: count }, seated));
}
"""


def crowd(page: Page, race: str, count: int) -> None:
    """So many others join the room and are ready; as soon as they have cards they give up."""
    page.evaluate(_CROWD, [race, count])
