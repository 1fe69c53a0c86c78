"""Blocks whose equations are plain Python: they run in any diagram, slower, and cannot be in an FMU."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import did_you_mean, near_misses
from blocks.model.block import Block

Arrays = Mapping[str, NDArray[np.float64]]
P = TypeVar("P", bound="PythonBlock")


class PythonBlock(Block, abstract=True):
    """What a block written in Python is, without what any block is asked for: see `blocks.python_block.PythonBlock`."""

    uses_time = True

    parameters_held: ClassVar[str] = ""
    """Why parameters that are set while a run goes on would not be heard; "" if they are."""

    def outputs(self, t: float, states: Arrays, inputs: Arrays) -> Mapping[str, ArrayLike]:
        """Every output by name."""
        raise NotImplementedError(f"{type(self).__name__} has no method outputs(t, states, inputs)")

    def derivatives(self, t: float, states: Arrays, inputs: Arrays) -> Mapping[str, ArrayLike]:
        """The derivative of every continuous state by name."""
        raise NotImplementedError(f"{type(self).__name__} has no method derivatives(t, states, inputs)")

    def update(self, t: float, states: Arrays, inputs: Arrays) -> Mapping[str, ArrayLike]:
        """New values of discrete states by name: at hits of a sampled block, else at every major step until settled."""
        raise NotImplementedError(f"{type(self).__name__} has no method update(t, states, inputs)")

    def copy(self: P) -> P:
        """The same block, in no diagram, with the same parameters and with what its author has put into attributes."""
        other = super().copy()
        vars(other).update({n: v for n, v in vars(self).items() if n not in vars(other) and not hasattr(Block, n)})
        return other

    @property
    def has_derivatives(self) -> bool:
        """True if there are continuous states."""
        return any(not s.discrete for s in self.states.values())

    @property
    def has_update(self) -> bool:
        """True if the block overrides `update`."""
        return type(self).update is not PythonBlock.update

    def _check_new_attribute(self, name: str) -> None:
        """An author keeps in it what he likes, as long as that does not look like a parameter."""
        if near_misses(name, self.all_parameters()):
            super()._check_new_attribute(name)

    def runner(
        self, name: str, arrays: dict[str, dict[str, NDArray[np.float64]]], outputs: dict[str, NDArray[np.float64]]
    ) -> Runner:
        """What calls this block for an engine: one for each, so that runs share nothing. See `Runner`."""
        return Runner(self, name, arrays, outputs)

    @property
    def engine_kernel(self) -> str:
        """The engine's kernel that calls this block."""
        return "python_o" + ("d" if self.has_derivatives else "") + ("u" if self.has_update else "")


class Runner:
    """Calls one Python block for the engine; an exception stops the run and is kept for the message."""

    def __init__(
        self,
        block: PythonBlock,
        name: str,
        arrays: dict[str, dict[str, NDArray[np.float64]]],
        outputs: dict[str, NDArray[np.float64]],
    ) -> None:
        self.block = block
        self.name = name
        self.written = outputs
        self.error: str = ""
        self.interrupted = False
        self.inputs = {n: _read_only(a) for n, a in arrays["inputs"].items()}
        self.states = {n: _read_only(a) for n, a in arrays["states"].items()}
        self.own_derivatives = arrays["derivatives"]
        self.discrete = {n: arrays["states"][n] for n, s in block.states.items() if s.discrete}

    def call_outputs(self, t: float) -> int:
        """Compute the outputs; 1 if that failed."""
        return self._call("outputs", t, self.written)

    def call_derivatives(self, t: float) -> int:
        """Compute the derivatives; 1 if that failed."""
        return self._call("derivatives", t, self.own_derivatives)

    def call_update(self, t: float) -> int:
        """Compute new discrete states; 1 if that failed."""
        return self._call("update", t, self.discrete, every=False)

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Give the block other parameters. Raises ParameterError."""
        self.block.set(**values)

    def save(self) -> bytes:
        """What the block holds besides its states, for a checkpoint. Raises SimulationError if that cannot be had."""
        return b""

    def restore(self, held: bytes) -> None:
        """Take up what `save` gave. Raises SimulationError if that is not possible."""

    def close(self) -> None:
        """Give back what the block holds outside of this process's memory; the run is over."""

    def _call(self, method: str, t: float, targets: dict[str, NDArray[np.float64]], every: bool = True) -> int:
        function = getattr(self.block, method)
        try:
            _write(function(t, self.states, self.inputs), targets, every)
        except KeyboardInterrupt:  # the call is finished first, so that the run stops in a state to go on from
            if self.interrupted:
                self.error = f"interrupted in {method}"
                return 1
            self.interrupted = True
            return self._call(method, t, targets, every)
        except BaseException as problem:  # whatever the user's code raises belongs in the message
            self.error = f"{type(problem).__name__} in {method}: {problem} ({_place(problem, function)})"
            return 1
        return 0


def _write(result: Any, targets: dict[str, NDArray[np.float64]], every: bool) -> None:
    """Put what a method returned where the engine reads it. Raises TypeError or ValueError if it does not fit."""
    if not isinstance(result, Mapping):
        raise TypeError(f"it must return a mapping of names to values, not {type(result).__name__}")
    missing = [n for n in targets if n not in result] if every else []
    unknown = [n for n in result if n not in targets]
    if missing:
        raise ValueError(f"it does not give {', '.join(missing)}")
    if unknown:
        raise ValueError(
            f"it gives {', '.join(map(str, unknown))}, which is not declared{did_you_mean(str(unknown[0]), targets)}"
        )
    for name, value in result.items():
        array, target = np.asarray(value, dtype=np.float64), targets[name]
        if array.size != target.size:
            raise ValueError(f"{name} has the shape {array.shape}, but {target.shape} is declared")
        target[...] = array.reshape(target.shape)


def _place(problem: BaseException, function: Any) -> str:
    """Where in the user's file an exception arose: the innermost line of the file that the method stands in."""
    code = function.__func__.__code__
    lines = [f.lineno for f in traceback.extract_tb(problem.__traceback__) if f.filename == code.co_filename]
    return f"{code.co_filename}:{lines[-1] if lines else code.co_firstlineno}"


def _read_only(array: NDArray[np.float64]) -> NDArray[np.float64]:
    view: NDArray[np.float64] = array.view()
    view.setflags(write=False)
    return view
