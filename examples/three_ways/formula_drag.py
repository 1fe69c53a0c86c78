"""The drag of what stands in the wake of a hull, as a formula."""

from blocks.basic import Formula

drag = Formula(
    {"force": "k*u_a*abs(u_a)"},
    let={"u_a": "(1 - w)*u"},
    inputs={"u": "m/s"},
    parameters={"k": "60 N*s^2/m^2", "w": 0.2},
)
