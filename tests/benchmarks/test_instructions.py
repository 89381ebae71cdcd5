"""The count of instructions: what it reads of callgrind, and what it says without it."""

import pytest
from benchmarks.instructions import main, total


def test_the_total_of_a_file_is_its_first_event() -> None:
    assert (
        total("version: 1\nevents: Ir Dr\n\n0 12 3\n\ntotals: 356959005 107323286\n") == 356959005
    )


def test_a_file_without_a_total_is_an_error_that_says_what_to_look_at() -> None:
    with pytest.raises(ValueError, match="did the server start"):
        total("version: 1\n")


def test_a_peer_whose_instructions_can_not_be_counted_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--peers", "echo,colyseus"]) == 1
    assert "no colyseus here" in capsys.readouterr().err


def test_without_valgrind_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main([]) == 1
    assert "apt install valgrind" in capsys.readouterr().err
