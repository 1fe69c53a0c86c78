"""The page of errors has every code, and its examples give it, at the place and in the words that stand there."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

from blocks import RunStopped
from blocks.checking import check_file
from blocks.cli.problems import terminal_lines
from blocks.scenario import Scenario

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
fences = runpy.run_path(str(Path(__file__).with_name("run_page.py")))["fences"]
BASE = next(fence.text for fence in fences(PAGE) if fence.text.startswith("keelblocks: 1\nname: helm"))
EXAMPLES = re.findall(r"^### `([\w-]+)`\n.*?^```diff\n(.*?)^```\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def changed(text: str, diff: str) -> str:
    """A text after a diff, whose parts stand between lines of @@."""
    for part in diff.split("@@\n"):
        lines = part.splitlines(keepends=True)
        old, new = ("".join(line[1:] for line in lines if line[0] != sign) for sign in "+-")
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(("code", "diff", "shown"), EXAMPLES, ids=[code for code, _, _ in EXAMPLES])
def test_an_example_is_what_it_says(
    code: str, diff: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_blocks", raising=False)  # other tests leave theirs behind
    text = changed(BASE, diff)
    Path("helm.yaml").write_text(text, encoding="utf-8")
    problems = check_file("helm.yaml").problems
    if PAGE.index("### When a run stops") < PAGE.index(f"### `{code}`"):
        with pytest.raises(RunStopped) as stopped:
            Scenario.load("helm.yaml").run()
        problems = stopped.value.problems
    assert [problem.code for problem in problems] == [code]
    lines = "\n".join(line.plain.rstrip() for line in terminal_lines(problems[0], text, 120))
    pattern = ".*".join(map(re.escape, shown.strip().split("...")))
    assert re.fullmatch(pattern, lines.strip(), re.DOTALL), lines


def test_every_code_is_there() -> None:
    literals = r'(?<!\w)code(?:: str)? ?= ?"([\w-]+)"|Problem\(\s*"\w+",\s+"([\w-]+)"|_at\(document[^"]*"([\w-]+)"'
    sources = [path.read_text(encoding="utf-8") for room in ("blocks", "fmu") for path in (ROOT / room).rglob("*.py")]
    codes = {next(filter(None, found.groups())) for text in sources for found in re.finditer(literals, text)}
    codes |= {f"{what}-mismatch" for what in ("unit", "frame", "shape", "element")}
    assert len(codes) > 50
    assert codes >= {code for code, _, _ in EXAMPLES}
    assert codes <= set(re.findall(r"`([\w-]+)`", PAGE))
