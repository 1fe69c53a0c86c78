"""The engine and its kernels as one readable C99 file, by `python -m cython_kernels.plain_c.standalone OUT`.

Cython writes functions that touch no Python object as plain C, between C that serves Python. `extract` takes the plain
part out by Cython's section markers, gives everything its own name again and refuses what would need Python.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cython_kernels.plain_c.c_statements import wrap
from cython_kernels.plain_c.pxd_comments import Comments
from cython_kernels.plain_c.tidy_c import tidy

DIRECTIVES = {
    "language_level": "3",
    "cdivision": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
}
"""How every kernel is compiled. Given globally, because only then do they hold for inline functions of `.pxd` files."""

BANNER = """\
/* The Keelblocks engine and its kernels, written by plain_c/standalone.py from cython_kernels/, where they are edited.
 *
 * C99 that needs the C library only. Everything is static: include this file where it is used. Compile it with
 * -ffp-contract=off (one rounding per operation) to get the numbers that the engine in Python gets, bit for bit.
 *
 * SPDX-License-Identifier: MIT
 */
"""

_PYTHON = re.compile(r"\b(?:Py[A-Z_]|__Pyx|__PYX|__pyx|CYTHON)\w+")
_REASONS = {
    "__Pyx_pow": "an integer power; multiply, or take the power of a double",
    "__Pyx_abs": "abs() of an integer; write a conditional expression",
    "__Pyx_div": "a division with Python's rounding; compile with cdivision=True",
    "__Pyx_mod": "a remainder with Python's sign; compile with cdivision=True",
    "__Pyx_memview": "a memoryview; take a pointer and a size",
    "__PYX_NAN": "float('nan'); take NAN from libc.math",
    "PyObject": "a Python object",
    "__Pyx_AddTraceback": "an exception; declare the function noexcept and call only such functions",
    "__Pyx_WriteUnraisable": "an exception; declare the function noexcept and call only such functions",
    "__pyx_f": "a function compiled in another module; make it inline in its .pxd",
    "__pyx_v": "a variable of a module; make it an enum, a #define or an inline function",
}
_KEYWORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|"
    "restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while"
)
_SECTION = re.compile(r"^/\* #### Code section: (\w+) ### \*/$", re.M)
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_PLACE = re.compile(r'/\* "([^"\n]+)":(\d+)\n')
_PLACED_COMMENT = re.compile(_PLACE.pattern + r".*?\*/", re.S)
_MANGLED = re.compile(r"__pyx_(f|t|e|opt_args)_(\d+[a-zA-Z_]\w*)")
_TYPE = re.compile(r"^(?:typedef [^;{]*;|struct \w+;|(?:struct|enum)[^;{]*\{.*?^\};)", re.M | re.S)
_FUNCTION = re.compile(r"^static (?:CYTHON_INLINE )?([^\n;={]*?)(\w+)\(([^\n]*)\) \{\n(.*?)^\}$", re.M | re.S)
_PYTHON_FUNCTION = re.compile(r"\b__pyx_pw_(?!15View_dot_MemoryView)\w*_\d+([a-zA-Z]\w*)\(")


class StandaloneError(Exception):
    """C that cannot stand without Python: says which function, and what in it needs Python."""


@dataclass
class _Function:
    symbol: str
    returns: str
    arguments: str
    body: str
    file: str
    line: int

    @property
    def uses(self) -> list[str]:
        return re.findall(r"\b(?:__pyx_f|kb)_\w+", self.body)


def extract(c_source: str, *, below: str | None = None, root: Path | None = None, traced: bool = False) -> str:
    """The plain C in what Cython wrote, as one C99 file.

    `below` names a function: what it uses is taken, it itself is not. Without it every function is taken. `root` is the
    folder that the file names in `c_source` start from: docstrings and comments are taken from there. `traced`: the
    statements stay as Cython wrote them, each with the line of the `.pxd` that it comes from, for those who count what
    runs. Raises StandaloneError if something that is taken needs Python.
    """
    sections = _sections(c_source)
    comments = Comments(root)
    functions = {f.symbol: f for f in _functions(sections["module_code"])}
    if below is not None:
        functions = _used_by(functions, below)
    elif match := _PYTHON_FUNCTION.search(sections["module_code"]):
        raise StandaloneError(f"{match[1]} needs Python: it is a Python function; declare it `cdef … noexcept nogil`")
    names = _plain_names(sections["type_declarations"] + " ".join(functions))
    names |= dict(re.findall(r'^static const char (__pyx_k_\w+)\[\] = (".*");$', sections["string_decls"], re.M))

    parts = [BANNER, _includes(c_source)]
    parts += _types(sections["type_declarations"], names, comments)
    written: set[str] = set()
    file = ""
    for function in functions.values():
        if function.file != file:
            file = function.file
            parts.append(comments.banner(file))
        ahead = [s for s in dict.fromkeys(function.uses) if s in functions and s not in written | {function.symbol}]
        parts += ["\n".join(wrap(_signature(functions[symbol], names) + ";\n")) for symbol in ahead]
        written |= {function.symbol, *ahead}
        parts.append(_traced(function, names) if traced else _definition(function, names, comments))
    return "\n".join(part for part in parts if part)


def generate(output_dir: Path, *, traced: bool = False) -> Path:
    """Write the engine as `engine.c` into a folder; its path. `traced` as in `extract`.

    Raises StandaloneError if it needs Python.
    """
    package = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as scratch:
        c_file = Path(scratch, "native.c")
        directives = ",".join(f"{name}={value}" for name, value in DIRECTIVES.items())
        command = [sys.executable, "-m", "cython", "-X", directives, f"{package.name}/native.pyx", "-o", str(c_file)]
        subprocess.run(command, cwd=package.parent, check=True)
        text = extract(c_file.read_text(encoding="utf-8"), below="entry_points", root=package.parent, traced=traced)
    output = Path(output_dir, "engine.c")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8")
    return output


def _sections(c_source: str) -> dict[str, str]:
    parts = _SECTION.split(c_source)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    missing = {"type_declarations", "string_decls", "module_code"} - sections.keys()
    if missing:
        raise StandaloneError(f"this is not C from a Cython known here: it has no section {', '.join(sorted(missing))}")
    return sections


def _functions(code: str) -> Iterator[_Function]:
    for match in _FUNCTION.finditer(code):
        file, line = _place_before(code, match.start())
        returns, symbol, arguments, body = match.groups()
        yield _Function(symbol, returns.strip(), arguments, body, file, line)


def _place_before(code: str, position: int) -> tuple[str, int]:
    """Where, by the last comment that says so, the C before a position comes from: file and line."""
    places = _PLACE.findall(code, 0, position)
    return (places[-1][0], int(places[-1][1])) if places else ("", 0)


def _used_by(functions: dict[str, _Function], name: str) -> dict[str, _Function]:
    """What `name` uses, directly or not, in the order of the file."""
    start = [f for f in functions.values() if _bare_name(f.symbol) == name]
    if not start:
        raise StandaloneError(f"there is no function {name} to start from")
    found: set[str] = set()
    ahead = list(start[0].uses)
    while ahead:
        symbol = ahead.pop()
        if symbol in functions and symbol not in found:
            found.add(symbol)
            ahead += functions[symbol].uses
    return {symbol: function for symbol, function in functions.items() if symbol in found}


def _qualified_name(mangled: str) -> list[str]:
    """14cython_kernels_4plan_Plan -> [cython_kernels, plan, Plan]"""
    parts = []
    while match := re.match(r"(\d+)", mangled):
        start, end = match.end(), match.end() + int(match[1])
        parts.append(mangled[start:end])
        mangled = mangled[end + 1 :]
    return [*parts, mangled]


def _bare_name(symbol: str) -> str:
    match = _MANGLED.fullmatch(symbol)
    return _qualified_name(match[2])[-1] if match else symbol


def _plain_names(text: str) -> dict[str, str]:
    """A plain name for each mangled one; with the module in front where two modules use one name."""
    mangled = {match[0]: match for match in _MANGLED.finditer(text)}
    qualified = {symbol: _qualified_name(match[2]) for symbol, match in mangled.items()}
    plain = {s: parts[-1] + ("_optional" if mangled[s][1] == "opt_args" else "") for s, parts in qualified.items()}
    count = Counter(plain.values())
    return {s: name if count[name] == 1 else f"{qualified[s][-2]}_{name}" for s, name in plain.items()}


def _local_name(match: re.Match[str]) -> str:
    name = match[1]
    return name + "_" if _KEYWORDS.fullmatch(name) or re.fullmatch(r"result|t\d+", name) else name


def _rename(text: str, names: dict[str, str]) -> str:
    text = re.sub(r"\b__pyx_\w+", lambda match: names.get(match[0], match[0]), text)
    text = re.sub(r"\b__pyx_v_([a-zA-Z_]\w*)", _local_name, text)
    for pattern, plain in (
        (r"\b__pyx_t_(\d+)\b", r"t\1"),
        (r"\b__pyx_L(\w+)", r"L\1"),
        (r"\b__pyx_r\b", "result"),
        (r"\b__pyx_ctuple_(\w+)", r"tuple_\1"),
        (r"\b__pyx_optional_args\b", "optional"),
        (r"\b__pyx_n\b", "given"),
        (r"\(\(char const \*\)(\"[^\"]*\")\)", r"\1"),
        (r"\bPY_LONG_LONG\b", "long long"),
        (r"\bPy_ssize_t\b", "ptrdiff_t"),
        (r"\[\(([^][()]*)\)\]", r"[\1]"),
        (r"(?<![\w)\]])(?<!if )(?<!while )(?<!switch )\((\w+(?:(?:->|\.)\w+|\[[\w +*\-]+\])+)\)", r"\1"),
        (r"(?<=[(\s])\((&\w+(?:(?:->|\.)\w+|\[[\w +*\-]+\])*)\)(?=[,)])", r"\1"),
    ):
        previous = None
        while previous != text:
            previous, text = text, re.sub(pattern, plain, text)
    return re.sub(r"\b0x[0-9A-F]{1,3}\b", lambda match: str(int(match[0], 16)), text)


def _includes(c_source: str) -> str:
    """The headers and verbatim C that the modules ask for."""
    match = re.search(r"/\* Early includes \*/\n(.*?)#ifdef _OPENMP", c_source, re.S)
    lines = [line.strip() for line in (match[1] if match else "").splitlines() if line.strip()]
    if "#include <stddef.h>" not in lines:
        lines.insert(0, "#include <stddef.h>")
    return "\n".join(lines) + "\n"


def _types(code: str, names: dict[str, str], comments: Comments) -> Iterator[str]:
    """Structs, enums and typedefs. Those that serve Python are left out; a function that uses one is refused."""
    for match in _TYPE.finditer(code):
        text = _rename(_COMMENT.sub("", match[0]), names)
        text = re.sub(r"= (-?\d+)L\b", r"= \1", text)
        first, *fields = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
        if _PYTHON.search(text):
            continue
        if fields:
            indented = [f"    {field}" for field in fields[:-1]]
            first = comments.beside_fields([first, *indented, fields[-1]], *_place_before(code, match.end())) + "\n"
        yield first


def _signature(function: _Function, names: dict[str, str]) -> str:
    arguments = function.arguments.replace("CYTHON_UNUSED ", "")
    return _rename(f"static inline {function.returns} {function.symbol}({arguments})", names).replace("* ", "*")


def _definition(function: _Function, names: dict[str, str], comments: Comments) -> str:
    signature = _signature(function, names)
    body = _rename(_COMMENT.sub("", function.body), names)
    lines = tidy(body.splitlines(), is_void=function.returns == "void")
    unused = re.findall(r"CYTHON_UNUSED [^,]*?(\w+)(?=,|$)", function.arguments)
    lines = [f"    (void){_rename(name, names)};" for name in unused] + lines
    _refuse_python(function, signature + "\n" + "\n".join(lines))
    return "\n".join([*comments.docstring(function.file, function.line), *wrap(signature + " {"), *lines, "}\n"])


def _traced(function: _Function, names: dict[str, str]) -> str:
    """The definition with a #line for every line of it; where Cython says no other, that of the declaration."""
    place = f'#line {function.line} "{function.file}"'
    written = [place, _signature(function, names) + " {"]
    for line in _PLACED_COMMENT.sub(r'\n#line \2 "\1"\n', function.body).splitlines():
        if line.startswith("#line"):
            place = line
        elif line.strip():
            written += [place, _rename(_COMMENT.sub("", line), names).replace("CYTHON_UNUSED ", "")]
    return "\n".join([*written, place, "}\n"])


def _refuse_python(function: _Function, text: str) -> None:
    symbols = _PYTHON.findall(text)
    if not symbols:
        return
    told = [(symbol, why) for start, why in _REASONS.items() for symbol in symbols if symbol.startswith(start)]
    symbol, reason = told[0] if told else (symbols[0], "a part of Cython's runtime")
    place = f" ({function.file}, line {function.line})" if function.file else ""
    raise StandaloneError(f"{_bare_name(function.symbol)}{place} needs Python: {symbol}, {reason}")


if __name__ == "__main__":
    print(generate(Path(sys.argv[1])))
