"""What is other in a container than in `simulate`, and can be told from the descriptions of its FMUs: warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fmu.foreign.importer import FmuBlock
from fmu.notices import warn


def warn_of_steps(blocks: Mapping[str, FmuBlock], step: float) -> None:
    """Warn of FMUs that step otherwise than their blocks do, and of those whose own step does not fit."""
    changed = {path: block for path, block in blocks.items() if _step(block) != step}
    if not changed:
        return
    steps = ", ".join(f"{path} ({_step(block):g} s)" for path, block in changed.items())
    warn(
        f"{steps}: in one FMU all step together, here every {step:g} s, so the numbers are not those of `simulate`, "
        f"where each block has a communication_step of its own: give all of them the same"
    )
    for path, block in changed.items():
        own = block.description.internal_step("cs")
        if own and abs(step / own - round(step / own)) > 1e-9 * max(1.0, step / own):
            warn(
                f"{path}: {step:g} s is no multiple of {own:g} s, the internal step of {block.file}: what it gives at "
                f"a communication point may be up to {own:g} s older or newer"
            )


def warn_of_late(late: Iterable[str]) -> None:
    """Warn of outputs that follow inputs at once in `simulate`."""
    if late:
        warn(
            f"{', '.join(late)}: follow their inputs at once in `simulate`, and in the FMU one communication "
            f"step later; with feedthrough=False of their blocks they do so in both"
        )


def warn_of_first(first: Iterable[str]) -> None:
    """Warn of outputs that begin with what is set from outside, where a block shows what its start values give."""
    if first:
        warn(
            f"{', '.join(first)}: follow inputs of the whole, which in the FMU are set when it begins, where "
            f"`simulate` shows what follows from start values: the first value is another one, and all that follows"
        )


def warn_of_initialization(beginning: Iterable[str]) -> None:
    """Warn of variables that are computed from inputs when a run begins."""
    if beginning:
        warn(
            f"{'; '.join(beginning)}, as the FMU says of its initialization. Inputs that something in the diagram "
            f"feeds are 0 then, where `simulate` has their values: set an initial state by parameters, or lead such an "
            f"input straight from an input of the whole, which arrives in time"
        )


def from_inputs(block: FmuBlock, ports: Iterable[str]) -> str:
    """Which variables an FMU computes from some of its inputs when it is initialized, by its names; "" if none.

    ports: the inputs, as ports of the block. Left out is what outputs and derivatives follow at any time, and what a
    description that lists no dependencies may mean.
    """
    wanted = {member.name for port in ports for member in block.face.sources[port].members}
    model = block.description.model
    always = {u.variable.name: {v.name for v in u.dependencies or ()} for u in model.outputs}
    rates = {u.variable.name for u in model.derivatives}
    found: dict[str, list[str]] = {}
    for unknown in model.initialUnknowns:
        name = unknown.variable.name
        if name in rates:
            continue
        inputs = [v.name for v in unknown.dependencies or () if v.name in wanted - always.get(name, set())]
        if inputs:
            found[name] = inputs
    if not found:
        return ""
    fed = dict.fromkeys(name for inputs in found.values() for name in inputs)
    return f"{_some(found)} {'follow' if len(found) > 1 else 'follows'} {_some(fed)}"


def _some(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(every[:3]) + (f" and {len(every) - 3} more" if len(every) > 3 else "")


def _step(block: FmuBlock) -> float:
    return float(block.values["communication_step"])
