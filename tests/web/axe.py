"""axe-core, which finds faults of accessibility on the page of a browser. No tests."""

from functools import cache
from importlib.resources import files
from typing import Final

from playwright.sync_api import Page

_RULES: Final = [
    *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"),
    "experimental",  # rules that axe-core leaves out by itself, of the same levels
]


@cache
def _script() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def faults(page: Page) -> list[str]:
    """What axe-core finds on the screen that is shown: a rule and the elements that break it."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_script())  # not as a script of the page, which its policy would refuse
    found = page.evaluate(
        "(tags) => axe.run(document, { runOnly: tags }).then((told) => told.violations)", _RULES
    )
    return [
        f"{fault['help']} ({fault['id']}): {[node['target'] for node in fault['nodes']]}"
        for fault in found
    ]
