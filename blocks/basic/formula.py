"""Formula: a block from text, whose equations the engine evaluates itself."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block, Sizes
from blocks.errors import ParameterError, did_you_mean
from blocks.formula.declaration import KEYS, SAMPLING, SIGNALS, Declaration, Written, declared
from blocks.formula.functions import VOCABULARY
from blocks.formula.machine import INSTRUCTIONS
from blocks.formula.making import parts_of
from blocks.formula.names import unused
from blocks.formula.program import Program
from blocks.formula.tree import Equations
from blocks.model.class_declarations import sampling_parameters, signature_of
from blocks.model.declare import State
from blocks.model.dependence import Sources
from blocks.problems import Problem
from blocks.signal import Signal

if TYPE_CHECKING:
    from blocks.run.probe import Evaluation


class Formula(Block):
    """Equations as text, at the speed of the engine: y = outputs, dx/dt = states, z⁺ = update.

    `Formula({"force": "k*u*abs(u) + d*u"}, inputs={"u": "m/s"}, parameters={"k": "3 N*s^2/m^2", "d": "10 N*s/m"})`

    All of it are mappings by name. `outputs`: an expression each, or a list of them for a vector. `inputs`: the unit
    of each ("m/s", "" for any), with the shape where it is a vector ("m/s [3]"), or a type such as "BodyVelocity";
    {"unit": …, "default": …} where it need not be connected. `parameters`: values, whose units and shapes are those
    of the parameters. `states`: continuous states and the derivative of each; `initial_<name>` among the parameters
    gives the initial value. `update`: discrete states and the next value of each, of a block that has a `period`.
    `let`: expressions that others use by their names. `units`: what units outputs, states and parameters have, where
    that does not follow, and to be checked where it does. `descriptions`: words for any of them.

    Expressions have + - * / ** % @, comparisons, `and`, `or`, `not`, `a if c else b`, functions, [a, b, c] and
    indices such as nu[u] or A[0, 1], and `t`, the time in s. They are checked for units and shapes. Where a relation
    changes, an adaptive solver ends a step. A division by zero, or another expression without a value, stops the run.

    Raises ParameterError and FormulaError with all that is wrong, each with its place in the text.

    Source: instructions for one accumulator and registers, as in Ertl, M. A. & Gregg, D. (2003), The structure and
    performance of efficient interpreters, Journal of Instruction-Level Parallelism 5.
    """

    kernels = (
        "formula", "formula_modes", "formula_states", "formula_states_modes", "formula_sampled",
        "formula_sampled_states",
    )  # fmt: skip
    by_number = "uypwxzg"
    enumerations: ClassVar = {"instruction": tuple(INSTRUCTIONS)}
    positional = ("outputs",)
    open_ended = True
    declaration_keys = KEYS
    other_names = ("Formula",)
    vocabulary = VOCABULARY

    declaration: ClassVar[Declaration]
    program: ClassVar[Program]
    equations: ClassVar[Equations]
    written: ClassVar[Written]

    examples = (
        {
            "outputs": {"force": "k*u*abs(u) + d*u"},
            "inputs": {"u": "m/s"},
            "parameters": {"k": "3 N*s^2/m^2", "d": "10 N*s/m"},
            "descriptions": {
                "force": "drag along x",
                "u": "speed through water",
                "k": "quadratic drag",
                "d": "linear drag",
            },
        },
        {
            "outputs": {"nu": "nu", "fast": "nu[0] > limit"},
            "inputs": {"tau": ["N", "N", "N*m"]},
            "parameters": {
                "m": ["7 kg", "9 kg", "3 kg*m^2"],
                "d": ["1 N*s/m", "2 N*s/m", "0.5 N*m*s"],
                "limit": "2 m/s",
                "initial_nu": ["1 m/s", "0 m/s", "0 rad/s"],
            },
            "let": {"coriolis": "[-m[1]*nu[1]*nu[2], m[0]*nu[0]*nu[2], (m[1] - m[0])*nu[0]*nu[1]]"},
            "states": {"nu": "(tau - coriolis - d*nu)/m"},
            "descriptions": {
                "nu": "surge, sway and yaw",
                "fast": "1 above the limit",
                "tau": "forces and moment",
                "m": "masses and moment of inertia",
                "d": "linear damping",
                "limit": "of the speed",
            },
        },
        {
            "outputs": {"count": "n"},
            "inputs": {"u": "V"},
            "parameters": {"level": "1 V", "period": "0.1 s"},
            "update": {"n": "n + 1 if u > level else n"},
            "descriptions": {
                "count": "samples above the level until now",
                "u": "what is watched",
                "level": "above which it counts",
                "n": "samples above the level",
            },
        },
        {
            "outputs": {"y": "x", "speed": "v if x > 0 else -v", "mix": "A @ [x, s*w[0]]", "late": "floor(w[1])"},
            "inputs": {"u": "", "w": "[2]"},
            "parameters": {"A": [[1.0, 0.5], [-0.3, 2.0]], "s": "0.4 m", "a": "2 m/s^2", "end": "0.3 s"},
            "states": {"x": "v", "v": "a*clip(u, -1, 1) if t > end else a*cos(w[0]) - a*abs(u)"},
            "initial_x": "0.7 m",
            "initial_v": "0.1 m/s",
            "descriptions": {
                "u": "push",
                "w": "waves",
                "y": "position",
                "speed": "speed outwards",
                "mix": "a mixture",
                "late": "whole waves",
                "x": "position",
                "v": "speed",
                "A": "what is mixed",
                "s": "size of the waves",
                "a": "acceleration",
                "end": "when the push begins",
            },
        },
    )

    @staticmethod
    def of(parameters: Mapping[str, Any], **sections: Mapping[str, Any] | None) -> type[Formula]:
        """The class of the formulas with these sections and parameters of these units and shapes.

        Raises ParameterError, and FormulaError, for all that is wrong.
        """
        for name in sections:
            if name not in KEYS:
                raise ParameterError(f"a formula has no section '{name}'", wrong=name, valid=KEYS)
        written = Written(**{name: section for name, section in sections.items() if section is not None})
        return _class_of(declared(written, parameters, _TAKEN), written)

    @classmethod
    def chosen(cls, given: Mapping[str, Any], folder: Path, declaration: Mapping[str, Any]) -> type[Formula]:
        """The class of the formula that stands in a scenario file."""
        return cls.of(given, **declaration)

    def __new__(
        cls,
        outputs: Mapping[str, Any] | None = None,
        *,
        inputs: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        let: Mapping[str, Any] | None = None,
        states: Mapping[str, Any] | None = None,
        update: Mapping[str, Any] | None = None,
        units: Mapping[str, Any] | None = None,
        descriptions: Mapping[str, str] | None = None,
        **given: Any,
    ) -> Formula:
        if hasattr(cls, "program"):
            return object.__new__(cls)
        for name in given:
            if name == "initial":
                one = f"initial_{next(iter({**(states or {}), **(update or {})}), 'x')}"
                raise ParameterError(
                    f"Formula has no 'initial'; where a state begins is a parameter: parameters={{'{one}': …}}",
                    wrong=name,
                )
            if name not in SAMPLING and not name.startswith("initial_"):
                near = did_you_mean(
                    name, (*KEYS, "parameters", *SAMPLING, *(f"initial_{state}" for state in states or ()))
                )
                raise ParameterError(f"Formula has no '{name}'; what equations name stands in parameters={{…}}{near}")
        sections = {
            "outputs": outputs, "inputs": inputs, "let": let, "states": states, "update": update, "units": units,
            "descriptions": descriptions,
        }  # fmt: skip
        return object.__new__(cls.of(_both(parameters, given), **sections))

    def __init__(
        self,
        outputs: Mapping[str, Any] | None = None,
        *,
        inputs: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        let: Mapping[str, Any] | None = None,
        states: Mapping[str, Any] | None = None,
        update: Mapping[str, Any] | None = None,
        units: Mapping[str, Any] | None = None,
        descriptions: Mapping[str, str] | None = None,
        **given: Any,
    ) -> None:
        super().__init__(**_both(parameters, given))  # its class has all else

    def __reduce__(self) -> Any:
        return _restored, (self.declaration, self.written), vars(self)

    def declaration_data(self) -> dict[str, Any]:
        """The sections that say what it is, as they were written."""
        return self.written.as_data()

    def evaluate(
        self, t: float = 0.0, states: Mapping[str, ArrayLike] | None = None, **inputs: ArrayLike
    ) -> Evaluation:
        """As `Block.evaluate`, with relations as they are at this instant unless they are given among the states."""
        given = dict(states or {})
        before = super().evaluate(t, given, **inputs)
        return before if self.sampled else super().evaluate(t, before.updated | given, **inputs)

    def typeset(self, width: int = 80) -> str:
        """The equations as they are printed, in lines of so many characters."""
        from blocks.formula.terminal import typeset  # of use to few runs

        return typeset(self.equations, width)

    def _repr_latex_(self) -> str:
        """The equations in a notebook."""
        from blocks.formula.latex import latex  # of use to few runs

        return f"$${latex(self.equations)}$$"

    # --- what the equations make of it ------------------------------------------------------------------------------

    def kernel_sizes(self, sizes: Sizes) -> list[int]:
        """The program."""
        return list(self.program.numbers)

    def work_size(self, sizes: Sizes) -> int:
        """Constants, and what follows from parameters alone."""
        return self.program.work

    def crossing_count(self, sizes: Sizes) -> int:
        """Of relations and of kinks."""
        return self.program.crossings

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The inputs that the text of the output leads to."""
        return self.program.feedthrough[output]

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Element by element, as the text has it."""
        return self.program.sources["output", output]

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Element by element, as the text has it."""
        found = self.program.sources
        return found["update", state] if ("update", state) in found else found["derivative", state]

    def improbable(self) -> Iterator[Problem]:
        """Inputs, parameters and helpers that no equation uses."""
        yield from super().improbable()
        for problem in unused(self.equations):
            yield replace(problem, message=f"{self.path}.{problem.message}")

    def unit_hint(self, output: str, sink: Signal) -> str:
        """An output may be of a type whose units do not follow from its text, as [F, 0, 0, 0, 0, 0] is a wrench."""
        if sink.name not in SIGNALS or self.output_ports[output].signal.shape != sink.shape:
            return ""
        return f"; if {self.name}.{output} is a {sink.name}, {self.name} says so: units: {{{output}: {sink.name}}}"

    def fault_details(self, fault: int, inputs: Mapping[str, NDArray[np.float64]]) -> str:
        """The inputs in the piece of text that has no value."""
        places = self.program.places
        if not 1 <= fault <= len(places):
            return ""
        words = set(re.findall(r"[A-Za-z_]\w*", places[fault - 1].shown))
        found = [f"{name} = {_shown(value)}" for name, value in inputs.items() if name in words]
        return f", with {', '.join(found)}" if found else ""


