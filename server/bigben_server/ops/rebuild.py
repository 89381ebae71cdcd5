"""Boards, ratings and histories made again from the results. For the operator; servers may go on.

All that was made of results is forgotten, then made again by the same code in the same order, so
that it comes out the same. Boards are incomplete meanwhile. Broken off, it is started again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bigben_server.leaderboards.settler import Settler
from bigben_server.ops.progress import Progress, silent
from bigben_server.scoring.divisions import Ranked
from bigben_server.storage.board_keys import CLOSED, DERIVED, RANKED, SETTLED
from bigben_server.storage.damage import Damaged, DamageLog
from bigben_server.storage.keys import AGENDA
from bigben_server.storage.leaderboards import Boards, chunks
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.store import Store, StoreLost

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 1_000
_WAIT_S: Final = 0.1
_FAR_AWAY: Final = 2**53
"""Later than any race ends."""


@asynccontextmanager
async def alone(ledger: Ledger, who: str) -> AsyncIterator[None]:
    """No race is settled by anybody else until the end of the block. Waits for who is at it.

    Raises StoreLost at the end if it was held up for so long that somebody else took its turn.
    """
    while True:
        async with ledger.lease(who) as ours:
            if ours:
                yield
                if not await ledger.has_lease(who):
                    raise StoreLost("a server settled races meanwhile; start it again")
                return
        await asyncio.sleep(_WAIT_S)


async def made_for(store: Store) -> Ranked:
    """The setting that the stored boards were made for. Raises StoreLost."""
    (ranked,) = await store.ask(("GET", RANKED))
    return "verified" if ranked == b"verified" else "all"


async def make_for(store: Store, ranked: Ranked) -> None:
    """Store the setting that the boards are made for. Raises StoreLost."""
    await store.ask(("DEL", RANKED) if ranked == "all" else ("SET", RANKED, ranked))


async def rebuild(
    store: Store, who: str, progress: Progress = silent, *, ranked: Ranked = "all"
) -> int:
    """Rebuild everything for this setting. Return the number of races. Raises StoreLost.

    Results that can't be read are logged, and left out.
    """
    boards, ledger, damage = Boards(store, ranked), Ledger(store), DamageLog()
    async with alone(ledger, who):
        # First, so that whatever is forgotten after this is sure to be settled again.
        await store.ask(("DEL", SETTLED))
        for prefix in DERIVED:
            keys = [key async for key in store.keys(prefix)]
            for some in chunks(keys, _AT_ONCE):
                await store.ask(*(("UNLINK", key) for key in some))
        # Open races have results too; closed ones leave the agenda after they are in the ledger.
        races = dict.fromkeys([*await store.due(_FAR_AWAY), *await ledger.races()])
        for done, race in enumerate(races):
            progress("Results", done, len(races))
            try:
                if found := await boards.results(race):
                    await boards.place(race, *found)
            except Damaged as damaged:
                damage.report(damaged)
        closed = len(await ledger.races())
        settler = Settler(store, who, damage, lost=lambda _: None, ranked=ranked)
        await settler.settle_all(lambda done: progress("Points and ratings", done, closed))
        await make_for(store, ranked)
    return len(races)


async def warn_of_other_boards(store: Store, ranked: Ranked) -> None:
    """Log an error if the stored boards were made for another setting. Raises StoreLost."""
    made = await made_for(store)
    if made == ranked:
        return
    races, due = await store.ask(("ZCARD", CLOSED), ("ZCARD", AGENDA))
    if not (races or due):
        await make_for(store, ranked)  # there are no boards yet
        return
    _log.warning(
        "BIGBEN_RANKED is %s, and the boards were made for %s: stop all servers, and run "
        "`bigben admin rebuild-boards` with the same BIGBEN_RANKED as theirs",
        *(ranked, made),
    )
