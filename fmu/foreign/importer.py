"""`FmuBlock`: an FMU from anywhere as a block, so that a diagram with it is a co-simulation.

`pump = FmuBlock("pump.fmu", communication_step=0.01, parameters={"speed": 25.0})`
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from blocks.errors import FmuWarning, ParameterError, did_you_mean
from blocks.model.block import Block
from blocks.model.class_declarations import signature_of
from blocks.model.component import PortRef
from blocks.model.declare import REQUIRED, Input, Parameter, State, Value
from blocks.model.text_parameter import FileParameter, NamesParameter, names_in
from blocks.python_block import PythonBlock
from blocks.signal import Number
from fmu.foreign.description import INTERFACES, Description, describe
from fmu.foreign.making import make_steps, spec_of
from fmu.foreign.ports import Face, face
from fmu.foreign.runner import FmuRunner
from fmu.foreign.spec import Interface, Spec, Steps
from fmu.foreign.unpack import open_fmu
from fmu.notices import warn

__all__ = ["FmuBlock", "FmuWarning"]

_MADE_WITH = "an instance of the FMU is made with it"


class FmuBlock(PythonBlock):
    """An FMU of FMI 1.0, 2.0 or 3.0, from any tool, as a block.

    y(t_k) = what the FMU gives at its communication point t_k = t_0 + k h

    u(t_k) is set there and held while the FMU goes from t_k to t_k + h.

    h: `communication_step`, s; u, y: inputs and outputs, typed by the FMU's description, in SI (values in other units
    are converted). All FMUs of a diagram step from what is there at t_k (Jacobi), so their order does not matter.
    Booleans, integers and enumerations are numbers; scalars "tau[1]" … "tau[6]" are one port `tau`; characters that
    cannot be in a name become "_".

    An output that depends on an input directly, as the FMU's model structure says, is evaluated with the input of the
    same instant. With `feedthrough=False` it is what the FMU gave at the end of its step instead, which breaks
    algebraic loops and is all that FMI promises of Co-Simulation. Model Exchange FMUs are integrated within each step,
    events included.

    `parameters` are values by the FMU's names of its variables: parameters, and start values of others, which an input
    keeps while nothing is connected to it. `ports` names further variables that become ports: a parameter is an input
    then, which takes effect when a run begins and not later, and any other variable an output. Every run begins with a
    new instance. A run can be checkpointed if the FMU offers to save its state. With `isolate=True` the
    FMU runs in a process of its own, and its crash, hang (`timeout`) or leak (`memory_limit`) stops the run with a
    message, as any other failure of the FMU does.

    Raises FmuError if the file is no FMU, is unsafe to unpack, or cannot run on this platform, and ParameterError for
    parameters that the FMU does not have or take.

    Source: Modelica Association, FMI 2.0.4 (2022), ch. 3 and 4, and FMI 3.0.1 (2023), ch. 3 and 4; MODELISAR, FMI 1.0
    for Model Exchange (2010), ch. 2 and 3, and for Co-Simulation (2010), ch. 3 and 4.
    """

    family = "fmu"
    sampled = True
    sampling = ("communication_step", "communication_offset")
    positional = ("path", "communication_step")
    open_ended = True
    parameters_held = _MADE_WITH
    declared_in = (".fmu",)
    other_names = ("FmuBlock",)

    file_path = FileParameter(doc="the FMU", name="path")
    communication_step = Parameter(
        0.0, unit="s", at_least=0.0, fixed=_MADE_WITH,
        doc="time between communication points h; if not given, as the FMU's default experiment says",
    )  # fmt: skip
    communication_offset = Parameter(
        0.0,
        unit="s",
        at_least=0.0,
        fixed=_MADE_WITH,
        doc="time from the start of the run to the first communication point",
    )
    interface = Parameter(
        "auto", choices=INTERFACES, fixed=_MADE_WITH, doc="interface to use; auto: Co-Simulation if there is a choice"
    )
    further = NamesParameter("", name="ports", doc="further variables of the FMU that become ports")
    follows_inputs = Parameter(
        True,
        name="feedthrough",
        fixed=_MADE_WITH,
        doc="whether outputs follow inputs at the same instant where the FMU says so",
    )
    tolerance = Parameter(
        0.0, at_least=0.0, fixed=_MADE_WITH,
        doc="relative tolerance of the FMU's or the integrator's solver; 0: as the FMU's default experiment says",
    )  # fmt: skip
    isolate = Parameter(False, fixed=_MADE_WITH, doc="whether the FMU runs in a process of its own")
    timeout = Parameter(30.0, unit="s", above=0.0, fixed=_MADE_WITH, doc="how long a call of an isolated FMU may take")
    memory_limit = Parameter(
        0.0, at_least=0.0, fixed=_MADE_WITH, doc="memory in MB that an isolated FMU may take; 0: as much as there is"
    )

    steps = State(Number, "communication steps made", discrete=True, private=True)

    description: ClassVar[Description]
    face: ClassVar[Face]
    used_interface: ClassVar[Interface]
    _made = False
    _warned = 0.0
    """The communication step that was warned of."""

    # --- the class of an FMU ----------------------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        path: str | PathLike[str],
        *,
        interface: str = "auto",
        parameters: Mapping[str, Any] | None = None,
        ports: str | Sequence[str] = "",
    ) -> type[FmuBlock]:
        """The class of the blocks of an FMU: its ports and parameters, without an instance.

        `parameters` are of use for the FMU's structural ones, which decide shapes; `ports` as for the block. Raises
        FmuError as the block does, but reads FMUs for other platforms, too.
        """
        if not isinstance(path, (str, PathLike)):
            raise ParameterError(f"FmuBlock.path must be the path of an FMU, not {path!r}")
        description = describe(open_fmu(path))
        if interface not in INTERFACES:
            raise ParameterError(
                f"{description.package.path}: interface must be one of {', '.join(INTERFACES)}, not {interface!r}"
                f"{did_you_mean(str(interface), INTERFACES)}"
            )
        used, sizes = description.interface(interface), description.sizes(parameters or {})
        more = str(cls.parameters["ports"].read(ports, "FmuBlock.ports"))
        key = (cls, used, more, *sorted(sizes.items()))
        made: type[FmuBlock] | None = description.classes.get(key)
        if made is None:
            taken = {*cls.parameters, *dir(cls), "values", "sources"}
            made = _block_class(cls, description, used, face(description, used, taken, sizes, names_in(more)))
            description.classes[key] = made
        return made

    @classmethod
    def chosen(cls, given: Mapping[str, Any], folder: Path, declaration: Mapping[str, Any]) -> type[FmuBlock]:
        """The class of the FMU that a scenario file names."""
        path = given.get("path")
        if not isinstance(path, str) or not path:
            raise ParameterError(f"{cls.type_name()}.path is missing: the path of an FMU is wanted")
        return FmuBlock.of(folder / path, parameters=given, **_shaping(given))

    @classmethod
    def type_name(cls) -> str:
        """The name in scenario files, which is the same for every FMU."""
        return "fmu.FmuBlock"

    def __new__(
        cls,
        path: str | PathLike[str] | None = None,
        communication_step: float | str | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> FmuBlock:
        if cls is not FmuBlock:
            return object.__new__(cls)
        if path is None:
            raise ParameterError("FmuBlock.path is missing: the path of an FMU is wanted")
        if not isinstance(parameters, (Mapping, type(None))):
            raise ParameterError(f"FmuBlock.parameters must be values by names, {{'speed': 25.0}}, not {parameters!r}")
        return object.__new__(cls.of(path, parameters={**given, **(parameters or {})}, **_shaping(given)))

    def __init__(
        self,
        path: str | PathLike[str] | None = None,
        communication_step: float | str | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> None:
        description = self.description
        description.require_binary(self.used_interface)
        given["path"] = fspath(path) if path is not None else str(description.package.path)
        if communication_step is not None and communication_step != 0.0:
            given["communication_step"] = communication_step
        elif self.parameters["communication_step"].required:
            raise ParameterError(
                f"{description.package.path}: its description names no step size; say one: communication_step=…, in s"
            )
        for name, value in (parameters or {}).items():
            own = self.aliases.get(name, name)
            if own not in self.face.settings:
                raise ParameterError(
                    f"no parameter '{name}' in {description.package.path}"
                    f"{did_you_mean(name, [*self.face.settings, *self.aliases])}"
                )
            if own in given:
                raise ParameterError(f"parameter '{own}' of {description.package.path} is given twice")
            given[own] = value
        super().__init__(**given)
        self._made = True

    if TYPE_CHECKING:  # what there is says the file

        def __getattr__(self, name: str) -> Any: ...

    def __dir__(self) -> list[str]:
        """As for any block, so without what is there to run the FMU."""
        machinery = {*vars(type(self)), *vars(FmuBlock)} - {*self.all_parameters(), *vars(Block)}
        return sorted({*super().__dir__()} - machinery)

    def set(self, **given: Any) -> None:
        """Change parameters, by their names or those of the FMU's variables. Raises ParameterError."""
        changes = {self.parameter_name(name): value for name, value in given.items()}
        fixed = ("path", "interface", "ports", *(n for n, s in self.face.settings.items() if s.structural))
        for name in fixed:
            if self._made and name in changes and changes[name] != self.values[name]:
                raise ParameterError(
                    f"{self._called()}.{name} decides the ports and cannot change: make a new FmuBlock"
                )
        super().set(**changes)

    def validate(self) -> None:
        """Warn of a communication step that is no multiple of the FMU's own: FMI recommends no more than that.

        Raises ParameterError for a tolerance that the FMU could not be given.
        """
        if self.values["tolerance"] and self.description.fmi == 1 and self.used_interface == "cs":
            raise ParameterError(
                f"{self._called()}.tolerance is for the FMU's solver, and FMI 1.0, of which {self.file} is, has no "
                f"place for it in Co-Simulation: leave it out, the FMU has its own"
            )
        own = self.description.internal_step(self.used_interface)
        step = float(self.values["communication_step"])
        if own and step != self._warned and abs(step / own - round(step / own)) > 1e-9 * max(1.0, step / own):
            self._warned = step
            warn(
                f"{self._called()}.communication_step of {step:g} s is no multiple of {own:g} s, the internal step of "
                f"{self.file}: what it gives at a communication point may be up to {own:g} s older or newer",
                FmuWarning,
            )

    # --- ports ------------------------------------------------------------------------------------------------------

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """The inputs; what is not connected keeps its start value."""
        found = dict(self.declared_inputs)
        for name, own in self.face.starts.items():
            start = self.face.settings[own].port_value(self.values[own]) if own in self.values else None
            if start is not None:
                found[name] = Input(found[name].signal, found[name].doc, default=start, name=name)
        return found

    def port(self, name: str) -> PortRef:
        """A port by its name, or by that of the FMU's variable."""
        return super().port(self.face.port_names.get(name, name))

    def input_port(self, name: str) -> PortRef:
        """An input port by its name, or by that of the FMU's variable."""
        return super().input_port(self.face.port_names.get(name, name))

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The inputs on which an output depends at the same instant; on fixed parameters, always."""
        every = super().feedthrough(output)
        return every if self.values["feedthrough"] else tuple(name for name in every if name in self.face.fixed)

    @property
    def file(self) -> str:
        """The FMU's path, as it was given."""
        return str(self.values["path"])

    def element(self, index: int) -> str:
        """The name of an element of all outputs in a row, for messages."""
        for spec in self.face.output_specs:
            if spec.first <= index < spec.first + spec.count:
                part = f", element {index - spec.first + 1} of {spec.count}" if spec.count > 1 else ""
                return f"output {spec.name}{part}"
        return "output"

    # --- running ----------------------------------------------------------------------------------------------------

    @property
    def has_update(self) -> bool:
        """It steps."""
        return True

    def runner(
        self, name: str, arrays: dict[str, dict[str, NDArray[np.float64]]], outputs: dict[str, NDArray[np.float64]]
    ) -> FmuRunner:
        """What calls the FMU for an engine."""

        def make(own_name: str) -> Steps:
            return make_steps(self._spec(), self.description, self.values, own_name)

        return FmuRunner(self, name, arrays, outputs, self.element, make)

    def _spec(self) -> Spec:
        """What an instance of the FMU needs to know. Unpacks the FMU."""
        return spec_of(self.description, self.used_interface, self.face, self.values)


