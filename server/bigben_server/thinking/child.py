"""A process that computes: reads questions from its standard input, writes answers to its output.

It ends when its input is closed, also in the middle of a computation: then nobody waits for it.
"""

import gc
import os
import pickle
import sys
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, BinaryIO, Final

NICE: Final = 19
"""Players' moves come first, on a machine with one core too."""
LENGTH_BYTES: Final = 8

Question = tuple[Callable[..., Any], tuple[Any, ...]]  # Any: whatever can be computed
Answer = tuple[bool, Any]
"""Whether the function returned, and what; or else the exception that it raised."""


def framed(data: bytes) -> bytes:
    """The bytes as they are sent: their number first."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def answer(question: bytes) -> bytes:
    """Compute one pickled question, and pickle the answer."""
    try:
        function, args = pickle.loads(question)
        return pickle.dumps((True, function(*args)))
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))
        try:
            pickled = pickle.dumps((False, error))
            pickle.loads(pickled)
        except Exception:  # some exceptions can't be pickled
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return pickled


def _read(source: BinaryIO, questions: SimpleQueue[bytes]) -> None:
    while length := source.read(LENGTH_BYTES):
        questions.put(source.read(int.from_bytes(length, "big")))
    os._exit(0)


def main() -> None:
    os.nice(NICE)
    gc.set_threshold(10_000, 100_000, 10)  # as in the server; answers leave few cycles
    # Whatever a function prints goes to the log, and never between two answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        answers.write(framed(answer(questions.get())))
        answers.flush()


if __name__ == "__main__":
    main()
