"""How often the report on second accounts errs: attempts of simulated people, some of them planted.

    python -m research.alike [--deals 16] [--draws 150] [--out build/alike.jsonl]

from the root of the project, installed or with PYTHONPATH=rules; ``make fast`` and
PYTHONPATH=build/fast make it faster. Forty simulated members race each deal of ``named_deals``: a
house player of every strength, who often does something else instead, and has a habit of order.
Beside them, second attempts are planted: some copy a member's attempt with noise, and some know
nothing but the cards that it has turned. Pairs of members are independent, so each that is reported
is an error; each planted one that is not reported is missed. Seasons are drawn from the deals. What
is played stays in the file, so a run that was stopped goes on. It uses the time that others leave.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from bigben_rules import GAMES, Card, Move, Position, bigben, shuffle
from bigben_rules.position import STOCK, shows
from bigben_solver.alike import LIMIT, Attempt, Step, compared, crowd_of, read, score_of
from bigben_solver.players import PLAYERS, HousePlayer
from bigben_solver.players.big_ben import foreknowing
from research import resumed
from research.named_deals import ALIKE

GAME: Final = GAMES["bigben"]
RULES: Final = "standard"
MEMBERS: Final = 40
STRENGTHS: Final = (0, 1, 2, 3, 1, 2, 0, 2, 3, 1)
"""Of the members in turn. The strongest is left out: it takes ten times as long as the next."""
NOISE: Final = (0.02, 0.1, 0.2, 0.35)
"""How often a member makes any legal move instead of a planned one."""
ORDERS: Final = ("planned", "clockwise", "any")
"""In which order a member makes the moves of a plan."""
FOLLOWED: Final = (0.9, 0.6, 0.3)
"""How often a planted copy makes the move of the attempt that it copies."""
KNOWING: Final = (0.05, 0.2)
"""The noise of those who know only the cards."""
PLANTED: Final = 4
"""Of each kind, for each deal."""
WEEKS: Final = (1, 2, 4, 8, 12)
MOST_MOVES: Final = 400
APART_MS: Final = 10**8
"""Between the beginnings of two attempts: one ends before the next begins."""


class Style(NamedTuple):
    """How a simulated person plays, week after week."""

    strength: int
    noise: float
    order: str

    @property
    def player(self) -> HousePlayer:
        return PLAYERS[GAME.name][self.strength]


def style_of(member: int) -> Style:
    """Several members have the same style."""
    strength = STRENGTHS[member % len(STRENGTHS)]
    return Style(strength, NOISE[member // 3 % len(NOISE)], ORDERS[member % len(ORDERS)])


class Played(NamedTuple):
    """An attempt at a deal, and how it reads."""

    deal: int
    kind: str
    """``member``, ``copy 0.9`` or ``knows 0.05``."""
    of: int
    """The member; of a planted one, the member whose attempt was there before."""
    moves: list[str]
    reading: list[Step]


def order_of(deal: int) -> tuple[Card, ...]:
    return shuffle(GAME.pack, deal.to_bytes(32, "big"))


def played(deal: int, style: Style, rng: Random, *, knows: bool = False) -> list[str]:
    """The log of an attempt; one who ``knows`` has seen the whole stock before."""
    position, moves = GAME.deal(order_of(deal), RULES), list[str]()
    plan = list[Move]()
    while (legal := position.legal_moves()) and len(moves) < MOST_MOVES:
        if not any(move in legal for move in plan):
            plan = [*planned(position, style, rng, knows=knows)]
        if not plan:
            break
        move = rng.choice(legal) if rng.random() < style.noise else chosen(plan, legal, style, rng)
        position, plan = made(position, move, plan, moves)
    return moves


def copied(
    deal: int, style: Style, rng: Random, before: Sequence[str], follows: float
) -> list[str]:
    """The log of an attempt that often does what another one did with the same cards."""
    position, moves = GAME.deal(order_of(deal), RULES), list[str]()
    then = at_cards(deal, before)
    plan = list[Move]()
    while (legal := position.legal_moves()) and len(moves) < MOST_MOVES:
        assert isinstance(position, bigben.Position)
        left = then.get(len(position.stock), [])
        known = next((move for move in left if move in legal), None)
        if known and rng.random() < follows:
            left.remove(known)
            position, plan = made(position, known, plan, moves)
            continue
        if not any(move in legal for move in plan):
            plan = [*planned(position, style, rng)]
        if not plan:
            break
        move = rng.choice(legal) if rng.random() < style.noise else chosen(plan, legal, style, rng)
        position, plan = made(position, move, plan, moves)
    return moves


def at_cards(deal: int, moves: Sequence[str]) -> dict[int, list[Move]]:
    """The moves of a log by how many cards were in the stock."""
    position, found = GAME.deal(order_of(deal), RULES), dict[int, list[Move]]()
    for text in moves:
        assert isinstance(position, bigben.Position)
        move = position.parse(text)
        found.setdefault(len(position.stock), []).append(move)
        position, _ = position.apply(move)
    return found


def planned(
    position: Position, style: Style, rng: Random, *, knows: bool = False
) -> Sequence[Move]:
    seen = GAME.seen(position.piles(), RULES)
    if knows:
        assert isinstance(position, bigben.Position)
        assert isinstance(seen, bigben.Position)
        return foreknowing(seen, rng, known=position.stock, lines=12, limit=1000)
    return style.player.plan(seen, rng)


def chosen(plan: Sequence[Move], legal: Sequence[Move], style: Style, rng: Random) -> Move:
    """The next move of a plan, in the order of the style."""
    now = [move for move in plan if move in legal]
    cards = [move for move in now if move.source != STOCK] or now
    if style.order == "clockwise":
        return min(cards, key=legal.index)
    return rng.choice(cards) if style.order == "any" else cards[0]


def made(
    position: Position, move: Move, plan: list[Move], moves: list[str]
) -> tuple[Position, list[Move]]:
    moves.append(position.format(move))
    position, steps = position.apply(move)
    if move in plan:
        plan.remove(move)
    return position, [] if shows(steps) else plan


def attempts_of(deal: int, known: Mapping[tuple[int, str, int], Played]) -> Iterator[Played]:
    """All attempts at a deal that are not known yet."""

    def new(kind: str, of: int) -> bool:
        return (deal, kind, of) not in known

    def read_(kind: str, of: int, moves: list[str]) -> Played:
        return Played(deal, kind, of, moves, [*read(GAME, RULES, order_of(deal), moves)])

    logs = dict[int, list[str]]()
    for member in range(MEMBERS):
        if new("member", member):
            logs[member] = played(deal, style_of(member), Random(f"{deal} {member}"))
            yield read_("member", member, logs[member])
        else:
            logs[member] = known[deal, "member", member].moves
    for number in range(PLANTED):
        for at, follows in enumerate(FOLLOWED):
            of = (deal + 7 * number + 13 * at) % MEMBERS
            if new(kind := f"copy {follows}", of):
                chance = Random(f"{deal} {kind} {of}")
                yield read_(kind, of, copied(deal, style_of(of), chance, logs[of], follows))
        for at, noise in enumerate(KNOWING):
            of = (deal + 7 * number + 13 * at + 3) % MEMBERS
            if new(kind := f"knows {noise}", of):
                chance, style = Random(f"{deal} {kind} {of}"), style_of(of)._replace(noise=noise)
                yield read_(kind, of, played(deal, style, chance, knows=True))


def read_file(file: Path) -> dict[tuple[int, str, int], Played]:
    """What has been played."""
    found = {}
    for one in resumed.read(file, Played):
        found[one[:3]] = one._replace(reading=[_step(*step) for step in one.reading])
    return found


def _step(*read: Any) -> Step:
    """A step as JSON has it: with lists in place of tuples."""
    n, move, key, hidden, legal, likely, agreed, foreknown = read
    return Step(n, move, key, hidden, (*legal,), (*likely,), agreed, (*foreknown,))


def attempt(one: Played, begun_at: int) -> Attempt:
    """One that begins then; each of its moves takes a second."""
    return Attempt(begun_at, [1000 * n for n in range(len(one.moves))], tuple(one.reading))


class Measured(NamedTuple):
    """The scores of one deal."""

    members: Mapping[tuple[int, int], tuple[float, float]]
    """Of each two members, the earlier one first: copying and foresight."""
    planted: Mapping[str, Sequence[tuple[float, float]]]
    """By kind, each beside the attempt that was there before it."""


def measured(attempts: Sequence[Played]) -> Measured:
    """Compare all attempts at a deal."""
    first = {one.of: attempt(one, 0) for one in attempts if one.kind == "member"}
    then = {one.of: attempt(one, APART_MS) for one in attempts if one.kind == "member"}
    crowd = crowd_of(first.values())
    members = {(a, b): compared(first[a], then[b], crowd)[:2] for a, b in permutations(first, 2)}
    planted: dict[str, list[tuple[float, float]]] = {}
    for one in attempts:
        if one.kind != "member":
            second = attempt(one, APART_MS)
            both = crowd_of([*first.values(), second])
            planted.setdefault(one.kind, []).append(compared(first[one.of], second, both)[:2])
    return Measured(members, planted)


def seasons(deals: Sequence[Measured], weeks: int, draws: int, rng: Random) -> Iterator[float]:
    """The scores of independent pairs; who begins is drawn for each week."""
    for a, b in combinations(range(MEMBERS), 2):
        for _ in range(draws):
            drawn = rng.sample(deals, weeks)
            pairs = [rng.choice(((a, b), (b, a))) for _ in drawn]
            yield score_of(deal.members[pair] for deal, pair in zip(drawn, pairs, strict=True))


def second_accounts(
    deals: Sequence[Measured], kind: str, weeks: int, draws: int, rng: Random
) -> Iterator[float]:
    for _ in range(draws):
        yield score_of(rng.choice(deal.planted[kind]) for deal in rng.sample(deals, weeks))


def share(scores: Sequence[float]) -> float:
    """How many are reported, of a hundred."""
    return 100 * sum(score >= LIMIT for score in scores) / len(scores)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m research.alike",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--deals", type=int, default=len(ALIKE), help="(%(default)s)")
    parser.add_argument("--draws", type=int, default=150, help="seasons of each pair (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("build/alike.jsonl"))
    given = parser.parse_args()
    resumed.be_nice()
    known = read_file(given.out)
    each = MEMBERS + PLANTED * (len(FOLLOWED) + len(KNOWING))
    wanted = ALIKE[: given.deals]
    with resumed.added_to(given.out) as add:
        for deal in wanted:
            for one in attempts_of(deal, known):
                known[one[:3]] = one
                add(one)
                resumed.show("attempts", len(known), each * len(wanted))
    deals = []
    for deal in wanted:
        deals.append(measured([one for one in known.values() if one.deal == deal]))
        resumed.show("compared", len(deals), len(wanted))
    show(deals, given.draws, Random(1))


def show(deals: Sequence[Measured], draws: int, rng: Random) -> None:
    """A row for each kind of pair: the share that is reported after so many weeks."""
    names = [f"copy {follows}" for follows in FOLLOWED] + [f"knows {noise}" for noise in KNOWING]
    weeks = [count for count in WEEKS if count <= len(deals)]
    print(f"{'':<14}" + "".join(f"{f'{count} weeks':>12}" for count in weeks))
    pairs = [[*seasons(deals, count, draws, rng)] for count in weeks]
    print(f"{'independent':<14}" + "".join(f"{share(scores):>10.4f} %" for scores in pairs))
    for kind in names:
        planted = [[*second_accounts(deals, kind, count, 100 * draws, rng)] for count in weeks]
        print(f"{kind:<14}" + "".join(f"{share(scores):>10.1f} %" for scores in planted))
    print(f"{'most':<14}" + "".join(f"{max(scores):>12.1f}" for scores in pairs))
    print(f"of {len(pairs[0]):,} independent pairs, with the limit {LIMIT}")


if __name__ == "__main__":
    main()
