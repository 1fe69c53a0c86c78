"""Type checkers know the constructors, ports and parameters of blocks: two that we did not write, and every block."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

import blocks
from blocks.block import Block
from blocks.editors.stubs import stub_of, write_stubs

LINES = Path(__file__).with_name("lines.py")
PACKAGES = Path(blocks.__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as a wheel has it, and the lines beside it."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("blocks", "fmu", "cython_kernels"):
        shutil.copytree(
            PACKAGES / name,
            folder / name,
            ignore=lambda _, names: {n for n in names if n.endswith((".so", ".c", ".pxd"))},
        )
    write_stubs(folder)
    shutil.copy(LINES, folder)
    return folder


def installed(tool: str) -> str:
    """The path of a checker."""
    path = Path(sys.executable).with_name(tool)
    if not path.exists():
        pytest.skip(f"{tool} is not installed: pip install {tool}, or make develop")
    return str(path)


def agree(found: Mapping[int, str]) -> None:
    """Check that exactly the wrong lines are found, and that each message names what is wrong."""
    marks = {n: line.partition("# wrong: ")[2] for n, line in enumerate(LINES.read_text().splitlines(), 1)}
    wrong = {number: word for number, word in marks.items() if word}
    assert {n: found.get(n) for n in {*wrong, *found} if n not in wrong or wrong[n] not in found.get(n, "")} == {}


@pytest.mark.slow
def test_mypy_flags_the_wrong_lines_and_no_other(site: Path) -> None:
    command = [installed("mypy"), "--output=json", "--strict", "--no-site-packages", "--ignore-missing-imports"]
    command += ["--follow-imports=silent", "--cache-dir=cache", LINES.name]
    done = subprocess.run(command, cwd=site, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found: dict[int, str] = defaultdict(str)
    for problem in map(json.loads, done.stdout.splitlines()):
        assert problem["file"] == LINES.name, problem
        found[problem["line"]] += problem["message"]
    agree(found)


@pytest.mark.slow
def test_pyright_flags_the_wrong_lines_and_no_other(site: Path) -> None:
    (site / "pyrightconfig.json").write_text(
        json.dumps({"include": [LINES.name], "typeCheckingMode": "standard", "reportMissingModuleSource": False})
    )
    command = [installed("basedpyright"), "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=site, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found: dict[int, str] = defaultdict(str)
    for problem in json.loads(done.stdout)["generalDiagnostics"]:
        found[problem["range"]["start"]["line"] + 1] += problem["message"]
    agree(found)


def test_a_stub_has_the_signature_of_each_block_and_the_words_of_each_parameter(
    library_blocks: list[type[Block]],
) -> None:
    trees = {name: ast.parse(stub_of(importlib.import_module(name))) for name in {c.__module__ for c in library_blocks}}
    for cls in library_blocks:
        (made,) = (n for n in trees[cls.__module__].body if isinstance(n, ast.ClassDef) and n.name == cls.__name__)
        (function,) = (n for n in made.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
        named = dict.fromkeys([a.arg for a in function.args.args[1:]], inspect.Parameter.POSITIONAL_OR_KEYWORD)
        named |= dict.fromkeys([a.arg for a in function.args.kwonlyargs], inspect.Parameter.KEYWORD_ONLY)
        if function.args.kwarg:
            named[function.args.kwarg.arg] = inspect.Parameter.VAR_KEYWORD
        assert named == {name: p.kind for name, p in inspect.signature(cls).parameters.items()}, cls
        words = ast.get_docstring(function) or ""
        for parameter in cls.all_parameters().values():
            assert f"{parameter.name}: {parameter.doc}" in words, (cls, parameter.name)


def test_wheels_carry_the_stubs_and_sources_do_not() -> None:
    """In the source folder checkers and editors would see the stub, and not the file that is being written."""
    module = importlib.import_module("blocks.control.pid")
    stub = Path(str(module.__file__)).with_suffix(".pyi")
    if "site-packages" in stub.parts or "site" in stub.parts:
        assert stub.read_text(encoding="utf-8") == stub_of(module)
    else:
        assert not stub.exists()


def test_authors_make_stubs_of_their_own_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_blocks.py").write_text(
        '"""Mine."""\nfrom blocks import Output, Parameter, PythonBlock\nfrom blocks.signal import Number\n\n'
        "def twice(x: float) -> float:\n    return 2.0 * x\n\n"
        "class Mine(PythonBlock):\n    y = Output(Number)\n    gain = Parameter(1.0, unit='m', doc='K')\n\n"
        "class Made(Mine):\n    def __init__(self, boat: str, **given: float) -> None:\n        super().__init__()\n"
    )
    command = [sys.executable, "-m", "blocks.editors", ".", "my_blocks"]
    subprocess.run(command, check=True, env={"PYTHONPATH": f"{PACKAGES}:{tmp_path}"})
    text = (tmp_path / "my_blocks.pyi").read_text()
    assert "def twice(x: float) -> float:\n    ..." in text
    assert "def __init__(self, *, gain: Quantity=1.0) -> None:" in text
    assert "gain: K, m" in text
    assert "def __init__(self, boat: str, **given: float) -> None:\n        ..." in text
