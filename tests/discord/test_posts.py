"""The public message of a race: kept up to date, in good time, for as long as the race lasts."""

import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from tests.discord.playing import gives_up, sees_cards, starts_alone, taps_on
from tests.discord.running import Pace, bot_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import SEND_MESSAGES, VIEW_CHANNEL, Channel
from tests.discord.standin.rates import Limit
from tests.discord.standin.rest import Fault
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_chat.chat import TICK_S
from bigben_chat.connections.feed_connection import MOST_RACES
from bigben_chat.records import Post
from bigben_chat.store import Store
from bigben_discord.bot import BigBen
from bigben_discord.posts.edit_rate import OLD, REFUSED

EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"


def edits(world: Discord) -> list[float]:
    """When the channel's messages were edited."""
    return [r.at for r in world.rest.requests if r.route == EDIT and r.status == 200]


async def test_a_race_is_edited_once_a_second_and_never_too_often(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    """With the bot's own pace, and Discord's own limits."""
    world.rest.rates.hurry = 1.0
    ada = world.person("Ada")
    async with bot_on(world, server.url, tmp_path, Pace(tick=TICK_S)):
        begun = time.time()
        board = await sees_cards(ada, channel)
        (public,) = await world.changes.until(lambda: world.public(channel), "the message")
        while len(edits(world)) < 3:
            board = await taps_on(ada, board, 1)
            if "Turn" not in str(board.buttons) and "Refill" not in str(board.buttons):
                await world.changes.until(lambda: len(edits(world)) >= 2, "the last edits")
                break
        times = edits(world)
        # Counted from the beginning: one that was long on its way is closer to the next.
        for number, at in enumerate(times):
            assert at - begun > number * TICK_S * 0.95
        moves = int(board.content.split("move ")[1].split()[0])
        await world.changes.until(lambda: f"move {moves} " in public.content, "the newest state")


async def test_a_used_up_bucket_delays_and_the_newest_state_wins(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    world.rest.rates.limit = Limit(2, 0.3)
    bob = world.person("Bob")
    board = await taps_on(bob, await sees_cards(bob, channel), 8)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    moves = board.content.split("move ")[1].split()[0]
    await world.changes.until(lambda: f"move {moves} " in public.content, "the newest state")
    assert world.rest.rates.refused == []


@pytest.mark.parametrize("everywhere", [False, True])
async def test_a_429_that_comes_all_the_same_is_waited_for(
    world: Discord, bot: BigBen, channel: Channel, *, everywhere: bool
) -> None:
    cy = world.person("Cy")
    board = await sees_cards(cy, channel)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    world.rest.faults.append(Fault(EDIT, 429, {"retry_after": 0.05, "global": everywhere}))
    await taps_on(cy, board, 2)
    await world.changes.until(lambda: "move 2 " in public.content, "the newest state")


async def test_an_old_message_is_edited_as_often_as_discord_allows_and_never_more(
    world: Discord, bot: BigBen, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes three edits in six seconds, of all messages of a channel older than an hour."""
    monkeypatch.setattr("bigben_discord.posts.edit_rate.OLD_S", -1.0)
    monkeypatch.setattr("tests.discord.standin.state.OLD_S", -1.0)
    # Two messages, and more moves than edits.
    fay, gil = world.person("Fay"), world.person("Gil")
    boards = {fay: await sees_cards(fay, channel), gil: await sees_cards(gil, channel, "book")}
    while len(edits(world)) < 7:
        for person, board in boards.items():
            boards[person] = await taps_on(person, board, 1)
    times = edits(world)
    for before, after in pairwise(times):
        assert after - before > OLD * Pace.tick * 0.95
    assert world.rest.rates.refused == []
    public = world.public(channel)
    for message, board in zip(public, boards.values(), strict=True):
        moves = board.content.split("move ")[1].split()[0]
        await world.changes.until(partial(said, message, f"move {moves} "), "the newest state")


async def test_edits_go_by_the_channel_not_by_a_token_that_ends(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    dan = world.person("Dan")
    board = await sees_cards(dan, channel)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    world.clock.skip(3600)
    await taps_on(dan, board, 2)
    await world.changes.until(lambda: "move 2 " in public.content, "an hour later it goes on")


async def test_a_bot_that_may_not_see_the_channel_uses_the_last_token(
    world: Discord, bot: BigBen
) -> None:
    """As where only its user has installed it: the bot is a guest in that guild."""
    away = world.channel("elsewhere", world.guild("Strangers", bot_is_member=False))
    eve = world.person("Eve")
    board = await sees_cards(eve, away)
    (public,) = await world.changes.until(lambda: world.public(away), "the message")
    board = await taps_on(eve, board, 2)
    await world.changes.until(lambda: "move 2 " in public.content, "it is edited by the token")
    assert edits(world) == []
    # Who asks again and again for what is refused is shut out by Discord: once is enough.
    assert len([r for r in world.rest.requests if r.route == EDIT and r.status == 403]) == 1
    # When the token has ended, the next one who starts brings a new message.
    world.clock.skip(16 * 60)
    await taps_on(eve, board, 1)
    flo = world.person("Flo")
    intro = await (await flo.presses(public, "Play")).shown()
    await (await flo.presses(intro, "Show me the cards")).shown()
    (_, new) = await world.changes.until(
        lambda: world.public(away) if len(world.public(away)) > 1 else None, "a new message"
    )
    assert "move 3 " in new.content
    assert "**Flo**" in new.content


async def test_rooms_work_where_the_bot_is_a_guest(world: Discord, bot: BigBen) -> None:
    away = world.channel("elsewhere", world.guild("Strangers", bot_is_member=False))
    flo, gus = world.person("Flo"), world.person("Gus")
    lobby = await (await flo.types(away, "bigben race")).shown()
    await (await gus.presses(lobby, "Join")).shown()
    assert "**Gus**" in lobby.content
    await (await flo.presses(lobby, "Leave")).shown()
    await (await gus.presses(lobby, "Leave")).shown()
    assert "was cancelled" in lobby.content


async def test_where_apps_may_not_post_a_player_is_told_that_nobody_else_sees_the_room(
    world: Discord, bot: BigBen
) -> None:
    strangers = world.guild("Strangers", bot_is_member=False, guests_speak=False)
    away = world.channel("elsewhere", strangers)
    ivy = world.person("Ivy")
    answer = await ivy.types(away, "bigben race")
    assert "Only you see this message" in (await answer.followed_up()).content
    assert (await answer.shown()).only_for == ivy.user
    # The daily is played there as anywhere.
    board = await taps_on(ivy, await sees_cards(ivy, away), 1)
    assert "move 1" in board.content
    assert world.public(away) == []
    assert edits(world) == []


async def test_no_permission_is_needed_to_race(world: Discord, bot: BigBen) -> None:
    quiet = world.channel("quiet", world.guild("Friends"), denied=SEND_MESSAGES | VIEW_CHANNEL)
    hal = world.person("Hal")
    await taps_on(hal, await sees_cards(hal, quiet), 2)
    (public,) = await world.changes.until(lambda: world.public(quiet), "the message")
    await world.changes.until(lambda: "move 2 " in public.content, "it is kept up to date")


async def test_a_deleted_message_is_not_missed(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ida = world.person("Ida")
    board = await sees_cards(ida, channel)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    public.deleted = True
    board = await taps_on(ida, board, 3)
    await world.changes.until(
        lambda: [r for r in world.rest.requests if r.route == EDIT and r.status == 404],
        "the bot has noticed",
    )
    # The next one who plays brings a new one.
    again = await (await ida.types(channel, "bigben daily")).shown()
    assert again.picture.description == board.picture.description
    (new,) = await world.changes.until(lambda: world.public(channel), "a new message")
    assert "move 3 " in new.content


async def test_an_archived_thread_is_asked_less_often_and_gets_the_newest_state(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    jan = world.person("Jan")
    board = await sees_cards(jan, channel)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    world.state.archived.add(channel.id)
    begun = time.time()
    board = await taps_on(jan, board, 5)
    assert "move 5" in board.content

    def refused() -> list[float]:
        return [r.at for r in world.rest.requests if r.route == EDIT and r.status == 400]

    await world.changes.until(lambda: len(refused()) > 5, "it has asked again and again")
    # Those that were on their way when it first was refused are quicker.
    for number, at in enumerate(refused()[3:]):
        assert at - begun > number * REFUSED * Pace.tick * 0.95
    world.state.archived.clear()
    await world.changes.until(lambda: "move 5 " in public.content, "the newest state")


async def test_a_race_that_the_server_has_forgotten_is_let_go(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    store = Store(tmp_path / "discord.sqlite")
    store.put("post", 5, Post("ZZZZZZ", 7, 5))
    store.close()
    async with bot_on(world, server.url, tmp_path) as bot:
        client = await bot.chat.feed.client()
        while bot.chat.posts.find(7, "ZZZZZZ"):
            await client.ping()
    store = Store(tmp_path / "discord.sqlite")
    assert list(store.all("post", Post)) == []
    store.close()


async def test_a_message_that_cannot_be_made_ends_nothing(
    world: Discord, bot: BigBen, channel: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    liv = world.person("Liv")
    lobby = await (await liv.types(channel, "bigben race")).shown()
    # One more answer: by now the bot has heard that its message was taken.
    await (await liv.types(channel, "bigben standings")).shown()
    player = bot.chat.players.get(int(liv.user.id))
    assert player is not None
    (room,) = player.client.rooms.values()
    bot.chat.posts.note(msgspec.structs.replace(room, phase="unheard of"))
    assert "can't be made" in caplog.text
    await (await liv.presses(lobby, "Leave")).shown()
    await sees_cards(liv, channel)


async def test_names_format_nothing_and_ring_for_nobody(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    rude = world.person("**@everyone** `<@1>`")
    await gives_up(rude, await sees_cards(rude, channel))
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    assert "\\*\\*@\u200beveryone\\*\\*" in public.content
    assert world.state.pings == []


async def test_public_messages_name_no_card(world: Discord, bot: BigBen, channel: Channel) -> None:
    jo = world.person("Jo")
    board = await taps_on(jo, await sees_cards(jo, channel), 6)
    await gives_up(jo, board)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    for version in public.versions:
        assert not any(sign in version.content for sign in "♣♦♥♠")
    assert public.attachments == []
    kim = world.person("Kim")
    assert kim.sees(channel) == [public]


def said(message: Message, text: str) -> bool:
    return text in message.content


async def test_more_races_are_followed_than_one_connection_may(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """Twenty rooms: the server lets a connection follow no more, and the bot needs two."""
    hosts = [world.person(f"Host {number}") for number in range(MOST_RACES + 5)]
    lobbies = [await (await host.types(channel, "bigben race")).shown() for host in hosts]
    for host, lobby in zip(hosts, lobbies, strict=True):
        # Not through a button here: the bot can only hear of it.
        player = bot.chat.players.get(int(host.user.id))
        assert player is not None
        (race,) = player.client.rooms
        await player.client.leave(race)
        await world.changes.until(partial(said, lobby, "was cancelled"), "the bot hears of it")


async def test_a_player_may_enter_one_race_after_another(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    lea = world.person("Lea")
    for _ in range(25):
        lobby = await (await lea.types(channel, "bigben race")).shown()
        await (await lea.presses(lobby, "Leave")).shown()
        assert "was cancelled" in lobby.content


async def test_more_people_play_than_have_a_connection_at_once(
    world: Discord, bot: BigBen, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_chat.connections.player_pool.MOST_OPEN", 3)
    boards = {person: await sees_cards(person, channel) for person in map(world.person, "ABCDE")}
    assert len(bot.chat.players) == 3
    for person, board in boards.items():
        assert "move 1" in (await taps_on(person, board, 1)).content
    assert len(bot.chat.players) == 3


async def test_more_players_can_wait_for_their_rooms_than_connections_are_kept(
    world: Discord, bot: BigBen, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bigben_chat.connections.player_pool.MOST_OPEN", 3)
    hosts = [world.person(name) for name in "ABCDE"]
    lobbies = [await (await host.types(channel, "bigben race")).shown() for host in hosts]
    assert len(bot.chat.players) == 3
    for host, lobby in zip(hosts, lobbies, strict=True):
        await starts_alone(host, lobby)
    for host, lobby in zip(hosts, lobbies, strict=True):
        await world.changes.until(partial(said, lobby, "Ends"), "the race runs")
        board = await (await host.presses(lobby, "My board")).shown()
        assert "12/104 home" in board.content
    assert len(bot.chat.players) == 3
