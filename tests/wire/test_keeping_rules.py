"""A client that keeps the rules gets small diffs; the player's other connections get whole ones."""

from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.wire.in_process import server_here
from tests.wire.peer import peer

from bigben_protocol import (
    CODECS,
    JSON,
    Create,
    Diff,
    GetLink,
    Hello,
    Link,
    Move,
    Ready,
    Refused,
    Resume,
    Room,
    Snapshot,
    View,
    Welcome,
)

MOVES = 12
"""With the digest after the tenth."""


@pytest.mark.parametrize("subprotocol", [*CODECS])
async def test_two_devices_of_a_player_get_the_diffs_that_each_wants(
    tmp_path: Path, subprotocol: str
) -> None:
    async with (
        server_here(tmp_path) as url,
        peer(url, JSON) as page,
        peer(url, subprotocol, name="") as terminal,
    ):
        token = (await page.ask(GetLink(1), Link)).token
        await terminal.ask(Hello(token=token, keeps_rules=True), Welcome)
        race = (await page.ask(Create(practice=True, seed="5e" * 32, ref=2), Room)).race
        view = View.of(await page.ask(Ready(race, ref=3), Snapshot))
        snapshot = await terminal.ask(Resume(race), Snapshot)
        assert View.of(snapshot) == view, "snapshots are whole"
        at_terminal, small, whole = view, None, None
        for n in range(1, MOVES + 1):
            await terminal.say(Move(race, n, view.legal[-1]))
            small, whole = await terminal.until(Diff), await page.until(Diff)
            assert whole.legal is not UNSET
            assert whole.digest is not UNSET
            expected = replace(whole, legal=UNSET, digest=whole.digest if n == 10 else UNSET)
            assert small == expected
            view, at_terminal = view.after(whole), at_terminal.after(small)
            assert (at_terminal.piles, at_terminal.legal) == (view.piles, ())
        # Old diffs, sent again as answers, are no different.
        assert small
        assert whole
        assert await terminal.ask(Move(race, MOVES, small.move), Diff) == small
        assert await page.ask(Move(race, MOVES, small.move), Diff) == whole
        assert await terminal.ask(Resume(race, MOVES - 1), Diff) == small
        assert await page.ask(Resume(race, MOVES - 1), Diff) == whole


async def test_a_second_hello_does_not_change_the_diffs(tmp_path: Path) -> None:
    async with server_here(tmp_path) as url, peer(url) as one:
        race = (await one.ask(Create(practice=True, ref=1), Room)).race
        await one.ask(Ready(race, ref=2), Snapshot)
        assert (await one.ask(Hello("Ada", keeps_rules=True), Refused)).code == "hello"
        assert (await one.ask(Move(race, 1, "turn"), Diff)).legal
