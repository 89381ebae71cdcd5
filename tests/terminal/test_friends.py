"""Groups, the archive and statistics as commands against a real server."""

import asyncio
import re
from pathlib import Path

from tests.support.patience import PATIENCE_S
from tests.terminal.typist import Typist

from bigben_client import Client
from bigben_protocol import Snapshot


def shown(*arguments: str, home: Path) -> tuple[int, str]:
    """The exit code and the output of a command."""
    with Typist(*arguments, home=home) as typist:
        return typist.ends()


def test_a_group_is_made_joined_and_left(server: str, tmp_path: Path) -> None:
    ada, bob = tmp_path / "ada", tmp_path / "bob"
    code, told = shown("groups", "make", "The Aces", "--server", server, "--name", "Ada", home=ada)
    assert code == 0
    assert told.startswith("The Aces: others join with bigben groups join ")
    invite = told.split("groups join ")[1].split(";")[0]
    _, told = shown("groups", "join", invite, "--server", server, "--name", "Bob", home=bob)
    assert "The Aces" in told
    code, told = shown("leaderboard", "--group", "the aces", "--server", server, home=bob)
    assert code == 0
    assert "group the-aces" in told
    _, told = shown("groups", "leave", "The Aces", "--server", server, home=bob)
    assert told.startswith("You are in no group.")
    code, told = shown("groups", "leave", "The Aces", "--server", server, home=bob)
    assert (code, told) == (
        2,
        "bigben groups: you are in no group called The Aces; bigben groups lists yours\n",
    )


async def test_a_challenge_is_sent_listed_declined_and_accepted(server: str, home: Path) -> None:
    async with Client(server, name="Bob") as bob:
        who = ("--server", server, "--name", "Ada")
        code, told = await asyncio.to_thread(shown, "challenge", *who, home=home)
        assert (code, told.partition(",")[0]) == (0, "Nobody has challenged you")
        challenge = ("challenge", bob.player, "--game", "watch", *who)
        code, told = await asyncio.to_thread(shown, *challenge, home=home)
        assert code == 0
        assert told.startswith("You have challenged guest:")
        assert told.endswith(": Watch, standard rules. They have a day to answer.\n")
        (one,) = (await bob.challenges()).received
        await bob.answer_challenge(one.id, accept=False)
        _, told = await asyncio.to_thread(shown, "challenge", *who, home=home)
        assert told.endswith(" has declined your challenge.\n")

        await bob.challenge(one.player)
        _, told = await asyncio.to_thread(shown, "challenge", *who, home=home)
        assert told.startswith("Bob challenges you to a race: Big Ben, standard rules.\n")
        with Typist("challenge", "Bob", "--accept", *who, home=home) as ada:
            await asyncio.to_thread(ada.sees, "Sealed deal")
            (sent,) = (await bob.challenges()).sent
            room = await bob.join(sent.race)
            assert [seat.name for seat in room.seats] == ["Ada", "Bob"]
            await asyncio.to_thread(ada.sees, "Bob")
            await bob.challenge(one.player, game="watch")
            await asyncio.to_thread(ada.sees, "Bob challenges you to a race: Watch")
            ada.type("quit")
            assert (await asyncio.to_thread(ada.ends))[0] == 0
        _, told = await asyncio.to_thread(shown, "challenge", "--decline", *who, home=home)
        assert told == "You have declined.\n"
        code, told = await asyncio.to_thread(shown, "challenge", "--accept", *who, home=home)
        assert code == 2
        assert "no challenge of NAME waits" in told


def test_the_archive_lists_days_that_were_missed(server: str, home: Path) -> None:
    code, told = shown("archive", "--days", "3", "--server", server, home=home)
    assert code == 0
    assert told.count("not played.\n") == 3
    assert "\nbigben play --archive " in told, "on a line of its own, to be copied"
    hints = [line for line in told.splitlines() if not line.startswith("bigben play")]
    assert max(map(len, hints)) <= 80
    assert "counts for no leaderboard" in told
    day = told.split("--archive ")[1].split()[0]
    with Typist("play", "--archive", day, "--server", server, home=home) as ada:
        ada.sees_like(
            rf"Practice race \w+, Big Ben, standard rules, the cards of \d+ \w+ {day[:4]}"
        )
        ada.sees("stock 56")
        ada.type("quit")
        assert ada.ends()[0] == 0


async def test_who_has_only_raced_in_rooms_is_found_by_name(server: str, home: Path) -> None:
    async with Client(server, name="Roomer") as host, Client(server, name="Guest") as guest:
        room = await host.create()
        await guest.join(room.race)
        for player in (host, guest):
            await player.ready(room.race)
        async with asyncio.timeout(PATIENCE_S):
            for player in (host, guest):
                async for event in player.events():
                    if isinstance(event, Snapshot):
                        break
                await player.move(room.race, "resign")
            while not (await host.leaderboard(period="all-time", by="rating")).total:
                pass  # rated a moment after the close
    code, told = await asyncio.to_thread(shown, "stats", "Roomer", "--server", server, home=home)
    assert (code, "1 played" in told) == (0, True), told


def test_a_player_reads_statistics(server: str, home: Path) -> None:
    name = ("--server", server, "--name", "Stella")
    with Typist("play", "daily", *name, home=home) as stella:
        stella.keys("ready\nresign\n")
        stella.sees("The next daily race starts in ")
        stella.sees("Type share")
        stella.type("share")
        stella.sees("12/104")
        stella.type("q")
        assert stella.ends()[0] == 0
    code, told = shown("stats", *name, home=home)
    assert code == 0
    assert "Stella" in told
    assert "1 played, 0 won" in told
    assert re.search(r"\d{4}-W\d\d  █+ 12\n", told)
    assert "The next daily race starts in " in told
    code, told = shown("stats", "Nobody At All", *name, home=home)
    assert code == 2
    assert "nobody called Nobody At All is on a leaderboard" in told
    code, told = shown("stats", "--against", "stella", "--server", server, home=home)
    assert code == 0
    assert "Against Stella: ahead 0" in told
