"""The calls of a plan's kernels as C for people: a function for each list, a view for each block."""

from __future__ import annotations

import re
from collections.abc import Sequence

from blocks.compiled.calls import Call, Calls
from blocks.compiled.structure import Port
from cython_kernels.plain_c.c_statements import wrap
from fmu.flat_c.pieces import Pieces

_VIEW = re.compile(r"\b(\w+)View named;|\((\w+)View const \*\)b")
"""Which view by name a kernel is called with."""
_MEMBER = re.compile(r"^ +double (?:const )?\*\w+;", re.M)


def calls_text(calls: Calls, name: str, found: Sequence[Call], pieces: Pieces) -> str:
    """The function that makes the calls of a list."""
    head = f"static void call_{name}(Plan *s, double t) {{\n"
    if not found:
        return f"{head}    (void)s;\n    (void)t;\n}}\n"
    steady = calls.structure.header["steady"] if name == "majors" else 0
    lines = []
    for number, call in enumerate(found):
        if steady and number == 0:
            lines.append("    if (s->first_major == 0) {\n")
        if steady and number == steady:
            lines.append("    }\n")
        lines.append(_call(calls, call, name, pieces))
    if steady and steady == len(found):
        lines.append("    }\n")
    return f"{head}    double *const v = values(s);\n{''.join(lines)}}}\n"


def _call(calls: Calls, call: Call, name: str, pieces: Pieces) -> str:
    block = call.block
    function = calls.functions[block.kernel][call.function]
    due = f"if (s->due[{block.rate}] != 0) " if block.rate and name in ("majors", "samples") else ""
    outputs = [p if wanted else None for p, wanted in zip(block.outputs, call.wanted, strict=True)]
    arrays: dict[str, tuple[str, str, Sequence[Port | None]]] = {
        "u": ("double const *", "Inputs", block.inputs), "y": ("double *", "Outputs", outputs),
        "p": ("double const *", "Parameters", block.parameters),
    }  # fmt: skip
    lines = []
    for key, (kind, of, ports) in arrays.items():
        if ports:
            pointers = _pointers(ports, _members(pieces, function, of))
            lines += [f"{line}\n" for line in wrap(f"        {kind}{key}[] = {{{pointers}}};")]
    if block.numbers:
        lines.append(f"        static const int n[] = {{{', '.join(map(str, block.numbers))}}};\n")
    derivatives = block.x.place + calls.structure.derivatives
    places = (block.work, block.x, Port(derivatives, block.x.count), block.z, block.g)
    fields = [key if ports else "NULL" for key, (_, _, ports) in arrays.items()]
    fields += [_at("v", port.place) if port.count else "v" for port in places]  # views go on from it: it is no NULL
    fields += ["n" if block.numbers else "NULL", _at("s->faults", block.number), f"{block.key}u", "NULL"]
    return (
        f"    {due}{{   /* {block.name} */\n{''.join(lines)}"
        f"        View const b = {{{', '.join(fields)}}};\n        {function}(&b, t);\n    }}\n"
    )


def _pointers(ports: Sequence[Port | None], least: int) -> str:
    found = ["NULL" if port is None else _at("v", port.place) for port in ports]
    return ", ".join(found + ["NULL"] * (least - len(found)))


def _at(array: str, place: int) -> str:
    return f"{array} + {place}" if place else array


def _members(pieces: Pieces, function: str, of: str) -> int:
    """How many ports a kernel knows by name: a block may have fewer, which the kernel leaves alone."""
    named = _VIEW.search(pieces.functions[function].body)
    struct = f"{named[1] or named[2]}{of}" if named else ""
    for item in pieces.items:
        if struct in item.names and f"struct {struct} {{" in item.text:
            return len(_MEMBER.findall(item.text))
    return 0
