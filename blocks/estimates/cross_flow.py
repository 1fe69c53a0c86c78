"""The drag of ship sections across the flow."""

from __future__ import annotations

from blocks.estimates.validity import between, check_positive, warn_outside

__all__ = ["cross_flow_coefficient"]

_HALF_BREADTH = (
    0.0108623, 0.176606, 0.353025, 0.451863, 0.472838, 0.492877, 0.493252, 0.558473, 0.646401, 0.833589,
    0.988002, 1.30807, 1.63918, 1.85998, 2.31288, 2.59998, 3.00877, 3.45075, 3.7379, 4.00309,
)  # fmt: skip
"""B/(2T)."""
_DRAG = (
    1.96608, 1.96573, 1.89756, 1.78718, 1.58374, 1.27862, 1.21082, 1.08356, 0.998631, 0.87959,
    0.828415, 0.759941, 0.691442, 0.657076, 0.630693, 0.596186, 0.586846, 0.585909, 0.559877, 0.559315,
)  # fmt: skip


def cross_flow_coefficient(breadth: float, draught: float) -> float:
    """C_D of a ship section across the flow, by B/(2T), on the area draught times length.

    breadth, draught: B and T, m. Goes with `CrossFlowDrag` and `cross_flow_sway_coefficient` of vessels. Range: B/(2T)
    to 4, ship sections with rounded bilges; bilge keels and sharp edges raise it to 1.5 and more.

    Raises ParameterError if a number is not positive; warns outside of the range.

    Source: Hoerner (1965), Fluid-Dynamic Drag, ch. 3, as digitised by Leite, Aranha, Umeda and de Conti (1998), Current
    force in tankers and bifurcation of equilibrium of turret systems: hydrodynamic model and experiments, Applied Ocean
    Research 20, 145-156; the points stand in MSS, HYDRO/Hoerner.m.
    """
    check_positive(breadth=breadth, draught=draught)
    half = 0.5 * breadth / draught
    warn_outside("cross_flow_coefficient", half_breadth_over_draught=(half, 0.0, 4.01))
    return between(half, _HALF_BREADTH, _DRAG)
