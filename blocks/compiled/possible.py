"""Which plans can be compiled at all, and whose members can go side by side."""

from __future__ import annotations

from blocks.errors import SimulationError
from blocks.plan import Plan
from blocks.plan.settings import FIXED_STEP, SCIPY


def why_not(plan: Plan) -> SimulationError | None:
    """Why a plan cannot be compiled, whatever compiler there is; None if it can be."""
    if plan.python_blocks:
        leaf = plan.flat.leaves[min(plan.python_blocks)]
        return SimulationError(
            f"a plan cannot be compiled with '{leaf.name}', which runs in Python: leave `compiled` out, or write it as "
            "a formula or a kernel",
            block=leaf.name,
        )
    if plan.settings.solver in SCIPY:
        return SimulationError(
            f"a plan cannot be compiled for {plan.settings.solver}, which is stepped from Python: leave `compiled` "
            "out, or take euler, heun, rk4 or dopri5"
        )
    return None


def can_go_together(plan: Plan) -> bool:
    """Whether members of a plan that can be compiled can take their steps side by side."""
    return plan.settings.solver in FIXED_STEP
