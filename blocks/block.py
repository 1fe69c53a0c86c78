"""Block, as everybody imports it: what `blocks.model.block` says, with what asks kernels and vehicle files."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeVar, cast

from numpy.typing import ArrayLike

from blocks.model import block as model
from blocks.model import library as every
from blocks.model.block import FAMILIES, Sizes

if TYPE_CHECKING:
    from blocks.run.probe import Evaluation

__all__ = ["FAMILIES", "Block", "Sizes", "block_class", "library"]

B = TypeVar("B", bound="Block")


class Block(model.Block, abstract=True):
    __doc__ = model.Block.__doc__

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


def library() -> Mapping[str, type[Block]]:
    return cast(Mapping[str, type[Block]], every.library())


def block_class(name: str) -> type[Block] | None:
    return cast("type[Block] | None", every.block_class(name))


library.__doc__, block_class.__doc__ = every.library.__doc__, every.block_class.__doc__
