"""Connectors of a system as ports: "eta[1]" … "eta[6]" are the elements of one port, as in an FMU."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from fmu.identifiers import resolve
from fmu.ssp.read.parameters import place_of

_ELEMENT = re.compile(r"(?P<base>.+)\[(?P<index>\d+(?:\s*,\s*\d+)*)\]\Z")
Spot = tuple[str, int]
"""A port and the number of an element of it, from 0."""


@dataclass
class Ports:
    """Where the connectors of an element are found in a diagram."""

    widths: dict[str, int] = field(default_factory=dict)
    spots: dict[str, list[Spot]] = field(default_factory=dict)
    """For each connector its elements, row by row."""
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def find(self, connector: str, indices: tuple[int, ...]) -> list[Spot] | None:
        """The elements that an end of a connection means, with indices from 1; None if there are no such ones."""
        connector = resolve(connector, self.spots) or connector
        spots = self.spots.get(connector)
        if spots is None or not indices:
            return spots
        at = place_of(indices, self.shapes.get(connector, ()))
        return None if at is None else [spots[at]]

    def only(self, ports: Container[str]) -> Ports:
        """Those of them that there are."""
        return Ports({name: width for name, width in self.widths.items() if name in ports}, self.spots, self.shapes)


def group(named: Iterable[tuple[str, tuple[int, ...]]]) -> Ports:
    """Ports of variables by name and shape: complete sets of elements, counted from 1, become one port."""
    ports = Ports()
    arrays: dict[str, list[tuple[tuple[int, ...], str]]] = {}
    single: list[tuple[str, tuple[int, ...]]] = []
    order: list[str] = []
    for name, shape in named:
        match = _ELEMENT.match(name) if not shape else None
        if match:
            index = tuple(int(text) for text in match["index"].split(","))
            if match["base"] not in arrays:
                order.append(match["base"])
            arrays.setdefault(match["base"], []).append((index, name))
        else:
            order.append(name)
            single.append((name, shape))
    shapes = dict(single)
    for base in order:
        if base in shapes:
            _add(ports, base, shapes[base], [base])
        elif base not in arrays:
            continue
        else:
            elements = sorted(arrays[base])
            size = _complete([index for index, _ in elements])
            if size is not None and base not in shapes:
                _add(ports, base, size, [name for _, name in elements])
            else:
                for _, name in elements:
                    _add(ports, name, (), [name])
    return ports


def _add(ports: Ports, name: str, shape: tuple[int, ...], connectors: list[str]) -> None:
    port = identifier(name, ports.widths)
    ports.widths[port] = math.prod(shape)
    if len(connectors) == 1:
        ports.spots[connectors[0]] = [(port, i) for i in range(math.prod(shape))]
        ports.shapes[connectors[0]] = shape
    else:
        for i, connector in enumerate(connectors):
            ports.spots[connector] = [(port, i)]


def _complete(indices: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The shape of an array that these are all elements of; None if some are missing."""
    if len({len(index) for index in indices}) != 1:
        return None
    shape = tuple(max(column) for column in zip(*indices, strict=True))
    wanted = set(itertools.product(*(range(1, n + 1) for n in shape))) if math.prod(shape) == len(indices) else set()
    return shape if set(indices) == wanted else None


def identifier(name: str, taken: Iterable[str] = ()) -> str:
    """A name as one that ports and components can have here, different from those that are taken."""
    text = re.sub(r"\W+", "_", name, flags=re.ASCII).rstrip("_") or "x"
    if not re.match(r"[A-Za-z_]", text):
        text = f"x{text}"
    if text == "time":
        text = "time_"
    names, found, number = set(taken), text, 2
    while found in names:
        found, number = f"{text}_{number}", number + 1
    return found
