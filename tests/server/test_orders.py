"""What the store keeps of an operator's orders and of the living processes, and for how long."""

from datetime import UTC, datetime

import pytest
from tests.support.times import NOON

from bigben_protocol import Announcement, PlayerId, texts
from bigben_server.accounts.bans import Bans, network_named, told
from bigben_server.accounts.names import plain_line
from bigben_server.ops.admin import command_line
from bigben_server.ops.command import Outcome
from bigben_server.rooms.admin.directive_log import changes_of
from bigben_server.storage.admin import processes
from bigben_server.storage.admin.directives import Ban, Directives, DirectiveStore
from bigben_server.storage.admin.processes import Figures, Process, Processes
from bigben_server.storage.race_log import Store

ADA = PlayerId("guest:ada")
HOUR = 3_600_000


async def test_what_was_ordered_is_read_until_it_expires_and_then_leaves_the_store(
    store: Store,
) -> None:
    book = DirectiveStore(store)
    announced = Announcement("Soon.", NOON, NOON + HOUR)
    ada, school = Ban(ADA, NOON), Ban("203.0.113.0/24", NOON, NOON + HOUR, "A flood")
    await book.announce(announced)
    await book.ban(ada)
    await book.ban(school)
    await book.drain(["p1", "p2"], NOON)
    orders = await book.read(NOON)
    assert orders.announcement == announced
    assert orders.draining == {"p1", "p2"}
    assert (orders.players, orders.networks) == ((ada,), (school,))

    later = await book.read(NOON + HOUR)
    assert (later.announcement, later.players, later.networks) == (None, (ada,), ())
    (kept,) = await store.ask(("HGETALL", store.keys.orders))
    assert b"203.0.113" not in b"".join((*kept, *kept.values()))
    assert await book.end_drain(["p1", "p2"])
    assert await book.forget_player(ADA)
    assert await store.ask(("EXISTS", store.keys.orders)) == [0]


