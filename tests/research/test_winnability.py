"""The measurement of research/winnability.md, and that the page says what was measured."""

import lzma
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from hashlib import sha256
from pathlib import Path

import pytest
from research.odds import Share
from research.plot import draw
from research.publishing import (
    CERTIFICATES,
    PAGE,
    PLOT,
    published_games,
    read_published,
    table_of_deals,
    table_of_players,
    with_figures,
)
from research.results import (
    Lines,
    read_deals,
    read_games,
    read_summary,
    summary_of,
    write_summary,
)
from tests.support.paths import ROOT

from bigben_rules.bigben.variants import RULES
from bigben_solver import solve
from bigben_solver.certificates import HEADER, moves_of, parse, start

PLAIN = lzma.decompress(CERTIFICATES.read_bytes())
SUMMARY = read_published()


def arguments(folder: Path, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "research.winnability", "deals", "players"),
        *("--results", str(folder), "--standard", "6", "--others", "2", "--jobs", "2"),
        *("--players", "beginner", "--games", "2", "--budgets", "5000", *more),
    ]


def measure(folder: Path, *more: str) -> str:
    done = subprocess.run(arguments(folder, *more), cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_the_page_says_what_was_measured() -> None:
    page = PAGE.read_text("utf-8")
    assert page == with_figures(page, SUMMARY)
    assert PLOT.read_text("utf-8") == draw(SUMMARY)
    assert read_summary(write_summary(SUMMARY)) == SUMMARY


def test_the_summary_counts_the_certificates() -> None:
    header, *lines = PLAIN.decode().splitlines()
    assert header == f"{HEADER} {len(lines)}"
    assert sha256(PLAIN).hexdigest() == SUMMARY.sha256
    deals = read_deals(lines)
    assert len(deals) == len(lines)
    assert summary_of(deals, {}).deals == SUMMARY.deals
    for count in SUMMARY.deals:
        assert {number for rules, number in deals if rules == count.rules} == set(
            range(count.deals)
        )


def test_the_summary_counts_the_games() -> None:
    games = read_games(published_games())
    assert summary_of({}, games).players == SUMMARY.players


def test_what_the_page_says_of_the_claims_of_books_is_so() -> None:
    shares = {one.player: Share(one.won, one.deals).interval for one in SUMMARY.players}
    low, high = shares["steady"]
    assert low < 1 / 15 < high
    assert max(high for _, high in shares.values()) < 1 / 2
    assert shares["master"][0] < shares["sharp"][1], "the intervals of the strongest two overlap"
    assert min(one.won / one.deals for one in SUMMARY.deals) > 0.9


def test_a_sample_of_the_certificates_holds() -> None:
    sample = PLAIN.decode().splitlines()[1::1009]
    for line in sample:
        certificate = parse(line)
        if certificate.result == "won":
            assert moves_of(certificate)


def test_the_solver_proves_every_loss_again_with_the_nodes_that_stand_there() -> None:
    losses = [line for line in PLAIN.decode().splitlines() if " lost " in line]
    assert len(losses) == sum(count.lost for count in SUMMARY.deals)
    for line in losses:
        certificate = parse(line)
        assert solve(start(certificate), nodes=certificate.nodes).result == "lost", line


def test_the_plot_has_a_title_and_says_all_in_words_and_in_the_dark() -> None:
    root = ET.fromstring(PLOT.read_text("utf-8"))
    name = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{name}title")
    said = root.findtext(f"{name}desc") or ""
    for count in SUMMARY.deals:
        assert f"{count.rules} {count.lost} of {count.deals}" in said
    assert "prefers-color-scheme: dark" in (root.findtext(f"{name}style") or "")


def test_a_measurement_counts_all_that_was_asked_for(tmp_path: Path) -> None:
    printed = measure(tmp_path)
    lines = (tmp_path / "deals.txt").read_text().splitlines()
    deals = read_deals(lines)
    assert {rules: sum(key[0] == rules for key in deals) for rules in RULES} == {
        rules: 6 if rules == "standard" else 2 for rules in RULES
    }
    games = {("beginner", 0): 57, ("beginner", 1): 73}
    played = [line.split() for line in (tmp_path / "players.txt").read_text().splitlines()]
    assert {(one, int(number)) for one, number, _ in played} == set(games)
    summary = summary_of(deals, {(one, int(number)): int(home) for one, number, home in played})
    assert table_of_deals(summary) in printed
    assert table_of_players(summary) in printed
    assert measure(tmp_path) == printed, "nothing is measured twice"
    assert (tmp_path / "deals.txt").read_text().splitlines() == lines


def test_a_measurement_that_was_killed_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    running = subprocess.Popen(arguments(tmp_path, "--standard", "5000"), cwd=ROOT)
    while running.poll() is None and not (file.exists() and b"\n" in file.read_bytes()):
        os.sched_yield()
    running.kill()
    assert running.wait() < 0, "it was killed in the middle"
    before = file.read_bytes()
    kept = before[: before.rindex(b"\n") + 1]
    with file.open("ab") as stream:
        stream.write(b"bigben standard 5 won 01")
    measure(tmp_path)
    assert file.read_bytes().startswith(kept)
    deals = read_deals(file.read_text().splitlines())
    assert {number for rules, number in deals if rules == "standard"} >= set(range(6))


def test_a_measurement_can_go_on_from_what_was_published(tmp_path: Path) -> None:
    measure(tmp_path, "--go-on", "--standard", "20", "--minutes", "0")
    lines = (tmp_path / "deals.txt").read_text().splitlines()
    assert lines[: len(PLAIN.splitlines()) - 1] == PLAIN.decode().splitlines()[1:]


def test_only_one_measurement_writes_to_a_folder(tmp_path: Path) -> None:
    with Lines(tmp_path / "deals.txt"):
        done = subprocess.run(arguments(tmp_path), cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "BlockingIOError" in done.stderr


@pytest.mark.parametrize("step", ["deal", "publishing"])
def test_a_step_that_does_not_exist_is_refused(step: str) -> None:
    command = [sys.executable, "-m", "research.winnability", step]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"there is no step '{step}'" in done.stderr


def test_the_rules_for_players_say_what_the_best_house_player_won() -> None:
    best = [line.split() for line in published_games() if line.startswith("master ")]
    won = [int(number) for _, number, home in best if home == "104"]
    said = re.search(
        r"won (\d+) of\s+the first (\d+), and (\d+) of the first (\d+)\.",
        (ROOT / "docs/rules.md").read_text(),
    )
    assert said
    few, first, many, all_ = map(int, said.groups())
    assert (few, many) == (sum(number < first for number in won), len(won))
    assert all_ == len(best)
