"""Parameters that are text: a name, a path. Plans hold numbers only, so there a text stands as its checksum."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.model.declare import REQUIRED, Parameter, Value, _Required


class TextParameter(Parameter):
    """A parameter that is text."""

    def __init__(
        self, default: str | _Required = REQUIRED, *, structural: bool = False, doc: str = "", name: str = ""
    ) -> None:
        fixed = "" if structural else "a plan holds numbers only"
        super().__init__(default, unit=None, structural=structural, doc=doc, fixed=fixed, name=name)

    def read(self, value: Any, where: str) -> Value:
        """`value` checked. Raises ParameterError if it is no text."""
        if not isinstance(value, str) or "\0" in value:
            raise ParameterError(f"{where} must be {self.form()}, not {value!r}")
        return value

    def form(self) -> str:
        """What a value looks like, in words."""
        return "text"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "str"

    def encode(self, value: Value, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """A checksum, by which plans with different texts differ."""
        return np.array([float(zlib.crc32(str(value).encode()))])


class FileParameter(TextParameter):
    """The path of a file. Scenario files give it as seen from where they are."""

    def read(self, value: Any, where: str) -> Value:
        """`value` checked. Raises ParameterError if it is no path."""
        text = super().read(value, where)
        if not text:
            raise ParameterError(f"{where} must be {self.form()}, not empty")
        return text

    def form(self) -> str:
        """What a value looks like, in words."""
        return "the path of a file"


class NamesParameter(TextParameter):
    """Several names: a list, or one text with semicolons between them, which is what it becomes."""

    def read(self, value: Any, where: str) -> Value:
        """`value` checked, as text. Raises ParameterError."""
        given = value if isinstance(value, (list, tuple)) else [value]
        texts = [str(super(NamesParameter, self).read(text, where)) for text in given]
        return "; ".join(names_in("; ".join(texts)))

    def form(self) -> str:
        """What a value looks like, in words."""
        return "a list of names, or text with semicolons between them"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "str | Sequence[str]"


class WordsParameter(TextParameter):
    """Lists and mappings of words, as YAML has them. Its value is their text in JSON, which compares and copies."""

    def data(self, value: Value) -> Any:
        """A value as a file has it."""
        return json.loads(str(value))

    def schema(self) -> dict[str, Any]:
        """The JSON schema of what may be given. Override."""
        return {}

    def form(self) -> str:
        """What a value looks like, in words."""
        return "a list"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "str | Sequence[object]"


def names_in(text: str) -> list[str]:
    """The names in the value of a NamesParameter."""
    return [name for name in (part.strip() for part in text.split(";")) if name]
