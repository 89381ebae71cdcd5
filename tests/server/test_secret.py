"""A secret that changed is named when a server starts, once, and not if the previous one is set."""

from pathlib import Path
from typing import Final

import pytest
from tests.processes.playing import serving

from bigben_server.accounts.secrets import changed_secret, fingerprint, is_servers, secret_of
from bigben_server.config import Settings
from bigben_server.ops.admin import command_line
from bigben_server.ops.long_work import SILENT
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.keys import Keys
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ONE: Final = Settings(secret="1" * 32)
TWO: Final = Settings(secret="2" * 32)
KEPT: Final = Settings()


async def test_the_same_secret_is_never_named(store: Store) -> None:
    for settings in (ONE, KEPT):
        await store.ask(("FLUSHALL",))
        assert [await changed_secret(store, settings) for _ in range(3)] == [""] * 3


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (ONE, TWO, "BIGBEN_SECRET is not the secret that these data were used with before"),
        (KEPT, TWO, "BIGBEN_SECRET is not the secret that these data were used with before"),
        (ONE, KEPT, "BIGBEN_SECRET is not set, and these data were used with another secret"),
    ],
)
async def test_a_secret_that_changed_is_named_once(
    store: Store, before: Settings, after: Settings, says: str
) -> None:
    await changed_secret(store, before)
    told = await changed_secret(store, after)
    assert told.startswith(f"{says}: guests who come back are new guests")
    assert "BIGBEN_SECRET_OLD" in told
    assert await changed_secret(store, after) == ""


async def test_a_secret_that_changes_as_documented_is_not_named(store: Store) -> None:
    await changed_secret(store, ONE)
    both = Settings(secret=TWO.secret, old_secret=ONE.secret)
    assert await changed_secret(store, both) == ""
    assert await changed_secret(store, TWO) == "", "later the previous one is left out"


async def test_data_of_an_older_server_have_only_its_secret(store: Store) -> None:
    await People(store).secret(b"s" * 32)
    assert await changed_secret(store, TWO) != ""
    await store.ask(("DEL", store.keys.fingerprint))
    assert await changed_secret(store, KEPT) == ""


async def test_the_store_has_a_fingerprint_and_not_the_secret(store: Store) -> None:
    await changed_secret(store, ONE)
    (noted,) = await store.ask(("GET", Keys().fingerprint))
    assert noted.decode() == fingerprint(await secret_of(store, ONE))
    assert ONE.secret not in noted.decode()
    assert await is_servers(store, ONE.secret.encode())
    assert not await is_servers(store, TWO.secret.encode())


async def test_nobody_is_deleted_with_another_secret_than_the_servers(store: Store) -> None:
    """The mark that keeps a deleted player out is made with it."""
    await changed_secret(store, ONE)
    options = command_line().parse_args(["delete-player", "guest:ada"])
    options.settings, options.ranked, options.progress = TWO, "all", SILENT
    with pytest.raises(NotDone, match="use another BIGBEN_SECRET than this command: set theirs"):
        await options.command.run(store, options)


async def test_the_log_of_a_server_names_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", env={"BIGBEN_SECRET": ONE.secret}) as server:
        assert "BIGBEN_SECRET is not" not in server.log()
    async with serving(tmp_path / "data", "--workers", "2") as server:
        (line,) = (line for line in server.log().splitlines() if "BIGBEN_SECRET is not" in line)
        assert " WARNING [worker 1] BIGBEN_SECRET is not set, and these data were" in line
