"""A small Modelica tool for tests: it reads packages by pymoca, compiles their C as the language has it, and simulates.

What it knows: packages of our exports and models that connect them: parameters with modifications, arrays of models,
`connect`, `der`, equations with a variable or a list of them on the left, `when {initial(), sample(…)}`, external
functions and objects. Values of C are what the specification says they are, not what our C says: a text of C made of
the declarations in Modelica is compiled with the package's, and other types would be errors.

Source: Modelica Language Specification 3.6, ch. 12.9.1.1 to 12.9.1.3 (types of arguments, returned values), 12.9.7
(external objects: the constructor is called once, the destructor at the end).
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pymoca import ast, parser
from scipy.integrate import solve_ivp

_UTILITIES = """\
#include <stddef.h>
void ModelicaError(const char *string);
void ModelicaFormatError(const char *string, ...);
"""
_TRAMPOLINES = """\
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
{includes}
static jmp_buf ahead;
char message[2000];
void ModelicaFormatError(const char *string, ...)
{{
    va_list rest;
    va_start(rest, string);
    (void)vsnprintf(message, sizeof message, string, rest);
    va_end(rest);
    longjmp(ahead, 1);
}}
void ModelicaError(const char *string) {{ ModelicaFormatError("%s", string); }}
{functions}
"""
_EXTERNAL = re.compile(r'external "C"\s+(?:(\w+) = )?(\w+)\(([^)]*)\)')
_SCALARS = {"Real": ("double", ctypes.c_double), "Integer": ("int", ctypes.c_int), "Boolean": ("int", ctypes.c_int)}
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fPIC", "-shared")


class ModelicaError(Exception):
    """What C has said by ModelicaError or ModelicaFormatError."""


@dataclass
class _External:
    """An external function: names of what goes in, in the order of Modelica, and how C is called."""

    inputs: list[ast.Symbol]
    outputs: list[ast.Symbol]
    name: str
    arguments: list[str]
    returned: str | None
    call: Any = None


class Package:
    """A package that Keelblocks has written: a folder, or one file."""

    def __init__(self, path: Path, scratch: Path, compiler: str = "cc", flags: tuple[str, ...] = ("-O2",)) -> None:
        files = sorted(path.rglob("*.mo")) if path.is_dir() else [path]
        self.name, self.path = path.stem, path
        self.texts = [file.read_text(encoding="utf-8") for file in files]
        self.classes: dict[str, ast.Class] = {}
        for text in self.texts:
            self._collect(parser.parse(text), "")
        self.externals = {name: self._external(c, name) for name, c in self.classes.items() if _is_function(c)}
        self._compile(path, scratch, compiler, flags)

    def _collect(self, node: ast.Class, prefix: str) -> None:
        for name, inner in node.classes.items():
            full = f"{prefix}{name}"
            if full not in self.classes or inner.symbols:
                self.classes[full] = inner
            self._collect(inner, f"{full}.")

    def _external(self, function: ast.Class, name: str) -> _External:
        inputs = [s for s in function.symbols.values() if "input" in s.prefixes]
        outputs = [s for s in function.symbols.values() if "output" in s.prefixes]
        returned, c, arguments = self._clauses[name.split(".", 1)[1]]
        return _External(inputs, outputs, c, arguments, returned)

    @property
    def _clauses(self) -> dict[str, tuple[str | None, str, list[str]]]:
        """What stands behind `external "C"`, which pymoca passes over, by the name of the function."""
        found = {}
        for text in self.texts:
            for model, body in re.findall(r"^ +package (\w+) \"What \w+ calls\"\n(.*?)^ +end \1;", text, re.M | re.S):
                for function, inside in re.findall(r"function (\w+)(.*?)end \1;", body, re.S):
                    clause = _EXTERNAL.search(re.sub(r"\s+", " ", inside))
                    assert clause
                    own = f"Plan.{function}" if function in ("constructor", "destructor") else function
                    arguments = [a.strip() for a in clause[3].split(",") if a.strip()]
                    found[f"Internal.{model}.{own}"] = (clause[1], clause[2], arguments)
        return found

    def _c_type(self, symbol: ast.Symbol) -> str:
        kind = str(symbol.type)
        if kind == "Plan":
            return "void *"
        if kind == "String":
            return "const char *"
        return _SCALARS[kind][0] if kind in _SCALARS else "int"

    def _compile(self, path: Path, scratch: Path, compiler: str, flags: tuple[str, ...]) -> None:
        scratch.mkdir(parents=True, exist_ok=True)
        (scratch / "ModelicaUtilities.h").write_text(_UTILITIES)
        includes = {include for text in self.texts for include in _includes(text)}
        text = _TRAMPOLINES.format(
            includes="\n".join(sorted(includes)), functions="".join(map(self._trampoline, self.externals.values()))
        )
        (scratch / "host.c").write_text(text)
        library = scratch / "host.so"
        own = [f"-I{path / 'Resources' / 'Include'}"] if path.is_dir() else []
        command = [compiler, *FLAGS, *flags, f"-I{scratch}", *own, "host.c"]
        done = subprocess.run([*command, "-o", library], cwd=scratch, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:3000]
        self.library = ctypes.CDLL(str(library))
        for external in self.externals.values():
            external.call = getattr(self.library, f"call_{external.name}")

    def _trampoline(self, external: _External) -> str:
        """A function around one, which tells by its value whether that ended with an error."""
        declared, given = [], {}
        for symbol in (*external.inputs, *external.outputs):
            kind, out = self._c_type(symbol), symbol in external.outputs
            star = "*" if _shape(symbol) or out else ""
            const = "const " if star and not out else ""
            declared.append(f"{const}{kind} {star}{symbol.name}")
            given[symbol.name] = symbol.name
        call = f"{external.name}({', '.join(given[name] for name in external.arguments)})"
        if external.returned:
            call = f"*{external.returned} = {call}"
        head = f"int call_{external.name}({', '.join(declared)})"
        return f"{head}\n{{\n    if (setjmp(ahead)) return 1;\n    {call};\n    return 0;\n}}\n"

    def call(self, name: str, values: list[Any]) -> list[Any]:
        """Call an external function with values of Modelica. Raises ModelicaError."""
        external = self.externals[name]
        arguments: list[Any] = []
        results: list[Any] = []
        kept: list[np.ndarray] = []
        for symbol, value in zip(external.inputs, values, strict=True):
            kind = str(symbol.type)
            if kind in ("Plan", "String"):
                arguments.append(value if kind == "Plan" else str(value).encode())
                continue
            dtype = np.float64 if kind == "Real" else np.int32
            array = np.array(value, dtype, order="C")
            assert array.shape == _shape(symbol), (name, symbol.name, array.shape)
            kept.append(array)
            scalar = _SCALARS.get(kind, _SCALARS["Integer"])[1]
            arguments.append(ctypes.c_void_p(array.ctypes.data) if array.shape else scalar(array.item()))
        for symbol in external.outputs:
            if str(symbol.type) == "Plan":
                results.append(ctypes.c_void_p())
                arguments.append(ctypes.byref(results[-1]))
            else:
                results.append(np.zeros(_shape(symbol)))
                arguments.append(ctypes.c_void_p(results[-1].ctypes.data))
        if external.call(*arguments):
            raise ModelicaError(self._message())
        return results

    def _message(self) -> str:
        return (ctypes.c_char * 2000).in_dll(self.library, "message").value.decode()


def _includes(text: str) -> Iterator[str]:
    for literal in re.findall(r'Include="((?:\\.|[^"\\])*)"', text):
        yield literal.replace('\\"', '"').replace("\\\\", "\\")


def _is_function(node: ast.Class) -> bool:
    return bool(node.type.endswith("function"))


def _shape(symbol: ast.Symbol) -> tuple[int, ...]:
    return tuple(int(n.value) for dimension in symbol.dimensions for n in dimension if n.value is not None)


@dataclass
class _Equation:
    """Variables from others. sampled: in a `when`."""

    left: list[str]
    reads: set[str]
    value: Callable[[], list[Any]]
    sampled: bool = False


@dataclass
class Simulation:
    """A model of one or more packages, and how it went."""

    packages: list[Package]
    values: dict[str, Any] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)
    rates: dict[str, str] = field(default_factory=dict)
    equations: list[_Equation] = field(default_factory=list)
    period: float | None = None
    calls: int = 0
    _directions: dict[str, str] = field(default_factory=dict)
    _free: list[tuple[Package, str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.classes = {name: (c, p) for p in self.packages for name, c in p.classes.items()}
        self.initial: list[_Equation] = []

    def add(self, model: str, name: str = "", shape: tuple[int, ...] = (), **modified: Any) -> None:
        """A component of a model; `name` is its own within the simulation, "" for the only one."""
        node, package = self.classes[model]
        prefix = f"{name}." if name else ""
        for symbol in node.symbols.values():
            self._declare(symbol, prefix, shape, modified, package)
        for equation in node.initial_equations:
            self._equation(equation, prefix, package, into=self.initial)
        for equation in node.equations:
            self._equation(equation, prefix, package, into=self.equations)
        self._connect(node, prefix)

    def _declare(
        self, symbol: ast.Symbol, prefix: str, shape: tuple[int, ...], modified: Mapping[str, Any], package: Package
    ) -> None:
        kind, name = str(symbol.type), f"{prefix}{symbol.name}"
        given = {str(a.value.component): a.value.modifications[0] for a in _arguments(symbol)}
        if kind.endswith(".Plan"):
            arguments = [self._evaluate(argument, prefix, package)() for argument in given["value"].operands]
            (plan,) = package.call(f"{package.name}.{kind}.constructor", arguments)
            self.values[name] = plan
            self._free.append((package, f"{package.name}.{kind}.destructor", plan))
            return
        if kind in self.classes or (f"{package.name}.{kind}" in self.classes and not _is_simple(kind)):
            model = kind if kind in self.classes else f"{package.name}.{kind}"
            if self.classes[model][0].type == "model":
                inner = {k: self._evaluate(v, prefix, package)() for k, v in given.items()}
                self.add(model, name, _shape(symbol), **inner)
                return
        if kind == "String":
            self.values[name] = self._evaluate(given["value"], prefix, package)()
            return
        own = (*shape, *_shape(symbol))
        value = np.zeros(own)
        if symbol.name in modified:
            value = np.broadcast_to(np.asarray(modified[symbol.name], float), own).copy()
        elif "parameter" in symbol.prefixes or "constant" in symbol.prefixes:
            declared = self._evaluate(given.get("value", symbol.value), prefix, package)()
            value = np.broadcast_to(np.asarray(declared, float), own).copy()
        elif "start" in given:
            value = np.broadcast_to(np.asarray(self._evaluate(given["start"], prefix, package)(), float), own).copy()
        self.values[name] = value
        if kind.endswith("RealInput") or "input" in symbol.prefixes:
            self._directions[name] = "input"
        if kind.endswith("RealOutput") or "output" in symbol.prefixes:
            self._directions[name] = "output"

    def _equation(self, node: Any, prefix: str, package: Package, into: list[_Equation], sampled: bool = False) -> None:
        if isinstance(node, ast.WhenEquation):
            if str(node.conditions[0]).startswith("Array") or isinstance(node.conditions[0], ast.Array):
                sample = node.conditions[0].values[1]
                self.period = float(self._evaluate(sample.operands[1], prefix, package)())
                for inner in node.blocks[0]:
                    self._equation(inner, prefix, package, into, sampled=True)
            return
        if not isinstance(node, ast.Equation):
            return
        left = node.left if isinstance(node.left, list) else [node.left]
        if isinstance(left[0], ast.Expression) and str(left[0].operator) == "der":
            state = f"{prefix}{left[0].operands[0]}"
            self.states.append(state)
            name = f"der({state})"
            into.append(self._made([name], node.right, prefix, package, sampled))
            self.rates[state] = name
            return
        into.append(self._made([f"{prefix}{one}" for one in left], node.right, prefix, package, sampled))

    def _made(self, left: list[str], right: Any, prefix: str, package: Package, sampled: bool) -> _Equation:
        value = self._evaluate(right, prefix, package)
        several = len(left) > 1
        return _Equation(left, _reads(right, prefix), (lambda: value()) if several else (lambda: [value()]), sampled)

    def _connect(self, node: ast.Class, prefix: str) -> None:
        for equation in node.equations:
            if isinstance(equation, ast.ConnectClause):
                ends = [f"{prefix}{equation.left}", f"{prefix}{equation.right}"]
                if self._directions[_base(ends[0])] == "input":
                    ends.reverse()
                source, target = ends
                self.equations.append(_Equation([target], {source}, functools.partial(self._there, source)))

    def _there(self, name: str) -> list[Any]:
        return [self.values[name]]

    def _evaluate(self, node: Any, prefix: str, package: Package) -> Callable[[], Any]:
        if isinstance(node, ast.Primary):
            return lambda: node.value
        if isinstance(node, ast.Array):
            parts = [self._evaluate(value, prefix, package) for value in node.values]
            return lambda: np.array([np.asarray(part(), float) for part in parts])
        if isinstance(node, ast.ComponentRef):
            whole = self._reference(str(node).partition("[")[0], prefix, package)
            index = node.indices[0][0]
            return whole if index is None else lambda: whole()[int(index.value) - 1]
        operator, operands = str(node.operator), [self._evaluate(o, prefix, package) for o in node.operands]
        if operator.startswith("Internal."):
            return lambda: self._called(package, f"{package.name}.{operator}", [o() for o in operands])
        if operator == "Modelica.Utilities.Files.loadResource":
            return lambda: package.path / operands[0]().removeprefix(f"modelica://{package.name}/")
        return lambda: _OPERATORS[operator](*(o() for o in operands))

    def _called(self, package: Package, name: str, values: list[Any]) -> Any:
        self.calls += 1
        results = package.call(name, values)
        return results if len(results) > 1 else results[0]

    def _reference(self, name: str, prefix: str, package: Package) -> Callable[[], Any]:
        if name.startswith("Types."):
            kind, item = name.rsplit(".", 1)
            items = list(package.classes[f"{package.name}.{kind}"].symbols)
            return lambda: items.index(item) + 1
        if name == "time":
            return lambda: self.values["time"]
        if name.startswith("Modelica.Blocks.Types.Init."):
            return lambda: 4
        return lambda: self.values[f"{prefix}{name}"]

    def run(self, end: float, step: float, rtol: float = 1e-9, start: float = 0.0) -> dict[str, np.ndarray]:
        """All values each `step` from `start` to `end`."""
        self.values["time"] = start
        order = self._sorted()
        for equation in self.initial:
            self._assign(equation)
        found: dict[str, list[Any]] = {name: [] for name in self.values if isinstance(self.values[name], np.ndarray)}
        instants = [round(start + i * step, 12) for i in range(round((end - start) / step) + 1)]
        for k, t in enumerate(instants):
            self.values["time"] = t
            self._go(order, sampled=True)
            for name, those in found.items():
                those.append(np.copy(self.values[name]))
            if k + 1 < len(instants) and self.states:
                self._integrate(order, t, instants[k + 1], rtol)
        return {name: np.array(those) for name, those in found.items()}

    def _integrate(self, order: list[_Equation], begin: float, end: float, rtol: float) -> None:
        shapes = [np.shape(self.values[name]) for name in self.states]
        sizes = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])

        def put(t: float, x: np.ndarray) -> None:
            self.values["time"] = t
            for name, shape, i, j in zip(self.states, shapes, sizes, sizes[1:], strict=False):
                self.values[name] = x[i:j].reshape(shape)

        def rates(t: float, x: np.ndarray) -> np.ndarray:
            put(t, x)
            self._go(order, sampled=False)
            return np.concatenate([np.ravel(self.values[self.rates[name]]) for name in self.states])

        start = np.concatenate([np.ravel(self.values[name]) for name in self.states])
        done = solve_ivp(rates, (begin, end), start, method="DOP853", rtol=rtol, atol=1e-11)
        assert done.success, done.message
        put(end, done.y[:, -1])

    def _sorted(self) -> list[_Equation]:
        """The equations in an order in which each reads what is known. A loop would be an algebraic one."""
        made = {name for equation in self.equations for name in equation.left}
        known = {*self.states}
        rest, order = [*self.equations], []
        while rest:
            ready = [e for e in rest if e.reads & made <= known]
            assert ready, f"an algebraic loop through {[e.left for e in rest]}"
            order += ready
            known |= {name for e in ready for name in e.left}
            rest = [e for e in rest if e not in ready]
        return order

    def _go(self, order: list[_Equation], *, sampled: bool) -> None:
        for equation in order:
            if sampled or not equation.sampled:
                self._assign(equation)

    def _assign(self, equation: _Equation) -> None:
        for name, value in zip(equation.left, equation.value(), strict=True):
            self.values[name] = np.asarray(value, float)

    def close(self) -> None:
        """Let go of all objects, once."""
        for package, destructor, plan in self._free:
            package.call(destructor, [plan])
        self._free = []


def _is_simple(kind: str) -> bool:
    return kind.startswith(("Interfaces.", "Types."))


def _base(name: str) -> str:
    return re.sub(r"\[[^\]]*\]", "", name)


def _arguments(symbol: ast.Symbol) -> list[Any]:
    own = symbol.class_modification
    return list(own.arguments) if own else []


def _reads(node: Any, prefix: str) -> set[str]:
    if isinstance(node, ast.ComponentRef):
        return {f"{prefix}{node}"} if str(node) != "time" else set()
    return set(itertools.chain.from_iterable(_reads(o, prefix) for o in getattr(node, "operands", ())))


_OPERATORS: dict[str, Callable[..., Any]] = {
    "fill": lambda value, *shape: np.full([int(n) for n in shape], value, float),
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "-": lambda a, b=None: -a if b is None else a - b,
}
