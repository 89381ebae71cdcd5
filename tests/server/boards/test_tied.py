"""A guest who is tied to an account counts as that account, from then on and after a rebuild."""

from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.server.boards.contents import everything
from tests.server.boards.made import (
    Season,
    daily,
    daily_id,
    finish,
    live,
    player,
    result,
)
from tests.support.times import NOON

from bigben_protocol import Group, PlayerId, RaceId
from bigben_server.leaderboards.tying import Tying
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import Player, Refusal
from bigben_server.race.ranking import Key
from bigben_server.storage.keys import Keys
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ZOE = Player(PlayerId("discord:8035"), "Zoë")
GUESTS = ("ada", "bob", "carl")
OTHERS = ("dora", "discord:1")

Steps = list[tuple[str, Any]]
"""What happens, and to whom; a race with what each has reached."""

keys = st.builds(Key, st.integers(0, 2), st.integers(0, 3).map(lambda s: s * 1000))
fields = st.dictionaries(st.sampled_from((*GUESTS, *OTHERS, ZOE.id)), keys, min_size=1)
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["day", "room", "open", "unsettled"]), fields),
        st.tuples(st.just("tie"), st.sampled_from(GUESTS)),
    ),
    max_size=14,
)


async def tie(season: Season, guest: str, to: Player = ZOE) -> None:
    store = season.boards.store
    assert isinstance(store, Store)
    await Tying(store, season.settler, lambda: NOON).tie(player(guest), to)


async def played(season: Season, what: Steps) -> tuple[Steps, set[str]]:
    """Play all of it, with those who are not tied yet; return what was played, and who is tied."""
    came: Steps = []
    tied: set[str] = set()
    for n, (kind, about) in enumerate(what):
        results: Any = {}
        if kind == "tie":
            with suppress(Refusal):  # they have played a race together
                await tie(season, about)
                tied.add(about)
        elif results := {who: key for who, key in about.items() if who not in tied}:
            await race(season, n, kind, results)
        came.append((kind, results))
    await season.settler.settle()
    return came, tied


async def race(season: Season, n: int, kind: str, keys: dict[str, Key]) -> None:
    """The n-th race; it is settled at once, or only later, or stays open."""
    day = f"{date(2026, 10, 1) + timedelta(days=n)}"
    is_room = kind == "room"
    code = RaceId(f"ROOM{n:02}") if is_room else daily_id(day)
    summary = live(day) if is_room else daily(day)
    await season.boards.record(
        [finish(who, result(key, at=NOON + n), code, summary) for who, key in keys.items()]
    )
    if kind == "open":
        await season.boards.store.ask(("ZADD", Keys().agenda, NOON, code))
    else:
        await season.ledger.close(code)
    if kind in ("day", "room"):
        await season.settler.settle()


def without_groups(all_keys: dict[str, Any]) -> dict[str, Any]:
    """The boards of days and of points, and the histories, of everybody."""
    mine = (Keys().board(""), Keys().history(PlayerId("")))
    return {
        key: value
        for key, value in all_keys.items()
        if key.startswith((mine[0][:-1], mine[1])) and "@" not in key and "rating" not in key
    }


@settings(
    phases=[Phase.generate],
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps)
async def test_whoever_is_tied_whenever_a_rebuild_changes_nothing(
    store: Store, what: Steps
) -> None:
    await store.ask(("FLUSHALL",))
    for who, group in (("ada", "aces"), ("bob", "aces"), (ZOE.id, "bells")):
        await People(store).create(player(who), Group(group, group, group), NOON)
        await People(store).join(player(who), group, NOON)
    season = Season(store)
    came, tied = await played(season, what)
    before = await everything(store)
    await rebuild(store)
    assert await everything(store) == before

    # And days, points and histories are those of somebody who was never a guest.
    await store.ask(("FLUSHALL",))
    for n, (kind, keys) in enumerate(came):
        if keys:
            same = {ZOE.id if who in tied else who: key for who, key in keys.items()}
            await race(season, n, kind, same)
    await season.settler.settle()
    assert without_groups(await everything(store)) == without_groups(before)
