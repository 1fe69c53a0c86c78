"""The engine and its kernels as one C99 file without Python, by `python -m cython_kernels.plain_c.standalone OUT`.

Cython writes functions that touch no Python object as plain C, between C that serves Python. `extract` takes the plain
part out by Cython's section markers, gives everything its own name again and refuses what would need Python. What is
compiled has the statements as Cython wrote them; they are tidied only in what people read.
"""

import re
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum
from operator import itemgetter
from pathlib import Path

from cython_kernels.plain_c.c_statements import UnknownStatementError, wrap
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

ENGINE_BANNER = """\
/* The Keelblocks engine and its kernels, written by plain_c/standalone.py from cython_kernels/, where they are edited.
 *
 * C99 that needs the C library only. Everything is static: include this file where it is used. Compile it with
 * -ffp-contract=off (one rounding per operation) to get the numbers that the engine in Python gets, bit for bit.
 *
 * SPDX-License-Identifier: MIT
 */
"""

UNUSED = """\
#ifdef __GNUC__ /* gcc and clang: of a loop that only counts */
#define KB_UNUSED __attribute__((unused))
#else
#define KB_UNUSED
#endif
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
_PROTOTYPE = re.compile(r"^static [^;{}]*?\b(\w+)\([^;{}]*\)[^;{}]*;\n", re.M)
_PYTHON_FUNCTION = re.compile(r"\b__pyx_pw_(?!15View_dot_MemoryView)\w*_\d+([a-zA-Z]\w*)\(")


class Form(Enum):
    """What becomes of the statements that Cython wrote."""

    COMPILED = "compiled"  # as they are, but for names
    TRACED = "traced"  # the same, each with the line of the `.pxd` that it comes from, for those who count what runs
    READABLE = "readable"  # tidied, for people


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


def extract(
    c_source: str,
    *,
    below: str | None = None,
    root: Path | None = None,
    form: Form = Form.READABLE,
    banner: str = ENGINE_BANNER,
) -> str:
    """The plain C in what Cython wrote, as one C99 file.

    `below` names a function: what it uses is taken, it itself is not. Without it every function is taken. `root` is the
    folder that the file names in `c_source` start from: docstrings and comments are taken from there. `banner`
    is the comment that it begins with. Raises StandaloneError if something that is taken needs Python.
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

    parts = [banner, _without_unused(_includes(c_source), functions), UNUSED if form is Form.COMPILED else ""]
    parts += _types(sections["type_declarations"], names, comments)
    written: set[str] = set()
    file = ""
    for function in functions.values():
        if function.file != file:
            file = function.file
            parts.append(comments.banner(file))
        ahead = [s for s in dict.fromkeys(function.uses) if s in functions and s not in written | {function.symbol}]
        parts += ["\n".join(_declaration(functions[symbol], names, form)) for symbol in ahead]
        written |= {function.symbol, *ahead}
        parts.append("\n".join(_definition(function, names, comments, form)))
    return "\n".join(part for part in parts if part)


