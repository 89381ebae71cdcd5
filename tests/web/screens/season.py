"""What everybody has behind them on the evening of the pictures: two weeks of dailies. No tests."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from typing import Any, Final

from playwright.sync_api import Page
from tests.server.boards.made import daily, daily_id, stuck, won
from tests.web.past_days import who_plays
from tests.web.still import EVENING, Still

from bigben_protocol import PlayerId
from bigben_server.leaderboards.settler import Settler
from bigben_server.scoring.results import Finish, Result
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

FRIENDS: Final = ("Ada", "Bob", "Cy", "Dora")
OTHERS: Final = ("Mikhail", "Emmy", "Sofia", "Grace", "Linus", "Barbara")
HOMES: Final = {
    "Ada": (58, 67, 71, 0, 83, 104, 77, 69, 0, 91, 88, 104, 96, 87),
    "Bob": (61, 52, 80, 66, 72, 90, 0, 58, 84, 95, 71, 62, 104, 79),
    "Cy": (0, 45, 49, 61, 38, 57, 70, 0, 52, 66, 41, 73, 60, 55),
    "Mikhail": (104, 99, 87, 104, 104, 92, 101, 104, 88, 104, 97, 104, 93, 104),
    "Emmy": (93, 104, 95, 88, 99, 104, 90, 83, 104, 97, 104, 92, 89, 101),
    "Sofia": (80, 76, 102, 91, 86, 79, 104, 94, 77, 85, 90, 88, 104, 97),
    "Grace": (33, 41, 38, 52, 47, 60, 55, 49, 63, 58, 66, 61, 57, 70),
}
"""Cards home on the fourteen days before yesterday, the oldest first; 0 is a day missed."""

_ASK: Final = """
async ([message, type]) => {
  const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
  await new Promise((resolve) => (socket.onopen = resolve));
  return new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      if (told.type === "welcome") socket.send(message);
      if (told.type === type) (socket.close(), resolve(told));
    };
    socket.send(JSON.stringify({ type: "hello", token: localStorage.getItem("bigben.token") }));
  });
}
"""


def ask(page: Page, answer: str, **message: object) -> dict[str, Any]:
    """What the server answers the player of this page, by the type of the answer."""
    told: dict[str, Any] = page.evaluate(_ASK, [json.dumps(message), answer])
    return told


@cache
def season(still: Still) -> dict[str, str]:
    """Everybody has played for two weeks, and the friends have a group, which is returned."""
    pages = [still.page(name) for name in FRIENDS]
    (group,) = ask(pages[0], "groups", type="create-group", name="The Aces")["groups"]
    for page in pages[1:]:
        ask(page, "groups", type="join-group", code=group["code"])
    players = {name: who_plays(page) for name, page in zip(FRIENDS, pages, strict=True)}
    players |= {name: f"guest:{name.lower()}" for name in OTHERS}
    # Playwright's own event loop runs in this thread.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, _record(still, players)).result()
    return dict(group)


async def _record(still: Still, players: dict[str, str]) -> None:
    async with client_of(still.server.redis_url) as client:
        store = Store(client)
        boards, ledger = Boards(store, "all"), Ledger(store)
        for at in range(14):
            day = str((EVENING - timedelta(days=15 - at)).date())
            race = daily_id(day)
            played = {name: homes[at] for name, homes in HOMES.items() if homes[at]}
            await boards.record(
                [
                    Finish(race, daily(day), PlayerId(players[name]), name, result(name, home))
                    for name, home in played.items()
                ]
            )
            await ledger.close(race)
            await Settler(boards, ledger).settle()


def result(name: str, home: int) -> Result:
    """Of a day on which so many cards came home; the better, the longer it took."""
    ms = 7_310 * home + 31_700 * len(name)
    return won(ms, moves=150 + len(name)) if home == 104 else stuck(home, ms)
