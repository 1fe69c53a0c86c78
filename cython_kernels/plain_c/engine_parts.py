"""The engine's C in parts: with some kernels only, without any, and kernels in sections that are compiled one by one.

`engine.c`, as `cython_kernels/plain_c/standalone.py` writes it, has every kernel. A kernel's section is named after the
file that the last of its functions stands in: `line_of_sight_pi`, of `guidance/line_of_sight.pxd`, is in
`guidance_line_of_sight`. What the engine calls for a kernel that sees names stands in `entries/`, and counts as of the
same file below `cython_kernels`. A function that is declared KB_ONCE, such as `kb_sin`, is a section of its own, with
the kernels that use it.
Nothing of Keelblocks is imported here, because the build uses this file before anything is installed.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

END = "end"
"""The section behind the last one, which has no kernels."""

LIBRARIES = "libraries"
"""The section that opens compiled libraries, and what stands for their kernels where those of a section are named."""

ONCE = "KB_ONCE"
"""The attribute of functions that all kernels share, instead of having one each."""
_REGISTRY = "find_kernel"
_ENTRY = "entry"
_FILE = re.compile(r"^/\* ---- \w+/([\w/]+)\.pxd.*?\*/\n\n", re.M | re.S)
_FUNCTION = re.compile(
    r"((?:^/\*(?:[^*]|\*(?!/))*\*/\n)?)^(static [^;{}]*?\b(\w+)\([^;{}]*\)) \{\n(.*?)^\}\n", re.M | re.S
)
"""Comment, declaration, name, body."""
_PROTOTYPE = re.compile(r"^static [^;{}]*?\b(\w+)\([^;{}]*\)([^;{}]*);\n", re.M)
"""Name, attributes."""
_CALL = re.compile(r'\bentry\(k, s, (?:\(\(char const \*\)"(\w+)"\)|"(\w+)"), ([^()]*)\)')
"""The line of a kernel in the registry, as Cython writes it or tidied: its name in either, then the functions."""
_KINDS = ("setup", "start", "outputs", "derivatives", "update", "crossings", "jumps")
"""The functions in such a line, in their order."""
_VERSIONS = re.compile(r"^KB_VERSIONS\((\w+)\)\n", re.M)
"""A function in several versions, see `wide_paths.pxd`."""
_VIEW = re.compile(r"^/\* [^\n]*, by name \*/\nstruct (\w+) \{\n(.*?)^\};\n+", re.M | re.S)
_VIEW_NAME = re.compile(r"^(?:struct (\w+);\n)?typedef struct \w+ (\w+);\n", re.M)
_CHOICES = re.compile(r"^/\* choices of [^\n]*, by name \*/\nenum \{\n(.*?)^\};\n+", re.M | re.S)
"""What the build makes from declarations, see `blocks/kernel_views`."""
_WORD = re.compile(r"\b[a-zA-Z_]\w*\b")
_IN_SECTIONS = """\
    KB_ASK_SECTIONS({count}, s, k)
"""
_FOUND = """\
    if ({0}(s, k)) {{
        return 1;
    }}
