"""What the log looks like, as text and as JSON, and the summary of refusals."""

import json
import logging
import sys

import pytest

from bigben_server.counters import Counts
from bigben_server.logs import Lines, about
from bigben_server.summary import Summary

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJndWVzdDphYiJ9.c2lnbmF0dXJl-_x"


def record(message: str, *args: object, error: Exception | None = None) -> logging.LogRecord:
    raised = None
    if error:
        try:
            raise error
        except Exception:  # the one above
            raised = sys.exc_info()
    return logging.LogRecord("bigben_server.x", logging.WARNING, "x.py", 1, message, args, raised)


def test_a_line_of_text_says_when_how_bad_who_and_what() -> None:
    with about("3fa9c1d0"):
        line = Lines(worker=2).format(record("Redis is back after %d s", 8))
    assert line[10] == " "
    assert line[23:] == " WARNING [worker 2] [connection 3fa9c1d0] Redis is back after 8 s"
    assert Lines().format(record("fine"))[23:] == " WARNING fine"


def test_a_line_of_json_has_the_same() -> None:
    with about("3fa9c1d0"):
        line = json.loads(Lines(as_json=True, worker=2).format(record("it is %s", "away")))
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "WARNING",
        "logger": "bigben_server.x",
        "worker": 2,
        "connection": "3fa9c1d0",
        "message": "it is away",
    }
    line = json.loads(Lines(as_json=True).format(record("it failed", error=KeyError("x"))))
    assert "worker" not in line
    assert "connection" not in line
    assert line["traceback"].startswith("Traceback (most recent call last):\n")
    assert line["traceback"].endswith("KeyError: 'x'")


def test_an_event_is_one_line_whatever_is_in_it() -> None:
    bad = "a\r\nb\x1b[31mc\u2028d\x00"
    failed = record("%s", bad, error=ValueError(bad))
    [line] = Lines().format(failed).splitlines()
    assert "a\\r\\nb\\x1b[31mc\\u2028d\\x00 | Traceback (most recent call last): | File" in line
    assert "ValueError: a" in line
    [line] = Lines(as_json=True).format(failed).splitlines()
    assert json.loads(line)["message"] == bad


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"/?t={TOKEN}", "/?t=[token]"),
        (f"/?t={TOKEN[:30]}", "/?t=[token]"),
        (f"seed {'5e' * 32}.", "seed [64 digits]."),
        ("race K7QPXM-4TZ8QN", "race K7QPXM-[invitation]"),
        ("f1:6C f2:10H,KD 3:7H s:56?", "f1:?? f2:??,?? 3:?? s:56?"),
        (f"{'k' * 32}, {'k' * 31}!p%40ss p@ss", f"[key], {'k' * 31}![key] [key]"),
        ("bb:race:{K7QPXM}:seat:guest:3c5d", "bb:race:{K7QPXM}:seat:guest:3c5d"),
    ],
)
def test_what_is_secret_is_replaced_also_in_exceptions(text: str, hidden: str) -> None:
    for as_json in (False, True):
        lines = Lines(as_json=as_json, keys=["k" * 32, "p@ss", "p%40ss"])
        line = lines.format(record("%s", text, error=ValueError(text)))
        assert text == hidden or text not in line
        assert line.count(hidden) == 2


def test_refusals_are_summed_up() -> None:
    counts = Counts()
    counts.refusals["phase"] = 5
    summary = Summary(counts)
    assert summary.lines() == []
    counts.refusals.update({"illegal": 400, "rate": 12})
    counts.responses.update({("page", 200): 9, ("page", 429): 10, ("api", 429): 20})
    counts.unanswered["waits"] += 3
    assert summary.lines() == [
        "In the last minute 412 refusals: illegal 400, rate 12",
        "In the last minute 30 requests with status 429: api 20, page 10",
        "In the last minute 3 connections without an answer: waits 3",
    ]
    counts.refusals["phase"] += 1
    assert summary.lines() == ["In the last minute 1 refusals: phase 1"]
    assert summary.lines() == []