Formula.__signature__ = inspect.signature(Formula.__init__).replace(
    parameters=[*inspect.signature(Formula.__init__).parameters.values()][1:]
)
_TAKEN = frozenset({*dir(Formula), *KEYS, "parameters", "values", "sources"})


def _shown(value: NDArray[np.float64]) -> str:
    return np.array2string(value, separator=", ") if value.ndim else f"{value:.10g}"


def _both(parameters: Mapping[str, Any] | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters that are given in a mapping, and those that are given by name: period, initial_x."""
    if not isinstance(parameters, (Mapping, type(None))):
        raise ParameterError(f"parameters must be values by name, such as {{'k': '3 N'}}, not {parameters!r}")
    for name in given:
        if name in (parameters or {}):
            raise ParameterError(f"Formula.{name} is given twice")
    return {**(parameters or {}), **given}


@functools.lru_cache(maxsize=256)
def _class_of(declaration: Declaration, written: Written) -> type[Formula]:
    """The class of a declaration, as if ports, parameters and states had been declared in Python."""
    parts = parts_of(declaration)
    program = parts.program
    cls: Any = type(
        "Formula",
        (Formula,),
        {
            "__doc__": _doc(declaration),
            "declaration": declaration,
            "program": program,
            "equations": parts.equations,
            "kernel": program.kernel,
            "written": written,
            "sampled": declaration.sampled,
            "faults": program.faults,
            "uses_time": program.uses_time,
        },
        abstract=True,
    )
    cls.declared_inputs, cls.declared_outputs = parts.inputs, parts.outputs
    cls.declared_states = dict(parts.states)
    if program.modes:
        signal, name = Signal("Modes", (program.modes,), "1"), program.mode_state
        cls.declared_states[name] = State(signal, "how relations stand", discrete=True, private=True, name=name)
    cls.parameters = parts.parameters | (sampling_parameters() if declaration.sampled else {})
    cls.initial_parameters = {p.name: p for state in parts.states.values() for p in [state.initial_parameter()]}
    cls.__signature__ = signature_of(cls.all_parameters(), ())
    made: type[Formula] = cls
    return made


def _restored(declaration: Declaration, written: Written) -> Formula:
    """A formula as it is before what it holds is put into it."""
    return object.__new__(_class_of(declaration, written))


def _doc(declaration: Declaration) -> str:
    """The equations in a few words."""
    lines = [f"{name} = {text}" for name, text in declaration.outputs]
    lines += [f"d{name}/dt = {text}" for name, text in declaration.derivatives]
    lines += [f"next {name} = {text}" for name, text in declaration.updates]
    return f"{'; '.join(lines)}."
