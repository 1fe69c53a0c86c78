"""Blocks whose tables stand in a file: how they are made of it, and what is kept of where the numbers came from."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar, cast

import numpy as np

from blocks.errors import ParameterError, did_you_mean
from blocks.files.writing import path_of
from blocks.model.declare import Parameter, Value


class FromFile(Protocol):
    """A block that can be made of a file."""

    file_constructors: ClassVar[Mapping[str, str]]
    aliases: ClassVar[Mapping[str, str]]
    file_origin: FileOrigin | None
    values: dict[str, Value]

    def __init__(self, *args: Any, **given: Any) -> None: ...

    @classmethod
    def all_parameters(cls) -> dict[str, Parameter]:
        """Its parameters by name."""


B = TypeVar("B", bound=FromFile)
Constructor = TypeVar("Constructor", bound=Callable[..., Any])


@dataclass(frozen=True)
class FileOrigin:
    """Where the numbers of a block came from."""

    path: str
    values: Mapping[str, Value]
    """Parameters that the file gave."""

    overridden: tuple[str, ...] = ()
    """Parameters that the file gave too, and that were given otherwise."""

    constructor: str = "from_file"
    options: Mapping[str, Any] | None = None
    """How the file was read, as it was given."""

    def holds(self, block: FromFile) -> bool:
        """True if `from_file` with the options gives what the block still has of the file."""
        return (
            not self.overridden
            and self.constructor in ("from_file", block.file_constructors.get(Path(self.path).suffix.lower()))
            and all(np.array_equal(value, block.values[name]) for name, value in self.values.items())
        )


def with_table(cls: type[B], path: str | Path, read: Mapping[str, Any], parameters: Mapping[str, Any]) -> B:
    """The block with what was read from a file and with other parameters, which take precedence."""
    both = [name for name in read if name in parameters]
    try:
        block = cls(**{**read, **parameters})
    except ParameterError as problem:
        if not both:
            raise
        raise ParameterError(f"{problem}; {' and '.join(map(repr, both))}, given here, stands in {path} too") from None
    own = {name: block.values[name] for name in read if name not in parameters}
    differ = [name for name in both if not _equal(block, name, read[name])]
    block.file_origin = FileOrigin(os.fspath(path), own, tuple(differ))
    return block


def _equal(block: FromFile, name: str, read: Any) -> bool:
    """Whether a parameter that was given says the same as the file."""
    try:
        return np.array_equal(block.all_parameters()[name].read(read, name), block.values[name])
    except ParameterError:
        return False


def file_constructor(make: Constructor) -> Constructor:
    """For class methods that make a block by `with_table`: checks names first, and keeps how the file was read."""
    options = options_of(make)

    @functools.wraps(make)
    def made(cls: type[FromFile], path: str | Path, **given: Any) -> FromFile:
        if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
            raise ParameterError(f"{cls.__name__}.{make.__name__}: path must be that of a file, not {path!r}")
        check_names(cls, make.__name__, options, given)
        block: FromFile = make(cls, path, **given)
        if block.file_origin is not None:
            said = {name: value for name, value in given.items() if name in options}
            block.file_origin = replace(block.file_origin, constructor=make.__name__, options=said)
        return block

    return cast(Constructor, made)


def check_names(cls: type[FromFile], constructor: str, options: list[str], given: Iterable[str]) -> None:
    """Raise ParameterError for what is neither an option nor a parameter, with the nearest of both."""
    known = [*options, *cls.all_parameters(), *cls.aliases]
    for name in given:
        if name not in known:
            if ending := _endings(cls, name):
                raise ParameterError(f"{cls.__name__}.{constructor} has no option '{name}', which is for {ending}")
            raise ParameterError(
                f"{cls.__name__}.{constructor} has no option or parameter '{name}'",
                code="unknown-parameter",
                wrong=name,
                valid=known,
            )


def _endings(cls: type[FromFile], option: str | None = None) -> str:
    """The endings of files by the constructors that read them, in words: all, or those that have an option."""
    by_constructor: dict[str, list[str]] = {}
    for ending, constructor in cls.file_constructors.items():
        if option is None or option in options_of(getattr(cls, constructor)):
            by_constructor.setdefault(constructor, []).append(ending)
    return " or ".join(f"{', '.join(endings)} ({name})" for name, endings in by_constructor.items())


def options_of(constructor: Callable[..., Any]) -> list[str]:
    """The names of the options of a class method that reads a file."""
    given = inspect.signature(constructor).parameters.values()
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [item.name for item in given if item.kind in by_name and item.name not in ("cls", "path")]


def all_options_of(cls: type[FromFile]) -> dict[str, str]:
    """The options of all class methods that read files for a class, and the first that has each."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(cls.file_constructors.values() or ["from_file"] * reads_files(cls)):
        for option in options_of(getattr(cls, name)):
            found.setdefault(option, name)
    return found


def near(cls: type[FromFile], name: str) -> str:
    """The end of a message about an unknown parameter: the nearest ones, or that it is an option of reading a file."""
    constructor = all_options_of(cls).get(name)
    if constructor is not None:
        return f"; {constructor} takes it, to read a file, when the block is made"
    return did_you_mean(name, [*cls.all_parameters(), *cls.aliases])


def reads_files(cls: type[FromFile]) -> bool:
    """True if blocks of this class can be made of a file."""
    return callable(getattr(cls, "from_file", None))


def constructor_for(cls: type[B], path: str | Path) -> Callable[..., B]:
    """The class method that reads a file of this ending. Raises ParameterError for other endings."""
    if not cls.file_constructors:
        return cast(Callable[..., B], cls.from_file)  # type: ignore[attr-defined]
    ending = path_of(path, f"the file of {cls.__name__}", ParameterError).suffix.lower()
    if ending not in cls.file_constructors:
        raise ParameterError(f"{path} must end in {_endings(cls)}, not {ending or 'nothing'}")
    return cast(Callable[..., B], getattr(cls, cls.file_constructors[ending]))
