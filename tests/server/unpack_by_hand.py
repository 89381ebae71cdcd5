"""Reads packed races as ``docs/packed.md`` says, without any code of the server. Tests nothing."""

import zlib
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice

FIRST = [
    *["begin", "turn", "refill", "redeal", "undo", "resign", "timeout", "swap", "w"],
    *map(str, range(1, 14)),
]
PILES = [f"{pile}" for pile in range(1, 14)]
REST = ["", *(f"f{pile}" for pile in PILES), *PILES]
REST += [f"{pile} {depth}" for depth in (2, 3, 4) for pile in PILES]
STATES = ["joined", "ready", "playing", "won", "blocked", "resigned", "timed out"]

Log = list[tuple[bytes, list[bytes]]]


def number(column: Iterator[int]) -> int:
    found = 0
    for shift in count(0, 7):
        byte = next(column)
        found |= (byte & 127) << shift
        if byte < 128:
            return found
    raise AssertionError


def signed(column: Iterator[int]) -> int:
    found = number(column)
    return -(found + 1) // 2 if found % 2 else found // 2


def some(column: Iterator[int]) -> list[int]:
    return [number(column) for _ in range(number(column))]


def unpack(value: bytes, dictionary: bytes) -> dict[str | None, Log]:
    """The logs of all parts, by the player."""
    logs: dict[str | None, Log] = {}
    assert value[0] == 1
    rest = value[1:]
    while rest:
        column = iter(rest)
        size = number(column)
        part, rest = bytes(islice(column, size)), bytes(column)
        logs |= unpack_part(part, dictionary)
    return logs


def between(event: bytes, begin: bytes) -> bytes:
    """What follows these bytes, up to the next quote."""
    return event.partition(begin)[2].partition(b'"')[0]


def unpack_part(part: bytes, dictionary: bytes) -> dict[str | None, Log]:
    inflated = zlib.decompressobj(-15, zdict=dictionary).decompress(part[4:])
    columns = iter(inflated)
    sizes = [number(columns) for _ in range(6)]
    text, head, values, digits, moves, low = (bytes(islice(columns, size)) for size in sizes)
    return Part(text, head, values, digits, moves, low, bytes(columns)).logs(part[:4])


class Part:
    def __init__(self, text: bytes, *columns: bytes) -> None:
        self.head, values, digits, self.moves, self.low, self.high = map(iter, columns)
        self.texts = iter(texts(text, values, digits))
        self.race = next(self.texts)

    def logs(self, checksum: bytes) -> dict[str | None, Log]:
        found: dict[str | None, Log] = {}
        lines: list[bytes] = []
        for _ in range(number(self.head)):
            player = next(self.texts) if number(self.head) else b""
            how = number(self.head)
            log = [self.events, self.seat, self.any, self.any][how]()
            if how != 3:
                found[player.decode() or None] = log
            lines += [player, *(b"\n".join([id_, *words]) for id_, words in log)]
        assert zlib.crc32(b"".join(line + b"\n" for line in lines)) == int.from_bytes(checksum)
        return found

    def any(self) -> Log:
        return [(next(self.texts), [*islice(self.texts, words)]) for words in some(self.head)]

    def events(self) -> Log:
        counts = [one + 1 for one in some(self.head)]
        events = [*islice(self.texts, sum(counts))]
        for k in some(self.head):
            player = between(events[k], b'"player":"')
            sent = b'{"type":"nonced","player":"%b"' % player
            (*_, nonced) = (event for event in events if event.startswith(sent))
            hashed = self.hashed(player, bytes.fromhex(between(nonced, b'"nonce":"').decode()))
            events[k] = events[k].replace(b'"nonce_hash":"', b'"nonce_hash":"' + hashed)
        log, k = Log(), 1
        for one in counts:
            numbered = enumerate(events[k - 1 : k - 1 + one], k)
            log.append((b"%d-0" % k, [word for n, e in numbered for word in (b"%d" % n, e)]))
            k += one
        return log

    def hashed(self, player: bytes, nonce: bytes) -> bytes:
        parts = b"bigben-nonce-v1", self.race, player, nonce
        text = b"".join(len(one).to_bytes(8, "big") + one for one in parts)
        return sha256(text).hexdigest().encode()

    def seat(self) -> Log:
        counts = [one + 1 for one in some(self.head)]
        n, home = number(self.head), signed(self.head)
        begun_at = int(next(self.texts))
        stack, brings, timed, ms = [(home, 0)], dict[str, int](), True, 0 if n else begun_at
        log, usual = Log(), number(self.head)
        for one in counts:
            id_, words = (b"%d-0" % n if n else b"0-1"), list[bytes]()
            move, status = "", list[int]()
            for _ in range(one):
                ms += 256 * signed(self.high) + next(self.low)
                move = self.move()
                words += [b"%d" % n, b"%d %b" % (ms, move.encode())]
                ms = ms if n else 0
                if move == "undo" and len(stack) > 1:
                    stack.pop()
                else:
                    gain = brings.get(move, int(" f" in move))
                    stack.append((stack[-1][0] + gain, ms if gain and timed else stack[-1][1]))
                state = {"resign": 5, "timeout": 6}.get(move, 2)
                status = [n, *stack[-1], ms, begun_at, state]
                n += 1
            if usual == 0:
                bits = number(self.head)
                status = [
                    told + (signed(self.head) if bits >> i & 1 else 0)
                    for i, told in enumerate(status)
                ]
                stack[-1] = status[1], status[2]
                if move != "undo":
                    brings[move] = stack[-1][0] - stack[-2][0]
                    timed = brings[move] == 0 or status[2] > 0
                usual = number(self.head) + 1
            usual -= 1
            text = " ".join([*map(str, status[:5]), STATES[status[5]]])
            log.append((id_, [*words, b"is", text.encode()]))
        return log

    def move(self) -> str:
        code = next(self.moves)
        if code == 255:
            return next(self.texts).decode()
        rest = REST[next(self.moves)]
        return f"{FIRST[code]} {rest}" if rest else FIRST[code]


def texts(column: bytes, values: Iterator[int], digits: Iterator[int]) -> list[bytes]:
    found, text, known, last = list[bytes](), b"", list[bytes](), 0
    rest = iter(column)
    for byte in rest:
        match byte:
            case 1:
                text += bytes(islice(digits, 32)).hex().encode()
            case 2:
                known.append(bytes(islice(digits, 12)).hex().encode())
                text += known[-1]
            case 3:
                last += signed(values)
                text += b"%d" % last
            case 4:
                text += bytes([next(rest)])
            case 5:
                text += known[number(values)]
            case 10:
                found.append(text)
                text = b""
            case other:
                text += bytes([other])
    return found
