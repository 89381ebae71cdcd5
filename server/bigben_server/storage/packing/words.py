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

DICTIONARY: Final = b"""\
{"type":"cancelled","at":\3}
{"type":"left","player":"guest:\5","at":\3}
{"type":"unreadied","player":"guest:\5","at":\3}
{"type":"renewed","until":\3,"at":\3}
{"type":"deleted","player":"gone:\2","at":\3,"mark":"\1"}
{"type":"voided","at":\3,"reason":""}
{"type":"renamed","player":"guest:\5","name":"","at":\3}
{"type":"searched","deals":1,"until":\3,"at":\3}
{"type":"dealt","chosen":{"deal":1,"grade":"easy","line":["refill","turn"],"solver":1},\
"starts_at":\3,"at":\3}
{"type":"opened","kind":"practice","rules":{"limit_ms":0,"undo":true}
{"game":"grandfathersclock","rules":"open"},{"game":"hideandseek"},{"game":"travellers"}
{"game":"watch"},{"game":"clock"},{"game":"germanclock"}"grade":"medium""hard""fiendish"
"winnable":true"invite_only":true,"spectate":"players","grace_ms":30000
{"type":"joined","player":"house:steady","name":"Tock (house)","at":\3,"bot":true}
{"type":"joined","player":"discord:
{"type":"opened","kind":"daily","rules":{},"server_seed":"\1","at":\3,"host":"",\
"closes_at":\3,"invite":"","invited":[],"counter":0,"chosen":{}}
{"type":"opened","kind":"deadline","rules":{"limit_ms":3600000,"undo":true},\
"server_seed":"\1","at":\3,"host":"guest:\2","closes_at":\3,"invite":"",\
"invited":["guest:\2","guest:\2","guest:\2"],"counter":0,"chosen":{}}
guest:\5
K7QPXM
{"type":"opened","kind":"live","rules":{"limit_ms":3600000,"undo":true},"server_seed":"\1",\
"at":\3,"host":"guest:\2","closes_at":0,"invite":"","invited":[],"counter":0,"chosen":{}}
{"type":"joined","player":"guest:\5","name":"
{"type":"joined","player":"guest:\2","name":"Anna","at":\3}
{"type":"readied","player":"guest:\5","nonce":"\1","at":\3}
{"type":"readied","player":"guest:\5","nonce":"","at":\3,"nonce_hash":"\1"}
{"type":"counted","starts_at":\3,"at":\3}
{"type":"nonced","player":"guest:\5","nonce":"\1","at":\3}
{"type":"mixed","starts_at":\3,"at":\3}
{"type":"closed","at":\3}
{"type":"followed","race":"K7QPXM","at":\3}
guest:\5
\3
"""
"""What deflate is given beforehand: texts as ``texts`` codes them, the frequent ones last."""
