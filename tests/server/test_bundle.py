"""The page's modules as two scripts, which do what they do; what can't be joined is refused."""

import re

import pytest

from bigben_server.transport.bundle import FIRST, LATER, scripts, whole

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
    assert scripts(MODULES, "/main.js") == {FIRST: JOINED}


LOADING = {
    "/main.js": """import { NAME } from "./names.js";
const { hail } = await import("./hail.js");
hail(NAME);
""",
    "/hail.js": """import { NAME } from "./names.js";
import { word } from "./words/word.js";
export function hail(name) {}
""",
    "/words/word.js": "export const word = NaN;",
    "/names.js": 'export const NAME = "Ada";',
}


def test_what_is_loaded_is_a_second_script_with_all_that_only_it_needs() -> None:
    both = scripts(LOADING, "/main.js")
    assert re.findall("^// (.*)", both[FIRST], re.MULTILINE) == ["/names.js", "/main.js"]
    assert re.findall("^// (.*)", both[LATER], re.MULTILINE) == ["/words/word.js", "/hail.js"]
    assert 'await import("/later.js").then((later) => later.$0)' in both[FIRST]
    assert both[LATER].endswith("export { $0 };")


def test_the_second_script_takes_shared_modules_from_just_this_first_one() -> None:
    both = scripts(LOADING, "/main.js")
    lent = re.search(r"^export const (\$of\w+) = \{ \$2 \};$", both[FIRST], re.MULTILINE)
    assert lent
    assert both[LATER].startswith(
        f'import {{ {lent[1]} }} from "/bundle.js";\nconst {{ $2 }} = {lent[1]};'
    )
    changed = LOADING | {"/names.js": 'export const NAME = "Bob";'}
    assert lent[1] not in scripts(changed, "/main.js")[LATER]


def test_what_is_loaded_from_a_folder_is_a_script_of_its_own_that_takes_from_both() -> None:
    main = LOADING["/main.js"] + 'await import("./frame/frame.js");'
    framed = """import { word } from "../words/word.js";
import { NAME } from "../names.js";
import { side } from "./side.js";
"""
    frame = {"/frame/frame.js": framed, "/frame/side.js": "export const side = 4;"}
    made = scripts(LOADING | frame | {"/main.js": main}, "/main.js")
    assert [*made] == [FIRST, LATER, "/later.frame.js"]
    own = made["/later.frame.js"]
    assert re.findall("^// (.*)", own, re.MULTILINE) == ["/frame/side.js", "/frame/frame.js"]
    assert 'import("/later.frame.js").then((later) => later.$0)' in made[FIRST]
    takes = re.findall(
        r'^import \{ (\$of\w+) \} from "(.*)";\nconst \{ (\S+) \}', own, re.MULTILINE
    )
    assert [(script, name) for _, script, name in takes] == [(FIRST, "$4"), (LATER, "$5")]
    for mark, script, name in takes:
        assert f"export const {mark} = {{ {name} }};" in made[script]


def test_a_page_that_may_load_nothing_gets_all_modules_at_once() -> None:
    made = whole(LOADING, "/main.js")
    order = re.findall("^// (/.*)", made, re.MULTILINE)
    assert sorted(order) == sorted({*order})
    assert order[-1] == "/main.js"
    assert {*order} == {
        *re.findall("^// (/.*)", "\n".join(scripts(LOADING, "/main.js").values()), re.MULTILINE)
    }
    assert not re.search(r"\bimport\b|^export", made, re.MULTILINE)
    assert re.search(r"await Promise\.resolve\(\$\d\)", made)


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
        scripts(MODULES | {"/main.js": line}, "/main.js")
    assert line in str(refused.value)


def test_modules_that_import_each_other_are_refused() -> None:
    circle = {"/a.js": 'import { b } from "./b.js";', "/b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match="cycle"):
        scripts(circle, "/a.js")
