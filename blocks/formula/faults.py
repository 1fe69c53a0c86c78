"""What a program says where a value is not finite: messages with their places, and the numbers of these."""

from __future__ import annotations

from blocks.formula.machine import FIELDS, INSTRUCTIONS, NUMBERS
from blocks.formula.scalars import Graph
from blocks.formula.selection import Instructions
from blocks.formula.tree import Place

NOWHERE = Place("", "", 0, 0)
_LARGE = "a result beyond the largest number"
_ACCUMULATOR, _TWO, _FAULT = 1, 2, 4


class Faults:
    """Messages and places, from fault 1 on."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.messages: list[str] = []
        self.places: list[Place] = []
        self._known: dict[tuple[str, Place], int] = {}

    def of_loaded(self, name: str, place: Place) -> int:
        """The number for a register that is loaded from what has this name; 0 if that is told where it is made."""
        if not name:
            return 0
        part = _part(place)
        head = f"{part}: " if part and part != name else ""
        return self._number(place, (f"{head}{name} is not a number", f"{head}{name} is infinite"))

    def of(self, made: Instructions) -> list[int]:
        """The number of each instruction."""
        found = []
        names = [*NUMBERS]
        for i, node in enumerate(made.nodes):
            instruction = INSTRUCTIONS[names[made.numbers[FIELDS * i]]]
            place = self.graph.places[node] or NOWHERE
            what = filter(None, (instruction.undefined, _LARGE if instruction.overflows else ""))
            messages = tuple(_message(place, each) for each in what)
            fault = self._number(place, messages) if messages else 0
            found.append(fault | (_ACCUMULATOR if instruction.accumulator else 0))
        return found

    def _number(self, place: Place, messages: tuple[str, ...]) -> int:
        """As the kernel takes it: the first of one or two faults, and how many."""
        key = ("\0".join(messages), place)
        if key not in self._known:
            self._known[key] = len(self.messages) + 1
            self.messages += messages
            self.places += [place] * len(messages)
        return self._known[key] * _FAULT + (_TWO if len(messages) > 1 else 0)


def _part(place: Place) -> str:
    return place.part.rpartition(".")[2]


def _message(place: Place, what: str) -> str:
    """As "force: u/v: division by zero, in 'k*u/v'"."""
    head = f"{_part(place)}: " if place.part else ""
    within = f', in "{place.text}"' if place.shown != place.text else ""
    return f"{head}{place.shown}: {what}{within}"
