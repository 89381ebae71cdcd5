"""`/bigben verify`: promise, seed, and the receipt, which the real `bigben verify` checks."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.discord.playing import gives_up, sees_cards, starts_alone, taps_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.terminal.command import bigben

from bigben_chat.actions import verification
from bigben_chat.actions.verification import proves
from bigben_discord.bot import BigBen
from bigben_protocol import Chosen, Kind, RaceId, Reveal, Room, Rules
from bigben_rules import counted

NONCE = "ab" * 32
SEED = "cd" * 32
COMMITMENT = "696fc3bb2f87774b155dd14e085c1c8e573ad18927071002954500a24540252b"
MIXED = "f1dd32fe03b729070de4cab17d02aa7353b165fb133dda9744e0d956f9af8537"
"""SHA-256 of the seed and the nonce."""


async def raced(world: Discord, channel: Channel, *people: Person) -> Message:
    """A live race that is over; its public message."""
    host, *others = people
    lobby = await (await host.types(channel, "bigben race")).shown()
    for person in others:
        await (await person.presses(lobby, "Join")).shown()
    for person in others:
        await (await person.presses(lobby, "Ready")).followed_up()
    if others:
        await (await host.presses(lobby, "Ready")).followed_up()
    else:
        await starts_alone(host, lobby)
    await world.changes.until(lambda: "Ends" in lobby.content, "the race has started")
    for moves, person in enumerate(people):
        board = await (await person.presses(lobby, "My board")).shown()
        await gives_up(person, await taps_on(person, board, moves))
    await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")
    return lobby


async def test_a_closed_race_has_a_receipt_that_anyone_can_verify(
    world: Discord, bot: BigBen, channel: Channel, tmp_path: Path
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob *♣*")
    lobby = await raced(world, channel, ada, bob)
    stranger = world.person("Stranger")
    proof = await (await stranger.presses(lobby, "Verify")).shown()
    assert proof.only_for == stranger.user
    assert "✅" in proof.content
    (attached,) = proof.attachments
    race = json.loads(attached.data)["race"]
    assert attached.filename == f"bigben-{race}.json"
    assert f"`bigben verify {attached.filename}`" in proof.content
    file = tmp_path / attached.filename
    file.write_bytes(attached.data)
    checked = bigben("verify", str(file))
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "mixed with 2 of 2 racers' nonces" in checked.stdout
    assert "✓ Bob *♣*: resigned, 2 moves" in checked.stdout
    # To each the same one, and it is the race that was promised.
    again = await (await ada.types(channel, "bigben verify")).shown()
    assert again.picture.data == attached.data
    assert json.loads(attached.data)["commitment"] in proof.content


async def test_before_the_close_there_is_the_commitment_and_when_the_seed_is_revealed(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    oda = world.person("Oda")
    board = await sees_cards(oda, channel)
    early = await (await oda.types(channel, "bigben verify")).shown()
    assert "The seed is revealed to everybody when" in early.content
    assert "will be here when the race is over, <t:" in early.content
    over = await gives_up(oda, board)
    late = await (await oda.presses(over, "Verify")).shown()
    assert late.content == early.content, "one who is done may know others who are not"
    assert (early.attachments, late.attachments) == ([], [])
    named = await (await oda.types(channel, "bigben verify", {"race": "daily"})).shown()
    assert named.content == late.content
    assert re.search(r"`[0-9a-f]{64}`", early.content)


async def test_of_a_very_large_race_it_says_how_to_get_the_receipt(
    world: Discord, bot: BigBen, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "MOST_SEATS", 1)
    lobby = await raced(world, channel, world.person("Ada"), world.person("Bob"))
    proof = await (await world.person("Cy").presses(lobby, "Verify")).shown()
    assert proof.attachments == []
    assert re.search(r"`bigben receipt \w{6} --server http://race.example ", proof.content)


def revealed(seed: str, *nonces: str) -> Reveal:
    """A deal from ``SEED``."""
    return Reveal(RaceId("K7QPXM"), COMMITMENT, SEED, seed, nonces)


def room(kind: Kind, commitment: str = COMMITMENT, **rules: Any) -> Room:  # Any: of Rules
    return Room(RaceId("K7QPXM"), kind, "closed", Rules(**rules), commitment, 0)


def test_a_promise_is_kept_by_its_seed_alone() -> None:
    daily, live = revealed(SEED), revealed(MIXED, NONCE)
    assert proves(daily, room("daily"))
    assert proves(live, room("live"))
    for broken in (
        msgspec.structs.replace(daily, server_seed=NONCE, seed=NONCE),
        msgspec.structs.replace(daily, commitment=NONCE),
        msgspec.structs.replace(daily, seed=MIXED),
        msgspec.structs.replace(live, seed=SEED),
        msgspec.structs.replace(live, nonces=(NONCE, NONCE)),
    ):
        assert not proves(broken, room("live")), broken
    assert not proves(daily, room("daily", NONCE)), "another one was promised before the race"


def test_another_deal_of_the_seed_is_no_kept_promise_unless_the_rules_ask_for_it() -> None:
    seed = counted(bytes.fromhex(MIXED), 16).hex()
    chosen = msgspec.structs.replace(
        revealed(seed, NONCE), chosen=Chosen(16, certificate=("turn",))
    )
    assert not proves(chosen, room("live"))
    assert proves(chosen, room("live", winnable=True))
    again = msgspec.structs.replace(room("live"), counter=7)
    assert not proves(revealed(MIXED, NONCE), again)
