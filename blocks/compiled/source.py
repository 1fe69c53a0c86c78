"""The C file of a plan: the engine with the kernels that it needs, its tables as constants, its calls by name."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

from blocks.compiled.calls import FUNCTIONS, Calls
from blocks.compiled.structure import COMPILED_IN, Structure
from cython_kernels import engine as native
from cython_kernels.plain_c.engine_parts import EngineC
from cython_kernels.plain_c.generated import ENGINE_C

_AHEAD = """\
#define KB_COMPILED 1
static inline void kb_calls(void *plan, int list, double t);
"""
EXPORTED = """
#ifdef _WIN32
#define KB_EXPORTED __declspec(dllexport)
#else
#define KB_EXPORTED __attribute__((visibility("default")))
#endif

/* What the engine that calls has to agree with: LAYOUT of engine.pyx. */
KB_EXPORTED unsigned long long keelblocks_layout(void)
{
    return sizeof(Plan) + 100000ULL * sizeof(Recorder) + 100000000ULL * sizeof(Detour);
}

KB_EXPORTED int keelblocks_choose_path(int limit) { return kb_choose_path(limit); }
"""
_OF_PLAN = """
/* Whether an opened plan is one of those that this was compiled for, which differ in numbers alone. */
KB_EXPORTED int keelblocks_is_of(Plan const *p)
{{
    Header const *h = &p->header;
    size_t tables = (size_t)((char const *)p->numbers - (char const *)p->ports);
    static const int numbers[] = {{{2}}};
    return {0} && h->numbers == {1} && memcmp(p->numbers, numbers, {1} * sizeof(int)) == 0 &&
           fnv1a((unsigned char const *)p->ports, tables) == {3}ULL;
}}
"""
_ENTRIES = """
KB_EXPORTED int keelblocks_go_on(Plan *s, double end, long long steps, Recorder *r, Detour *d, int closed)
{
    return go_on(s, end, steps, r, d, closed);
}
"""
_HEADER_FIELD = re.compile(rf"\bs->header\.({'|'.join(COMPILED_IN)})\b")
Writer = Callable[[Structure, Mapping[str, Mapping[str, str]], Mapping[str, set[str]]], Calls]
"""What makes `Calls` of a plan, of the functions of its kernels in C, and of which functions there are."""


@functools.lru_cache(maxsize=1)
def engine_c() -> EngineC:
    """The C of the engine, taken apart."""
    return EngineC(ENGINE_C.read_text(encoding="utf-8"))


def source_of(structure: Structure) -> str:
    """The C of a plan, to be compiled by itself."""
    return f"{engine_of(structure)}{exported(structure)}{_ENTRIES}"


def engine_of(structure: Structure, calls: Writer = Calls) -> str:
    """The engine for one plan: with its kernels, which are called by name, and its sizes as constants."""
    engine = engine_c()
    own = own_kernels(structure)
    functions = {kernel: engine.functions(kernel) for kernel in own}
    return f"{_AHEAD}{with_sizes(engine.only(own), structure)}\n{calls(structure, functions, has(structure)).text()}"


def own_kernels(structure: Structure) -> list[str]:
    """The kernels of a plan that are the engine's, and no library's."""
    return [kernel for kernel in structure.kernels if kernel in engine_c().kernels]


def has(structure: Structure) -> dict[str, set[str]]:
    """Which functions each kernel of a plan has."""
    return {kernel: functions_of(kernel) for kernel in structure.kernels}


def with_sizes(text: str, structure: Structure) -> str:
    """C with the sizes of a plan in the place of the fields of its header."""
    return _HEADER_FIELD.sub(lambda match: str(structure.header[match[1]]), text)


def exported(structure: Structure) -> str:
    """What every library of a plan says of itself: of which build, and of which plans."""
    numbers = structure.numbers
    header = " && ".join(f"h->{name} == {structure.header[name]}" for name in COMPILED_IN)
    return EXPORTED + _OF_PLAN.format(header, len(numbers), ", ".join(map(str, numbers)) or "0", structure.calls_hash)


def functions_of(kernel: str) -> set[str]:
    """Which functions a kernel has, of the engine or of a library that is open."""
    counts = native.kernel_counts(kernel)
    assert counts is not None
    return {name for name, there in zip(FUNCTIONS, counts[4:], strict=True) if there}
