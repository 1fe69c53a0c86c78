"""A parameter that is a word with one letter per input, such as the signs of a sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.model.declare import Parameter, Value


class Letters(Parameter):
    """A word over an alphabet in which each letter stands for a number: "+-" is 1, -1 to the kernel.

    The number of letters decides the size that `shape` names, and with it how many inputs the block has. It keeps its
    value while an FMU runs.
    """

    def __init__(self, default: str, alphabet: Mapping[str, float], *, size: str, doc: str) -> None:
        super().__init__(default, shape=(size,), doc=doc, structural=True)
        self.alphabet = dict(alphabet)

    def read(self, value: Any, where: str) -> Value:
        """`value` checked. Raises ParameterError for an empty word and for other letters."""
        if not isinstance(value, str) or not value:
            raise ParameterError(f"{where} must be {self.form()}, not {value!r}")
        for place, letter in enumerate(value):
            if letter not in self.alphabet:
                raise ParameterError(f"{where} must be {self.form()}: {value!r} has {letter!r} as letter {place + 1}")
        return value

    def form(self) -> str:
        """What a value looks like, in words."""
        return f"a word of the letters {' and '.join(map(repr, self.alphabet))}, one per input"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "str"

    def encode(self, value: Value, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The numbers that the letters stand for."""
        return np.array([self.alphabet[letter] for letter in str(value)])
