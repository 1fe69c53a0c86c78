"""CONTRIBUTING's walk to a new block, to the letter: its files are written, built, and judged by the common tests.

In a copy of the source, built without optimisation: what is followed is the way, not the speed. The build is left to
`make test-slow`; what comes before it, views and Cython, is tested at once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_SOURCE = shutil.ignore_patterns("__pycache__", "*.so", "binaries", "generated")


def walk() -> dict[str, str]:
    """The files that the walk writes, by path."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text[text.index("\n## Adding a block\n") :]
    section = section[: section.index("\n### ")]
    files = {}
    for part in re.split(r"\n(?=\*\*)", section)[1:]:
        path = re.search(r"`((?:blocks|cython_kernels|tests)/[\w/]+\.(?:py|pxd))`", part)
        code = re.search(r"^```(?:python|py|cython)\n(.*?)^```$", part, re.S | re.M)
        assert path is not None
        assert code is not None
        files[path[1]] = code[1]
    return files


def run(tree: Path, *command: str) -> str:
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=tree, env={**os.environ, "PYTHONPATH": str(tree), "KEELBLOCKS_QUICK": "1"},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source with the new block."""
    folder = tmp_path_factory.mktemp("clone") / "keelblocks"
    folders = ("blocks", "cython_kernels", "fmu", "benchmarks", "tests/support", "tests/common", "tests/fmu/exporting")
    for name in folders:
        shutil.copytree(ROOT / name, folder / name, ignore=NOT_SOURCE)
    for name in ("tests/conftest.py", "tests/fmu/conftest.py", "setup.py", "build_backend.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    for path, text in walk().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        assert not (folder / path).exists()
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def tree(source: Path) -> Path:
    """The same, built in place."""
    run(source, "setup.py", "--quiet", "build_ext", "--inplace")
    return source


def test_the_declaration_becomes_a_view_that_the_kernel_compiles_with(source: Path) -> None:
    assert [Path(path).suffix for path in walk()] == [".py", ".pxd", ".py"]
    run(source, "blocks/kernel_views")
    assert "double frequency[1]" in (source / "cython_kernels/views/environment/tide.pxd").read_text(encoding="utf-8")
    registry = (source / "cython_kernels/registry.pxd").read_text(encoding="utf-8")
    assert "tidal_current_setup" in registry
    assert "tidal_current_outputs" in registry
    caller = "from cython_kernels.environment.tide cimport tidal_current_outputs, tidal_current_setup\n"
    (source / "probe.pyx").write_text(caller, encoding="utf-8")
    run(source, "-m", "cython", "-3", "probe.pyx")
    assert "2.0 * KB_PI / b.p.period[0]" in (source / "probe.c").read_text(encoding="utf-8")


@pytest.mark.slow
def test_two_files_and_a_test_make_a_block(tree: Path) -> None:
    run(tree, "-m", "pytest", "-q", "tests/blocks/environment/test_tide.py")
    passed = run(tree, "-m", "pytest", "-q", "-rN", "tests/common", "tests/fmu", "-k", "TidalCurrent")
    assert int(re.search(r"(\d+) passed", passed)[1]) >= 20  # type: ignore[index]


@pytest.mark.slow
def test_the_block_runs_from_a_file_and_leaves_as_an_fmu(tree: Path, tmp_path: Path) -> None:
    scenario = tmp_path / "tide.yaml"
    scenario.write_text(
        "keelblocks: 1\nname: tide\ndiagram:\n  blocks:\n"
        "    tide: {type: environment.TidalCurrent, parameters: {speed: 0.5 m/s, period: 12 h}}\n"
        "  outputs: {current: tide.current}\nrun: {end: 6 h, step: 10 min}\n",
        encoding="utf-8",
    )
    run(tree, "-m", "blocks.cli", "run", str(scenario), "--output", str(tmp_path / "out"))
    run(tree, "-m", "blocks.cli", "export", str(scenario), "--output", str(tmp_path))
    fmus = list(tmp_path.glob("*.fmu"))
    assert fmus
    script = (
        "import sys, fmpy, numpy as np\n"
        "found = fmpy.simulate_fmu(sys.argv[1], stop_time=21600.0, output_interval=600.0)\n"
        "t = found['time']\n"
        "north = found[[name for name in found.dtype.names if name.startswith('current')][0]]\n"
        "assert np.allclose(north, 0.5 * np.sin(2 * np.pi * t / 43200.0), atol=1e-12), north\n"
    )
    run(tree, "-c", script, str(fmus[0]))
    assert "TidalCurrent" in run(tree, "-m", "blocks.cli", "show", "environment.TidalCurrent")
    assert "TidalCurrent" in run(tree, "-m", "blocks.cli", "list", "blocks")