def _shaping(given: Mapping[str, Any]) -> dict[str, Any]:
    """What of the parameters decides which ports there are."""
    return {name: given[name] for name in ("interface", "ports") if name in given}


class _FmuFile(FileParameter):
    """The path of an FMU, which stands in plans as what is in the file: it may be moved between runs."""

    def __init__(self, checksum: str) -> None:
        super().__init__(doc="the FMU", name="path")
        self.checksum = checksum

    def encode(self, value: Value, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """A checksum of the FMU."""
        return np.array([float(int(self.checksum[:12], 16))])


def _block_class(base: type[FmuBlock], description: Description, used: Interface, made: Face) -> type[FmuBlock]:
    """A class of its own for an FMU, as if its ports and parameters had been declared in Python."""
    model = description.model
    name = re.sub(r"\W", "_", model.modelName or "", flags=re.ASCII).strip("_")
    words = " ".join((model.description or f"the FMU {description.package.path.name}").split())
    tool = f"\n\nMade by {model.generationTool}." if model.generationTool else ""
    if made.left_out:
        tool += f"\n\nWithout a port, because ports carry numbers: {', '.join(made.left_out)}."
    cls: Any = type(
        name if name[:1].isalpha() else f"Fmu{name}",
        (base,),
        {"__doc__": words + tool, "description": description, "face": made, "used_interface": used},
        abstract=True,
    )
    cls.declared_inputs, cls.declared_outputs = made.inputs, made.outputs
    step = description.experiment("stepSize") or description.internal_step(used)
    inherited = base.parameters["communication_step"]
    own_step = Parameter(
        step or REQUIRED, unit="s", above=0.0, fixed=_MADE_WITH, doc="time between communication points h",
        name=inherited.name,
    )  # fmt: skip
    file = _FmuFile(description.package.checksum)
    cls.parameters = base.parameters | {file.name: file, own_step.name: own_step} | made.parameters
    cls.aliases = made.aliases
    cls.__signature__ = signature_of(cls.all_parameters(), cls.positional)
    result: type[FmuBlock] = cls
    return result
