"""Computes boards, ratings and histories again from the results, and shows the progress.

It uses the same code in the same order, so the outcome is the same. Servers may run, but boards are
incomplete meanwhile. If it is interrupted, start it again.
"""

import logging
from typing import Final, TextIO

from bigben_server.leaderboards.settler import Settler
from bigben_server.scoring.results import Ranked
from bigben_server.storage.client import Damaged
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.operators import maintenance
from bigben_server.storage.race_log import Store

_log = logging.getLogger(__name__)
_CLEAR: Final = "\r\x1b[K"


class Progress:
    """Shows progress on ``file`` if that is a terminal. Call ``clear`` at the end."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file if file and file.isatty() else None
        self._line = ""

    def show(self, what: str, done: int, of: int) -> None:
        line = f"{what}: {100 * done // of} %"
        if self._file and line != self._line:
            print(f"{_CLEAR}{line}", end="", file=self._file, flush=True)
        self._line = line

    def clear(self) -> None:
        if self._file:
            print(_CLEAR, end="", file=self._file, flush=True)


SILENT: Final = Progress()


async def rebuild(store: Store, progress: Progress = SILENT, *, ranked: Ranked = "all") -> int:
    """Rebuild everything for this setting. Return the number of races. Raises StoreLost.

    Results that can't be read are logged and left out.
    """
    boards, ledger = Boards(store, ranked), Ledger(store)
    async with ledger.lease(wait=True):
        await maintenance.forget_derived(store)
        # Open races have results too; closed ones leave the agenda after they are in the ledger.
        void = await ledger.voided()
        races = dict.fromkeys([*await store.due(), *await ledger.races()])
        for done, race in enumerate(races):
            progress.show("Results", done, len(races))
            try:
                if race not in void:
                    await boards.place(await boards.results(race))
            except Damaged as damaged:
                store.report(damaged)
        settler = Settler(boards, ledger)
        closed = await ledger.races()
        for done in range(len(closed)):
            progress.show("Points and ratings", done, len(closed))
            await settler.settle_next()
        await maintenance.make_for(store, ranked)
    return len(races)


async def warn_of_other_boards(store: Store, ranked: Ranked) -> None:
    """Log a warning if the stored boards were made for another setting. Raises StoreLost."""
    made = await maintenance.made_for(store)
    if made == ranked:
        return
    if not (await store.due() or await Ledger(store).races()):
        await maintenance.make_for(store, ranked)  # there are no boards yet
        return
    _log.warning(
        "BIGBEN_RANKED is %s, and the boards were made for %s: stop all servers, and run "
        "`bigben admin rebuild-boards` with the same BIGBEN_RANKED as theirs",
        *(ranked, made),
    )
