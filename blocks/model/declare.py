"""How a block declares itself: inputs, outputs, states and parameters, as class attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, SupportsFloat, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError, shown
from blocks.model.dependence import Sources
from blocks.signal import AnySignal, Dimension, Signal
from blocks.units import to_unit

Quantity: TypeAlias = "SupportsFloat | str"
"""A number in SI, or text with a unit."""

Quantities: TypeAlias = "SupportsFloat | str | Sequence[Quantities] | Mapping[str, Quantities]"
"""An array in SI, text with a unit, lists of both, or {"diag": …}; arrays of numpy are among SupportsFloat."""

Value = float | int | bool | str | NDArray[np.float64]
Nominal = float | tuple[float, ...]


class _Required:
    def __repr__(self) -> str:
        return "required"


REQUIRED = _Required()

AT_START = "it counts at the start of a run only"
"""Why a start value is fixed."""


PortRef = TypeVar("PortRef", covariant=True)


class HasPorts(Protocol[PortRef]):
    """What ports are declared for: it makes the references to them."""

    def declared_port(self, name: str) -> PortRef:
        """A reference to the port of this name."""


class HasParameters(Protocol):
    """What parameters are declared for: it holds their values."""

    values: dict[str, Value]

    def set(self, **given: Any) -> None:
        """Check values, and take them all."""


class Named:
    """A class attribute that knows its own name."""

    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError(f"{type(instance).__name__}.{self.name} is declared by the class and is no parameter")


class _Port(Named):
    def __init__(
        self,
        signal: Signal = AnySignal,
        doc: str = "",
        *,
        when: Callable[[Any], bool] | None = None,
        name: str = "",
    ) -> None:
        self.signal = signal
        self.doc = doc
        self.when = when
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> _Port: ...
    @overload
    def __get__(self, instance: HasPorts[PortRef], owner: type) -> PortRef: ...
    def __get__(self, instance: HasPorts[PortRef] | None, owner: type) -> _Port | PortRef:
        return self if instance is None else instance.declared_port(self.name)

    def __set__(self, instance: object, value: object) -> None:
        raise AttributeError(f"{type(instance).__name__}.{self.name} is a port: use Diagram.connect to wire it")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.signal}>"


class Input(_Port):
    """An input port. Without `default` it has to be connected; with it, an unconnected input reads that value.

    `when` decides from the block's parameters whether an instance has this port at all. Such ports come last.
    `wanted` decides whether one with a default is usually connected: `check` warns of it if it is not.
    """

    def __init__(
        self,
        signal: Signal = AnySignal,
        doc: str = "",
        *,
        default: float | Iterable[float] | None = None,
        when: Callable[[Any], bool] | None = None,
        wanted: Callable[[Any], bool] | None = None,
        name: str = "",
    ) -> None:
        super().__init__(signal, doc, when=when, name=name)
        self.default = default
        self.wanted = wanted


class Output(_Port):
    """An output port.

    `feedthrough` says on which inputs the output depends at the same instant: True (all of them), False (none) or
    their names. `like` names an input whose unit, frame and labels the output takes over. `state` names a continuous
    state that the output simply is: it is then read where the state stands, and the kernel is not asked for it.
    `depends` says more exactly, element by element, what the output depends on: see `blocks.model.dependence`.
    `nominal` is the magnitude that it usually has, of all elements or of each. `when` is as of `Input`. `within` names
    the parameters that hold the output, the lower limit and the upper one; "-name" is a limit that is given positive.
    """

    def __init__(
        self,
        signal: Signal = AnySignal,
        doc: str = "",
        *,
        feedthrough: bool | tuple[str, ...] = True,
        like: str | None = None,
        state: str | None = None,
        depends: Sources | None = None,
        nominal: Nominal = 1.0,
        within: tuple[str, str] | None = None,
        when: Callable[[Any], bool] | None = None,
        name: str = "",
    ) -> None:
        super().__init__(signal, doc, when=when, name=name)
        self.feedthrough = feedthrough if state is None else False
        self.state = state
        self.like = like
        self.depends = depends
        self.nominal = nominal
        self.within = within


class State(Named):
    """A continuous state, or with `discrete=True` a discrete one (a held sample, a mode, a counter).

    Its initial value is the parameter `initial_<name>` unless the state is `private`. `when` decides from the block's
    parameters whether an instance has this state at all. `depends` says what its derivative, or for a discrete state
    its next value, depends on, and `start` what its start value does if the kernel computes that: see
    `blocks.model.dependence`. `nominal` is the magnitude that it usually has, of all elements or of each; solvers
    scale their absolute tolerance by it.
    """

    def __init__(
        self,
        signal: Signal = AnySignal,
        doc: str = "",
        *,
        initial: float | Iterable[float] = 0.0,
        discrete: bool = False,
        private: bool = False,
        when: Callable[[Any], bool] | None = None,
        depends: Sources | None = None,
        start: Sources | None = None,
        nominal: Nominal = 1.0,
        name: str = "",
    ) -> None:
        self.signal = signal
        self.doc = doc
        self.initial = initial
        self.discrete = discrete
        self.private = private
        self.when = when
        self.depends = depends
        self.start = start
        self.nominal = nominal
        self.name = name

    def __set__(self, instance: Any, value: Any) -> None:
        start = "" if self.private else f": its initial value is the parameter 'initial_{self.name}'"
        raise AttributeError(f"{type(instance).__name__}.{self.name} is a state{start}")

    def initial_parameter(self) -> Parameter:
        """The parameter that holds the initial value."""
        parameter = Parameter(
            self.initial,
            shape=self.signal.shape,
            unit=self.signal.unit,
            frame=self.signal.frame,
            labels=self.signal.labels,
            doc=f"initial value of the state {self.name}",
            fixed=AT_START,
        )
        parameter.name = f"initial_{self.name}"
        return parameter


class Parameter(Named):
    """A parameter: a number or an array in SI, an enumeration (`choices`) or a switch (a bool default).

    `shape` may hold names of sizes ("n",): all parameters of a block with that name must agree, and a single number
    fills the shape. Limits: `above`/`below` are exclusive, `at_least`/`at_most` inclusive, and hold for every element.
    A value below `usually_at_least`, on the diagonal of square matrices, or above `usually_at_most` is legal and
    improbable: a warning of `check`.
    While an FMU runs a parameter may change, unless `fixed` says why not; `tunable=False` is that without a reason. One
    that is `structural`, always or for a block of which the function says so, decides ports, states, sizes or direct
    feedthrough: it is a constant of an FMU.
    """

    least_columns: int | None = None
    """How many columns a value has at least, where the last ones may be left out."""

    in_words: tuple[str, ...] = ()
    """What each item of a list says, as a mapping with three numbers under each of these, where numbers may be given
    so."""

    named_like: str = ""
    """The pattern of the names of its numbers, where these may be given as a mapping by their names."""

    item_numbers: Mapping[str, tuple[str, ...]] = {}
    """What an item in words may say besides, and the parameters that these numbers are; a later word counts more."""

    def __init__(
        self,
        default: float | str | bool | Iterable[Any] | _Required = REQUIRED,
        *,
        shape: tuple[Dimension, ...] = (),
        unit: str | tuple[str, ...] | None = "1",
        frame: str | None = None,
        labels: tuple[str, ...] = (),
        doc: str = "",
        above: float | None = None,
        below: float | None = None,
        at_least: float | None = None,
        at_most: float | None = None,
        usually_at_least: float | None = None,
        usually_at_most: float | None = None,
        choices: tuple[str, ...] = (),
        integer: bool = False,
        tunable: bool = True,
        fixed: str = "",
        structural: bool | Callable[[Any], bool] = False,
        name: str = "",
    ) -> None:
        self.default = default
        self.shape = shape
        self.unit = unit
        self.frame = frame
        self.labels = labels
        self.doc = doc
        self.above, self.below, self.at_least, self.at_most = above, below, at_least, at_most
        self.usually_at_least, self.usually_at_most = usually_at_least, usually_at_most
        self.choices = choices
        self.switch = isinstance(default, bool)
        self.integer = integer
        self.fixed = fixed or ("" if tunable else "its block declares it so")
        self.tunable = not self.fixed and structural is not True
        self.structural = structural
        self.name = name

    @property
    def required(self) -> bool:
        """True if there is no default."""
        return self.default is REQUIRED

    def __repr__(self) -> str:
        return f"<Parameter {self.name}{f', {self.unit}' if isinstance(self.unit, str) else ''}>"

    @overload
    def __get__(self, instance: None, owner: type) -> Parameter: ...
    @overload
    def __get__(self, instance: HasParameters, owner: type) -> Any: ...
    def __get__(self, instance: HasParameters | None, owner: type) -> Any:
        return self if instance is None else instance.values[self.name]

    def __set__(self, instance: HasParameters, value: Quantities) -> None:
        instance.set(**{self.name: value})

    def range_text(self) -> str:
        """The limits in words, such as "> 0 and ≤ 1"."""
        parts = [
            f"{sign} {_in_full(float(limit))}"
            for sign, limit in ((">", self.above), ("≥", self.at_least), ("<", self.below), ("≤", self.at_most))
            if limit is not None
        ]
        return " and ".join(parts)

    def read(self, value: Any, where: str) -> Value:
        """`value` checked and in SI. `where` names the parameter in messages, such as "autopilot.kp"."""
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise ParameterError(
                    f"{where} must be one of {', '.join(map(repr, self.choices))}, not {shown(value)}",
                    code="unknown-choice",
                    wrong=value if isinstance(value, str) else "",
                    valid=self.choices if isinstance(value, str) else None,
                )
            return value
        if self.switch:
            if not isinstance(value, (bool, np.bool_)):
                raise ParameterError(f"{where} must be true or false, not {shown(value)}")
            return bool(value)
        array = self._number(value, where)
        self._check_shape(array, where)
        self._check_range(array, where, hint=is_bare(value))
        if array.ndim:
            array.setflags(write=False)
            return array
        return int(array) if self.integer else float(array)

    def read_element(self, value: Any, unit: str | None, where: str) -> float:
        """One number of an array, in SI; the array is checked as a whole."""
        try:
            return float(self._convert(value, where, unit))
        except ParameterError:
            raise
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(f"{where} must be a number, not {shown(value)}") from None

    def _number(self, value: Any, where: str) -> NDArray[np.float64]:
        try:
            if isinstance(value, dict) and set(value) == {"diag"}:
                return np.diag(self._number(value["diag"], where))
            converted = self._convert(value, where)
            array = np.array(converted, dtype=np.float64)
        except ParameterError:
            raise
        except (TypeError, ValueError, OverflowError, RecursionError):
            raise ParameterError(f"{where} must be {self.form()}, not {shown(value)}") from None
        if not array.size:
            raise ParameterError(f"{where} must be {self.form()}, not empty")
        if not np.all(np.isfinite(array)):
            endless = isinstance(self.default, float) and abs(self.default) >= 1e300 and not np.any(np.isnan(array))
            hint = f"; where there is no limit leave it out, or write {self.default:g}" if endless else ""
            raise ParameterError(f"{where} must be finite, not {shown(value)}{_which(~np.isfinite(array))}{hint}")
        if self.integer and np.any(array != np.round(array)):
            raise ParameterError(f"{where} must be a whole number, not {shown(value)}")
        return array

    def _convert(self, value: Any, where: str, unit: str | None = None) -> Any:
        if value is None or isinstance(value, (bool, np.bool_)):
            raise ParameterError(f"{where} must be {self.form()}, not {shown(value)}")
        if isinstance(value, str):
            wanted = unit if unit is not None else self.unit
            if isinstance(wanted, tuple):
                if len(set(wanted)) > 1:
                    raise ParameterError(
                        f"{where}: '{value}' has a unit, but the elements have different ones: give plain numbers in SI"
                    )
                wanted = wanted[0]
            try:
                return to_unit(value, wanted)
            except ParameterError as problem:
                raise ParameterError(f"{where}: {problem}", code="wrong-unit") from None
        if isinstance(value, np.ndarray) and value.dtype.kind not in "iuf":
            value = value.tolist()
        if isinstance(value, (list, tuple)):
            per_element = isinstance(self.unit, tuple) and unit is None
            units: list[str | None] = [None] * len(value)
            if per_element and len(self.unit) == len(value):  # type: ignore[arg-type]
                units = list(self.unit)  # type: ignore[arg-type]
            return [self._convert(item, where, units[i] if units[i] else unit) for i, item in enumerate(value)]
        return value

    def _check_shape(self, array: NDArray[np.float64], where: str) -> None:
        if array.ndim == 0:
            if not self.shape or not all(isinstance(d, int) for d in self.shape):
                return
            raise ParameterError(f"{where} must be {self.form()}, not the single number {float(array):g}")
        fits = array.ndim == len(self.shape) and all(
            isinstance(want, str) or want == got for want, got in zip(self.shape, array.shape, strict=True)
        )
        if not fits:
            given = "×".join(map(str, array.shape))
            named = f"; its elements are {', '.join(self.labels)}" if self.labels else ""
            raise ParameterError(f"{where} must be {self.form()}, not an array of {given}{named}")

    def _beyond(self, array: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which elements are out of range."""
        bad = np.zeros(array.shape, dtype=bool)
        if self.above is not None:
            bad |= ~(array > self.above)
        if self.at_least is not None:
            bad |= ~(array >= self.at_least)
        if self.below is not None:
            bad |= ~(array < self.below)
        if self.at_most is not None:
            bad |= ~(array <= self.at_most)
        return bad

    def _check_range(self, array: NDArray[np.float64], where: str, hint: bool) -> None:
        bad = self._beyond(array)
        if np.any(bad):
            index = tuple(int(i) for i in np.argwhere(bad)[0]) if array.ndim else ()
            place = f"[{', '.join(map(str, index))}]" if index else ""
            unit = self.unit if isinstance(self.unit, str) and self.unit != "1" else ""
            degrees = hint and unit == "rad" and not self._beyond(np.radians(array[index])).any()
            percent = hint and self._is_share() and 1.0 < array[index] <= 100.0
            given = _in_full(float(array[index]))
            meant = f"in degrees it is '{array[index]:g} deg'" if degrees else ""
            raise ParameterError(
                f"{where}{place} must be {self.range_text()}{' ' + unit if unit else ''}, not {given}",
                code="out-of-range",
                hint=f"in percent it is '{array[index]:g} %'" if percent else meant,
            )

    def _is_share(self) -> bool:
        """Whether it is a part of a whole, from 0 to 1, that people give in percent."""
        least = self.above if self.at_least is None else self.at_least
        most = self.below if self.at_most is None else self.at_most
        return self.unit == "1" and not self.integer and (least, most) == (0.0, 1.0)

    def form(self) -> str:
        """What a value looks like, in words: "a number in m", "an array of 6×6"."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.switch:
            return "true or false"
        unit = self.unit if isinstance(self.unit, str) and self.unit != "1" else ""
        base = "a whole number" if self.integer else "a number"
        if self.shape:
            base = "an array of " + "×".join(map(str, self.shape))
        return f"{base} in {unit}" if unit else base

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        if self.choices:
            return f"Literal[{', '.join(map(repr, self.choices))}]"
        return "bool" if self.switch else "Quantities" if self.shape else "Quantity"

    def encode(self, value: Value, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The value as the kernel sees it: flat floats, row by row; a choice as its index."""
        if self.choices:
            return np.array([float(self.choices.index(str(value)))])
        array = np.asarray(value, dtype=np.float64)
        return (array if array.shape == shape else np.broadcast_to(array, shape)).reshape(-1)


def _which(wrong: NDArray[np.bool_]) -> str:
    """Where the first wrong element of a matrix is, to end a message; of a list one sees it."""
    if wrong.ndim < 2:
        return ""
    return f": see its element [{', '.join(str(i) for i in np.argwhere(wrong)[0])}]"


def _in_full(value: float) -> str:
    """A number in a message; whole ones, such as seeds, with all their digits."""
    return f"{value:.15g}" if value.is_integer() else f"{value:g}"


def is_bare(value: Any) -> bool:
    """Whether a value has no unit of its own: a number, also in text, as the command line has it."""
    if not isinstance(value, str):
        return True
    try:
        float(value)
    except ValueError:
        return False
    return True
