"""Why a run stopped, in words: the block, the port, the time and what to do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from blocks.model.block import Block
from blocks.model.python_block import PythonBlock
from blocks.plan import Plan
from blocks.plan.flatten import Leaf
from blocks.problems import Problem
from blocks.run.misuse import misuse_text
from cython_kernels import engine as native

_BEYOND = 1e12
"""What no quantity of a craft in SI comes to."""


def explain(plan: Plan, engine: Any, status: int) -> str:
    """The message for a run of `plan` that ended with this status of the engine."""
    return problem_of(plan, engine, status).text


def problem_of(plan: Plan, engine: Any, status: int) -> Problem:
    """Why a run of `plan` ended with this status of the engine: block, part, element and time."""
    kind = native.STATUSES[status]
    number, part, element, fault, t = engine.failure
    leaf = plan.flat.leaves[number] if 0 <= number < len(plan.flat.leaves) else None
    where = leaf.name if leaf else "the diagram"
    about = Problem(
        "error", "stopped", f"the run stopped at t = {t:g} s: {kind}", block=leaf.name if leaf else "", time=t
    )
    if kind == "fault" and leaf is not None:
        text = f"{where} stopped the run at t = {t:g} s: {_fault(plan, engine, leaf, number, fault)}"
        return replace(about, code="fault", message=text)
    what = _quantity(plan, leaf, part, element, fault) if leaf else "a value"
    exact = replace(about, part=what if leaf else "", element=element if leaf else None)
    if leaf and part == "output":
        exact = replace(exact, port=list(leaf.outputs)[fault])
    if kind == "not finite":
        return replace(
            exact,
            code="not-finite",
            message=f"{where}: {what} is not a finite number at t = {t:g} s",
            hint=f"{_grown(plan, engine, leaf)}check the block's parameters and inputs, or take a smaller step (now "
            f"{plan.settings.step:g} s with {plan.settings.solver})",
        )
    if kind == "step too small":
        return replace(
            exact,
            code="step-too-small",
            message=f"the adaptive solver cannot go on at t = {t:g} s: {where}: {what} changes too fast to be followed",
            hint="it may grow without bound, or need a stiff solver (LSODA, BDF, Radau)",
        )
    if kind == "unsettled":
        text = f"modes keep changing at t = {t:g} s: an update of a block undoes itself again and again"
        return replace(about, code="unsettled", message=text)
    if kind == "too many events":
        text = f"events follow each other without time going on at t = {t:g} s; a fixed-step solver steps over them"
        return replace(about, code="too-many-events", message=text)
    return about


def _fault(plan: Plan, engine: Any, leaf: Leaf, number: int, fault: int) -> str:
    if isinstance(leaf.block, PythonBlock):
        return engine.context(number).error or "its Python code failed"
    if fault < 0:
        return misuse_text(plan, leaf, fault)
    texts = type(leaf.block).faults
    if fault > len(texts):
        return f"fault number {fault}"
    inputs = {}
    for (name, port), where in zip(leaf.inputs.items(), input_places(plan, leaf), strict=False):
        inputs[name] = engine.values[where].reshape(plan.flat.shape(leaf, port.signal))
    return texts[fault - 1] + leaf.block.fault_details(fault, inputs)


def input_places(plan: Plan, leaf: Leaf) -> list[slice]:
    """Where the inputs stand that are told of with the fault of a block: nowhere, if it tells of none."""
    if type(leaf.block).fault_details is Block.fault_details:
        return []
    firsts = [(plan.reads[leaf.name, name], plan.flat.width(leaf, port.signal)) for name, port in leaf.inputs.items()]
    return [slice(first, first + count) for first, count in firsts]


def _grown(plan: Plan, engine: Any, leaf: Leaf | None) -> str:
    """The input of a block that has grown beyond all measure, and where it comes from; "" if none has."""
    if leaf is None:
        return ""
    greatest, found = _BEYOND, ""
    for name, feed in plan.flat.feeds[leaf].items():
        signal = leaf.inputs[name].signal
        first, width = plan.reads[leaf.name, name], plan.flat.width(leaf, signal)
        for element, value in enumerate(engine.values[first : first + width]):
            if abs(value) > greatest:
                where = feed.block.name if feed.block is not None else "the diagram"
                greatest = abs(value)
                found = f"its input {name}{_element(signal.labels, element, width)}, from {where}, is {value:.3g}; "
    return found


def _quantity(plan: Plan, leaf: Leaf, part: str, element: int, port: int) -> str:
    """The name of an output or state with its element: "output eta[psi]"."""
    if part == "output":
        name = list(leaf.outputs)[port]
        signal = leaf.outputs[name].signal
        return f"output {name}{_element(signal.labels, element, plan.flat.width(leaf, signal))}"
    for name, state in leaf.states.items():
        if state.discrete:
            continue
        width = plan.flat.width(leaf, state.signal)
        if element < width:
            text = f"{name}{_element(state.signal.labels, element, width)}"
            return f"the derivative of {text}" if part == "derivative" else f"state {text}"
        element -= width
    return part


def _element(labels: tuple[str, ...], element: int, width: int) -> str:
    if width == 1:
        return ""
    return f"[{labels[element] if element < len(labels) else element}]"
