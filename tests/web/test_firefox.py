"""The page in another browser: it comes in, plays a move, and nothing goes wrong."""

from pathlib import Path

from tests.support.server_process import ServerProcess
from tests.web.firefox import button, firefox, needs_firefox, pile


@needs_firefox
def test_a_move_is_played_in_firefox(server: ServerProcess, tmp_path: Path) -> None:
    with firefox(tmp_path) as tab:
        tab.open(server.url.replace("ws:", "http:"))
        tab.wait_for(button("Practise"))
        tab.press("document.querySelector('summary.me')")
        tab.press("document.querySelector('#name')")
        tab.type("Ada")
        tab.press(button("Practise"))
        tab.wait_for(pile("Stock: 56"))
        tab.press(pile("Stock: 56"))
        tab.wait_for(pile("Stock: 55"))
        assert tab.evaluate(f"return {pile('Waste')}.getAttribute('aria-label')") != "Waste: empty"
        assert tab.wrong == []
