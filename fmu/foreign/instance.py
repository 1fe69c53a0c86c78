"""An FMU that is stepped from communication point to communication point.

Outputs at t_k are what the FMU gives there; inputs at t_k are set and held while it goes from t_k to t_k + h. An
instance is thrown away and made anew for every run, because what `reset` leaves behind is up to the FMU.
"""

from __future__ import annotations

import contextlib
import json
import math
import struct
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from fmpy.fmi1 import FMICallException
from numpy.typing import NDArray

from blocks.errors import FmuError
from fmu.foreign.library import load
from fmu.foreign.log import Log
from fmu.foreign.spec import Spec
from fmu.foreign.values import groups, set_start_value
from fmu.foreign.versions import calls_of
from fmu.foreign.versions.dialect import FATAL, Discarded

Floats = NDArray[np.float64]

_WORDS = {2: "was discarded", 3: "failed with an error", 4: "failed fatally"}


class Instance:
    """One Co-Simulation FMU. Every method raises FmuError, with what the FMU logged, if the FMU cannot go on."""

    def __init__(self, spec: Spec, name: str) -> None:
        self.spec = spec
        self.log = Log()
        self.t0, self.k = math.nan, 0
        self.live = self.ready = self.dead = False
        self.fmu = load(spec, name)
        self.calls = calls_of(self.fmu, spec)
        self.all_inputs = groups(self.calls, spec.inputs)
        self.moving_inputs = groups(self.calls, [v for v in spec.inputs if not v.fixed])
        self.first_inputs = groups(self.calls, [v for v in spec.inputs if v.direct])
        self.direct_inputs = groups(self.calls, [v for v in spec.inputs if v.direct and not v.fixed])
        self.all_outputs = groups(self.calls, spec.outputs)
        counts = [v.count for v in spec.inputs]
        self.fixed = np.repeat(np.array([v.fixed for v in spec.inputs], dtype=bool), counts)
        self.first = np.repeat(np.array([v.direct for v in spec.inputs], dtype=bool), counts)
        self.direct = self.first & ~self.fixed
        self.inputs = np.full(spec.input_width, np.nan)
        self.outputs = np.zeros(spec.output_width)
        self.fresh = False

    # --- what the runner calls --------------------------------------------------------------------------------------

    def begin(self, t: float) -> None:
        """A new run begins at t. The FMU is initialized when its outputs are first wanted."""
        self._free()
        self.t0, self.k = t, 0

    def read(self, inputs: Floats) -> Floats:
        """The outputs at the present communication point, with those inputs that outputs depend on directly."""
        self.log.clear()
        if not self.live:
            self._initialize(inputs, self.first_inputs)
        elif self.k == 0:  # nothing has happened yet: restart, so that the initial state belongs to the inputs
            if self.inputs[self.first].tobytes() != inputs[self.first].tobytes():
                self._initialize(inputs, self.first_inputs)
        elif self.inputs[self.direct].tobytes() != inputs[self.direct].tobytes():
            self._give(inputs, self.direct_inputs)
            self.inputs[self.direct] = inputs[self.direct]
            self.fresh = False
        if not self.fresh:
            for group in self.all_outputs:
                self._do(f"reading {group.names} at t = {self.t:g} s", group.get, self.outputs)
            self.fresh = True
        outputs: Floats = self.outputs.copy()
        return outputs

    def step(self, inputs: Floats) -> None:
        """Set all inputs and go on by one communication step."""
        self.log.clear()
        matters = self.fixed | self.spec.starts_from_inputs
        anew = self.k == 0 and not np.array_equal(self.inputs[matters], inputs[matters])
        if anew or not self.live:
            self._initialize(inputs, self.all_inputs)
        else:
            self._give(inputs, self.moving_inputs)
        self.inputs[~self.fixed] = inputs[~self.fixed]
        self.fresh = False
        self._advance(self.t, self.spec.step)
        self.k += 1

    @property
    def t(self) -> float:
        """The present communication point, s."""
        return self.t0 + self.k * self.spec.step

    def save(self) -> bytes:
        """The whole state of the FMU, and where it stands."""
        if not self.spec.saves_state:
            raise FmuError(f"{self.spec.file} {self.calls.no_saving}, so a run with it has no checkpoints")
        state = b""
        if self.live:
            self.log.clear()
            held = self._do("saving its state", self.fmu.getFMUState)
            try:
                state = self._do("saving its state", self.fmu.serializeFMUState, held)
            finally:
                self._do("saving its state", self.fmu.freeFMUState, held)
        own = {"t0": self.t0.hex(), "k": self.k, "live": self.live, "fresh": self.fresh}
        head = json.dumps(own | self._held()).encode()
        return struct.pack("<I", len(head)) + head + self.inputs.tobytes() + self.outputs.tobytes() + state

    def restore(self, saved: bytes) -> None:
        """Take up what `save` gave."""
        try:
            (size,) = struct.unpack_from("<I", saved)
            head = json.loads(saved[4 : 4 + size])
            t0, k, live, fresh = float.fromhex(head["t0"]), head["k"], head["live"], head["fresh"]
            numbers = np.frombuffer(saved, np.float64, self.inputs.size + self.outputs.size, 4 + size)
            if type(k) is not int or k < 0 or type(live) is not bool or type(fresh) is not bool:
                raise ValueError("it does not say where it stands")
            if live:
                self._check_held(head)
        except (struct.error, ValueError, KeyError, TypeError, OverflowError, RecursionError) as problem:
            raise FmuError(f"{self.spec.file}: what was saved is no state of it: {problem}") from None
        state = saved[4 + size + numbers.nbytes :]
        self.begin(t0)
        if not live:
            return
        self._initialize(np.nan_to_num(numbers[: self.inputs.size]), self.all_inputs)
        held = self._do("restoring its state", self.fmu.deserializeFMUState, state)
        try:
            self._do("restoring its state", self.fmu.setFMUState, held)
        finally:
            self._do("restoring its state", self.fmu.freeFMUState, held)
        self.k, self.fresh = k, fresh
        self.inputs[:], self.outputs[:] = numbers[: self.inputs.size], numbers[self.inputs.size :]
        self._restored(head)

    def position(self) -> Floats:
        """When the run began, s, and how many steps have been made since."""
        return np.array([self.t0, self.k], dtype=np.float64)

    def close(self) -> None:
        """Free the instance and its library."""
        self._free()
        if self.fmu is not None and not self.dead:
            self.fmu.freeLibrary()
        self.fmu = None

    # --- life -------------------------------------------------------------------------------------------------------

    def _initialize(self, inputs: Floats, given: list[Any]) -> None:
        self._free()
        self._instantiate()
        structural = [start for start in self.spec.start if start.structural]
        if structural:
            self._do("entering configuration mode", self.fmu.enterConfigurationMode)
            for start in structural:
                self._do(f"setting {start.name}", set_start_value, self.calls, start)
            self._do("leaving configuration mode", self.fmu.exitConfigurationMode)
        entering = f"its initialization at t = {self.t0:g} s"
        self._do(entering, self.calls.set_up, self.t0, self.spec.tolerance)
        for start in self.spec.start:
            if not start.structural:
                what = f"setting {start.name} to {_short(start.values)}"
                self._do(what, set_start_value, self.calls, start)
        self._do(entering, self.calls.enter_initialization, self.t0, self.spec.tolerance)
        self.inputs[:] = np.nan
        for group in given:
            self._do(f"setting {group.names}", group.set, inputs)
            self.inputs[group.places] = inputs[group.places]
        self._do(entering, self.calls.exit_initialization)
        self.k, self.fresh, self.ready = 0, False, True
        self._initialized()

    def _instantiate(self) -> None:
        if self.dead:
            raise FmuError(f"{self.spec.file} has failed fatally and cannot be used any more in this process")
        try:  # all categories are logged: tools differ in those that say why something failed
            self.calls.instantiate(self.log)
        except Exception:  # FMPy says no more than that it failed
            said = self.log.words() or (
                "; it does not say why: its binary may be of another build than its description (the GUID or "
                "instantiation token differs), or lack resources or a licence"
            )
            raise FmuError(f"{self.spec.file} cannot be instantiated{said}") from None
        self.live = True

    def _free(self) -> None:
        if self.ready and not self.dead:  # it may have files to close
            with contextlib.suppress(FmuError):
                self._do("its end", self.fmu.terminate)
        if self.live and not self.dead:
            self.calls.free()
        self.live = self.ready = self.fresh = False

    def _initialized(self) -> None:
        """What an interface does when initialization is over."""

    def _held(self) -> dict[str, Any]:
        """What an interface knows besides the FMU's own state."""
        return {}

    def _check_held(self, held: dict[str, Any]) -> None:
        """Raise ValueError, KeyError or TypeError unless `_restored` can take this up."""

    def _restored(self, held: dict[str, Any]) -> None:
        """What an interface does when a state has been restored."""

    # --- stepping ---------------------------------------------------------------------------------------------------

    def _give(self, inputs: Floats, given: list[Any]) -> None:
        for group in given:
            self._do(f"setting {group.names} at t = {self.t:g} s", group.set, inputs)

    def _advance(self, t: float, h: float) -> None:
        what = f"its step from t = {t:g} s to {t + h:g} s"
        try:
            end = self._do(what, self.calls.step, t, h)
        except Discarded as why:
            self._stop(f"{what} was discarded{why}")
        if end.terminate:
            self._stop(f"at t = {end.reached:g} s it asks for the end of the simulation")
        if end.early:
            self._stop(f"{what} ended early, at t = {end.reached:g} s, though that was not allowed")

    def _stop(self, what: str) -> NoReturn:
        raise FmuError(f"{self.spec.file}: {what}{self.log.words()}")

    def _do(self, what: str, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Call a function of FMPy; what goes wrong becomes an FmuError."""
        try:
            return function(*args, **named)
        except FMICallException as problem:
            self.dead, self.ready = self.dead or problem.status == FATAL, False
            words = _WORDS.get(problem.status) or (
                f"gave the status {problem.status}, which FMI {self.spec.fmi} does not have there"
            )
            hint = ""
            if what.startswith("reading") and self.k and self.direct_inputs:
                hint = "; it may refuse to be read after inputs were set: try feedthrough=False"
            raise FmuError(f"{self.spec.file}: {what} {words} ({problem.function}){self.log.words()}{hint}") from None
        except FmuError as problem:
            if str(problem).startswith(self.spec.file):
                raise
            raise FmuError(f"{self.spec.file}: {problem}") from None


def _short(values: tuple[Any, ...]) -> str:
    return repr(values[0]) if len(values) == 1 else str(list(values[:6]))
