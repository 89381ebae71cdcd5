"""How long a race stays in Redis: forever if it was played, and for a while if not."""

import asyncio
from pathlib import Path

from redis.asyncio import Redis
from tests.support.patience import PATIENCE_S
from tests.wire.in_process import server_here
from tests.wire.peer import peer

from bigben_protocol import (
    Create,
    Leave,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Room,
    Snapshot,
    Standings,
    Start,
)
from bigben_server.leaderboards.recorder import CANCELLED_S, PRACTICE_S
from bigben_server.storage.keys import Keys

FOR_GOOD = -1
NONCE = "0" * 64


async def off_the_agenda(redis: Redis, race: RaceId) -> None:
    """Wait until the results of a race are recorded; no message says when."""
    async with asyncio.timeout(PATIENCE_S):
        while await redis.zscore(Keys().agenda, race) is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def kept(redis: Redis, race: RaceId, player: PlayerId) -> tuple[int, int]:
    """The seconds after which the room's and the player's log expire."""
    return await redis.ttl(Keys().room_log(race)), await redis.ttl(Keys().seat_log(race, player))


async def test_a_race_is_kept_forever_and_an_unplayed_room_for_a_while(tmp_path: Path) -> None:
    async with server_here(tmp_path / "data") as url, peer(url) as ada:
        redis = Redis(unix_socket_path=str(tmp_path / "data" / "redis.sock"))
        async with redis:
            raced = (await ada.ask(Create(ref=1), Room)).race
            await ada.say(Ready(raced, nonce=NONCE, ref=2))
            await ada.say(Start(raced))
            await ada.until(Snapshot)
            await ada.say(Move(raced, 1, "resign"))
            me = (await ada.until(Standings)).rows[0].player
            await off_the_agenda(redis, raced)
            assert await kept(redis, raced, me) == (FOR_GOOD, FOR_GOOD)

            practised = (await ada.ask(Create(practice=True, ref=3), Room)).race
            await ada.ask(Ready(practised, ref=4), Snapshot)
            await ada.say(Move(practised, 1, "resign"))
            await ada.until(Standings)
            await off_the_agenda(redis, practised)
            room, seat = await kept(redis, practised, me)
            assert PRACTICE_S - PATIENCE_S < room <= PRACTICE_S < seat

            left = (await ada.ask(Create(ref=5), Room)).race
            await ada.say(Leave(left, ref=6))
            await off_the_agenda(redis, left)
            room, _ = await kept(redis, left, me)
            assert CANCELLED_S - PATIENCE_S < room <= CANCELLED_S
