"""Recomputes the table of a season from the receipts of its weeks; docs/seasons.md says how."""

import argparse
import json
from pathlib import Path

ask = argparse.ArgumentParser(description=__doc__)
ask.add_argument("receipts", nargs="*", type=Path, help="in any order")
ask.add_argument("--weeks", type=int, default=8, help="of the plan")
ask.add_argument("--counted", type=int, default=0, help="results; all but two if left out")
ask.add_argument("--scale", choices=("place", "share"), help="if the plan says it")
ask.add_argument("--out", action="append", default=[], metavar="WEEK=PLAYER", help="taken out")
ask.add_argument("--left", action="append", default=[], metavar="PLAYER", help="has no row")
ask.add_argument("--void", action="append", default=[], type=int, metavar="WEEK")
asked = ask.parse_args()
deals = [json.loads(path.read_text("utf-8")) for path in asked.receipts]
last = {int(d["race"].split(".")[2]): d for d in sorted(deals, key=lambda d: d["opened_at"])}
weeks = {n: d["seats"] for n, d in last.items() if n not in asked.void and "void" not in d}
scale = asked.scale or ("share" if len(weeks.get(min(weeks, default=0), ())) > 12 else "place")
counted = asked.counted or max(1, asked.weeks - 2)
names = {s["player"]: s["name"] for w in weeks.values() for s in w if s["player"] not in asked.left}


def worth(place: int, places: list[int]) -> int:
    before, level, others = sum(p < place for p in places), places.count(place), len(places) - 1
    mean, by = sum((12, 10, 8, 6, 5, 4, 3, 2, 1)[before : before + level]), level
    if scale == "share":
        mean, by = 100 * (2 * (others - before) - level + 1) if others else 200, 2 * (others or 1)
    return (200 * mean + by) // (2 * by)


def table(points: dict[int, dict[str, int]]) -> dict[str, tuple[int, int, list[int]]]:
    own = {p: sorted((-week[p], n) for n, week in points.items() if p in week) for p in names}
    best = {p: own[p][:counted] for p in names if own[p]}
    total = {p: -sum(minus for minus, _ in best[p]) for p in best}
    place = {p: 1 + sum(t > total[p] for t in total.values()) for p in best}
    return {p: (place[p], total[p], [n for _, n in best[p]]) for p in best}


points: dict[int, dict[str, int]] = {}
for n, seats in weeks.items():
    places = {s["player"]: s["place"] for s in seats if f"{n}={s['player']}" not in asked.out}
    points[n] = {p: worth(places[p], [*places.values()]) for p in places}
latest = max((n for n in points if points[n]), default=0)
before = table({n: points[n] for n in points if n != latest})
for p, (place, total, best) in sorted(table(points).items(), key=lambda row: row[1][0]):
    moved = f"{before[p][0] - place:+}" if p in before else "new"
    own = [(n, points.get(n, {}).get(p)) for n in range(1, asked.weeks + 1)]
    said = ["-" if w is None else f"{w / 100:.2f}" + "*" * (n not in best) for n, w in own]
    print(place, moved, f"{total / 100:.2f}", *said, p, names[p], sep="\t")
