"""Tens of thousands of hostile frames for the decoders of both formats."""

import random
from collections import Counter
from collections.abc import Callable

import pytest
from tests.wire.hostile import CLIENT, SERVER, as_frame, damaged, message, written

from bigben_protocol import CODECS, Codec, FrameError
from bigben_protocol.client_messages import ClientMessage
from bigben_protocol.server_messages import ServerMessage

LONGEST_CLOSE_REASON = 123
"""Bytes, by RFC 6455."""

Message = ClientMessage | ServerMessage
codecs = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)


def storm(
    codec: Codec, decode: Callable[[bytes | str], Message], kinds: tuple[type, ...], frames: int
) -> tuple[Counter[str], Counter[str]]:
    """The decoded messages by kind and the errors by text. Fails on any other exception."""
    rng = random.Random(f"{codec.subprotocol} {len(kinds)}")
    decoded: Counter[str] = Counter()
    problems: Counter[str] = Counter()
    for _ in range(frames):
        encoded = written(codec, message(rng, kinds, oddity=rng.choice((0, 0.1, 0.5))), rng)
        frame = as_frame(codec, damaged(encoded, rng) if rng.random() < 0.7 else encoded)
        try:
            found = decode(frame)
        except FrameError as error:
            problems[fit_to_close_with(str(error), frame)] += 1
        except Exception as error:
            raise AssertionError(f"{error!r} came out for the frame {frame!r}") from error
        else:
            assert decode(as_frame(codec, codec.encode(found))) == found
            decoded[type(found).__name__] += 1
    return decoded, problems


def fit_to_close_with(text: str, frame: bytes | str) -> str:
    """The text, after checking that it is safe for a terminal, a log and a close frame."""
    assert 0 < len(text.encode()) <= LONGEST_CLOSE_REASON, (text, frame)
    assert text.isascii(), (text, frame)
    assert text.isprintable(), (text, frame)
    return text


@codecs
def test_decoding_client_frames_returns_messages_or_raises_frame_errors(codec: Codec) -> None:
    decoded, problems = storm(codec, codec.decode_client, CLIENT, 30_000)
    # The test is useful only if some frames get past the first check.
    assert set(decoded) == {kind.__name__ for kind in CLIENT}
    assert decoded.total() > 5_000
    assert problems.total() > 5_000
    for field in ("$.race", "$.ref", "$.nonce", "$.move", "$.n", "$.name", "$.type", "$.seed"):
        assert any(f"`{field}`" in problem for problem in problems), field
    assert any("nested too deeply" in problem for problem in problems)
    assert any("UTF-8" in problem for problem in problems)


@codecs
def test_decoding_server_frames_returns_messages_or_raises_frame_errors(codec: Codec) -> None:
    decoded, problems = storm(codec, codec.decode_server, SERVER, 10_000)
    assert set(decoded) == {kind.__name__ for kind in SERVER}
    assert problems.total() > 1_000
