"""The C file of a plan for several members at once."""

from __future__ import annotations

import functools

from blocks.compiled.calls import LANES, Calls
from blocks.compiled.source import engine_c, exported, has, own_kernels, with_sizes
from blocks.compiled.structure import Structure
from blocks.model.block import Block
from blocks.model.python_block import PythonBlock
from cython_kernels.plain_c.generated import LANES_C
from cython_kernels.plain_c.lanes.parts import LANED, LanesC


@functools.lru_cache(maxsize=1)
def lanes_c() -> LanesC:
    """The C of the engine for several members, taken apart."""
    return LanesC(LANES_C.read_text(encoding="utf-8"))


def lanes_source_of(structure: Structure) -> str:
    """The C of a plan for several members, to be compiled by itself."""
    lanes = lanes_c()
    own = own_kernels(structure)
    functions = {kernel: found for kernel in own if all(map(lanes.has, (found := _called(kernel)).values()))}
    calls = Calls(structure, functions, has(structure), LANES)
    called = {
        functions[call.block.kernel][call.function]
        for name in LANES.lists
        for call in calls.of(name)
        if call.block.kernel in functions
    }
    text = f"{engine_c().only(own)}\n{exported(structure)}\n{lanes.only(sorted(called), calls.text())}"
    return with_sizes(text, structure)


def _called(kernel: str) -> dict[str, str]:
    """The functions of a kernel of the engine that lanes call."""
    return {kind: name for kind, name in engine_c().functions(kernel).items() if kind in LANED}


def side_by_side(cls: type[Block]) -> str:
    """In words, how members with a block go on where they go side by side."""
    if issubclass(cls, PythonBlock):
        return "no: it runs in Python, one member after the other"
    if cls.library:
        return "member by member: lanes hold the kernels of Keelblocks; the blocks around it go side by side"
    engine, lanes = engine_c(), lanes_c()
    kernels = [name for name in (cls.kernels or (cls.kernel,)) if name in engine.kernels]
    functions = [function for name in kernels for function in _called(name).values()]
    if not kernels:
        return ""
    if not all(map(lanes.has, functions)):
        return "member by member; the blocks around it go side by side"
    if any(map(lanes.looks_up, functions)):
        return "yes; what it looks up in tables or rows, member by member"
    return "yes"
