"""Checks a receipt: commitment, deal, moves, times, results, places and seal, without I/O.

It imports only the standard library, the rules, and the solver, which knows the grades.
``docs/fairness.md`` describes these checks and what they cannot prove.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Final

from bigben_rules import Game, Position, commitment, counted, game_named, nonce_hash, shuffle
from bigben_solver.choosing import VERSION as SOLVER
from bigben_solver.grades import grade as grade_of
from bigben_terminal.receipts.outcome import PLAYING, outcome
from bigben_terminal.receipts.receipt_form import (
    FIRST,
    Altered,
    Receipt,
    Result,
    Seat,
    seal_of,
    shown,
)

DAY_MS: Final = 86_400_000
MOST_DAYS: Final = 7
MOST_PUT_BACK_MS: Final = 2 * 3_600_000
"""No clock is put back by more, so a season's week of seven days may be so much longer."""
_LATEST_MS: Final = 253_402_300_799_999
"""The end of the year 9999, after which no date is written."""
WINNABLE: Final = "winnable"
_GRADES: Final = ("easy", "medium", "hard", "fiendish")
_HEX: Final = re.compile("[0-9a-f]{64}")
_PLACES_SHOWN: Final = 10
_STATES: Final = ("late", "early", "withheld", "none")
_HOUSE: Final = "bot:"
"""The ids of house players begin so."""
_DELETED: Final = "deleted:"
"""The id of a player who was deleted since begins so."""
_SEAL_GIVEN: Final = (
    "something that nothing else here proves (race, opened_at, a player, a name, the time of a "
    "move) is not as it was when the receipt was sealed: all other fields together give"
)


def check(receipt: Receipt) -> Iterator[str]:
    """A sentence for each thing that holds. Raises Altered at the first that does not."""
    game = _game(receipt)
    yield _race(receipt)
    _choice(receipt)
    if receipt.counter:
        yield f"counter: {receipt.counter}; the cards of this daily were dealt again"
    if receipt.void:
        yield f"void: the results count nowhere; the operator's reason is {shown(receipt.void)}"
    server_seed = _bytes("server_seed", receipt.server_seed)
    _same("commitment", receipt.commitment, commitment(server_seed), "server_seed gives")
    yield f"commitment: {receipt.commitment}"
    if receipt.mixed_at or receipt.version != FIRST:
        yield from _promises(receipt)
    yield _seed(receipt, server_seed)
    dealt = _deal(receipt, game)
    yield f"deal: {len(receipt.order)} cards, in the order that the seed gives"
    if receipt.certificate:
        yield _certificate(receipt, dealt)
    if receipt.grade:
        yield _grade(receipt, dealt)
    if receipt.wanted:
        yield _wanted(receipt)
    for i, seat in enumerate(receipt.seats):
        yield _seat(receipt, seat, dealt, f"seats[{i}]")
    yield _places(receipt, game)
    if receipt.kept_until:
        yield _kept_until(receipt)
    _same("seal", receipt.seal, seal_of(receipt), _SEAL_GIVEN)
    yield f"seal: {receipt.seal}"


def _same(field: str, found: object, right: object, why: str) -> None:
    if found != right:
        raise Altered(f"{field} is {shown(found)}; {why} {shown(right)}.")


def _one_of(field: str, found: str, known: Collection[str]) -> None:
    if found not in known:
        raise Altered(f"{field} is {shown(found)}; there are {', '.join(known)}.")


def _bytes(field: str, text: str) -> bytes:
    if not _HEX.fullmatch(text):
        raise Altered(f"{field} is {shown(text)}; 64 hex digits belong there, 0-9 and a-f.")
    return bytes.fromhex(text)


def _game(receipt: Receipt) -> Game:
    try:
        game = game_named(receipt.game)
    except ValueError as error:
        raise Altered(f"game is {shown(receipt.game)}: {error}.") from None
    try:
        name = game.rules(receipt.rules)
    except ValueError as error:
        raise Altered(f"rules is {shown(receipt.rules)}: {error}.") from None
    _same("rules", receipt.rules, name, "their one name is")
    return game


def _race(receipt: Receipt) -> str:
    """Check the race's name, its times, and what a daily never has."""
    if not receipt.seats:
        raise Altered("seats is empty; a receipt is of a race that somebody played.")
    match receipt.kind:
        case "live":
            return _live(receipt)
        case "daily":
            return _daily(receipt)
        case "deadline":
            return _deadline(receipt)
        case _:
            raise Altered(f"kind is {shown(receipt.kind)}; live, daily or deadline belongs there.")


