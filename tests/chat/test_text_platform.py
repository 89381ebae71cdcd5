"""The chat core on another platform than Discord: plain text, in memory, over a real server."""

import time
from datetime import UTC, datetime
from functools import partial

from tests.chat.test_tree import ONES_OWN
from tests.chat.text_platform import GROUP, KEY, TextPlatform, Writer

from bigben_chat.actions import challenging, forgetting, joining, leaderboards, races, rooms
from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser, Issuer, player_of
from bigben_chat.messages.content import Content
from bigben_chat.messages.leaderboards import BoardPage
from bigben_chat.posts.race_post import RacePost
from bigben_chat.records import GroupRecord, Post
from bigben_client import Client
from bigben_protocol import PlayerId


async def test_a_room_from_the_lobby_to_its_end(chat: tuple[Chat, TextPlatform]) -> None:
    ada, bob = Writer(*chat, "Ada"), Writer(*chat, "*Bob*", "de")
    platform = chat[1]
    open_room = partial(
        rooms.open_room, game="bigben", rules="standard", minutes=5, undo=False, invite_only=False
    )
    lobby = await ada.types(open_room, "public")
    assert lobby.text.startswith("== 🕰️ Race ")
    assert "⏳ Ada (host)" in lobby.text
    assert "[1] Join" in lobby.text
    await bob.chooses(lobby, "Join")
    assert "⏳ *Bob*" in lobby.text, "its platform writes names as they are"
    await bob.chooses(lobby, "Ready")
    await ada.chooses(lobby, "Ready")
    await platform.changes.until(lambda: "Ends 20" in lobby.text, "the race runs")
    boards = [await who.chooses(lobby, "My board") for who in (ada, bob)]
    assert boards[0].content.attachment is not None
    assert "12/104 daheim" in boards[1].text
    for who, board in zip((ada, bob), boards, strict=True):
        asked = await who.chooses(board, "Give up" if who is ada else "Aufgeben")
        await who.chooses(asked, "Yes" if who is ada else "Ja")
    await platform.changes.until(lambda: "The race is over." in lobby.text, "the race is over")
    assert [message.place for message in platform.public(GROUP)] == [GROUP]
    for message in platform.messages.values():
        assert "bigben" not in message.text.lower().replace("big ben", "")
        assert not ONES_OWN.search(message.text.replace("*Bob*", "Bob"))


async def test_a_race_is_typed_from_the_room_to_the_rematch(
    chat: tuple[Chat, TextPlatform],
) -> None:
    ada, bob = Writer(*chat, "Ada"), Writer(*chat, "Bob")
    platform = chat[1]
    lobby = await ada.says("race germanclock minutes=5 undo")
    assert "German Clock" in lobby.text
    assert "Bob" in (await bob.says("join")).text
    await platform.changes.until(lambda: "Bob" in lobby.text, "the room shows who joined")
    await bob.says("language deutsch")
    waiting = await bob.says("ready")
    assert (await bob.says("unready")).text.startswith("Du bist im Rennen")
    waiting = await bob.says("ready")
    assert waiting.only_for == "bob"
    board = await ada.says("ready")
    await platform.changes.until(lambda: "Turn" in str(board.labels), "Ada’s board")
    await platform.changes.until(lambda: "Karte" in str(waiting.labels), "Bob’s board")
    turned = await ada.says("turn")
    assert "move 1" in turned.text
    assert "no moves left" not in (await ada.says("und")).text
    assert "Ada" in (await bob.says("standings")).text
    assert (await ada.says("cheer well played!")).text.startswith("💬")
    assert "steht allein" in (await bob.says("link now")).text
    for who, yes in ((ada, "Yes"), (bob, "Ja")):
        await who.chooses(await who.says("resign"), yes)
    await platform.changes.until(lambda: "The race is over." in lobby.text, "the race is over")
    again = await ada.says("remat")
    assert again.only_for is None
    assert "Ada (host)" in again.text
    assert "You have given up" in (await ada.says("leave")).text


