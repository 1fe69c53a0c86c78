"""What controllers share whose output has limits that their integral knows of."""

from __future__ import annotations

from typing import ClassVar

from blocks.basic.common import check_limits
from blocks.block import Block, Sizes
from blocks.model.dependence import Sources, each


class LimitedController(Block, abstract=True):
    """A controller with `lower` and `upper` limits of its output `acting`, an integral gain and anti-windup."""

    acting: ClassVar[str]
    integral_gains: ClassVar[tuple[str, ...]] = ("ki", "tracking_gain")
    """Parameters that only the integral knows."""

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """With anti-windup the integral depends on all that the output does."""
        return {**(self.output_sources(self.acting, sizes) or {}), **each(*self.integral_gains)}

    def validate(self) -> None:
        """The limits are in order."""
        check_limits(self, "lower", "upper")
