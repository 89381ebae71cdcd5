"""How far long work is: one line on a terminal, which is gone at the end. Starts nothing."""

import io

from bigben_server.ops.long_work import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_each_hundredth_once_and_then_nothing() -> None:
    terminal = Terminal()
    progress = Progress(terminal)
    for done in range(400):
        progress.show("Import", done, 400)
    progress.clear()
    lines = terminal.getvalue().split("\r\x1b[K")
    bars = [f"Import [{'#' * (30 * n // 100):.<30}] {n} %" for n in range(100)]
    assert lines == ["", *bars, ""]


def test_progress_is_not_shown_in_a_file() -> None:
    file = io.StringIO()
    progress = Progress(file)
    progress.show("Import", 1, 2)
    progress.clear()
    assert file.getvalue() == ""
