"""The stand-in's messages and interactions against discord.py itself: as strict as Discord."""

import asyncio
import io
import time
from collections.abc import AsyncIterator

import discord
import pytest
from discord.http import Route
from tests.discord.parrot import Parrot, asked, running
from tests.discord.standin.interactions import (
    ACKNOWLEDGE_S,
    DEFER_MESSAGE,
    MESSAGE,
    UPDATE,
)
from tests.discord.standin.messages import Message
from tests.discord.standin.people import SEND_MESSAGES
from tests.discord.standin.rates import CHANNEL, Limit
from tests.discord.standin.rest import Fault
from tests.discord.standin.server import Discord


@pytest.fixture
async def parrot(world: Discord) -> AsyncIterator[Parrot]:
    world.channel("general", world.guild("Friends"))
    async with running(world, Parrot()) as client:
        yield client


def only_message(world: Discord) -> Message:
    (message,) = world.state.messages.values()
    return message


async def test_an_answer_comes_once(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    await interaction.response.send_message("hello")
    assert only_message(world).content == "hello"
    with pytest.raises(discord.HTTPException) as refused:
        await parrot.http.request(
            Route(
                "POST",
                "/interactions/{interaction_id}/{interaction_token}/callback",
                interaction_id=interaction.id,
                interaction_token=interaction.token,
            ),
            json={"type": MESSAGE, "data": {"content": "hello again"}},
        )
    assert refused.value.code == 40060


async def test_three_seconds_are_the_time_for_an_answer(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    world.clock.skip(3.1)
    with pytest.raises(discord.NotFound) as late:
        await interaction.response.send_message("too late")
    assert late.value.code == 10062
    assert world.state.messages == {}
    world.state.interactions.clear()


async def test_they_run_out_by_themselves(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    world.clock.skip(2.5)
    born = world.state.interactions[interaction.token].born
    while world.clock.now() - born <= ACKNOWLEDGE_S:  # noqa: ASYNC110  # Time rings for nobody.
        await asyncio.sleep(0)
    with pytest.raises(discord.NotFound) as late:
        await interaction.response.send_message("too late")
    assert late.value.code == 10062
    assert [one.token for one in world.state.unanswered()] == [interaction.token]
    world.state.interactions.clear()


async def test_a_promise_keeps_a_token_for_fifteen_minutes(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    await interaction.response.defer(ephemeral=True)
    world.clock.skip(14 * 60)
    await interaction.edit_original_response(content="here it is")
    assert only_message(world).content == "here it is"
    world.clock.skip(61)
    with pytest.raises(discord.HTTPException) as expired:
        await interaction.edit_original_response(content="and once more")
    assert expired.value.code == 50027


async def test_the_first_follow_up_keeps_the_promise(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    await interaction.response.defer()
    await interaction.followup.send("what was promised")
    assert only_message(world).content == "what was promised"
    await interaction.followup.send("and more")
    assert len(world.state.messages) == 2


async def test_there_are_no_follow_ups_before_the_answer(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    with pytest.raises(discord.NotFound) as unknown:
        await interaction.followup.send("hello")
    assert unknown.value.code == 10015


async def test_ephemeral_is_for_one_alone(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    await interaction.response.send_message("psst", ephemeral=True)
    message = only_message(world)
    assert message.only_for is not None
    assert message.visible_to(message.only_for)
    assert world.person("Bob").sees(message.channel) == []
    channel = parrot.get_partial_messageable(int(message.channel.id))
    with pytest.raises(discord.NotFound) as unknown:
        await channel.get_partial_message(int(message.id)).edit(content="for all")
    assert unknown.value.code == 10008


async def test_files_come_with_their_descriptions_and_go_by_edits(
    world: Discord, parrot: Parrot
) -> None:
    interaction = await asked(world, parrot)
    file = discord.File(io.BytesIO(b"one"), "one.png", description="the first")
    await interaction.response.send_message(file=file)
    message = only_message(world)
    assert (message.picture.data, message.picture.description) == (b"one", "the first")
    second = discord.File(io.BytesIO(b"two"), "two.png")
    await interaction.edit_original_response(attachments=[second])
    assert message.picture.data == b"two"
    await interaction.edit_original_response(content="none", attachments=[])
    assert message.attachments == []


class Tap(discord.ui.View):
    """One button, which takes the message's place."""

    @discord.ui.button(label="Tap", custom_id="tap")
    async def tap(
        self, interaction: discord.Interaction[Parrot], button: discord.ui.Button["Tap"]
    ) -> None:
        await interaction.response.edit_message(content="tapped", view=None)


async def test_a_tap_changes_its_message(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    await interaction.response.send_message("please", view=Tap())
    answer = await world.person("Bob").presses(only_message(world), "Tap")
    assert (await answer.shown()).content == "tapped"
    assert answer.interaction.answer == UPDATE
    assert only_message(world).buttons == []


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("x" * 2001, []),
        ("", []),
        ("two of the same", ["same", "same"]),
        ("a label too long", ["x" * 81]),
    ],
)
async def test_what_does_not_fit_is_refused(
    world: Discord, parrot: Parrot, content: str, labels: list[str]
) -> None:
    interaction = await asked(world, parrot)
    view = discord.ui.View()
    for label in labels:
        view.add_item(discord.ui.Button(label=label, custom_id=label[:9]))
    with pytest.raises(discord.HTTPException) as refused:
        await interaction.response.send_message(content, view=view)
    assert refused.value.status == 400
    assert world.state.messages == {}


async def test_a_key_that_discord_does_not_name_is_refused(world: Discord, parrot: Parrot) -> None:
    (channel,) = world.state.channels
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
    with pytest.raises(discord.HTTPException, match="'colour' was unexpected"):
        await parrot.http.request(route, json={"content": "hello", "colour": "red"})
    assert world.state.messages == {}


async def test_mentions_ring_unless_the_message_forbids_it(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    await interaction.response.send_message("<@1> and @everyone")
    assert world.state.pings == []
    loud = discord.AllowedMentions(users=True, everyone=False)
    await interaction.followup.send("<@1> and @everyone", allowed_mentions=loud)
    assert world.state.pings == ["users"]
    world.state.pings.clear()


async def test_a_channel_may_be_closed_to_the_bot(world: Discord, parrot: Parrot) -> None:
    friends = world.guilds[0]
    quiet = world.channel("quiet", friends, denied=SEND_MESSAGES)
    elsewhere = world.channel("far", world.guild("Strangers", bot_is_member=False))
    for channel, code in ((quiet, 50013), (elsewhere, 50001)):
        with pytest.raises(discord.Forbidden) as forbidden:
            await parrot.get_partial_messageable(int(channel.id)).send("hello")
        assert forbidden.value.code == code


async def test_who_asks_too_often_is_told_to_wait(world: Discord, parrot: Parrot) -> None:
    world.rest.rates.limit = Limit(2, 0.2)
    channel = parrot.get_partial_messageable(int(next(iter(world.state.channels))))
    await asyncio.gather(*(channel.send(f"{number}") for number in range(6)))
    assert len(world.state.messages) == 6
    bucket = [request.status for request in world.rest.requests if "POST /chan" in request.route]
    assert bucket.count(200) == 6
    world.rest.rates.refused.clear()


async def test_all_requests_together_have_a_limit_too(world: Discord, parrot: Parrot) -> None:
    world.rest.rates.everything = Limit(4, 0.2 * world.rest.rates.hurry)
    channel = parrot.get_partial_messageable(int(next(iter(world.state.channels))))
    for number in range(10):
        await channel.send(f"{number}")
    assert len(world.state.messages) == 10
    assert set(world.rest.rates.refused) == {"everything"}
    world.rest.rates.refused.clear()


async def test_a_bot_that_edits_as_discord_allows_is_never_refused(
    world: Discord, parrot: Parrot
) -> None:
    channel = parrot.get_partial_messageable(int(next(iter(world.state.channels))))
    message = await channel.send("0")
    begun = time.time()
    for number in range(CHANNEL.count + 1):
        await message.edit(content=f"{number}")
    # discord.py reads from the headers that its bucket is used up, and waits.
    assert time.time() - begun >= CHANNEL.seconds / world.rest.rates.hurry
    assert world.rest.rates.refused == []


async def test_old_messages_of_a_channel_are_edited_less_often(
    world: Discord, parrot: Parrot
) -> None:
    channel = parrot.get_partial_messageable(int(next(iter(world.state.channels))))
    messages = [await channel.send(f"{number}") for number in range(2)]
    world.clock.skip(3601)
    for number in range(2):
        for message in messages:
            await message.edit(content=f"{number}")
    assert len(world.rest.rates.refused) == 1, "three in a window, of all messages together"
    assert [m.content for m in world.state.messages.values()] == ["1", "1"], "it was waited for"
    world.rest.rates.refused.clear()


async def test_a_429_is_waited_for(world: Discord, parrot: Parrot) -> None:
    wait = {"retry_after": 0.01, "global": False}
    world.rest.faults.append(Fault("POST /channels/{channel_id}/messages", 429, wait))
    channel = parrot.get_partial_messageable(int(next(iter(world.state.channels))))
    await channel.send("hello")
    assert [r.status for r in world.rest.requests if "POST /chan" in r.route] == [429, 200]


async def test_commands_are_kept_as_they_were_synced(world: Discord, parrot: Parrot) -> None:
    assert world.state.commands.syncs == 1
    (command,) = await parrot.tree.fetch_commands()
    assert (command.name, command.options[0].name) == ("say", "words")


async def test_a_test_can_not_type_what_no_client_would_send(
    world: Discord, parrot: Parrot
) -> None:
    (channel,) = world.state.channels.values()
    ada = world.person("Ada")
    with pytest.raises(AssertionError, match="needs"):
        await ada.types(channel, "say")
    with pytest.raises(AssertionError, match="does not take"):
        await ada.types(channel, "say", {"words": 3})
    with pytest.raises(AssertionError, match="no command"):
        await ada.types(channel, "sing")


async def test_a_promise_is_seen_as_one(world: Discord, parrot: Parrot) -> None:
    interaction = await asked(world, parrot)
    await interaction.response.defer()
    (record,) = world.state.interactions.values()
    assert record.answer == DEFER_MESSAGE
    assert only_message(world).thinking
    await interaction.edit_original_response(content="done")
    assert not only_message(world).thinking
