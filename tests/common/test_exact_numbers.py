"""What Python computes into a plan: by operations that are rounded alike everywhere, or by the engine's functions.

docs/same_bits.md says what is left to other libraries, and why.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import blocks
import fmu

ROOMS = [
    "basic", "control", "dynamics", "environment", "estimates", "files", "guidance", "model", "navigation",
    "plan", "power", "scenario", "sensors", "study", "thrust", "vehicles", "yaml",
]  # fmt: skip
"""Where numbers of plans come from; the other rooms read results, or draw."""
FILES = ["blocks/input_series.py", "blocks/units.py", "blocks/live/frames.py", "fmu/units.py"]

_BOTH = "sin cos tan sinh cosh tanh exp exp2 expm1 log log10 log1p log2 hypot cbrt"
INEXACT = {
    "np": f"{_BOTH} arcsin arccos arctan arctan2 arcsinh arccosh arctanh power float_power sinc angle linalg dot "
    "matmul einsum inner vdot tensordot interp polyfit polyval roots trapezoid fft convolve geomspace logspace",
    "math": f"{_BOTH} asin acos atan atan2 asinh acosh atanh pow gamma lgamma erf erfc dist sumprod",
}

LEFT = {
    # decides whether something is refused or warned of, or stands in a message
    "blocks/control/pole_placement.py": {"**", "math.log10"},
    "blocks/dynamics/inertia.py": {"np.linalg"},
    "blocks/dynamics/mmg_hull.py": {"**"},
    "blocks/dynamics/nondimensional.py": {"**", "math.log"},
    "blocks/environment/headings.py": {"np.exp"},
    "blocks/environment/motion_rao.py": {"**"},
    "blocks/guidance/waypoints.py": {"np.linalg"},
    "blocks/thrust/azimuth_allocation.py": {"**"},
    # exact: powers of fractions
    "blocks/units.py": {"**"},
    "fmu/units.py": {"**"},
    # outside of the promise
    "blocks/environment/files/field_files.py": {"scipy", "np.einsum", "np.linalg"},
    "blocks/environment/files/point_file.py": {"scipy"},
    "blocks/study/design.py": {"scipy"},
    "blocks/study/distribution.py": {"scipy"},
    "blocks/thrust/bench_file.py": {"scipy"},
    # of results and of what is said of them, not of plans
    "blocks/live/frames.py": {"@"},
    "blocks/study/angles.py": {"np.arctan2", "np.sin", "np.cos"},
    "blocks/thrust/attainable.py": {"scipy"},
    "fmu/foreign/integrator.py": {"scipy"},
}


def test_what_is_not_exact_is_known() -> None:
    found = {}
    for path, name in _sources():
        if inexact := {*_inexact(ast.parse(path.read_text(encoding="utf-8")))}:
            found[name] = inexact
    assert found == LEFT, "take the functions of cython_kernels.elementary, or say in docs/same_bits.md why not"


def _sources() -> Iterator[tuple[Path, str]]:
    for package in (blocks, fmu):
        root = Path(package.__file__ or "").parent
        for path in sorted(root.rglob("*.py")):
            name = path.relative_to(root.parent).as_posix()
            if name in FILES or path.relative_to(root).parts[0] in (*ROOMS, "foreign", "ssp"):
                yield path, name


def _inexact(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name(module), name) if name in INEXACT.get(module, "").split():
                yield f"{module}.{name}"
            case ast.BinOp(op=ast.MatMult()):
                yield "@"
            case ast.BinOp(left, ast.Pow(), right) if not all(_is_constant(side) for side in (left, right)):
                yield "**"
            case ast.Import(names):
                yield from (one.name.partition(".")[0] for one in names if one.name.startswith(("scipy", "cmath")))
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in ("scipy", "cmath", "math"):
                yield module.partition(".")[0]


def _is_constant(node: ast.expr) -> bool:
    """A number: what Python makes of two of them is exact where it is a power of two."""
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)