async def test_an_order_that_was_renewed_meanwhile_does_not_expire(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, other = DirectiveStore(store), DirectiveStore(store)
    await book.ban(Ban("192.0.2.7/32", NOON, NOON + 1))
    ask = store.ask

    async def ask_late(*commands: tuple[str, ...], **options: bool) -> list[object]:
        if commands[0][0] == "EVAL":
            monkeypatch.setattr(store, "ask", ask)
            await other.ban(Ban("192.0.2.7/32", NOON, NOON + HOUR))
        return await ask(*commands, **options)

    monkeypatch.setattr(store, "ask", ask_late)
    assert (await book.read(NOON + 2)).networks == ()
    assert [ban.until for ban in (await book.read(NOON + 2)).networks] == [NOON + HOUR]


async def typed(store: Store, *words: str) -> Outcome:
    """What a command of ``bigben admin`` does."""
    options = command_line().parse_args([*words])
    outcome: Outcome = await options.command.run(store, options)
    return outcome


async def test_an_order_of_a_newer_version_does_not_hide_the_others(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await DirectiveStore(store).ban(Ban(ADA, NOON))
    await store.ask(("HSET", store.keys.orders, "future:x", "{}", "player:guest:bob", "[1]"))
    assert [ban.who for ban in (await DirectiveStore(store).read(NOON)).players] == [ADA]
    assert caplog.text.count("orders") == 1


async def test_a_process_that_has_not_reported_for_a_while_is_dead(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    living = Processes(store)
    one, two = Process("1", host="a", figures=Figures(players=3)), Process("2", host="b")
    await living.report(one)
    assert await living.report(two) == [one, two]
    await living.leave("1")
    assert await living.living() == [two]
    monkeypatch.setattr(processes, "KEPT_MS", 0)
    assert await living.report(one) == []
    assert await store.ask(("EXISTS", store.keys.living)) == [0]


async def test_what_a_process_was_about_to_say_before_it_was_asked_is_no_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    living, ask = Processes(store), store.ask
    about_to_say, answer = Process("1", at=2), Process("1", at=3, draining=True)
    says = iter((about_to_say, answer))
    await living.report(Process("1", at=1))

    async def ask_and_hear(*commands: tuple[str, ...], **options: bool) -> list[object]:
        if commands[0][0] == "PUBLISH":
            await living.report(next(says))
        return await ask(*commands, **options)

    monkeypatch.setattr(store, "ask", ask_and_hear)
    assert await living.asked() == ([answer], frozenset())


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("2001:db8::7", "2001:db8::/64"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("guest:4f", None),
        ("fe", None),
        ("192.0.2.7/33", None),
    ],
)
def test_a_network_is_kept_as_the_server_counts_addresses(typed: str, kept: str | None) -> None:
    assert network_named(typed) == kept


@pytest.mark.parametrize(
    "net", ["0.0.0.0/0", "128.0.0.0/1", "10.0.0.0/7", "::/0", "2000::/3", "::ffff:0:0/96"]
)
async def test_a_part_of_the_whole_internet_is_never_banned(store: Store, net: str) -> None:
    for yes in ([], ["--yes"]):
        outcome = await typed(store, "ban", net, *yes)
        assert not outcome.done
        assert "is a part of the whole internet; the widest ban is of a /" in outcome.text
    assert (await DirectiveStore(store).read(NOON)).networks == ()


@pytest.mark.parametrize(
    ("net", "many"),
    [
        ("10.0.0.0/8", "16,777,216 addresses"),
        ("10.0.0.0/15", "131,072 addresses"),
        ("2001::/16", "281,474,976,710,656 networks of homes"),
        ("2001:db8::/31", "8,589,934,592 networks of homes"),
    ],
)
async def test_a_provider_is_banned_only_on_purpose(store: Store, net: str, many: str) -> None:
    outcome = await typed(store, "ban", net)
    assert not outcome.done
    assert f"has {many}; if you mean all of them, add --yes" in outcome.text
    assert outcome.audit == {"who": "an address"}, "also a refusal is kept without the address"
    assert (await DirectiveStore(store).read(NOON)).networks == ()
    assert (await typed(store, "ban", net, "--yes")).done
    assert (await typed(store, "unban", net)).done


@pytest.mark.parametrize("net", ["10.0.0.0/16", "2001:db8::/32", "192.0.2.7"])
async def test_a_smaller_network_is_banned_at_once(store: Store, net: str) -> None:
    assert (await typed(store, "ban", net)).done


def test_each_order_is_one_line_in_the_log_that_names_nobody() -> None:
    me, nothing = Process("p1"), Directives()
    until = datetime(2026, 11, 21, 20, tzinfo=UTC).timestamp() * 1000
    announced = Announcement("Soon: an update.", NOON, int(until))
    banned = [Ban(ADA, NOON), Ban("203.0.113.0/24", NOON, int(until), "A flood")]
    lines = {
        "announce, until 2026-11-21 20:00 UTC: Soon: an update.": Directives(announced),
        "drain: no game begins here, and games in progress continue": Directives(
            draining=frozenset({"p1", "p2"})
        ),
        "ban of a player, for good": Directives(players=(banned[0],)),
        "ban of an address, until 2026-11-21 20:00 UTC": Directives(networks=(banned[1],)),
    }
    for line, orders in lines.items():
        assert changes_of(nothing, orders, me) == [line]
        assert changes_of(orders, orders, me) == []
        (ended,) = changes_of(orders, nothing, me)
        assert " ended" in ended
    assert changes_of(nothing, Directives(draining=frozenset({"p2"})), me) == []


def test_several_workers_leave_one_line_of_what_holds_for_all_of_them() -> None:
    announced = Directives(Announcement("Soon.", NOON, NOON + HOUR), draining=frozenset({"p2"}))
    said = [changes_of(Directives(), announced, Process(f"p{n}", worker=n)) for n in (1, 2, 3)]
    assert [len(lines) for lines in said] == [1, 1, 0]
    assert said[0][0].startswith("announce")
    assert said[1][0].startswith("drain"), "only the second is drained, and says so itself"


def test_a_ban_holds_for_its_network_and_time() -> None:
    networks = [
        Ban("203.0.113.0/24", NOON, NOON + HOUR),
        Ban("2001:db8::/64", NOON, NOON + HOUR),
        Ban("0.0.0.0/0", NOON, NOON - 1),
    ]
    bans = Bans([Ban(ADA, NOON)], networks)
    assert bans.of_address("203.0.113.9", NOON) == networks[0]
    assert bans.of_address("2001:db8::", NOON) == networks[1]
    for address in ("203.0.112.9", "2001:db9::", "unknown", ""):
        assert bans.of_address(address, NOON) is None
    assert bans.of_address("203.0.113.9", NOON + HOUR) is None
    assert bans.of_player(ADA, NOON + 1_000 * HOUR)
    assert bans.of_player(PlayerId("guest:bob"), NOON) is None


def test_the_longest_reason_fits_into_a_close() -> None:
    assert len(texts.said(told(Ban(ADA, NOON, NOON + HOUR, "x" * 60))).encode()) <= 123
    assert texts.said(told(Ban(ADA, NOON))) == "You may not play here."


def test_a_line_has_nothing_that_moves_the_cursor_or_the_direction() -> None:
    assert plain_line(" a\tb\x1b[2J\u202e\nc\u200b ") == "a b[2J c"
