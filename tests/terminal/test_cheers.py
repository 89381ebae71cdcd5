"""Cheers at a terminal: typed by their names, shown in a line, and turned off by an option."""

from pathlib import Path

from tests.terminal.typist import Typist

from bigben_protocol import CHEERS, Cheered, PlayerId
from bigben_protocol.cheer_lines import cheer_lines, cheer_list

BOB = PlayerId("guest:bob")


def test_players_of_a_room_cheer_and_one_who_wants_none_reads_none(
    server: str, tmp_path: Path
) -> None:
    at = ("--server", server, "--name")
    with Typist("play", "--create", *at, "Ada", home=tmp_path / "a") as ada:
        room = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        with (
            Typist("play", room, *at, "Bob", home=tmp_path / "b") as bob,
            Typist("watch", room, *at, "Cy", "--no-cheers", home=tmp_path / "c") as cy,
        ):
            bob.sees("Type ready when you are")
            cy.sees("You are watching.")
            ada.type("cheer")
            ada.sees("thanks: Thanks for the race!")
            ada.type("cheer luck")
            ada.sees("You: Good luck!")
            bob.sees("Ada: Good luck!")
            ada.type("cheer well")
            ada.sees("You cheered a moment ago; wait three seconds between cheers.")
            bob.type("cheer hooray")
            bob.sees("The cheers are luck, well, wow, close, thanks.")
            cy.type("cheer wow")
            cy.sees("There are no cheers here: you play with --no-cheers")
            cy.type("quit")
            assert "Good luck!" not in cy.ends()[1]


def test_cheers_are_named_in_each_language() -> None:
    told = [Cheered("well", BOB), Cheered("wow"), Cheered("hooray", BOB), Cheered("luck", BOB)]
    names = {BOB: "Bob"}
    assert cheer_lines(told, names, BOB, "en") == [
        "You: Well played!",
        "Somebody watching: Wow!",
        "You: Good luck!",
    ], "a newer server may have others"
    german = cheer_lines(told[:2], names, PlayerId("guest:ada"), "de")
    assert german == ["Bob: Gut gespielt!", "Aus dem Publikum: Wow!"]
    assert cheer_lines([Cheered("well", PlayerId("guest:gone"))], names, BOB, "en") == []
    assert [line.split(":")[0] for line in cheer_list("de")] == [*CHEERS]
