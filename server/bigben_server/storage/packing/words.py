"""The tables of the packed format. They are frozen: a value that is stored has their codes.

A code never changes its meaning. What is missing has an escape, so nothing needs to be added.
"""

from typing import Final

_PILES: Final = [str(pile) for pile in range(1, 14)]

FIRST: Final = tuple(
    word.encode()
    for word in (
        *("begin", "turn", "refill", "redeal", "undo", "resign", "timeout", "swap", "w"),
        *_PILES,
    )
)
"""The first word of a move, by its code."""

REST: Final = tuple(
    word.encode()
    for word in (
        "",
        *(f"f{pile}" for pile in _PILES),
        *_PILES,
        *(f"{pile} {depth}" for depth in (2, 3, 4) for pile in _PILES),
    )
)
"""The other words of a move, by their code."""

ESCAPE: Final = 255
"""Instead of a code: the text is in the head."""

STATES: Final = (b"joined", b"ready", b"playing", b"won", b"blocked", b"resigned", b"timed out")
"""The states of a seat, by their code."""

ENDS: Final = {b"resign": b"resigned", b"timeout": b"timed out"}
"""The state that a move is expected to lead to; else the game goes on."""

_LIVE: Final = (
    '{"type":"cancelled","at":}\n{"type":"left","player":"guest:","at":}\n'
    '{"type":"unreadied","player":"guest:","at":}\n{"type":"renewed","until":,"at":}\n'
    '{"type":"deleted","player":"gone:","at":,"mark":""}\n{"type":"voided","at":,"reason":""}\n'
    '{"type":"renamed","player":"guest:","name":"","at":}\n'
    '{"type":"searched","deals":,"until":,"at":}\n{"type":"dealt","chosen":{"deal":1,"grade":"","line":'
    '["refill","turn"],"solver":1},"starts_at":,"at":}\n{"type":"followed","race":"","at":}\n'
    '{"type":"opened","kind":"practice","rules":{"game":"grandfathersclock","hideandseek","travellers",'
    '"watch","clock","germanclock","rules":"open","book","invite_only":true,"spectate":"players",'
    '"grace_ms":30000,"limit_ms":600000,"winnable":true,"grade":"medium"}}\n'
    '{"type":"joined","player":"house:steady","name":"Tock (house)","at":,"bot":true}\n'
    '{"type":"opened","kind":"daily","rules":{"game":"bigben"},"server_seed":"","at":,"host":"",'
    '"closes_at":,"invite":"","invited":[],"counter":0,"chosen":{}}\n'
    '{"type":"opened","kind":"deadline","rules":{"limit_ms":3600000,"undo":true},"server_seed":"","at":'
    ',"host":"discord:","closes_at":0,"invite":"","invited":["guest:","guest:"],"counter":0,"chosen":{}}'
    '\n{"type":"opened","kind":"live","rules":{"limit_ms":3600000,"undo":true},"server_seed":"","at":,'
    '"host":"guest:","closes_at":0,"invite":"","invited":[],"counter":0,"chosen":{}}\n'
    '{"type":"joined","player":"guest:","name":"","at":}\n'
    '{"type":"readied","player":"guest:","nonce":"","at":,"nonce_hash":""}\n'
    '{"type":"nonced","player":"guest:","nonce":"","at":}\n{"type":"counted","starts_at":,"at":}\n'
    '{"type":"mixed","starts_at":,"at":}\n{"type":"closed","at":}\n'
)

DICTIONARY: Final = _LIVE.encode()
"""What deflate is given beforehand; the most frequent texts come last."""
