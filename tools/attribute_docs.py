"""Schemas of structs whose fields are described by the strings below them in the source.

Python keeps the docstrings of classes but drops those of attributes, so this reads the source.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

import bigben_protocol

Json = dict[str, Any]
"""A JSON object; ``Any`` because schemas have many shapes."""

PROTOCOL: Final = sorted(Path(bigben_protocol.__file__).parent.glob("*.py"))
"""The source files of the protocol."""

Docs = Mapping[str, Mapping[str, str]]
"""Descriptions by class, then by field."""


def attribute_docs(sources: Iterable[Path]) -> Docs:
    """The descriptions of the fields of all classes in these files, in Markdown.

    If a field has no string but its type is a documented name (``race: Race``), the string of that
    name describes it.
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
    """The schemas of these types and their parts, with descriptions of the fields.

    ``template`` makes a reference from a ``{name}``.
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
    """The names that are assigned or annotated, with the strings below and the annotations."""
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
