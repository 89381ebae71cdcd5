"""What people see of the bot's messages on a real homeserver, and what only one of them may see."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.chat.positions import after
from tests.matrix.people import People, Person
from tests.matrix.proxy import Proxy, answered, cut_after
from tests.matrix.silent import SilentBot
from tests.matrix.synapse import Synapse

from bigben_chat.happenings import Joined, Reacted, Said
from bigben_chat.in_rooms import RoomAnswer
from bigben_chat.messages.board import Board
from bigben_chat.messages.content import Attachment, Button, Content, id_of
from bigben_chat.messages.signs import Used
from bigben_chat.picture.drawing import Look
from bigben_chat.platform import Gone, Kind, Sorry
from bigben_chat.records import GroupRecord, PendingBoard
from bigben_chat.texts import say_in
from bigben_chat.tree import Name, Strong, Time, lines, text
from bigben_chat.tree import Person as Mentioned
from bigben_matrix.platform import ANSWERED, MatrixPlatform

ENGLISH = say_in("en")
JOIN = Button("Join", id_of("join", "K7QPXM"))
READY = Button("Ready", id_of("ready", "K7QPXM"))
LOBBY = Content((Strong(("Race K7QPXM",)),), [[JOIN, READY]])


class Bot(SilentBot):
    """Which can answer what it has heard."""

    async def heard(self, event: str) -> Said | Reacted:
        """What somebody said, or how they reacted, once the bot knows of it."""

        def look() -> Said | Reacted | None:
            asked = (one for one in self.happened if isinstance(one, Said | Reacted))
            return next((one for one in asked if one.event == event), None)

        return await self.changes.until(look, f"the bot hears {event}")

    async def answer(self, event: str, kind: Kind, *, instead: str = "") -> RoomAnswer:
        """The answer to this."""
        what = await self.heard(event)
        user = self.rooms.user(what.room, what.sender, what.name)
        pressed = None
        if isinstance(what, Reacted):
            found = await self.platform.used(what)
            assert found is not None
            pressed = found[1]
        limit = asyncio.timeout(None)
        return RoomAnswer(
            self.platform, what, time.time(), user, ENGLISH, kind, limit, pressed, instead=instead
        )


@pytest.fixture
async def bot(homeserver: Synapse, proxy: Proxy, tmp_path: Path) -> AsyncIterator[Bot]:
    async with Bot(await homeserver.account("Bot"), proxy.url, tmp_path) as one:
        yield one


async def a_room(bot: Bot, *people: Person) -> str:
    """A room of these people and the bot."""
    room = await people[0].room("Friends", *people[1:], bot.account.user)
    await bot.changes.until(lambda: Joined(room) in bot.happened, "the bot comes")
    return room


def board(moves: int, *, as_text: bool = False) -> Content:
    """A board of Big Ben."""
    view, last, game = after(moves)
    return Board(game, view, last, Look(text=as_text), ENGLISH).message()


async def test_a_board_is_a_picture_for_its_player_alone_and_is_edited(
    bot: Bot, people: People
) -> None:
    ada = await people.person("Ada")
    content = board(20)
    assert content.attachment is not None
    sent = await bot.platform.post_to(ada.user, content)
    room = await ada.direct(bot.account.user)
    assert (sent.room, sent.private) == (room, True)
    seen = await ada.sees(room, lambda one: one.id == sent.id)
    assert await seen.png() == content.attachment.data
    assert "/104" in seen.html
    assert "Waste" in seen.text, "the text board says what the picture shows"
    assert "♠" in seen.text
    assert {"🃏", "📝", "🏳️"} <= seen.controls.keys()
    await ada.sees(room, lambda one: "🃏" in one.by(bot.account.user))
    # A client may go on showing the old picture of an edited message, so there is none.
    await sent.edit(board(21))
    told = await ada.sees(room, lambda one: one.id == sent.id and one.edits == 1)
    assert (told.picture, told.content["msgtype"]) == (None, "m.notice")
    assert "<pre>" in told.html
    await sent.edit(board(22))
    newer = await ada.sees(room, lambda one: one.id == sent.id and one.edits == 2)
    assert newer.picture not in (None, seen.picture)


async def test_no_card_is_shown_where_somebody_else_has_come_in(bot: Bot, people: People) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    sent = await bot.platform.post_to(ada.user, board(20))
    room = await ada.direct(bot.account.user)
    seen = await ada.sees(room, lambda one: one.id == sent.id)
    await people.of(bot.account).invites(room, ben.user)
    await ben.joins(room)
    pressed = await ada.reacts(seen, "🃏")
    answer = await bot.answer(pressed, "change")
    with pytest.raises(Gone):
        await sent.edit(board(21))
    elsewhere = await answer.show(board(21))
    assert elsewhere.room != room
    after_all = await ada.direct(bot.account.user)
    assert after_all == elsewhere.room
    await ada.sees(after_all, lambda one: one.id == elsewhere.id)
    (mine,) = [one for one in await ada.history(room) if one["type"] == "m.room.message"]
    assert mine["event_id"] == sent.id
    assert all(one["type"] != "m.room.message" for one in await ben.history(room))


async def test_content_with_cards_goes_through_no_other_door(bot: Bot, people: People) -> None:
    ada = await people.person("Ada")
    room = await a_room(bot, ada)
    lobby = await bot.platform.post(room, LOBBY)
    for show in (bot.platform.send(room, board(20)), bot.platform.edit(room, lobby.id, board(20))):
        with pytest.raises(AssertionError, match="cards are for their player alone"):
            await show
    assert [one["type"] for one in await ada.history(room)].count("m.room.message") == 1


async def test_a_reaction_presses_a_button_after_a_restart_too(
    bot: Bot, people: People, proxy: Proxy, tmp_path: Path
) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    room = await a_room(bot, ada, ben)
    lobby = await bot.platform.post(room, LOBBY)
    seen = await ada.sees(room, lambda one: one.by(bot.account.user) == {"➕", "✅"})
    pressed = await bot.heard(await ada.reacts(seen, "✅"))
    assert isinstance(pressed, Reacted)
    found = await bot.platform.used(pressed)
    assert found is not None
    assert found[0] == Used("ready", ["K7QPXM"], "")
    begun = Content(("It runs.",), [[Button("My board", id_of("board", "K7QPXM"))]])
    await bot.platform.edit(room, lobby.id, begun)
    mine = await ada.sees(room, "It runs.")
    hers = await bot.heard(await ben.reacts(mine, "🎴"))
    other = await ada.says(room, "hello")
    ignored = await bot.heard(await ben.reacts(await ben.sees(room, "hello"), "✅"))
    assert isinstance(hers, Reacted)
    assert isinstance(ignored, Reacted)
    assert ignored.target == other
    forgetful = MatrixPlatform(bot.homeserver, bot.rooms, bot.rate, bot.store)
    for platform in (bot.platform, forgetful):
        assert await platform.used(pressed) is None, "its newest form has no such button"
        now = await platform.used(hers)
        assert now is not None
        assert now[0] == Used("board", ["K7QPXM"], "")
        assert platform.may_be_pressed(room, ignored.target)
        assert await platform.used(ignored) is None, "it is no message of the bot"
        assert not platform.may_be_pressed(room, ignored.target), "it need not be asked for again"


async def test_the_bot_takes_its_reactions_back_when_none_is_a_button_any_more(
    bot: Bot, people: People
) -> None:
    ada = await people.person("Ada")
    room = await a_room(bot, ada)
    lobby = await bot.platform.post(room, LOBBY)
    seen = await ada.sees(room, lambda one: one.by(bot.account.user) == {"➕", "✅"})
    await ada.reacts(seen, "✅")
    begun = Content(("It runs.",), [[Button("My board", id_of("board", "K7QPXM"))]])
    await bot.platform.edit(room, lobby.id, LOBBY)  # which is there already
    await bot.platform.edit(room, lobby.id, begun)
    await ada.sees(room, lambda one: one.edits == 1 and {*one.reactions} == {("✅", ada.user)})


async def test_nobody_presses_the_buttons_of_another(bot: Bot, people: People) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    sent = await bot.platform.post_to(ada.user, board(20))
    room = await ada.direct(bot.account.user)
    await people.of(bot.account).invites(room, ben.user)
    await ben.joins(room)
    seen = await ada.sees(room, lambda one: one.id == sent.id)
    pressed = await bot.heard(await ben.reacts(seen, "🃏"))
    assert isinstance(pressed, Reacted)
    assert await bot.platform.used(pressed) is None


async def test_a_button_in_a_direct_room_is_free_again_once_it_was_pressed(
    bot: Bot, people: People
) -> None:
    ada = await people.person("Ada")
    sent = await bot.platform.post_to(ada.user, board(20, as_text=True))
    room = await ada.direct(bot.account.user)
    seen = await ada.sees(room, lambda one: "🃏" in one.by(bot.account.user))
    answer = await bot.answer(await ada.reacts(seen, "🃏"), "change")
    edited = await answer.show(board(21, as_text=True))
    assert (edited.id, edited.private) == (sent.id, True)
    answer.done()
    await ada.sees(room, lambda one: one.edits == 1 and not one.by(ada.user))


async def test_a_press_on_a_picture_shows_the_next_one_in_a_new_message(
    bot: Bot, people: People
) -> None:
    ada = await people.person("Ada")
    sent = await bot.platform.post_to(ada.user, board(20))
    room = await ada.direct(bot.account.user)
    seen = await ada.sees(room, lambda one: "🃏" in one.by(bot.account.user))
    answer = await bot.answer(await ada.reacts(seen, "🃏"), "change")
    assert (answer.pressed_private, answer.pressed_picture) == (True, True)
    shown = await answer.show(board(21))
    answer.done()
    assert shown.id != sent.id
    newer = await ada.sees(room, lambda one: one.id == shown.id)
    again = await bot.answer(await ada.reacts(newer, "🏳️"), "change")
    await again.show(Content(("Sure?",), cards=True), keep_picture=True)
    again.done()
    asked = await ada.sees(room, lambda one: "Sure?" in one.text and not one.by(ada.user))
    assert (asked.id, asked.picture) == (shown.id, newer.picture)
    old = await ada.sees(room, lambda one: one.id == sent.id)
    assert (old.edits, old.by(ada.user)) == (0, {"🃏"})


async def test_a_command_in_a_room_is_answered_where_it_may_be(bot: Bot, people: People) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    room = await a_room(bot, ada, ben)
    typed = await ada.says(room, "!bigben board")
    answer = await bot.answer(typed, "private")
    await answer.show(board(20))
    await answer.follow_up(LOBBY, private=False)
    answer.done()
    await ben.sees(room, lambda one: one.id == typed and one.by(bot.account.user) == {ANSWERED})
    await ben.sees(room, "Race K7QPXM")
    direct = await ada.direct(bot.account.user)
    await ada.sees(direct, "104")
    wrong = await bot.answer(await ben.says(room, "!bigben rce"), "public")
    await wrong.say_sorry(("There is no such command.",))
    told = await ben.sees(room, "no such command")
    assert told.reply_to is not None
    wrong.done()
    own = await bot.answer(await ada.says(direct, "board"), "private")
    await own.tell(("Nothing is being played.",))
    own.done()
    await ada.sees(direct, "Nothing is being played.")


async def test_who_cannot_have_a_room_with_the_bot_is_told_where_they_ask(
    bot: Bot, people: People, proxy: Proxy
) -> None:
    ada = await people.person("Ada")
    room = await a_room(bot, ada)
    typed = await ada.says(room, "!bigben board")
    answer = await bot.answer(typed, "private")
    with proxy.always("direct", answered(403)):
        with pytest.raises(Sorry) as refused:
            await answer.show(board(20))
        await answer.say_sorry(refused.value.text)
    told = await ada.sees(room, "I can’t write to you alone")
    assert told.reply_to == typed
    assert len([one for one in await ada.history(room) if one["type"] == "m.room.message"]) == 2


async def test_who_asks_where_the_bot_may_not_write_is_told_in_their_own_room(
    bot: Bot, people: People
) -> None:
    ada = await people.person("Ada")
    room = await a_room(bot, ada)
    levels = await ada.state(room, "m.room.power_levels")
    await ada.sets(room, "m.room.power_levels", {**levels, "events_default": 50})
    answer = await bot.answer(await ada.says(room, "!bigben race"), "public")
    with pytest.raises(Sorry) as refused:
        await answer.show(LOBBY)
    await answer.say_sorry(refused.value.text)
    await ada.sees(await ada.direct(bot.account.user), "I may not write in that room")


async def test_an_answer_that_runs_twice_is_sent_once(
    bot: Bot, people: People, proxy: Proxy
) -> None:
    ada = await people.person("Ada")
    room = await a_room(bot, ada)
    typed = await ada.says(room, "!bigben race")
    proxy.next("message", cut_after)
    sent = [await (await bot.answer(typed, "public")).show(LOBBY) for _ in range(2)]
    assert sent[0].id == sent[1].id
    other = await bot.answer(typed, "public", instead="wrong.interrupted")
    await other.tell(ENGLISH("wrong.interrupted"))
    assert (await ada.sees(room, "restarted")).reply_to == typed
    nonce = [await bot.platform.send(room, LOBBY, nonce="daily-1") for _ in range(2)]
    assert nonce[0] == nonce[1]
    assert proxy.doubles() == {}
    assert [one["type"] for one in await ada.history(room)].count("m.room.message") == 4


async def test_a_picture_that_cannot_be_uploaded_is_a_text_board(
    bot: Bot, people: People, proxy: Proxy
) -> None:
    ada = await people.person("Ada")
    proxy.next("upload", answered(413))
    await bot.platform.post_to(ada.user, board(20))
    room = await ada.direct(bot.account.user)
    seen = await ada.sees(room, "104")
    assert seen.picture is None
    assert seen.html.count("<pre>") == 1
    assert "pictures" not in seen.text, "nobody has forbidden them"
    receipt = Content(("The receipt",), attachment=Attachment("receipt.json", b"{}"))
    await bot.platform.post_to(ada.user, receipt)
    file = await ada.sees(room, "The receipt")
    assert file.content["msgtype"] == "m.file"
    assert await ada.downloads(file.content["url"]) == b"{}"


async def test_names_notify_nobody_and_a_challenge_the_one_who_is_challenged(
    bot: Bot, people: People
) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    room = await a_room(bot, ada, ben)
    await bot.platform.send(room, Content(lines(Name("@room"), Name(ada.user), Name("Ada"))))
    await bot.platform.send(room, Content(text(Mentioned(ben.user), " is challenged")))
    await bot.platform.post_to(ada.user, Content(("Welcome.",)))
    direct = await ada.direct(bot.account.user)
    await bot.platform.tell(ada.user, Content(("It is your turn.",)))
    await ada.sees(direct, "your turn")
    assert await _notified(ada) == ["It is your turn.", f"{ben.user} is challenged"]
    assert await _notified(ada, only="highlight") == []
    assert await _notified(ben, only="highlight") == [f"{ben.user} is challenged"]


async def test_times_are_said_as_the_group_reads_its_clocks(bot: Bot, people: People) -> None:
    ada = await people.person("Ada")
    room = await a_room(bot, ada)
    user = bot.rooms.user(room, ada.user, "Ada")
    bot.store.put("guild", user.group, GroupRecord(zone="Asia/Tokyo"))
    await bot.platform.send(room, Content(text("Ends ", Time(0, "clock"))))
    assert (await ada.sees(room, "Ends")).text == "Ends 09:00 JST (00:00 UTC)"
    assert bot.platform.group_name(user.group) == "Friends"
    assert bot.platform.manager_of(user.group, GroupRecord()) == ada.user
    assert bot.platform.manager_of(user.group, GroupRecord(by="@ben:x.example")) == "@ben:x.example"


async def test_a_message_that_was_deleted_is_edited_no_more(bot: Bot, people: People) -> None:
    ada = await people.person("Ada")
    room = await a_room(bot, ada)
    lobby = await bot.platform.send(room, LOBBY)
    await bot.platform.delete(room, lobby)
    await ada.sees(room, lambda one: one.redacted)
    bot.platform.deleted(room, str(lobby))
    with pytest.raises(Gone):
        await bot.platform.edit(room, lobby, Content(("It runs.",)))


async def test_a_waiting_message_becomes_a_board_after_a_restart(bot: Bot, people: People) -> None:
    ada = await people.person("Ada")
    sent = await bot.platform.post_to(ada.user, Content(("You are ready.",)))
    token, request = sent.token
    stored = PendingBoard(ada.user, "Ada", 0, "K7QPXM", token, request, sent.id, "en")
    again = bot.platform.reopened(stored)
    assert again.editable
    await again.edit(board(0))
    room = await ada.direct(bot.account.user)
    assert (await ada.sees(room, lambda one: one.id == sent.id and one.edits == 1)).picture


async def _notified(person: Person, **query: str) -> list[str]:
    """The messages of the bot of which their clients tell them, the newest first."""
    found = await person.request("GET", "notifications", query=query)
    events = [one["event"] for one in found["notifications"]]
    return [one["content"]["body"] for one in events if one["type"] == "m.room.message"]


async def test_an_id_means_its_user_whoever_else_is_called_so(bot: Bot, people: People) -> None:
    ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
    room = await a_room(bot, ada, ben)
    called = {"membership": "join", "displayname": ada.user}
    await ben.sets(room, "m.room.member", called, ben.user)
    for typed in (ada.user, f"https://matrix.to/#/{ada.user}"):
        found = await bot.platform.user(room, typed)
        assert found is not None
        assert found.id == ada.user
    assert await bot.platform.user(room, "Ben") is None
    assert await bot.platform.user(room, "@eve:matrix.example") is None, (
        "who is not there sees nothing"
    )
