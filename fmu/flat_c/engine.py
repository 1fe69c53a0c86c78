"""The engine's own functions for one plan: its sizes in them, and without what a controller never does.

Recording, adaptive solvers, detours, series of inputs and the reading of plans are decided away, and what is then not
called any more is not written. What takes part is as in every other engine.
"""

from __future__ import annotations

import re
from dataclasses import replace

from blocks.compiled.structure import COMPILED_IN, Structure
from fmu.flat_c.folding import folded
from fmu.flat_c.pieces import Function, Pieces

_CORE = "cython_kernels/core/"
_PLACES = ("x", "dx", "z", "g", "hits", "scratch")
_SOLVERS = ("SOLVER_EULER", "SOLVER_HEUN", "SOLVER_RK4", "SOLVER_DOPRI5")
_DROPPED = re.compile(
    r"^ *(?:s->watched = \d;|found = kb_take_ieee_arithmetic\(\);|kb_put_arithmetic_back\(found\);"
    r"|s->clock\.evaluations = .*;|task = &s->jumps\[i\];|Task const \*task;|unsigned long long found;)\n",
    re.M,
)
"""Statements that nothing is left of: the arithmetic of a controller is its own, and nobody counts evaluations."""
_CALLS = re.compile(r"kb_calls\(\(\(void \*\)s\), CALLS_(\w+), t\)|take\(s, CALLS_(\w+), [^;]*, t\)")
"""Where the calls of a list stand."""
_NOT_FINITE = """\
    s->failure.t = s->clock.t + h;
    note_state(s);
    return STATUS_NOT_FINITE;
"""
_NOTE_STATE = """\
    int i, k;
    for (i = 0; i < {count}; i += 1) {{
        for (k = 0; k < STATES[i][2]; k += 1) {{
            if (!isfinite(values(s)[STATES[i][1] + k])) {{
                note(s, STATES[i][0], PART_STATE, k);
                return;
            }}
        }}
    }}
"""
_JUMP_COUNT = "s->blocks[(((((size_t)task->block) * BLOCK_FIELDS) + BLOCK_G) + 1)]"
ENTRY_POINTS = ("plan_initialise", "plan_refresh", "pass_grid", "is_stopped", "integrate")
"""What the functions of the header call."""


def specialise(pieces: Pieces, structure: Structure, counts: dict[str, int], given: bool) -> None:
    """Make of the engine in `pieces` that of one plan. counts: how many calls each list of kernels has.

    given: whether signals other than inputs have start values that are not 0.

    Raises ValueError if the engine has changed so that this does not fit it any more.
    """
    _replace_what_looks_for_causes(pieces, structure)
    if not counts["jumps"]:
        pieces.replace("next_jump", "    (void)s;\n    return limit;\n")
    known = _known(structure, counts)
    for name, function in [*pieces.functions.items()]:
        if not function.file.startswith(_CORE):
            continue
        body = _DROPPED.sub("", function.body)
        body = body.replace(_JUMP_COUNT, "JUMPS[i][1]").replace("task->view.g[k]", "values(s)[JUMPS[i][0] + k]")
        body = _CALLS.sub(lambda m: f"call_{(m[1] or m[2]).lower()}(s, t)", body)
        if name == "plan_initialise" and not given:
            body = _nothing_given(body)
        pieces.replace(name, folded(body, known))
    for name, function in [*pieces.functions.items()]:
        if function.file.startswith(_CORE):
            pieces.functions[name] = _with_arguments(function)
    _drop_what_is_not_called(pieces)


def _drop_what_is_not_called(pieces: Pieces) -> None:
    """Functions of the engine that nothing calls any more: a kernel may have a variable of the same name."""
    own = {name for name, function in pieces.functions.items() if function.file.startswith(_CORE)}
    ahead, called = [*ENTRY_POINTS], set[str]()
    while ahead:
        name = ahead.pop()
        if name not in called:
            called.add(name)
            ahead += pieces.functions[name].words & own
    for name in own - called:
        del pieces.functions[name]


def _replace_what_looks_for_causes(pieces: Pieces, structure: Structure) -> None:
    """Which state is not finite is found by a table; where that came from, a run in Keelblocks tells."""
    count = sum(block.x.count > 0 for block in structure.blocks)
    pieces.replace("not_finite", _NOT_FINITE)
    pieces.replace("note_state", _NOTE_STATE.format(count=count) if count else "    (void)s;\n")


def _known(structure: Structure, counts: dict[str, int]) -> dict[str, str]:
    head = structure.header
    known = {f"s->header.{name}": str(head[name]) for name in (*COMPILED_IN, "copies")}
    known |= {"s->header.step": "STEP", "KB_COMPILED": "1", "s->series != NULL": "0", "s->watched != 0": "0"}
    known |= {"r != NULL": "0", "d != NULL": "0", "is_recorded(s, r)": "0"}
    known |= {f"s->n_{name}": str(counts[name]) for name in ("modes", "jumps")}
    known |= {name: str(number) for number, name in enumerate(_SOLVERS)}
    if not counts["modes"]:
        known["modes_changed(s)"] = "0"
    if not head["x"]:
        known["states_are_finite(s)"] = "1"
    return known


def _nothing_given(body: str) -> str:
    """Signals begin with 0: their values need no table."""
    found, count = re.subn(
        r"memcpy\(\(s->values \+ s->header\.inputs\), \(s->given \+ s->header\.inputs\),", "memset((s->values + "
        "s->header.inputs), 0,", body,
    )  # fmt: skip
    if count != 1:
        raise ValueError("plan_initialise of the engine does not fit fmu/flat_c")
    return found


def _with_arguments(function: Function) -> Function:
    """Arrays of the plan as places in the values, tables by their names, and no arguments that are left over."""
    body = re.sub(r"\bs->values\b", "values(s)", function.body)
    for name in _PLACES:
        body = re.sub(rf"\bs->{name}\b(?!\.)", f"(values(s) + AT_{name.upper()})", body)
    for name in ("given", "rates", "copies"):
        body = re.sub(rf"\bs->{name}\b", name.upper(), body)
    body = re.sub(r"\(sizeof\((\w+)\)\)", r"sizeof(\1)", body)
    body = body.replace("pass_grid(s, r)", "pass_grid(s)")
    body = body.replace("sizeof(Clock)", "sizeof s->clock").replace("sizeof(Failure)", "sizeof s->failure")
    head = re.sub(r", (?:Recorder|Detour) (?:const )?\*\w", "", function.head).replace("Plan const *s", "Plan *s")
    for name in re.findall(r"(\w+)[,)]", head[head.index("(") :]):
        if not re.search(rf"\b{name}\b", body):
            body = f"    (void){name};\n{body}"
    return replace(function, head=head, body=body)
