"""Hints in the words of the command line: what Python writes longest='2 h' is --longest "2 h" there."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import click

from blocks.errors import KeelblocksError

_ARGUMENT = re.compile(
    r"(?<![\w.(])(?P<name>[a-z_]+)=(?:'(?P<text>[^']*)'|\{(?:'(?P<key>[^']+)': (?P<value>[^}]+)|…)\}|\[?…\]?)"
    r"|`(?P<word>[a-z_]+)`"
)


@contextlib.contextmanager
def spelled_as_options(context: click.Context) -> Iterator[None]:
    """Say the arguments in an error as options of a command, where it has such an option."""
    options = {
        parameter.name: max(parameter.opts, key=len)
        for parameter in context.command.params
        if isinstance(parameter, click.Option)
    }

    def option(found: re.Match[str]) -> str:
        name = options.get(found["name"] or found["word"])
        if name is None:
            return found[0]
        if found["word"]:
            return name
        if found["text"] is not None:
            return f'{name} "{found["text"]}"'
        if found[0].endswith("}"):
            return f"{name} {found['key'] or 'NAME'}={found['value'] or '…'}"
        return f"{name} NAME" if found[0].endswith("]") else f"{name} …"

    try:
        yield
    except KeelblocksError as problem:
        problem.args = (_ARGUMENT.sub(option, str(problem)), *problem.args[1:])
        raise
