"""Leaving kernels out of the engine's module: functions that only they need are emptied, the rest stays where it is.

Which functions that are, the build notes in a section of the module that hosts ignore: of each kernel the number of the
function that finds it, then those of the functions that the engine does not need without it. A kernel that was left out
is not found: opening a plan that needs it gives STATUS_UNKNOWN_KERNEL. Nothing of Keelblocks is imported here, because
the build uses this file before anything is installed.
"""

import json
from collections.abc import Collection, Mapping

from .format import (
    CODE,
    CUSTOM,
    EXPORTS,
    IMPORTS,
    Section,
    bodies,
    code_of,
    custom,
    custom_content,
    exports,
    exports_of,
    function_names,
    module_of,
    sections,
)

_TABLE = "keelblocks.kernels"
_NOT_FOUND = b"\x00\x41\x00\x0b"  # no locals; i32.const 0; end
_NOT_THERE = b"\x00\x00\x0b"  # no locals; unreachable; end
_NOT_NEEDED = "_initialize"  # an export of the linker, which would call constructors, of which C has none


def with_table(linked: bytes, owned: Mapping[str, tuple[str, Collection[str]]]) -> bytes:
    """The module to ship of one that was linked with the names of its functions.

    owned: of each kernel the name of its finder, and those of the functions that go with it. Raises ValueError if the
    module imports something, which would also count as functions, or lacks a finder.
    """
    parts = sections(linked)
    if any(part.kind == IMPORTS for part in parts):
        raise ValueError("the module of the engine imports something")
    names = function_names(parts)
    missing = [finder for finder, _ in owned.values() if finder not in names]
    if missing:
        raise ValueError(f"the module of the engine has no function {missing[0]}")
    table = {
        kernel: [names[finder], *sorted(names[name] for name in functions if name in names)]
        for kernel, (finder, functions) in owned.items()
    }
    return module_of([*_kept(parts), custom(_TABLE, json.dumps(table, separators=(",", ":")).encode())])


def without_notes(linked: bytes) -> bytes:
    """The module to ship of one that was linked with the kernels that it is to have."""
    return module_of(_kept(sections(linked)))


def kernels(module: bytes) -> list[str]:
    """The kernels of the module as it is shipped."""
    return [*_table(sections(module))]


def with_kernels(module: bytes, chosen: Collection[str] | None) -> bytes:
    """The module as it is shipped, with some of its kernels; None: with all."""
    parts = sections(module)
    table = _table(parts)
    wanted = [functions for kernel, functions in table.items() if chosen is None or kernel in chosen]
    kept = {function for functions in wanted for function in functions}
    empty = {function: _NOT_THERE for functions in table.values() for function in functions if function not in kept}
    empty |= {finder: _NOT_FOUND for finder, *_ in table.values() if finder in empty}
    return module_of(_emptied(part, empty) for part in parts if part.kind != CUSTOM)


def _emptied(part: Section, empty: Mapping[int, bytes]) -> Section:
    if part.kind != CODE:
        return part
    return code_of(empty.get(function, body) for function, body in enumerate(bodies(part.content)))


def _kept(parts: list[Section]) -> list[Section]:
    return [_without_initialize(part) for part in parts if part.kind != CUSTOM]


def _without_initialize(part: Section) -> Section:
    if part.kind != EXPORTS:
        return part
    return exports_of({name: entry for name, entry in exports(part.content).items() if name != _NOT_NEEDED})


def _table(parts: list[Section]) -> dict[str, list[int]]:
    return json.loads(custom_content(parts, _TABLE))  # type: ignore[no-any-return]
