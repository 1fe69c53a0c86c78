"""Block, as everybody imports it: what `blocks.model.block` says, with what asks kernels and vehicle files."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar, cast

from numpy.typing import ArrayLike

from blocks.model import block as model
from blocks.model import library as every
from blocks.model.block import FAMILIES, Sizes, Units

if TYPE_CHECKING:
    from blocks.run.probe import Evaluation

__all__ = ["FAMILIES", "Block", "Sizes", "Units", "block_class", "library"]

B = TypeVar("B", bound="Block")


class Block(model.Block, abstract=True):
    """The base of all blocks.

    A subclass names its `kernel` (`kernels` where an instance chooses among several) and declares ports, parameters,
    states, derived constants and zero crossings as attributes. `sizes` names the sizes
    that the kernel sees as n[0], n[1], …; `faults` are the messages of the kernel's faults; a `sampled` block runs at
    its own `period` and `offset`, or what `sampling` calls them; `uses_time` says that the outputs depend on the time
    itself, and not only on inputs, parameters and states; `reads_outputs` names own outputs that the
    kernel's derivatives and update read from y. The one output of a block that `concatenates` is its inputs one after
    the other: the plan then lets sources write there, and mostly need not call the kernel. An `open_ended` block takes
    parameters that a file of its own declares, see `chosen`; its path is the first parameter, and `declared_in` the
    endings of such files. `declaration_keys` are the sections of a scenario file that say what a block is which is
    declared there. `aliases` are other names of parameters, `other_names` of the type in scenario files.
    """

    def evaluate(
        self, t: float = 0.0, states: Mapping[str, ArrayLike] | None = None, **inputs: ArrayLike
    ) -> Evaluation:
        """Outputs and derivatives of this block alone, by name, for given time, states and inputs.

        States and inputs that are not given have their initial and default values. Raises WiringError for names that
        do not exist and for shapes that do not fit.
        """
        from blocks.run.probe import evaluate

        return evaluate(self, t, states or {}, inputs)

    @classmethod
    def from_vehicle(cls: type[B], vehicle: str | PathLike[str], section: str | None = None, **changes: Any) -> B:
        """The block with the parameters of a vehicle file; `changes` take precedence.

        vehicle: a name from `keelblocks list vehicles`, such as "minerva", or the path of a file, ending in .yaml.
        section: which one of the file, if several are for this block. Raises VehicleError, and ParameterError.
        """
        from blocks.vehicles.vehicle import file_or_name, read_section

        vehicle = file_or_name(vehicle)
        values, sources = read_section(cls, vehicle, section)
        block = cls(**(values | changes))
        block.sources = {name: text for name, text in sources.items() if name not in changes}
        block.taken_from = (vehicle, section)
        return block

    def _repr_html_(self) -> str:
        from blocks.model.html import block_html

        return block_html(self)


def library() -> Mapping[str, type[Block]]:
    """Every block class that can be used, by the name that scenario files use: "guidance.LineOfSight".

    These are all blocks of this package, those of packages that offer some by the entry point `keelblocks.blocks`, and
    those that have been imported from elsewhere. A package that cannot be loaded is left out, with a `PackageWarning`
    that says why.
    """
    return cast(Mapping[str, type[Block]], every.library())


def block_class(name: str) -> type[Block] | None:
    """The class that a scenario file means by a type, if there is one."""
    return cast("type[Block] | None", every.block_class(name))
