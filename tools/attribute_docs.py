"""Schemas of structs, with what the source says of their fields: the strings below them.

Python keeps the docstrings of classes and drops those of attributes; ``ast`` still sees them.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

import bigben_protocol

Json = dict[str, Any]
"""JSON as it is written; ``Any`` because schemas have no one shape."""

PROTOCOL: Final = sorted(Path(bigben_protocol.__file__).parent.glob("*.py"))
"""The source of the protocol."""

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


def schemas_of(types: Sequence[object], sources: Iterable[Path], template: str) -> Json:
    """The schemas of these and what they are made of, with what the source says of the fields.

    ``template`` makes a reference of a ``{name}``.
    """
    _, schemas = msgspec.json.schema_components(types, ref_template=template)
    docs = attribute_docs(sources)
    for name, schema in schemas.items():
        schema["description"] = markdown(schema["description"])
        for field, said in docs[name].items():
            # A field that is a struct is described where the struct is.
            if field in schema.get("properties", {}) and "$ref" not in schema["properties"][field]:
                schema["properties"][field]["description"] = said
    return schemas


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
