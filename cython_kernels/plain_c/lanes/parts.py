"""`lanes.c` in parts: how they are marked, and only what a plan needs of them.

Nothing here reads C, so that it takes no parser.
"""

from __future__ import annotations

import re
from collections.abc import Collection

BANNER = """\
/* The Keelblocks engine and its kernels for several members at once, written by plain_c/lanes from engine.c, behind
 * which it is included. Each member gets the numbers of a run alone, bit for bit.
 *
 * SPDX-License-Identifier: MIT
 */
"""
PARTS = ("prelude.h", "structs", "driver.h", "functions", "group.h")
MARK = "/* ==== {} ==== */\n"
STEP_ON = "step_on"
"""What lets a group go on."""
LANED = ("outputs", "derivatives", "update", "jumps")
"""Functions of kernels that it calls: each member is set up, begins and looks for crossings by itself."""

_FUNCTION = re.compile(r"^static inline [^\n]*?\b(\w+)\([^\n]*\) \{\n.*?^\}\n", re.M | re.S)
_STRUCT = re.compile(r"^struct L_(\w+) \{\n(.*?)^\};\n", re.M | re.S)
_ONE_BY_ONE = re.compile(r"\bkl_(?:load|put|take|give)_")
_WORD = re.compile(r"\b[a-zA-Z_]\w*\b")
_KEPT = ("Plan", "Recorder", "Detour", "View")


class LanesC:
    """The text of `lanes.c`."""

    def __init__(self, text: str) -> None:
        at = [text.index(MARK.format(part)) for part in PARTS] + [len(text)]
        self._parts = {part: text[at[i] : at[i + 1]] for i, part in enumerate(PARTS)}
        self._functions = {match[1]: match[0] for match in _FUNCTION.finditer(self._parts["functions"])}
        self._used_by: dict[str, set[str]] = {}
        self.step_on = next(name for name in self._functions if name.startswith(f"{STEP_ON}__"))
        structs = self._parts["structs"]
        self._structs = {match[1]: match[2] for match in _STRUCT.finditer(structs)}
        self._struct_functions = [match[0] for match in _FUNCTION.finditer(structs)]

    def has(self, function: str) -> bool:
        """Whether a function of a kernel can be laned."""
        return f"{function}__pv" in self._functions

    def looks_up(self, function: str) -> bool:
        """Whether a function of a kernel reads or writes at addresses that differ from member to member, one by one."""
        return any(_ONE_BY_ONE.search(self._functions[name]) for name in self._all_of([f"{function}__pv"]))

    def _all_of(self, ahead: list[str]) -> set[str]:
        needed: set[str] = set()
        while ahead:
            name = ahead.pop()
            if name not in needed:
                needed.add(name)
                ahead += self._uses(name)
        return needed

    def _uses(self, name: str) -> set[str]:
        """The functions that one uses; found when it is asked for, for a plan needs few of them."""
        if name not in self._used_by:
            words = _WORD.findall(self._functions[name])
            self._used_by[name] = {word for word in words if word in self._functions and word != name}
        return self._used_by[name]

    def only(self, functions: Collection[str], calls: str) -> str:
        """What a plan needs that calls these functions of kernels, by these calls. It stands behind `engine.c`."""
        needed = self._all_of([self.step_on, *(f"{function}__pv" for function in functions)])
        bodies = "\n".join(body for name, body in self._functions.items() if name in needed)
        defined = f"#define KL_STEP_ON {self.step_on}\n#define KL_ALONE {int('kl_by_member(s' in calls)}\n"
        return "".join([
            BANNER, self._parts["prelude.h"], self._needed_structs(bodies + calls), self._parts["driver.h"], bodies,
            calls, defined, self._parts["group.h"],
        ])  # fmt: skip

    def _needed_structs(self, code: str) -> str:
        functions: list[str] = []
        for text in reversed(self._struct_functions):  # those of a struct stand behind those of what is inside it
            if any(f"{name}(" in code or any(f"{name}(" in other for other in functions) for name in _own_names(text)):
                functions.insert(0, text)
        words = {word[2:] for word in _WORD.findall(code + "".join(functions)) if word.startswith("L_")}
        ahead = [*_KEPT, *(words & self._structs.keys())]
        needed: set[str] = set()
        while ahead:
            name = ahead.pop()
            if name not in needed:
                needed.add(name)
                inner = {word[2:] for word in _WORD.findall(self._structs[name]) if word.startswith("L_")}
                ahead += inner & self._structs.keys()
        names = [name for name in self._structs if name in needed]
        typedefs = "".join(f"typedef struct L_{name} L_{name};\n" for name in names)
        return (
            typedefs + "".join(f"struct L_{name} {{\n{self._structs[name]}}};\n" for name in names) + "".join(functions)
        )


def _own_names(text: str) -> list[str]:
    return re.findall(r"\bkl_(?:take|give|sel)_\w+(?=\()", text.split("{")[0])
