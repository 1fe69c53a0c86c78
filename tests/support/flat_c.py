"""Flat C compiled for this machine and run step by step, beside `simulate`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from blocks import Result

FLAGS = (
    "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-Wno-error=sign-conversion",
    "-ffp-contract=off", "-fno-strict-aliasing",
)  # fmt: skip
"""Without a warning, but for kernels in which an `int` meets a `size_t` or an `unsigned int`."""
_HOST = """\
#include "{name}.h"
#include <stdio.h>
#include <string.h>
static {name}_model model;
static const double INPUTS[] = {{{inputs}}};
int main(void)
{{
    long i;
    int status = {name}_init(&model);
    {set_inputs}
    for (i = 0; i < {steps} && status == {upper}_OK; i++) {{
        status = {name}_step(&model);
        if (status == {upper}_OK || status == {upper}_STOPPED) {{
            double t = {name}_time(&model);
            fwrite(&t, sizeof t, 1, stdout);
            fwrite(&model.outputs, sizeof model.outputs, 1, stdout);
        }}
    }}
    fprintf(stderr, "%d %s", status, {name}_fault_text(&model));
    return INPUTS[0] * 0.0 != 0.0;
}}
"""


def compiler(name: str) -> str:
    """Skips where it is not there."""
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name} here")
    return name


def run_c(
    folder: Path, name: str, steps: int, inputs: Sequence[float] = (), cc: str = "gcc", flags: Sequence[str] = ()
) -> tuple[np.ndarray, int, str]:
    """Rows of time and outputs of so many steps with these inputs held; the last status, and the fault's text."""
    set_inputs = "(void)memcpy(&model.inputs, INPUTS, sizeof model.inputs);" if len(inputs) else ""
    values = ", ".join(map(repr, map(float, inputs))) or "0.0"
    text = _HOST.format(name=name, upper=name.upper(), steps=steps, inputs=values, set_inputs=set_inputs)
    (folder / "host.c").write_text(text, encoding="utf-8")
    command = [compiler(cc), *FLAGS, "-O1", *flags, f"{name}.c", "host.c", "-o", "host"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    ran = subprocess.run([folder / "host"], capture_output=True, check=True)
    status, _, text = ran.stderr.decode().partition(" ")
    table = np.frombuffer(ran.stdout)
    return table, int(status), text


def assert_same(table: np.ndarray, run: Result, names: Sequence[str]) -> None:
    """All of it, to the last bit."""
    columns = [run.time, *(np.asarray(run.values(name), dtype=float).reshape(len(run.time), -1) for name in names)]
    wanted = np.column_stack(columns)
    found = table.reshape(-1, wanted.shape[1])
    assert len(found) == len(wanted)
    wrong = np.argwhere(found.view("u8") != wanted.view("u8"))
    assert not len(wrong), f"row {wrong[0][0]}: {_named(columns, names, wrong[0][1])}"


def _named(columns: Sequence[np.ndarray], names: Sequence[str], column: int) -> str:
    ends = np.cumsum([1, *(part.shape[1] for part in columns[1:])])
    return ["time", *names][int(np.searchsorted(ends, column, side="right"))]


def constant_inputs(values: Mapping[str, float | Sequence[float]]) -> list[float]:
    """Numbers in the order of a struct of inputs."""
    return [number for value in values.values() for number in np.atleast_1d(value).tolist()]
