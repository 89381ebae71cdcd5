"""The page's modules as one script: it does what they do, and refuses what it can't join."""

import pytest

from bigben_server.transport.bundle import script

MODULES = {
    "/main.js": """// Begins.

import { hail } from "./words/hail.js";
import { NAME as name } from "./names.js";

console.log(hail(name));
""",
    "/words/hail.js": """// Hails.

import * as names from "../names.js";

export function hail(name) {
  return `Hail, ${name} of ${names.CLAN}!`;
}
""",
    "/names.js": """export const NAME = "Ada";
export const CLAN = "Lovelace";
class Hidden {}
""",
    "/unused.js": "export const UNUSED = 1;",
}

JOINED = """// /names.js
const $1 = (() => {
const NAME = "Ada";
const CLAN = "Lovelace";
class Hidden {}

return { NAME, CLAN };
})();
// /words/hail.js
const $2 = (() => {
// Hails.

const names = $1;

function hail(name) {
  return `Hail, ${name} of ${names.CLAN}!`;
}

return { hail };
})();
// /main.js
// Begins.

const { hail } = $2;
const { NAME: name } = $1;

console.log(hail(name));
"""


def test_a_module_stands_after_those_that_it_imports() -> None:
    assert script(MODULES, "/main.js") == JOINED


@pytest.mark.parametrize(
    "line",
    [
        "export let count = 0;",
        "export default 1;",
        'export { NAME } from "./names.js";',
        'import names from "./names.js";',
        'import "./names.js";',
        'import { NAME } from "https://example.org/names.js";',
    ],
)
def test_what_it_cant_join_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(ValueError, match=r"/main\.js: a bundle can't take") as refused:
        script(MODULES | {"/main.js": line}, "/main.js")
    assert line in str(refused.value)


def test_modules_that_import_each_other_are_refused() -> None:
    circle = {"/a.js": 'import { b } from "./b.js";', "/b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match="cycle"):
        script(circle, "/a.js")
