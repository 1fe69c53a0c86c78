"""What is taken of the lanes' C for a plan is complete, whatever kernel the plan has."""

from __future__ import annotations

import re

import pytest

from blocks.compiled.lanes import lanes_c
from blocks.compiled.source import engine_c
from cython_kernels.plain_c.generated import ENGINE_C
from cython_kernels.plain_c.lanes.parts import LANED

_OF_STRUCTS = re.compile(r"\bkl_(?:take|give|sel)_\w+(?=\()")


@pytest.mark.parametrize("kernel", engine_c().kernels)
def test_structs_and_what_they_are_chosen_by_are_there(kernel: str) -> None:
    functions = [name for kind, name in engine_c().functions(kernel).items() if kind in LANED]
    text = lanes_c().only(functions, "")
    defined = set(re.findall(r"^static [^;{\n]*?\b(kl_(?:take|give|sel)_\w+)\([^;]*?\{", text, re.M))
    assert set(_OF_STRUCTS.findall(text)) <= defined
    for struct in set(re.findall(r"\bL_(\w+)\b", text)):
        assert f"typedef struct L_{struct} L_{struct};" in text or f"}} L_{struct};" in text, struct


def test_tables_that_all_members_have_in_common_are_known() -> None:
    """Read by `kl_keep` and `kl_digits_of_two_over_pi`, or in setup alone, as tables of winds are.

    A pointer to another one would be taken for one to vectors.
    """
    text = ENGINE_C.read_text(encoding="utf-8")
    tables = re.findall(r"^ *static [\w ]*\b(?:double|int|long|char) (\w+)\[", text, re.M)
    assert sorted(tables) == ["DIGITS", "kb_signals", "keep", "table", "table"]
    lanes = ENGINE_C.with_name("lanes.c").read_text(encoding="utf-8")
    assert not re.search("kb_(isherwood|blendermann)", lanes)