async def test_a_club_is_run_by_typing(chat: tuple[Chat, TextPlatform]) -> None:
    ada, bob = Writer(*chat, "Ada", manages=True), Writer(*chat, "Bob")
    assert "Only managers can change" in (await bob.says("settings here")).text
    told = await ada.says("settings here 8:15 timezone=Europe/Berlin watch language deutsch")
    for line in ("Daily post: friends", "08:15 (Europe/Berlin)", "Rules: Watch", "Deutsch"):
        assert line in told.text
    off = (await ada.says("settings post off")).text
    assert "Daily post: off" in off
    assert "Reminder" not in off, "here are no roles"
    made = await ada.says("season new Big Ben Cup weeks:4 opens:fri 18:00 bigben")
    assert "Done" in made.text
    assert "News of the season go to friends" in made.text
    assert "Big Ben Cup" in (await bob.says("season")).text
    assert "Week 1 of 5" in (await ada.says('season change "Big Ben Cup" weeks:5')).text
    assert "Done" in (await ada.says("season organiser Bob")).text
    assert "Done" in (await bob.says("season post")).text
    assert "organiser" in (await Writer(*chat, "Cy").says("season end enough")).text
    assert "fri 18:00" in (await ada.says("season change closes:someday 18:00")).text
    asked = await ada.says("season delete")
    assert "is deleted" in (await ada.chooses(asked, "Yes, delete the season")).text
    assert "no season" in (await bob.says("season")).text


async def test_what_no_platform_checks_is_answered_with_a_sentence(
    chat: tuple[Chat, TextPlatform],
) -> None:
    ada = Writer(*chat, "Ada", manages=True)
    await ada.says("season new Cup")
    for line, told in {
        "join daily.2026-99-99.bigben.book": "no day",
        "settings timezone=Europe": "no such time zone",
        "season week 1 opens:0001-01-01 00:00": "choose",
        "season new Cup timezone:x/y": "no time zone",
        "season take-out 1 ☃ why": "No player ☃",
        "standings ¹²³": "six-letter code",
        "3 \x00": "not joined a race",
    }.items():
        assert told in (await ada.says(line)).text, line


async def test_help_lists_what_can_be_typed_and_explains_each_command(
    chat: tuple[Chat, TextPlatform],
) -> None:
    ada = Writer(*chat, "Ada")
    every = (await ada.says("help")).text
    assert "• !daily Start or continue today’s race" in every
    assert "• !help season" in every
    one = (await ada.says("help race")).text
    assert "• deadline Own clocks" in one
    assert "tonight, tomorrow" in one
    assert "!season take-out" in (await ada.says("help season")).text
    assert "German Clock, as a race" in (await ada.says("help german clock")).text


async def test_where_edits_are_few_a_press_is_shown_by_the_next_one(
    chat: tuple[Chat, TextPlatform],
) -> None:
    ada, bob = Writer(*chat, "Ada"), Writer(*chat, "Bob")
    platform = chat[1]
    platform.edits_posts = False
    lobby = await ada.types(rooms.open_usual, "public")
    edits = len(platform.edited)
    assert await bob.chooses(lobby, "Join") is lobby
    await platform.changes.until(lambda: "⏳ Bob" in lobby.text, "Bob is in the lobby")
    assert lobby.id in platform.edited[edits:]


async def test_a_player_is_ready_while_the_mark_for_it_is_there(
    chat: tuple[Chat, TextPlatform],
) -> None:
    ada, bob = Writer(*chat, "Ada"), Writer(*chat, "Bob")
    lobby = await ada.types(rooms.open_usual, "public")
    (race,) = [post.race for _, post in chat[0].store.all("post", Post)]
    await bob.chooses(lobby, "Join")
    for wanted, sign in ((True, "✅ Bob"), (True, "✅ Bob"), (False, "⏳ Bob"), (False, "⏳ Bob")):
        await bob.marks(lobby, partial(rooms.mark_ready, race=race, wanted=wanted))
        assert sign in lobby.text
    await Writer(*chat, "Cy").marks(lobby, partial(rooms.mark_ready, race=race, wanted=False))
    assert "Cy" not in lobby.text