"""
_FINDER = """\
__attribute__((weak)) int {0}(char const *s, KernelEntry *k);
int {0}(char const *s, KernelEntry *k) {{
    return {1};
}}
"""


@dataclass(frozen=True)
class _Function:
    file: str
    comment: str
    head: str
    body: str
    uses: list[str]


@dataclass(frozen=True)
class _Kernel:
    call: str
    functions: list[str]

    @property
    def line(self) -> str:
        """Its line in the registry."""
        return f"    if ({self.call}) {{\n        return 1;\n    }}\n"


def finder(kernel: str) -> str:
    """The function that finds a kernel, in the engine of `with_finders`."""
    return f"kb_kernel_{kernel}"


def _refuse_unknown(file: str, rest: str) -> None:
    """Between the functions of a file nothing else may stand but declarations of functions."""
    unknown = _PROTOTYPE.sub("", rest).split("\n\n")
    for text in filter(None, map(str.strip, unknown)):
        raise ValueError(f"in the C of {file} this is no function: {text.splitlines()[0]!r}")


def _without_views(head: str, code: str) -> str:
    """The head without the views of kernels that are not there, and what is named for these alone."""
    used = {*_WORD.findall(code)}
    views = {match[1]: match for match in _VIEW.finditer(head)}
    ahead = [name for name in views if name in used]
    kept: set[str] = set()
    while ahead:
        name = ahead.pop()
        if name not in kept:
            kept.add(name)
            ahead += [word for word in _WORD.findall(views[name][2]) if word in views]
    head = _VIEW.sub(lambda match: match[0] if match[1] in kept else "", head)
    head = _VIEW_NAME.sub(lambda match: "" if match[2] in views and match[2] not in kept else match[0], head)
    return _CHOICES.sub(lambda match: match[0] if used.intersection(_WORD.findall(match[1])) else "", head)


def _own_section(function: str) -> str:
    return f"elementary_{function.removeprefix('kb_')}"


def _section_of(file: str) -> str:
    return file.removeprefix("entries/").replace("/", "_")


class EngineC:
    """The text of `engine.c`, taken apart."""

    def __init__(self, text: str) -> None:
        files = [(match.start(), match[0], match[1]) for match in _FILE.finditer(text)]
        if not files or _REGISTRY not in text:
            raise ValueError("this is not the C of the engine as cython_kernels/plain_c/standalone.py writes it")
        self._head = text[: files[0][0]]
        self._banners = {name: banner for _, banner, name in files}
        self._functions: dict[str, _Function] = {}
        for (start, _, file), end in zip(files, [place for place, *_ in files[1:]] + [len(text)], strict=True):
            for match in _FUNCTION.finditer(text, start, end):
                comment, head, name, body = match.groups()
                self._functions[name] = _Function(file, comment, head, body, [])
            _refuse_unknown(file, _FUNCTION.sub("", text[start + len(self._banners[file]) : end]))
        for name, function in self._functions.items():
            words = dict.fromkeys(_WORD.findall(function.body))
            function.uses.extend(word for word in words if word in self._functions and word != name)
        registry = self._functions[_REGISTRY].body
        self._kernels = {match[1] or match[2]: self._kernel(match) for match in _CALL.finditer(registry)}
        if len(self._kernels) != registry.count("entry("):
            raise ValueError(f"{_REGISTRY} has lines that are not known here: expected entry(k, s, name, functions, …)")
        used = {word for function in self._functions.values() for word in function.uses}
        self._entry_points = [name for name in self._functions if name not in used]
        self._functions[_REGISTRY].uses[:] = [_ENTRY]
        declared = {match[1]: match[2] for match in _PROTOTYPE.finditer(self._head)}
        self._shared = [name for name in self._functions if ONCE in declared.get(name, "")]

    def _kernel(self, call: re.Match[str]) -> _Kernel:
        functions = [word for word in _WORD.findall(call[3]) if word in self._functions]
        return _Kernel(call[0], functions)

    @property
    def kernels(self) -> list[str]:
        """Every kernel, in the order of the registry."""
        return [*self._kernels]

    def functions(self, kernel: str) -> dict[str, str]:
        """The functions in C of a kernel, "setup" and so on, those that it has. Raises KeyError if there is none."""
        names = _CALL.match(self._kernels[kernel].call)[3].replace(",", " ").split()[: len(_KINDS)]  # type: ignore[index]
        return {kind: name for kind, name in zip(_KINDS, names, strict=True) if name in self._functions}

    def sections(self) -> dict[str, list[str]]:
        """The kernels of each section, by its name; none of what every model needs, and of the last one, END."""
        return self._kernel_sections() | self._function_sections() | {LIBRARIES: [LIBRARIES], END: []}

    def _kernel_sections(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, kernel in self._kernels.items():
            found.setdefault(_section_of(self._functions[kernel.functions[-1]].file), []).append(name)
        return found

    def _function_sections(self) -> dict[str, list[str]]:
        """The sections of functions that are there once, and the kernels that use these."""
        always = self._needed(self._entry_points)
        needed = {name: self._needed(kernel.functions) for name, kernel in self._kernels.items()}
        users = {
            shared: [kernel for kernel, all_of_it in needed.items() if shared in all_of_it] for shared in self._shared
        }
        return {
            _own_section(shared): [] if shared in always else kernels
            for shared, kernels in users.items()
            if kernels or shared in always
        }

    def only(self, kernels: Iterable[str]) -> str:
        """The engine with these kernels, to be included like `engine.c`. Raises KeyError for one that there is not."""
        return self._with({*kernels}, self._entry_points)

    def without_kernels(self) -> str:
        """The engine that finds its kernels in the sections that are linked behind it, see `section.h`."""
        sections = self._kernel_sections()
        rows = [f"KERNELS({name})" for name in sections]
        rows += [f"ALONE({name})" for name in [*self._function_sections(), END]]
        lines = _IN_SECTIONS.format(count=len(sections))
        text = self._with(set(), self._entry_points, lines, linked=self._shared)
        table = " \\\n    ".join(["#define KB_SECTIONS(KERNELS, ALONE)", *rows])
        declared = f"{table}\nKB_TABLE\nKB_SECTION({LIBRARIES})\n"
        return f'#define KB_PATH KB_INSIDE int\n#include "section.h"\n{self._ahead_of_registry(declared, text)}'

    def with_finders(self) -> str:
        """The engine with every kernel, each behind a function that can be replaced by one that does not find it.

        Weak: the compiler takes nothing for granted of what that function returns.
        """
        lines = "".join(_FOUND.format(finder(name)) for name in self._kernels)
        finders = "".join(_FINDER.format(finder(name), kernel.call) for name, kernel in self._kernels.items())
        return self._ahead_of_registry(finders, self._with({*self._kernels}, self._entry_points, lines))

    def owned(self) -> dict[str, set[str]]:
        """The functions of each kernel that the engine does not need without it; kernels share some of them."""
        always = self._needed([_REGISTRY, *self._entry_points]).keys()
        return {name: self._needed(kernel.functions).keys() - always for name, kernel in self._kernels.items()}

    def _ahead_of_registry(self, declared: str, text: str) -> str:
        """The text of an engine, with this ahead of its registry."""
        at = text.index(f"{self._functions[_REGISTRY].comment}{self._functions[_REGISTRY].head} {{")
        return f"{text[:at]}{declared}\n{text[at:]}"

    def section(self, name: str) -> str:
        """The translation unit of a section."""
        own = [shared for shared in self._shared if _own_section(shared) == name]
        if own:
            code = self._with(set(), own, linked=self._shared)
        elif name == END:
            code = "typedef int nothing_more;\n"
        elif name == LIBRARIES:
            code = f'{self._with(set(), [], linked=self._shared)}\n#include "opened_libraries.c"\n'
        else:
            code = f"{self._with({*self.sections()[name]}, [], linked=self._shared)}\nKB_KERNELS({name})\n"
        system = "#ifdef __linux__\n#define _GNU_SOURCE\n#endif\n" if name == LIBRARIES else ""
        return f'{system}#include "section.h"\nKB_MARKER({name})\n\n{code}'

    def _with(
        self, kernels: set[str], entry_points: list[str], registry: str = "", linked: Collection[str] = ()
    ) -> str:
        """What these functions and kernels need, with a registry of these lines, else those of the kernels.

        linked: functions that are found in a section of theirs, but for those that are entry points here.
        """
        lines = registry or "".join(kernel.line for name, kernel in self._kernels.items() if name in kernels)
        functions = [function for name in kernels for function in self._kernels[name].functions]
        elsewhere = {*linked}.difference(entry_points)
        finds_kernels = [_REGISTRY] if kernels else []
        needed = self._needed([*finds_kernels, *entry_points, *functions], elsewhere)
        head = _PROTOTYPE.sub(
            lambda match: match[0] if self._is_kept(match, needed) and match[1] not in linked else "", self._head
        )
        head = _VERSIONS.sub(lambda match: match[0] if match[1] in needed else "", head)
        kept = [self._functions[name] for name in needed]
        head = _without_views(head, " ".join(f"{function.head} {function.body}" for function in kept))
        heads = {
            name: self._functions[name].head.replace("static inline", "KB_INSIDE")
            if name in linked
            else self._functions[name].head
            for name in needed
        }
        parts = [head.rstrip() + "\n\n", *(f"{declared};\n" for declared in heads.values())]
        file = ""
        for name in needed:
            if name in elsewhere:
                continue
            function = self._functions[name]
            if function.file != file:
                file = function.file
                parts.append("\n" + self._banners[file].rstrip("\n") + "\n")
            body = f"{lines}    return 0;\n" if name == _REGISTRY else function.body
            parts.append(f"\n{function.comment}{heads[name]} {{\n{body}}}\n")
        return "".join(parts)

    def _is_kept(self, prototype: re.Match[str], needed: Collection[str]) -> bool:
        """Whether the head may declare a function: of those of the engine, what is there, for its attributes."""
        name, attributes = prototype.groups()
        return name not in self._functions or bool(attributes and name in needed)

    def _needed(self, names: Iterable[str], elsewhere: Collection[str] = ()) -> dict[str, None]:
        """These functions and all that they use, in the order of the file, but for what those elsewhere use."""
        found: set[str] = set()
        ahead = [*names]
        while ahead:
            name = ahead.pop()
            if name not in found:
                found.add(name)
                ahead += () if name in elsewhere else self._functions[name].uses
        return {name: None for name in self._functions if name in found}
