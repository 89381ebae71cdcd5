"""What the source says of the fields of classes: the strings below them. Imports nothing it reads.

Python keeps the docstrings of classes and drops those of attributes; ``ast`` still sees them.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

Docs = Mapping[str, Mapping[str, str]]
"""By class, then by field."""


def attribute_docs(sources: Iterable[Path]) -> Docs:
    """The descriptions of the fields of all classes in these files, in Markdown.

    A field without a string of its own, but with the type of a documented name (``race: Race``),
    is described by that name's string.
    """
    modules = [ast.parse(source.read_text()) for source in sources]
    names = {name: text for module in modules for name, text, _ in _documented(module.body)}
    docs: dict[str, dict[str, str]] = {}
    for module in modules:
        for node in module.body:
            if isinstance(node, ast.ClassDef):
                fields = docs[node.name] = {}
                for name, text, annotation in _documented(node.body):
                    if said := text or names.get(annotation, ""):
                        fields[name] = said
    return docs


def markdown(docstring: str) -> str:
    """A docstring with single backticks and without its indentation."""
    return inspect.cleandoc(docstring).replace("``", "`")


def _documented(body: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """The names assigned or annotated here, with the string below, and their annotation."""
    for node, below in zip(body, [*body[1:], ast.Pass()], strict=True):
        text = ""
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            text = markdown(str(below.value.value))
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield name, text, ast.unparse(annotation)
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name, text, ""
            case _:
                pass