async def test_a_daily_is_posted_and_played_and_commands_are_the_platforms_own(
    chat: tuple[Chat, TextPlatform],
) -> None:
    bot, platform = chat
    ada = Writer(*chat, "Ada")
    bot.store.put("guild", GROUP, GroupRecord(channel=GROUP))
    bot.daily_posts.poster.wake()
    (post,) = await platform.changes.until(lambda: platform.public(GROUP), "the daily post")
    assert "Daily race" in post.text
    intro = await ada.chooses(post, "Play")
    assert intro.only_for == "ada"
    board = await ada.chooses(intro, "Show me the cards")
    await platform.changes.until(lambda: "Ada" in post.text, "the post shows who plays")
    assert "[1] Turn a card" in board.text
    told = await ada.types(partial(joining.join_by_code, typed="K7QPXM"))
    assert "There is no race K7QPXM" in told.text
    gone = await Writer(*chat, "Bob").types(
        partial(races.begin, race="daily.2020-01-01.bigben.book")
    )
    assert "!daily" in gone.text
    assert "/bigben" not in gone.text


async def test_what_is_posted_goes_on_where_a_place_was_moved_to(
    chat: tuple[Chat, TextPlatform],
) -> None:
    bot, platform = chat
    ada = Writer(*chat, "Ada")
    bot.store.put("guild", GROUP, GroupRecord(channel=GROUP))
    lobby = await ada.types(rooms.open_usual, "public")
    await bot.moved(GROUP, "new room")
    moved = next(one for one in platform.public("new room") if "Ada (host)" in one.text)
    record = bot.store.get("guild", GROUP, GroupRecord)
    assert record
    assert record.channel == "new room"
    await Writer(*chat, "Bob", place="new room").chooses(moved, "Join")
    await platform.changes.until(lambda: "Bob" in moved.text, "the new message is kept up to date")
    assert "Bob" not in lobby.text, "the old one stays as it was"


async def test_a_deleted_lobby_is_posted_once_more_and_no_more_than_once(
    chat: tuple[Chat, TextPlatform],
) -> None:
    bot, platform = chat
    lobby = await Writer(*chat, "Ada").types(rooms.open_usual, "public")
    for said in ("not one of ours", lobby.id, lobby.id):
        await bot.posts.deleted(GROUP, said)
    again = [message for message in platform.public(GROUP) if message is not lobby]
    assert [message.labels[0] for message in again] == ["Join"]
    await bot.posts.deleted(GROUP, again[0].id)
    assert len(platform.public(GROUP)) == 2


async def test_a_bot_that_is_killed_while_it_posts_a_lobby_again_does_not_post_another() -> None:
    platform, deleted = TextPlatform(), RacePost(Post("K7QPXM", GROUP, "$lobby", "en"))
    for _ in range(2):
        assert await deleted.posted_again(platform, Content(("Race K7QPXM",)))
    assert len(platform.public(GROUP)) == 1


async def test_a_user_who_is_a_player_of_another_platform_is_that_one_here_too(
    server: str, chat: tuple[Chat, TextPlatform]
) -> None:
    bot = chat[0]
    ada, bob, same = Writer(*chat, "Ada"), Writer(*chat, "Bob"), ChatUser("ada", "Ada", GROUP)
    async with bot.players.connected(same) as player:
        link = (await player.client.link()).token
    token = Issuer("other", KEY).token(PlayerId("other:7"), "Countess", (), time.time())
    async with Client(server, token=token) as elsewhere:
        await elsewhere.tie(link)
    # The bot has not heard of it yet.
    challenge = partial(challenging.challenge, opponent=same, game="bigben", rules="standard")
    asked = await bob.types(challenge, "public")
    assert "ada Bob challenges you" in asked.text
    await ada.chooses(asked, "Accept")
    async with bot.players.connected(same) as player:
        assert player.id == player_of(bot.store, bot.issuer, "ada") == "other:7"
        (room,) = (await player.client.races()).races
        assert await player.seat(room.race)
    today = f"daily.{datetime.now(UTC):%Y-%m-%d}.bigben.standard"
    await ada.types(partial(races.begin, race=today))
    here = partial(leaderboards.leaderboard, wanted=BoardPage(here=True))
    assert "Still racing: 1" in (await bob.types(here)).text
    asked = await ada.types(forgetting.ask)
    assert "other:7" in asked.text
    await ada.chooses(asked, "forget me")
    assert player_of(bot.store, bot.issuer, "ada") == "text:ada"