def generate(output_dir: Path, *, traced: bool = False) -> Path:
    """Write the engine as `engine.c` into a folder, and beside it as `readable/engine.c`; the path of the first.

    `traced`: with the lines of the `.pxd` files. Raises StandaloneError if it needs Python.
    """
    package = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as scratch:
        c_file = Path(scratch, "native.c")
        directives = ",".join(f"{name}={value}" for name, value in DIRECTIVES.items())
        command = [sys.executable, "-m", "cython", "-X", directives, f"{package.name}/native.pyx", "-o", str(c_file)]
        subprocess.run(command, cwd=package.parent, check=True)
        c_source = c_file.read_text(encoding="utf-8")
    output = Path(output_dir, "engine.c")
    for path, form in (
        (output, Form.TRACED if traced else Form.COMPILED),
        (output.parent / "readable" / output.name, Form.READABLE),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(extract(c_source, below="entry_points", root=package.parent, form=form), encoding="utf-8")
    return output


def _sections(c_source: str) -> dict[str, str]:
    parts = _SECTION.split(c_source)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    missing = {"type_declarations", "string_decls", "module_code"} - sections.keys()
    if missing:
        raise StandaloneError(f"this is not C from a Cython known here: it has no section {', '.join(sorted(missing))}")
    return sections


def _functions(code: str) -> Iterator[_Function]:
    places = _Places(code)
    for match in _FUNCTION.finditer(code):
        file, line = places.before(match.start())
        returns, symbol, arguments, body = match.groups()
        yield _Function(symbol, returns.strip(), arguments, body, file, line)


class _Places:
    """Where, by the last comment that says so, C comes from."""

    def __init__(self, code: str) -> None:
        self.found = [(match.end(), match[1], int(match[2])) for match in _PLACE.finditer(code)]

    def before(self, position: int) -> tuple[str, int]:
        """File and line of what stands before a position."""
        at = bisect_right(self.found, position, key=itemgetter(0))
        return self.found[at - 1][1:] if at else ("", 0)


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
    for modules in range(2, 6):
        count = Counter(plain.values())
        plain = {s: p if count[p] == 1 else "_".join(qualified[s][-modules:]) for s, p in plain.items()}
    return plain


def _local_name(match: re.Match[str]) -> str:
    name = match[1]
    return name + "_" if _KEYWORDS.fullmatch(name) or re.fullmatch(r"result|t\d+", name) else name


_NAMES = (
    (re.compile(r"\b__pyx_t_(\d+)\b"), r"t\1"),
    (re.compile(r"\b__pyx_L(\w+)"), r"L\1"),
    (re.compile(r"\b__pyx_r\b"), "result"),
    (re.compile(r"\b__pyx_ctuple_(\w+)"), r"tuple_\1"),
    (re.compile(r"\b__pyx_optional_args\b"), "optional"),
    (re.compile(r"\b__pyx_n\b"), "given"),
    (re.compile(r"\bPY_LONG_LONG\b"), "long long"),
    (re.compile(r"\bPy_ssize_t\b"), "ptrdiff_t"),
)
_ROUNDABOUT = (
    (re.compile(r"\(\(char const \*\)(\"[^\"]*\")\)"), r"\1"),
    (re.compile(r"\[\(([^][()]*)\)\]"), r"[\1]"),
    (re.compile(r"(?<![\w)\]])(?<!if )(?<!while )(?<!switch )\((\w+(?:(?:->|\.)\w+|\[[\w +*\-]+\])+)\)"), r"\1"),
    (re.compile(r"(?<=[(\s])\((&\w+(?:(?:->|\.)\w+|\[[\w +*\-]+\])*)\)(?=[,)])"), r"\1"),
)
"""Expressions with parentheses that nobody would write."""


def _rename(text: str, names: dict[str, str]) -> str:
    """Plain names for mangled ones, word by word; nothing else changes."""
    text = re.sub(r"\b__pyx_\w+", lambda match: names.get(match[0], match[0]), text)
    text = re.sub(r"\b__pyx_v_([a-zA-Z_]\w*)", _local_name, text)
    for pattern, plain in _NAMES:
        text = pattern.sub(plain, text)
    return text


def _simplify(text: str) -> str:
    """Expressions as a person writes them."""
    for pattern, plain in _ROUNDABOUT:
        previous = None
        while previous != text:
            previous, text = text, pattern.sub(plain, text)
    return re.sub(r"\b0x[0-9A-F]{1,3}\b", lambda match: str(int(match[0], 16)), text)


def _includes(c_source: str) -> str:
    """The headers and verbatim C that the modules ask for."""
    match = re.search(r"/\* Early includes \*/\n(.*?)#ifdef _OPENMP", c_source, re.S)
    lines = [line.strip() for line in (match[1] if match else "").splitlines() if line.strip()]
    if "#include <stddef.h>" not in lines:
        lines.insert(0, "#include <stddef.h>")
    return "\n".join(lines) + "\n"


def _without_unused(head: str, functions: Collection[str]) -> str:
    """Verbatim C without the declarations of functions that were not taken."""

    def kept(match: re.Match[str]) -> str:
        return match[0] if match[1] in functions or re.search(rf"\b{match[1]}\([^;{{}}]*\) \{{", head) else ""

    return _PROTOTYPE.sub(kept, head)


def _types(code: str, names: dict[str, str], comments: Comments) -> Iterator[str]:
    """Structs, enums and typedefs. Those that serve Python are left out; a function that uses one is refused."""
    places = _Places(code)
    for match in _TYPE.finditer(code):
        text = _simplify(_rename(_COMMENT.sub("", match[0]), names))
        text = re.sub(r"= (-?\d+)L\b", r"= \1", text)
        first, *fields = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
        if _PYTHON.search(text):
            continue
        if fields:
            indented = [f"    {field}" for field in fields[:-1]]
            first = comments.beside_fields([first, *indented, fields[-1]], *places.before(match.end())) + "\n"
        yield first


def _signature(function: _Function, names: dict[str, str]) -> str:
    arguments = function.arguments.replace("CYTHON_UNUSED ", "")
    return _rename(f"static inline {function.returns} {function.symbol}({arguments})", names).replace("* ", "*")


def _declaration(function: _Function, names: dict[str, str], form: Form) -> Iterator[str]:
    """A function that is defined further below."""
    if form is Form.TRACED:
        yield _line(function)
    yield from wrap(_signature(function, names) + ";\n")


def _line(function: _Function) -> str:
    return f'#line {function.line} "{function.file}"'


def _definition(function: _Function, names: dict[str, str], comments: Comments, form: Form) -> Iterator[str]:
    """The lines of a function."""
    _refuse_hidden(function)
    signature = _signature(function, names)
    plain = _rename(_COMMENT.sub("", function.body), names)
    _refuse_python(function, signature + plain.replace("CYTHON_UNUSED ", ""))
    if form is Form.TRACED:
        yield from _traced(function, signature, names)
        return
    if form is Form.READABLE:
        try:
            lines = tidy(_simplify(plain).splitlines(), is_void=function.returns == "void")
        except UnknownStatementError as problem:
            raise StandaloneError(f"{_told(function)} cannot be read: {problem}") from None
    else:
        lines = [line for line in plain.replace("CYTHON_UNUSED ", "KB_UNUSED ").splitlines() if line.strip()]
    unused = re.findall(r"CYTHON_UNUSED [^,]*?(\w+)(?=,|$)", function.arguments)
    yield from comments.docstring(function.file, function.line)
    yield from wrap(signature + " {")
    yield from (f"    (void){_rename(name, names)};" for name in unused)
    yield from lines
    yield "}\n"


def _traced(function: _Function, signature: str, names: dict[str, str]) -> Iterator[str]:
    """Each line of a function after a #line; where Cython says no other, that of the declaration."""
    place = _line(function)
    yield from (place, signature + " {")
    for line in _PLACED_COMMENT.sub(r'\n#line \2 "\1"\n', function.body).splitlines():
        if line.startswith("#line"):
            place = line
        elif line.strip():
            yield from (place, _rename(_COMMENT.sub("", line), names).replace("CYTHON_UNUSED ", ""))
    yield from (place, "}\n")


def _refuse_hidden(function: _Function) -> None:
    """A local variable must not have a name that its function uses otherwise: of a function of C, say."""
    code = _COMMENT.sub("", f"{function.arguments} {{ {function.body}")
    for name in dict.fromkeys(re.findall(r"\b__pyx_v_([a-zA-Z]\w*)", code)):
        if not _KEYWORDS.fullmatch(name) and re.search(rf"(?<![\w.>]){name}\b", code):
            raise StandaloneError(
                f"{_told(function)}: its variable '{name}' hides what else has that name there; give it another"
            )


def _refuse_python(function: _Function, text: str) -> None:
    symbols = _PYTHON.findall(text)
    if not symbols:
        return
    told = [(symbol, why) for start, why in _REASONS.items() for symbol in symbols if symbol.startswith(start)]
    symbol, reason = told[0] if told else (symbols[0], "a part of Cython's runtime")
    raise StandaloneError(f"{_told(function)} needs Python: {symbol}, {reason}")


def _told(function: _Function) -> str:
    """A function as a message names it."""
    place = f" ({function.file}, line {function.line})" if function.file else ""
    return f"{_bare_name(function.symbol)}{place}"


if __name__ == "__main__":
    print(generate(Path(sys.argv[1])))
