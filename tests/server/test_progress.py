"""How far long work is: one line on a terminal, which is gone at the end. Starts nothing."""

import io

from bigben_server.ops.progress import shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_each_hundredth_once_and_then_nothing() -> None:
    terminal = Terminal()
    with shown(terminal) as progress:
        for done in range(400):
            progress("Import", done, 400)
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines == ["", *(f"Import: {hundredth} %" for hundredth in range(100)), ""]


def test_a_file_is_told_nothing() -> None:
    file = io.StringIO()
    with shown(file) as progress:
        progress("Import", 1, 2)
    assert file.getvalue() == ""
