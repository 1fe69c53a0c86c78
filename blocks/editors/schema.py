"""One JSON schema for scenarios, studies and comparisons, told apart by their first keys, and where editors find it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.errors import ScenarioError, raise_all
from blocks.files.writing import replacing
from blocks.lab.comparison.schema import schema as comparison_schema
from blocks.run.result import version
from blocks.scenario.libraries import load_named
from blocks.scenario.schema import schema as scenario_schema
from blocks.study.schema import schema as study_schema
from blocks.yaml.modeline import SCHEMA, modeline, schema_near, with_modeline
from blocks.yaml.reading import read, read_text

KINDS: dict[str, Callable[..., dict[str, Any]]] = {
    "keelblocks_comparison": comparison_schema,
    "keelblocks_study": study_schema,
    "keelblocks": scenario_schema,
}
"""What files begin with, and what makes the schema of such files."""


def schema(blocks: Mapping[str, type[Block]] | None = None) -> dict[str, Any]:
    """The schema, in draft 2020-12, of all kinds of files with these blocks, or with those of `library()`."""
    kinds = {key: make(blocks) for key, make in KINDS.items()}
    definitions: dict[str, Any] = {}
    for key, made in kinds.items():
        definitions |= made.pop("$defs")
        dialect = made.pop("$schema")
        definitions[key] = made
    *others, usual = kinds
    form: dict[str, Any] = {"$ref": f"#/$defs/{usual}"}
    for key in reversed(others):
        form = {"if": {"required": [key]}, "then": {"$ref": f"#/$defs/{key}"}, "else": form}
    return {"$schema": dialect, "title": f"Files of Keelblocks {version()}", **form, "$defs": definitions}


def schema_text(blocks: Mapping[str, type[Block]] | None = None) -> str:
    """The schema as it stands in files."""
    return json.dumps(schema(blocks), indent=1, ensure_ascii=False) + "\n"


def help_editors(files: Iterable[Path]) -> list[Path]:
    """Put the schema into `.keelblocks` beside files or above them, and the comment that names it at their top.

    The folder is one that is there already, or else in the folder that holds all files. Returns what was written.
    Raises ScenarioError for a file that is no scenario, study or comparison, or names a library that cannot be
    imported, before anything is written.
    """
    texts = {path.parent.resolve() / path.name: _checked(path) for path in files}
    found = {path: schema_near(path.parent) for path in texts}
    bare = [path.parent for path, schema in found.items() if schema is None]
    new = Path(os.path.commonpath(bare)) / SCHEMA if bare else SCHEMA
    places = {path: schema or new for path, schema in found.items()}
    content = schema_text()
    for place in sorted({*places.values()}):
        _write(place.parent / ".gitignore", "*\n")
        _write(place, content)
    named = {path: with_modeline(text, modeline(places[path], path.parent)) for path, text in texts.items()}
    changed = [_write(path, text) for path, text in named.items() if text != texts[path]]
    return [*sorted({*places.values()}), *changed]


def _checked(path: Path) -> str:
    document = read(read_text(path, "a scenario"), str(path))
    data = document.data
    if not isinstance(data, dict) or not KINDS.keys() & data.keys():
        raise ScenarioError(
            f"{path} begins with none of {', '.join(reversed(KINDS))}: the schema is of scenarios, studies and "
            f"comparisons"
        )
    raise_all([*load_named(document, path.parent).values()])
    return path.read_bytes().decode()  # with the mark and the line endings that it has


def _write(path: Path, text: str) -> Path:
    try:
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8", newline="")
    except OSError as problem:
        raise ScenarioError(f"cannot write {path}: {problem.strerror or problem}") from None
    return path
