"""Writes `lanes.c`: all kernels of the engine, and what steps them, for several members at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cython_kernels.plain_c.engine_parts import EngineC
from cython_kernels.plain_c.lanes.module import Module
from cython_kernels.plain_c.lanes.parts import BANNER, LANED, MARK, PARTS, STEP_ON
from cython_kernels.plain_c.lanes.reading import preprocessed, read
from cython_kernels.plain_c.lanes.structs import Again
from cython_kernels.plain_c.lanes.types import INT, D, NotLaned, T, pointer, whole

_ATTRIBUTES = re.compile(r"^static [^;{}]*?\b(\w+)\([^;{}]*\) (KB_ALWAYS_INLINE|KB_FAR|KB_OF_FORMULAS);$", re.M)
"""Functions that are to be inlined or not, and those for arguments that are rare: so they are in lanes."""


def lanes(engine: str, compiler: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The text of `lanes.c` for the text of `engine.c`, and why which functions of kernels cannot be laned."""
    attributes = dict(_ATTRIBUTES.findall(engine))
    module = Module(read(preprocessed(engine, compiler)), attributes)
    kernels = EngineC(engine)
    roots = [
        function for name in kernels.kernels for kind, function in kernels.functions(name).items() if kind in LANED
    ]
    while True:
        try:
            refused = _write(module, roots)
            break
        except Again:  # more is one per member than was thought
            module.in_work.clear()
    own = Path(__file__).parent
    texts = {
        "prelude.h": (own / "prelude.h").read_text(encoding="utf-8"),
        "structs": module.structs(),
        "driver.h": (own / "driver.h").read_text(encoding="utf-8"),
        "functions": module.functions(),
        "group.h": (own / "group.h").read_text(encoding="utf-8"),
    }
    return BANNER + "".join(f"{MARK.format(part)}{texts[part]}" for part in PARTS), refused


def _write(module: Module, roots: Sequence[str]) -> dict[str, str]:
    """Every function that a plan may call; why which cannot be laned."""
    refused = {}
    view = pointer(T("s", "View"))
    for function in roots:
        try:
            module.variant(function, [view, D.laned()], False)
        except NotLaned as problem:
            refused[function] = str(problem)
    structs = [pointer(T("s", name)) for name in ("Plan", "Recorder", "Detour")]
    module.variant(STEP_ON, [structs[0], D, whole("long long"), *structs[1:], INT], False)
    return refused


def generate_lanes(engine_c: Path, compiler: Sequence[str]) -> None:
    """Write `lanes.c` beside `engine.c`. compiler: what preprocesses C here."""
    text, refused = lanes(engine_c.read_text(encoding="utf-8"), compiler)
    for function, why in refused.items():
        print(f"note: {function} runs member by member: {why}")
    engine_c.with_name("lanes.c").write_text(text, encoding="utf-8")
