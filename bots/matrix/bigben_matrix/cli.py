"""``bigben-matrix``: reads the settings and runs the bot until a signal stops it."""

from collections.abc import Mapping
from typing import Final

from bigben_chat import running
from bigben_chat.store import Store
from bigben_matrix.bot import BigBenMatrix
from bigben_matrix.config import Settings, from_environment
from bigben_matrix.homeserver import BadToken

_ENDS: Final[Mapping[type[Exception], str]] = {
    BadToken: "The homeserver does not take BIGBEN_MATRIX_TOKEN: {}"
}


def main() -> int:
    """Run the bot; the exit code."""
    return running.main("bigben-matrix", "BIGBEN_MATRIX_DATA", from_environment, _run, _ENDS)


async def _run(settings: Settings, store: Store) -> None:
    """The bot; its client needs a running event loop from the start."""
    await BigBenMatrix(settings, store).run()
