"""Dailies that are dealt again after a restore have cards that nobody has seen."""

from datetime import date

from bigben_server.storage.dailies import deal_again, dealt_again
from bigben_server.storage.race_log import Store

DAY = date(2026, 11, 21)


async def test_a_store_that_is_restored_twice_never_deals_the_same(store: Store) -> None:
    assert await deal_again(store, DAY, 43_200) == 43_200
    await store.ask(("DEL", store.keys.dealt))  # the same backup, a minute later
    assert await deal_again(store, DAY, 43_260) == 43_260
    assert await deal_again(store, DAY, 43_260) == await dealt_again(store, DAY) == 43_261


async def test_at_midnight_it_is_not_the_first_deal_again(store: Store) -> None:
    assert await deal_again(store, DAY, 0) == 1