def _room(receipt: Receipt) -> None:
    """Check what all races in rooms have."""
    if receipt.race.startswith("daily") or not receipt.race:
        raise Altered(f"race is {shown(receipt.race)}; a {receipt.kind} race has its room's code.")
    if not receipt.limit_ms:
        raise Altered(f"limit_ms is 0; a {receipt.kind} race has a time limit.")


def _deadline(receipt: Receipt) -> str:
    _room(receipt)
    _same("starts_at", receipt.starts_at, 0, "in a deadline race it is")
    most = MOST_DAYS * DAY_MS + (MOST_PUT_BACK_MS if receipt.race.startswith("week.") else 0)
    if not 0 < receipt.closes_at - receipt.opened_at <= most:
        raise Altered(
            f"closes_at is {receipt.closes_at}, and opened_at is {receipt.opened_at}: "
            f"a deadline comes at most {MOST_DAYS} days after the race was opened."
        )
    return (
        f"race: {shown(receipt.race)}, {receipt.game} {receipt.rules}, "
        "each player starts when they like"
    )


def _live(receipt: Receipt) -> str:
    _room(receipt)
    if receipt.opened_at > receipt.starts_at:
        raise Altered(
            f"opened_at is {receipt.opened_at}, and starts_at is {receipt.starts_at}: "
            "a race is opened before it starts."
        )
    closes_at = receipt.starts_at + receipt.limit_ms
    _same("closes_at", receipt.closes_at, closes_at, "starts_at and limit_ms give")
    return f"race: {shown(receipt.race)}, {receipt.game} {receipt.rules}, all start together"


