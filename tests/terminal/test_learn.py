"""`bigben learn`: the lesson in a terminal, without a server."""

import pytest
from tests.terminal.command import PACKAGES, bigben

from bigben_protocol.lesson import LESSON, said


def learn(typed: list[str], *options: str) -> str:
    """What the terminal prints while this is typed."""
    lines = "".join(f"{line}\n" for line in typed).encode()
    done = bigben("learn", *options, stdin=lines, path=PACKAGES, site=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("options", [(), ("--plain",), ("--ascii",)])
def test_the_moves_that_are_asked_for_lead_to_the_end(options: tuple[str, ...]) -> None:
    out = learn([step.move for step in LESSON.steps], *options)
    assert "Step 13 of 13." in out
    assert "Now you know Big Ben." in out
    assert "Not that one yet" not in out


def test_enter_plays_each_step_and_says_what_it_did() -> None:
    out = learn([""] * len(LESSON.steps))
    assert "Type 4 fdn." in out
    assert said(3, "done", "en") in out
    assert "Now you know Big Ben." in out


def test_plain_words_name_every_card() -> None:
    out = learn([""] * len(LESSON.steps), "--plain")
    assert "One o’clock shows 6 of clubs, so 7 of clubs goes home next." in out
    assert not set("♣♦♥♠") & set(out)


def test_another_move_is_refused_with_what_to_do() -> None:
    out = learn(["", "", "10 2", "4 9", "nonsense", "undo", "4 fdn"])
    assert out.count("Not that one yet. Send 7♣ home.") == 2
    assert "does not go on" in out
    assert "Step 4 of 13." in out


def test_one_goes_back_and_quits() -> None:
    out = learn(["", "", "back", "quit", ""])
    assert out.count("Step 2 of 13.") == 2
    assert "Now you know" not in out


def test_it_is_told_in_german() -> None:
    out = learn([""] * len(LESSON.steps), "--lang", "de", "--plain")
    assert "Bring Kreuz 7 heim." in out
    assert "Jetzt kannst du Big Ben." in out
