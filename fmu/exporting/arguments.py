"""What `export` is asked for, checked before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError, did_you_mean
from blocks.plan.settings import ADAPTIVE, FIXED_STEP, SCIPY

VERSIONS = ("2.0", "3.0")
INTERFACES = ("cs", "me")

Shapes = dict[str, tuple[int, ...]]


def check_component(component: object) -> None:
    """Raise ExportError unless this is something that can be made an FMU of."""
    if isinstance(component, (Diagram, Block)):
        return
    hint = ""
    if isinstance(component, type) and issubclass(component, (Diagram, Block)):
        hint = f": that is a class, make one of it first, {component.__name__}(…)"
    raise ExportError(f"an FMU is made of a diagram or a block, not of {component!r}{hint}")


def read_names(what: str, given: str | Iterable[str]) -> tuple[str, ...]:
    """Some names, or one: "cs" is ("cs",). what: the argument. Raises ExportError for anything else."""
    names: tuple[object, ...] = (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise ExportError(f"{what} are names, one text or a list of them, not {given!r}")
    return tuple(map(str, names))


def check_format(fmi: str, interfaces: tuple[str, ...], arrays: bool, capacities: Mapping[str, int] | None) -> None:
    """Raise ExportError for a version or an interface of FMI that there is not, or that cannot do what is wanted."""
    check_choice("FMI version", (fmi,), VERSIONS)
    check_choice("interface", interfaces, INTERFACES)
    if capacities and fmi != "3.0":
        raise ExportError(
            f"capacities ({', '.join(capacities)}) need FMI 3.0: in FMI {fmi} the number of rows is fixed, as they are"
        )
    if capacities and not arrays:
        raise ExportError(
            f"capacities ({', '.join(capacities)}) need arrays: without, the number of rows is fixed, as they are"
        )


def check_choice(what: str, given: tuple[str, ...], valid: tuple[str, ...]) -> None:
    """Raise ExportError if something is named that there is not, or nothing."""
    if not given:
        raise ExportError(f"name at least one {what}: {', '.join(valid)}")
    for item in given:
        if not isinstance(item, str):
            raise ExportError(f"the {what} is a text such as '{valid[-1]}', not {item!r}")
        if item not in valid:
            raise ExportError(f"there is no export for the {what} '{item}'{did_you_mean(item, valid)}")


def check_solver(solver: str) -> None:
    """Raise ExportError for a solver that is not in the runtime."""
    if solver in SCIPY:
        raise ExportError(f"solver {solver} is SciPy's and needs Python; an FMU has {', '.join(FIXED_STEP + ADAPTIVE)}")


def read_shapes(component: Diagram | Block, given: Mapping[str, int | tuple[int, ...]] | None) -> Shapes:
    """The shapes of inputs, each a number or a tuple of them. Raises ExportError for inputs that there are not."""
    shapes: Shapes = {}
    for name, shape in (given or {}).items():
        if name not in component.input_ports:
            raise ExportError(f"input_shapes: there is no input '{name}'{did_you_mean(name, component.input_ports)}")
        numbers = shape if isinstance(shape, tuple) else (shape,)
        if not all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) and n > 0 for n in numbers):
            raise ExportError(
                f"input_shapes: the shape of '{name}' must be whole numbers from 1, such as (3,), not {shape!r}"
            )
        shapes[name] = tuple(int(n) for n in numbers)
    return shapes


def check_shapes(there: Mapping[str, tuple[int, ...]], shapes: Shapes) -> None:
    """Raise ExportError if an input has another shape than was asked for, because its type or a wire says so."""
    for name, wanted in shapes.items():
        found = there[name]
        if found != wanted and not (found == () and wanted == (1,)):
            raise ExportError(
                f"input_shapes: the input '{name}' cannot be {_text(wanted)}: what it feeds makes it {_text(found)}"
            )


def _text(shape: tuple[int, ...]) -> str:
    return f"an array of {'×'.join(map(str, shape))}" if shape else "a single number"
