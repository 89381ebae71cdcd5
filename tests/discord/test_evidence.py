"""The bot shows and keeps what binds the server, and says what came of it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.discord.playing import gives_up, sees_cards, starts_alone, taps_on
from tests.discord.running import bot_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord
from tests.fairness.lying import LIES, Lie, another_server_seed, honest, lying
from tests.fairness.test_kept import MOVES, another_time
from tests.fairness.witnessed import daily, live
from tests.support.server_process import ServerProcess

from bigben_chat import evidence
from bigben_chat.connections import player
from bigben_chat.evidence import Evidence, verdict
from bigben_chat.store import Store
from bigben_chat.texts import say_in
from bigben_client import Finding, check
from bigben_discord.bot import BigBen
from bigben_discord.interactions.markdown import markdown
from bigben_protocol import Pong, RaceId, Reveal, ServerMessage, Welcome
from bigben_protocol.sentence import sentence

TOLD = ("another server seed", "nonces changed", "another time", "other cards")
"""Some of the lies: that the client finds all of them, its own tests show."""
UNKNOWN = "Whether this race was fair could not be checked"
LOUD = "This race is not what was promised"
HOLDS = "The deal matches its commitment; your nonce, your moves (2) and their times"


class LieByName:
    """Lies to each player in the way that they are called; to others it is honest."""

    def __init__(self) -> None:
        self._lie: Lie = honest

    def __call__(self, message: ServerMessage) -> ServerMessage:
        if isinstance(message, Welcome) and message.name in LIES:
            make, _ = LIES[message.name]
            self._lie = make()
        return self._lie(message)


class LateLie:
    """Leaves out the first Reveal, and lies in the next one."""

    def __init__(self) -> None:
        self._revealed = False

    def __call__(self, message: ServerMessage) -> ServerMessage:
        if isinstance(message, Reveal) and not self._revealed:
            self._revealed = True
            return Pong(0, 0)
        return another_server_seed(message)


async def test_a_lie_is_told_to_the_player_who_was_lied_to(
    world: Discord, channel: Channel, server: ServerProcess, tmp_path: Path
) -> None:
    with lying(server.url, LieByName) as relay:
        async with bot_on(world, relay.url, tmp_path):
            people = {name: world.person(name) for name in ("Ada", *TOLD)}
            host, *others = people.values()
            lobby = await (await host.types(channel, "bigben race")).shown()
            for person in others:
                await (await person.presses(lobby, "Join")).shown()
            waiting = {
                name: await (await person.presses(lobby, "Ready")).followed_up()
                for name, person in people.items()
            }
            for name, person in people.items():
                await world.changes.until(_has_a_board(waiting[name]), f"{name} has a board")
                await gives_up(person, await taps_on(person, waiting[name], 1))
            await world.changes.until(_has_button(lobby, "Verify"), "the race is over")
            for name in TOLD:
                await world.changes.until(_says(waiting[name], LOUD), f"the lie of {name} is told")
                proof = await (await people[name].presses(lobby, "Verify")).shown()
                assert LOUD in proof.content
                assert "They match" not in proof.content
            await world.changes.until(_says(waiting["Ada"], HOLDS), "honest is honest")
            proof = await (await host.presses(lobby, "Verify")).shown()
            assert HOLDS in proof.content


async def test_a_lie_that_comes_late_is_told_on_a_board_that_could_not_be_checked(
    world: Discord,
    channel: Channel,
    server: ServerProcess,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(player, "DEAL_S", 0.0)
    with lying(server.url, LateLie) as relay:
        async with bot_on(world, relay.url, tmp_path):
            ada = world.person("Ada")
            lobby = await (await ada.types(channel, "bigben race")).shown()
            board = await starts_alone(ada, lobby)
            await world.changes.until(_has_a_board(board), "the race has begun")
            await gives_up(ada, await taps_on(ada, board, 1))
            await world.changes.until(_says(board, UNKNOWN), "nothing is revealed")
            # Asks for the room once more, and so for the Reveal.
            await (await ada.presses(lobby, "Verify")).shown()
            await world.changes.until(_says(board, LOUD), "the lie is told")


async def test_the_commitment_is_shown_before_the_start_and_outlives_the_bot(
    world: Discord, channel: Channel, server: ServerProcess, tmp_path: Path
) -> None:
    ada, bob = world.person("Ada"), world.person("Bob")
    async with bot_on(world, server.url, tmp_path):
        lobby = await (await ada.types(channel, "bigben race")).shown()
        await (await bob.presses(lobby, "Join")).shown()
        waiting = await (await ada.presses(lobby, "Ready")).followed_up()
        short = re.search(
            r"Sealed deal: `(\w{16})…` .*\. Your random number for the shuffle: `(\w{16})…`",
            waiting.content,
        )
        assert short, waiting.content
        proof = await (await ada.types(channel, "bigben verify")).shown()
        assert f"`{short[1]}" in proof.content
        assert f"Your random number (nonce): `{short[2]}" in proof.content
    async with bot_on(world, server.url, tmp_path):
        theirs = await (await bob.presses(lobby, "Ready")).followed_up()
        await world.changes.until(_has_a_board(theirs), "the race has begun")
        board = await (await ada.presses(lobby, "My board")).shown()
        for person, one in ((ada, board), (bob, theirs)):
            await gives_up(person, await taps_on(person, one, 1))
        await world.changes.until(_says(board, HOLDS), "the verdict is on the board")


async def test_a_daily_says_what_it_is_committed_to_before_the_clock_starts(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    eve = world.person("Eve")
    intro = await (await eve.types(channel, "bigben daily")).shown()
    assert re.search(r"Sealed deal: `\w{16}…` The server can’t change the shuffle", intro.content)
    assert "random number" not in intro.content
    board = await sees_cards(eve, channel)
    assert "committed" not in board.content


def test_a_verdict_names_what_does_not_hold_and_what_was_not_seen() -> None:
    english, german = say_in("en"), say_in("de")
    race = live(*MOVES)
    wrong = another_time(race)
    assert "about: your times." in markdown(verdict(race.kept, check(*wrong), english))
    assert "deine Zeiten" in markdown(verdict(race.kept, check(*wrong), german))
    away = replace(race.kept, moves=(), nonce=None)
    part = markdown(verdict(away, check(*race._replace(kept=away)), english))
    assert part.endswith("see it here: your nonce, your moves, your times.")
    assert "your moves (4)" in markdown(verdict(daily(*MOVES).kept, check(*daily(*MOVES)), english))
    assert verdict(race.kept, (), english) == ()
    untold = Finding("server seed", None, sentence("fair.no_order"))
    assert "could not be checked" in markdown(verdict(race.kept, [untold], english))


def test_of_each_player_the_latest_races_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "MOST_RACES", 3)
    store = Store(tmp_path / "discord.sqlite")
    kept = Evidence(store, iter(range(100)).__next__)
    race = replace(live().kept, begun_at=0, moves=())
    for number in range(5):
        kept.note(7, replace(race, race=RaceId(f"RACE{number}")))
    kept.note(70, race)
    assert sorted(one.race for one in kept.of(7)) == ["RACE2", "RACE3", "RACE4"]
    assert [one.race for one in kept.of(70)] == [race.race]
    store.close()


def test_moves_are_written_now_and_then_and_at_the_end(tmp_path: Path) -> None:
    store = Store(tmp_path / "discord.sqlite")
    kept = Evidence(store)
    whole = live(*MOVES).kept
    kept.note(7, replace(whole, moves=()))
    kept.note(7, whole)
    assert kept.of(7) == [replace(whole, moves=())]
    kept.flush(7, {whole.race: whole})
    assert kept.of(7) == [whole]
    store.close()


def _has_a_board(message: Message) -> Callable[[], bool]:
    return lambda: "home · no move yet" in message.content


def _has_button(message: Message, label: str) -> Callable[[], bool]:
    return lambda: any(label in button.label for button in message.buttons)


def _says(message: Message, text: str) -> Callable[[], bool]:
    return lambda: text in message.content
