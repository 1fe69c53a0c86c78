"""What `make coverage` counts: branches by the line that they stand in, whatever they were compiled into."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from c_host import COMPILER, MISSING
from engine_coverage.counts import Line, count_files, lines
from engine_coverage.report import report

ROOT = Path(__file__).parents[2]
CODE = """
#include <stdio.h>
#line 7 "cython_kernels/mathematics/limits.pxd"
static int is_large(int n) { return n > 2 && n < 9 ? 1 : 0; }
#line 10 "cython_kernels/engine.pyx"
int main(int argc, char **argv) {
#line 9 "fmu/runtime/c/steps.c"
    if (argc > 1) printf("%s", argv[1]);
#line 11 "cython_kernels/engine.pyx"
    if (argc > 5) puts("more");
    return is_large(argc);
}
"""


@pytest.mark.skipif(MISSING, reason="needs a C compiler")
def test_branches_are_added_up_over_objects_by_line(tmp_path):
    for name, arguments in (("one", []), ("other", ["a", "b"])):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "code.c").write_text(CODE)
        subprocess.run([*COMPILER, "-O0", "--coverage", "code.c", "-o", "code"], cwd=folder, check=True)
        subprocess.run([folder / "code", *arguments], cwd=folder, check=False, capture_output=True)
    found = lines(count_files(tmp_path), ROOT)
    assert found == [
        Line("cython_kernels/mathematics/limits.pxd", 7, (1, 1, 1, 0)),
        Line("fmu/runtime/c/steps.c", 9, (1, 1)),
    ]
    assert [line.taken for line in found] == [3, 2]


def test_the_table_says_how_much_of_the_engine_ran(capsys):
    found = [
        Line("cython_kernels/mathematics/limits.pxd", 7, (1, 1, 1, 0)),
        Line("fmu/runtime/c/steps.c", 9, (5, 0)),
        Line("cython_kernels/control/pid.pxd", 3, (0, 0)),
    ]
    assert report(found, missing=True) == pytest.approx(4 / 6)
    shown = capsys.readouterr().out
    assert "the C engine 6 4 66.7" in " ".join(shown.split())
    assert "kernels 2 0 0.0" in " ".join(shown.split())
    assert "cython_kernels/mathematics/limits.pxd:7: - - - never" in shown
    assert report([], missing=False) == 0.0
