"""Challenges: one user asks another for a race, who accepts or declines."""

from contextlib import suppress

from msgspec.structs import replace

from bigben_chat.actions.races import note_joined
from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser, player_of
from bigben_chat.connections.player import Player
from bigben_chat.messages import challenges
from bigben_chat.messages.content import Content
from bigben_chat.platform import Answer, Sorry
from bigben_chat.posts.race_posts import public_language
from bigben_chat.refusals import refusal
from bigben_chat.texts import say_in
from bigben_chat.tree import Person
from bigben_client import RefusedError
from bigben_protocol import ChallengeInfo, HeadToHead


async def challenge(
    bot: Chat, answer: Answer, opponent: ChatUser, *, game: str, rules: str
) -> None:
    """Challenge a user of the platform; the answer tells them, and has the buttons for theirs."""
    to = player_of(bot.store, bot.issuer, opponent.id)
    async with bot.players.connected(answer.user) as player:
        sent = (await player.client.challenge(to, game=game, rules=rules)).sent
        waiting = [one for one in sent if one.state == "waiting"]
        # They may have been tied to another player since they were here last.
        new = max(waiting, key=lambda one: one.at)
        one = next((one for one in waiting if one.player == to), new)
        record = await _record(player, one.player)
        say = say_in(public_language(answer, bot.store))
        await answer.show(challenges.asked(one, _user(answer.user), _user(opponent), record, say))


async def accept(bot: Chat, answer: Answer, challenge: str, to: str, by: str) -> None:
    """Take a seat in the room of the challenge, whose message replaces the challenge."""
    _check(answer, to)
    async with bot.players.connected(answer.user) as player:
        if one := await _answered(answer, player, challenge, accept=True):
            room = await player.client.join(one.race)
            note_joined(bot, answer, room)
            # Without the invitation: nobody else joins by the button.
            if not await bot.posts.answer(answer, replace(room, invite="")):
                await answer.tell(answer.say("room.joined", code=room.race))
            say = say_in(public_language(answer, bot.store))
            told = challenges.accepted((Person(by),), answer.user.name, say)
            await answer.follow_up(told, private=False)


async def decline(bot: Chat, answer: Answer, challenge: str, to: str) -> None:
    """Say no; all who saw the challenge see that."""
    _check(answer, to)
    async with bot.players.connected(answer.user) as player:
        before = {one.id: one for one in (await player.client.challenges()).received}
        await _answered(answer, player, challenge, accept=False)
        if one := before.get(challenge):
            say = say_in(public_language(answer, bot.store))
            await answer.show(challenges.declined(one.name, answer.user.name, say))


def _check(answer: Answer, to: str) -> None:
    """Raises Sorry for everybody but the one who is challenged."""
    if str(answer.user.id) != to:
        raise Sorry(answer.say("challenge.not_yours"))


async def _answered(
    answer: Answer, player: Player, challenge: str, *, accept: bool
) -> ChallengeInfo | None:
    """The accepted challenge. If it is no longer open, the message says so from now on."""
    try:
        answered = await player.client.answer_challenge(challenge, accept=accept)
    except RefusedError as error:
        if error.code != "phase":
            raise
        await answer.show(Content(refusal(error, answer.say)))
        return None
    return next((one for one in answered.received if one.id == challenge), None)


def _user(user: ChatUser) -> challenges.User:
    return challenges.User(user.id, user.name)


async def _record(player: Player, against: str) -> HeadToHead | None:
    """Who was ahead so far; None where one of them has no result."""
    with suppress(RefusedError):
        return (await player.client.profile(against=against)).against
    return None
