"""A connection breaks, a message is lost, digests differ: the front end sees no gap."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.client.said import RACE, diff, progress, refused, room, snapshot
from tests.client.scripted import WELCOME, Peer, ScriptedServer

from bigben_client import (
    Back,
    Backoff,
    Client,
    ClientClosed,
    Event,
    Lost,
    RefusedError,
    ServerUnreachable,
)
from bigben_protocol import (
    Create,
    Diff,
    Hello,
    Join,
    Leave,
    Left,
    Move,
    Ping,
    Pong,
    Ready,
    Refused,
    Resume,
    Start,
    Watch,
)


async def until(client: Client, last: Event) -> list[Event]:
    """The events up to the last wanted one."""
    news: list[Event] = []
    async for event in client.events():
        news.append(event)
        if event == last:
            return news
    raise AssertionError(f"the client was left before {last}")


async def given_up(call: asyncio.Task[Diff]) -> None:
    """Cancel the call, once it has begun."""
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_what_was_missed_comes_with_the_next_connection(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    await peer.breaks()
    peer = await server.welcomes_back()
    resume = await peer.hears(Resume)
    assert (resume.race, resume.since) == (RACE, 1)
    resumed = room(ref=resume.ref)
    await peer.says(resumed, diff(2), diff(3))
    assert await until(client, diff(3)) == [
        Lost("The connection broke."),
        Back(),
        resumed,
        diff(2),
        diff(3),
    ]
    assert client.views[RACE].n == 3


async def test_an_unanswered_move_is_sent_again_under_its_number(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    moving = asyncio.create_task(client.move(RACE, "turn"))
    move = await peer.hears(Move)
    await peer.breaks()
    peer = await server.welcomes_back()
    resume = await peer.hears(Resume)
    assert await peer.hears(Move) == move
    await peer.says(room(ref=resume.ref), diff(2))
    assert await moving == diff(2)


async def test_a_move_that_was_durable_before_the_loss_is_acknowledged_once(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    first = asyncio.create_task(client.move(RACE, "turn"))
    second = asyncio.create_task(client.move(RACE, "turn"))
    await peer.hears(Move)
    await peer.breaks()
    peer = await server.welcomes_back()
    resume = await peer.hears(Resume)
    await peer.hears(Move)
    # The first because it was missed, the second because the move was sent again.
    await peer.says(room(ref=resume.ref), diff(2), diff(2))
    assert await peer.hears(Move) == Move(RACE, 3, "turn")
    await peer.says(diff(3))
    assert [await first, await second] == [diff(2), diff(3)]
    news = await until(client, diff(3))
    assert [event for event in news if isinstance(event, Diff)] == [diff(2), diff(3)]


async def test_a_snapshot_may_replace_missed_diffs(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    moving = asyncio.create_task(client.move(RACE, "turn"))
    await peer.hears(Move)
    await peer.breaks()
    peer = await server.welcomes_back()
    resume = await peer.hears(Resume)
    await peer.hears(Move)
    await peer.says(room(ref=resume.ref), snapshot(4), diff(2))
    assert await moving == diff(2)
    assert client.views[RACE].n == 4
    assert snapshot(4) in await until(client, snapshot(4))


async def test_a_move_made_while_away_follows_what_the_player_saw(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    """After moves on another device the cards are different, so the move may not be intended."""
    client, peer = playing
    await peer.breaks()
    peer = await server.takes()
    moving = asyncio.create_task(client.move(RACE, "w 5"))
    await peer.hears(Hello)
    await peer.says(WELCOME)
    resume = await peer.hears(Resume)
    assert await peer.hears(Move) == Move(RACE, 2, "w 5")
    await peer.says(room(ref=resume.ref), snapshot(3))
    await peer.says(refused(2, code="conflict", text="Move 2 has been played already."))
    with pytest.raises(RefusedError, match="played already"):
        await moving
    assert client.views[RACE].n == 3


async def test_a_move_that_was_given_up_while_away_is_not_sent(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    """Its player was told that the server is away, and may want another one by now."""
    client, peer = playing
    await peer.breaks()
    peer = await server.takes()
    await given_up(asyncio.create_task(client.move(RACE, "turn")))
    await peer.hears(Hello)
    await peer.says(WELCOME)
    resume = await peer.hears(Resume)
    await peer.says(room(ref=resume.ref))
    moving = asyncio.create_task(client.move(RACE, "w 5"))
    assert await peer.hears(Move) == Move(RACE, 2, "w 5")
    await peer.says(diff(2))
    assert await moving == diff(2)


@pytest.mark.parametrize("before_the_loss", [True, False])
async def test_a_move_that_was_given_up_is_not_sent_again(
    server: ScriptedServer, playing: tuple[Client, Peer], before_the_loss: bool
) -> None:
    """The server may have it: then it comes with what was missed, and nothing else is played."""
    client, peer = playing
    giving_up = asyncio.create_task(client.move(RACE, "turn", after=1))
    await peer.hears(Move)
    if before_the_loss:
        await given_up(giving_up)
    await peer.breaks()
    peer = await server.takes()
    await peer.hears(Hello)
    if not before_the_loss:
        await given_up(giving_up)
    await peer.says(WELCOME)
    resume = await peer.hears(Resume)
    await peer.says(room(ref=resume.ref), diff(2))
    await until(client, diff(2))
    with pytest.raises(RefusedError, match="Your game has gone on since"):
        await client.move(RACE, "turn", after=1)
    pinging = asyncio.create_task(client.ping())
    ping = await peer.hears(Ping)  # no Move came before it
    await peer.says(Pong(ping.sent, 0))
    await pinging


async def test_a_move_waits_for_missed_diffs_that_are_under_way(
    playing: tuple[Client, Peer],
) -> None:
    client, peer = playing
    await peer.says(diff(3))
    resume = await peer.hears(Resume)
    moving = asyncio.create_task(client.move(RACE, "turn"))
    await peer.says(snapshot(3), room(ref=resume.ref))
    assert await peer.hears(Move) == Move(RACE, 4, "turn")
    await peer.says(diff(4))
    assert await moving == diff(4)


async def test_calls_made_while_disconnected_are_sent_on_the_next_connection(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    await peer.breaks()
    peer = await server.takes()
    creating = asyncio.create_task(client.create(practice=True))
    await peer.hears(Hello)
    await peer.says(WELCOME)
    await peer.hears(Resume)
    create = await peer.hears(Create)
    await peer.says(room(ref=create.ref))
    assert await creating == room(ref=create.ref)


async def test_an_unanswered_call_is_sent_again_unchanged(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.ready(RACE))
        ready = await peer.hears(Ready)
        assert ready.nonce
        await peer.breaks()
        peer = await server.welcomes_back()
        assert await peer.hears(Ready) == ready
        await peer.says(room(ref=ready.ref, phase="open", state="ready"))
        await asking


async def test_a_second_loss_is_like_the_first(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    moving = asyncio.create_task(client.move(RACE, "turn"))
    move = await peer.hears(Move)
    for _ in range(3):
        await peer.breaks()
        peer = await server.welcomes_back()
        await peer.hears(Resume)
        assert await peer.hears(Move) == move
    await peer.says(diff(2))
    assert await moving == diff(2)


async def test_the_client_waits_for_a_server_that_is_away_for_long(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    await peer.breaks()
    for _ in range(10):
        await (await server.takes()).breaks()
    await server.welcomes_back()
    assert await until(client, Back()) == [Lost("The connection broke."), Back()]


async def test_ready_that_arrived_before_the_loss_is_not_refused_after_it(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        await peer.says(room(phase="open", state="joined"))
        await anext(client.events())
        getting_ready = asyncio.create_task(client.ready(RACE))
        ready = await peer.hears(Ready)
        starting = asyncio.create_task(client.start(RACE))
        start = await peer.hears(Start)
        await peer.breaks()
        peer = await server.welcomes_back()
        resume = await peer.hears(Resume)
        resumed = room(ref=resume.ref, phase="countdown", since=3)
        too_late = [refused(ref, code="phase") for ref in (ready.ref, start.ref)]
        await peer.says(resumed, *too_late, progress(20))
        assert await getting_ready == await starting == resumed
        lost, *news = await until(client, progress(20))
        assert isinstance(lost, Lost)
        assert news == [Back(), resumed, progress(20)]


async def test_a_snapshot_that_was_lost_is_here_when_the_call_returns(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        asking = asyncio.create_task(client.ready(RACE))
        ready = await peer.hears(Ready)
        await peer.says(room(ref=ready.ref))
        await anext(client.events())
        await peer.breaks()
        peer = await server.welcomes_back()
        resume = await peer.hears(Resume)
        await peer.says(room(ref=resume.ref), snapshot())
        assert await asking == room(ref=ready.ref)
        assert client.views[RACE].n == 0


async def test_a_race_that_is_gone_is_no_longer_followed(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    moving = asyncio.create_task(client.move(RACE, "turn"))
    await peer.hears(Move)
    await peer.breaks()
    peer = await server.welcomes_back()
    resume = await peer.hears(Resume)
    gone = refused(resume.ref, code="unknown", text="There is no such race.")
    await peer.says(gone)
    with pytest.raises(RefusedError, match="no cards in this race"):
        await moving
    assert gone in await until(client, gone)
    assert not client.rooms
    assert not client.views


async def test_a_resume_that_fails_now_is_sent_again_later(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    await peer.breaks()
    peer = await server.welcomes_back()
    resume = await peer.hears(Resume)
    await peer.says(refused(resume.ref, code="busy", text="Redis is away."))
    assert await peer.is_left() == 1013
    peer = await server.welcomes_back()
    resume = await peer.hears(Resume)
    await peer.says(room(ref=resume.ref), diff(2))
    await until(client, diff(2))


@pytest.mark.parametrize(
    ("code", "reason"),
    [(1012, "The server restarts."), (1013, "The connection was closed. full."), (1011, "")],
)
async def test_the_client_waits_for_a_server_that_goes_away(
    server: ScriptedServer, playing: tuple[Client, Peer], code: int, reason: str
) -> None:
    client, peer = playing
    await peer.closes(code, "full" if code == 1013 else "")
    await server.welcomes_back()
    lost, back = await until(client, Back())
    assert isinstance(lost, Lost)
    assert lost.reason == (reason or "The connection was closed. The code is 1011.")
    assert back == Back()


@pytest.mark.parametrize("code", [1002, 1007, 1008, 1009])
async def test_a_client_that_is_closed_for_good_does_not_reconnect(
    server: ScriptedServer, playing: tuple[Client, Peer], code: int
) -> None:
    client, peer = playing
    moving = asyncio.create_task(client.move(RACE, "turn"))
    await peer.hears(Move)
    await peer.closes(code, "Too many messages.")
    # A policy (1008) is about the player, and the others about the program.
    end = r"$" if code == 1008 else r" Start again; "
    sentence = rf"^The connection was closed for good. Too many messages\.{end}"
    with pytest.raises(ClientClosed, match=sentence):
        await moving
    with pytest.raises(ClientClosed, match=sentence):
        await anext(client.events())
    with pytest.raises(ClientClosed, match=sentence):
        await client.groups()
    assert not client.connected


async def test_a_token_that_is_no_longer_valid_ends_the_client(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    await peer.breaks()
    peer = await server.takes()
    await peer.says(Refused("token", "The token has expired."))
    with pytest.raises(ClientClosed, match=r"^The token has expired\.$"):
        await until(client, Back())


async def test_events_before_the_end_are_read_before_the_end(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    await peer.says(diff(2))
    await peer.closes(1008)
    news = client.events()
    assert await anext(news) == diff(2)
    with pytest.raises(ClientClosed):
        await anext(news)


async def test_a_missing_diff_is_requested(playing: tuple[Client, Peer]) -> None:
    client, peer = playing
    await peer.says(diff(3), diff(4))
    resume = await peer.hears(Resume)
    assert (resume.race, resume.since) == (RACE, 1)
    resumed = room(ref=resume.ref)
    await peer.says(resumed, diff(2), diff(3), diff(4), diff(5))
    assert await until(client, diff(5)) == [resumed, diff(2), diff(3), diff(4), diff(5)]


async def test_a_wrong_digest_brings_a_new_snapshot(playing: tuple[Client, Peer]) -> None:
    client, peer = playing
    await peer.says(replace(diff(2), digest=1), diff(3))
    resume = await peer.hears(Resume)
    assert (resume.race, resume.since) == (RACE, 0)
    resumed = room(ref=resume.ref)
    await peer.says(resumed, snapshot(3), diff(4))
    assert await until(client, diff(4)) == [resumed, snapshot(3), diff(4)]


async def test_a_move_waits_until_the_cards_agree_again(playing: tuple[Client, Peer]) -> None:
    client, peer = playing
    first = asyncio.create_task(client.move(RACE, "turn"))
    second = asyncio.create_task(client.move(RACE, "turn"))
    await peer.hears(Move)
    wrong = replace(diff(2), digest=1)
    await peer.says(wrong)
    resume = await peer.hears(Resume)
    assert await first == wrong
    await peer.says(room(ref=resume.ref), snapshot(2))
    assert await peer.hears(Move) == Move(RACE, 3, "turn")
    await peer.says(diff(3))
    assert await second == diff(3)


async def test_digests_that_never_agree_make_the_client_reconnect(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    for _ in range(3):
        await peer.says(replace(snapshot(2), digest=1))
        await peer.hears(Resume)
    await peer.says(replace(snapshot(2), digest=1))
    assert await peer.is_left() == 1013
    peer = await server.welcomes_back()
    await peer.hears(Resume)
    await peer.says(snapshot(2))
    lost, back, cards = await until(client, snapshot(2))
    assert isinstance(lost, Lost)
    assert "the cards of race K7QPXM do not agree" in lost.reason
    assert (back, cards) == (Back(), snapshot(2))


async def test_a_client_that_left_a_race_does_not_resume_it(
    server: ScriptedServer, playing: tuple[Client, Peer]
) -> None:
    client, peer = playing
    leaving = asyncio.create_task(client.leave(RACE))
    leave = await peer.hears(Leave)
    await peer.says(Left(RACE, leave.ref))
    await leaving
    await peer.breaks()
    peer = await server.welcomes_back()
    joining = asyncio.create_task(client.join("OTHERS"))
    await peer.hears(Join)
    joining.cancel()


async def test_the_newest_token_is_used(server: ScriptedServer) -> None:
    async with server.connected() as (_, peer):
        await peer.breaks()
        peer, _ = await server.greets(replace(WELCOME, token="token-2", now_at=5))
        await peer.breaks()
        _, hello = await server.greets()
        assert (hello.name, hello.token) == ("", "token-2")


async def test_moves_without_cards_request_them_once(
    server: ScriptedServer,
) -> None:
    async with server.connected() as (client, peer):
        await peer.says(diff(3), diff(4))
        resume = await peer.hears(Resume)
        assert (resume.race, resume.since) == (RACE, 0)
        resumed = room(ref=resume.ref)
        await peer.says(resumed, snapshot(4))
        assert await until(client, snapshot(4)) == [resumed, snapshot(4)]
        joining = asyncio.create_task(client.join(RACE))
        join = await peer.hears(Join)
        await peer.says(room(ref=join.ref))
        await joining


async def test_every_connection_sets_the_clock_again(server: ScriptedServer) -> None:
    seconds = iter([0.0, 0.0, 10.0, 11.0, 12.0])
    async with server.connected(clock=lambda: next(seconds)) as (client, peer):
        assert client.offset_ms == 0
        await peer.breaks()
        await server.greets(replace(WELCOME, now_at=20_500))
        await until(client, Back())
        assert client.offset_ms == 10_000


async def test_a_call_waits_for_a_lost_connection_only_for_its_patience(
    server: ScriptedServer,
) -> None:
    async with server.connected(patience=0.05) as (client, peer):
        asking = asyncio.create_task(client.watch(RACE))
        await peer.hears(Watch)
        await peer.breaks()
        await server.takes()  # Nobody welcomes it.
        with pytest.raises(ServerUnreachable, match="is away"):
            await asking
        with pytest.raises(ServerUnreachable, match="is away"):
            await client.watch(RACE)


async def test_a_connection_that_is_back_in_time_ends_no_call(server: ScriptedServer) -> None:
    async with server.connected(patience=30.0) as (client, peer):
        asking = asyncio.create_task(client.watch(RACE))
        await peer.hears(Watch)
        await peer.breaks()
        peer = await server.welcomes_back()
        watch = await peer.hears(Watch)
        await peer.says(room(ref=watch.ref))
        assert await asking == room(ref=watch.ref)


async def test_a_call_with_little_patience_does_not_wait_until_the_pause_is_over(
    server: ScriptedServer,
) -> None:
    backoff = Backoff(first=600, longest=600, draw=lambda: 1.0)
    async with server.connected(patience=30.0, backoff=backoff) as (client, peer):
        await peer.breaks()
        assert isinstance(await anext(client.events()), Lost)
        asking = asyncio.create_task(client.watch(RACE))
        peer = await server.welcomes_back()
        watch = await peer.hears(Watch)
        await peer.says(room(ref=watch.ref))
        assert await asking == room(ref=watch.ref)