def _daily(receipt: Receipt) -> str:
    form = f"daily.YYYY-MM-DD.{receipt.game}.{receipt.rules}"
    set_aside = bool(receipt.void) and not receipt.race.startswith("daily")
    try:
        given = datetime.fromtimestamp(receipt.opened_at // 1000, UTC).date()
        day = given if set_aside else date.fromisoformat(receipt.race.split(".")[1])
    except (ValueError, IndexError, OverflowError, OSError):
        raise Altered(f"race is {shown(receipt.race)}; a daily is called {form}.") from None
    name = f"daily.{day.isoformat()}.{receipt.game}.{receipt.rules}"
    if not set_aside:
        _same("race", receipt.race, name, "this daily is called")
    opens_at = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000
    _same("opened_at", receipt.opened_at, opens_at, f"the day of {name} begins at")
    _same("closes_at", receipt.closes_at, opens_at + DAY_MS, f"the day of {name} ends at")
    for field in ("starts_at", "limit_ms"):
        _same(field, getattr(receipt, field), 0, "in a daily it is")
    _same("undo", receipt.undo, False, "in a daily it is")
    return f"race: {receipt.race}, each player starts when they like"


def _seed(receipt: Receipt, server_seed: bytes) -> str:
    """Check how the seed was made."""
    if receipt.kind != "live":
        where = f"in a {receipt.kind} race it is"
        for i, seat in enumerate(receipt.seats):
            _same(f"seats[{i}].nonce", seat.nonce, "", where)
        found = counted(server_seed, receipt.deal).hex()
        _same("seed", receipt.seed, found, f"{where} {_of_deal(receipt)}the server_seed,")
        return f"seed: {_of_deal(receipt)}the server's own"
    nonces = [
        _bytes(f"seats[{i}].nonce", seat.nonce)
        for i, seat in enumerate(receipt.seats)
        if seat.nonce
    ]
    mixed = counted(sha256(server_seed + b"".join(nonces)).digest(), receipt.deal).hex()
    _same("seed", receipt.seed, mixed, f"{_of_deal(receipt)}server_seed and the nonces give")
    mixed_with = f"mixed with {len(nonces)} of {len(receipt.seats)} racers' nonces"
    return f"seed: {_of_deal(receipt)}the server's, {mixed_with}"


def _promises(receipt: Receipt) -> Iterator[str]:
    """Check that every nonce fits the hash that was fixed before, and what is said of the others.

    The hash of a player who was deleted is of the id that they had.
    """
    mixed = receipt.mixed_at
    if mixed and (receipt.kind != "live" or not receipt.opened_at <= mixed <= receipt.starts_at):
        raise Altered(f"mixed_at is {mixed}; nonces are mixed before the start of a live race.")
    for i, seat in enumerate(receipt.seats):
        path = f"seats[{i}]"
        if not mixed:
            _same(f"{path}.nonce_hash", seat.nonce_hash, "", "without mixed_at it is")
            _same(f"{path}.nonce_state", seat.nonce_state, "", "without mixed_at it is")
            continue
        _one_of(f"{path}.nonce_state", seat.nonce_state, _STATES)
        if seat.player.startswith(_HOUSE):
            _same(f"{path}.nonce_state", seat.nonce_state, "none", "of a house player it is")
        if seat.nonce_state in ("none", "withheld"):
            _same(f"{path}.nonce", seat.nonce, "", f"of a nonce that is {seat.nonce_state} it is")
        if seat.nonce_state == "none":
            _same(f"{path}.nonce_hash", seat.nonce_hash, "", "without a nonce it is")
            continue
        _bytes(f"{path}.nonce_hash", seat.nonce_hash)
        if seat.nonce_state == "withheld" or seat.player.startswith(_DELETED):
            continue
        nonce = _bytes(f"{path}.nonce", seat.nonce)
        right = nonce_hash(receipt.race, seat.player, nonce)
        _same(f"{path}.nonce_hash", seat.nonce_hash, right, "race, player and nonce give")
    if mixed:
        yield _mixed(receipt)


def _mixed(receipt: Receipt) -> str:
    """What became of the nonces, and who could choose between deals."""
    states = [seat.nonce_state for seat in receipt.seats]
    if not {"late", "early"} & {*states}:
        raise Altered("mixed_at is there, and no nonce; without any nonce a race is cancelled.")
    numbers = ", ".join(f"{states.count(state)} {state}" for state in _STATES)
    missing = [shown_name(seat.name) for seat in receipt.seats if seat.nonce_state == "withheld"]
    if not missing:
        return f"nonces: {numbers}"
    names = ", ".join(missing[:_PLACES_SHOWN])
    choice = f"one of up to {2 ** len(missing)} deals could be chosen"
    return f"nonces: {numbers}; withheld by {names}, so {choice}"


def _of_deal(receipt: Receipt) -> str:
    return f"deal {receipt.deal} of " if receipt.deal else ""


def _choice(receipt: Receipt) -> None:
    """Check that only a race that chooses its deal has another than the first, or a grade."""
    if receipt.kind != "daily":
        _same("counter", receipt.counter, 0, f"in a {receipt.kind} race it is")
        if not receipt.wanted:
            none = "in a room that asks for no deal it is"
            _same("deal", receipt.deal, 0, none)
            _same("grade", receipt.grade, "", none)
            _same("certificate", receipt.certificate, (), none)
    if not receipt.certificate:
        _same("deal", receipt.deal, 0, "without a certificate it is")
        _same("grade", receipt.grade, "", "without a certificate it is")


def _grade(receipt: Receipt, dealt: Position) -> str:
    """Compute the grade again, if this solver is the one that the server had."""
    _one_of("grade", receipt.grade, _GRADES)
    if receipt.solver != SOLVER:
        return f"grade: {receipt.grade}, as the server says; {of_another_solver(receipt)}"
    _same("grade", receipt.grade, grade_of(dealt), "the cards give")
    return f"grade: {receipt.grade}, as the cards give it"


def of_another_solver(receipt: Receipt) -> str:
    """Why what the solver has found can't be checked."""
    return f"not checked, because its solver has version {receipt.solver}, and this one {SOLVER}"


def _certificate(receipt: Receipt, position: Position) -> str:
    """Check that the moves of the certificate win the deal."""
    for i, text in enumerate(receipt.certificate):
        try:
            move = position.parse(text)
            after, _ = position.apply(move)
        except ValueError as error:
            raise Altered(f"certificate[{i}] is {shown(text)}: {error}.") from None
        _same(f"certificate[{i}]", text, position.format(move), "this move is written")
        position = after
    if not position.won:
        raise Altered("certificate does not win the deal.")
    return f"certificate: {_moves(len(receipt.certificate))} win this deal, which is par"


def _kept_until(receipt: Receipt) -> str:
    """Check when the server deletes the race; the receipt holds after that too."""
    until = receipt.kept_until
    if receipt.kind == "daily":
        raise Altered(f"kept_until is {until}; a daily is kept for ever.")
    if not receipt.opened_at < until <= _LATEST_MS:
        raise Altered(f"kept_until is {until}, which is no time after the race.")
    day = datetime.fromtimestamp(until / 1000, UTC)
    return f"kept: the race counts nowhere; the server has it until {day:%Y-%m-%d}"


def _wanted(receipt: Receipt) -> str:
    """Check that the deal is as the room asked for it, or the first one, which nobody chose."""
    if receipt.kind == "daily":
        raise Altered(f"wanted is {shown(receipt.wanted)}; nobody asks for the deal of a daily.")
    _one_of("wanted", receipt.wanted, (*_GRADES, WINNABLE))
    if not receipt.certificate:
        return f"wanted: {receipt.wanted}, and no such deal was found in time"
    asked = "" if receipt.wanted == WINNABLE else receipt.wanted
    _same("grade", receipt.grade, asked, "the room asked for")
    return f"wanted: {receipt.wanted}"


def _deal(receipt: Receipt, game: Game) -> Position:
    order = shuffle(game.pack, bytes.fromhex(receipt.seed))
    if len(receipt.order) != len(order):
        raise Altered(f"order has {len(receipt.order)} cards; the deal has {len(order)}.")
    for i, card in enumerate(order):
        _same(f"order[{i}]", receipt.order[i], card, "the seed gives")
    return game.deal(order, receipt.rules)


def _seat(receipt: Receipt, seat: Seat, dealt: Position, path: str) -> str:
    """Check every move of a seat, and its result."""
    if receipt.kind == "live":
        _same(f"{path}.begun_at", seat.begun_at, receipt.starts_at, "all started at")
    elif not receipt.opened_at <= seat.begun_at < receipt.closes_at:
        raise Altered(f"{path}.begun_at is {seat.begun_at}, when the race was not open.")
    time_ms = receipt.closes_at - seat.begun_at
    if receipt.kind == "deadline":
        time_ms = min(time_ms, receipt.limit_ms)
    timed = game_named(receipt.game).description.decides
    times = {"time_ms": time_ms, "timeout_ms": _timeout_ms(receipt, time_ms)}
    found = outcome(
        dealt, seat.moves, undo=receipt.undo, timed=timed, **times, path=f"{path}.moves"
    )
    if found.state == PLAYING:
        raise Altered(f"{path}.moves end in the middle of the game; the race is closed.")
    for field in Result.__dataclass_fields__:
        said, right = getattr(seat.result, field), getattr(found, field)
        _same(f"{path}.result.{field}", said, right, "the moves give")
    last = f", the last one at {_exact(found.home_ms)}" if found.home_ms else ""
    return (
        f"{shown_name(seat.name)}: {found.state}, {_moves(found.moves)}, {found.home} cards home"
        f"{last}"
    )


def _exact(home_ms: int) -> str:
    """The time that decides the place, as front ends show it, but to the millisecond.

    >>> _exact(187_412), _exact(3_600_000)
    ('3:07.412', '1:00:00.000')
    """
    minutes, ms = divmod(home_ms, 60_000)
    hours, minutes = divmod(minutes, 60)
    rest = f"{ms // 1000:02}.{ms % 1000:03}"
    return f"{hours}:{minutes:02}:{rest}" if hours else f"{minutes}:{rest}"


def _timeout_ms(receipt: Receipt, time_ms: int) -> int:
    """When the seats that were timed out ended: all at once in a live race, maybe before the limit.

    They may end as soon as all others have finished, because their players are away.
    """
    if receipt.kind != "live":
        return time_ms
    last = [seat.moves[-1] for seat in receipt.seats if seat.moves]
    away = [ms for ms, move in last if move == "timeout"]
    finished = [ms for ms, move in last if move != "timeout"]
    early = max(away, default=time_ms)
    return early if finished and max(finished) < early < time_ms else time_ms


def _places(receipt: Receipt, game: Game) -> str:
    """Check the places: winners by time, others by cards home and time: 1, 2, 2, 4.

    One key is enough: a winner has all cards home, and won when the last card came home.
    """
    keys = [(game.total - seat.result.home, seat.result.home_ms) for seat in receipt.seats]
    best_first = sorted(keys)
    players: set[str] = set()
    for i, (seat, key) in enumerate(zip(receipt.seats, keys, strict=True)):
        if seat.player in players:
            raise Altered(f"seats[{i}].player is {shown(seat.player)}, who has another seat.")
        players.add(seat.player)
        _same(f"seats[{i}].place", seat.place, 1 + bisect_left(best_first, key), "the results give")
    ranked = sorted(receipt.seats, key=lambda seat: seat.place)
    shown_ones = [f"{seat.place} {shown_name(seat.name)}" for seat in ranked[:_PLACES_SHOWN]]
    if len(ranked) > _PLACES_SHOWN:
        shown_ones.append(f"and {len(ranked) - _PLACES_SHOWN} more")
    return f"places: {', '.join(shown_ones)}"


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def shown_name(name: str) -> str:
    """A name from any source, without characters that could affect the terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in name)[:40] or "(no name)"
