"""Parts of a page without a browser: its data, and its TypeScript in Node.js."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WEB = Path(__file__).parents[2] / "studio" / "web"


def data_of(text: str) -> dict[str, Any]:
    """The block of data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found.group(1))
    return data


def in_node(folder: Path, module: str, function: str) -> Callable[[Any], Any]:
    """From an argument to the result of a JavaScript `function` of the exports of `module`, both as JSON. Skips where
    there is no Node.js."""
    node, esbuild = shutil.which("node"), WEB / "node_modules" / ".bin" / "esbuild"
    if node is None or not esbuild.exists():
        pytest.skip("node or esbuild is not here: `make studio` gets esbuild")
    script = folder / "module.js"
    subprocess.run(
        [esbuild, WEB / "src" / module, "--bundle", "--format=cjs", f"--outfile={script}"],
        check=True, capture_output=True,
    )  # fmt: skip
    (folder / "main.js").write_text(
        "const given = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
        f"process.stdout.write(JSON.stringify(({function})(require('./module.js'))(given)));\n"
    )

    def call(given: Any) -> Any:
        made = subprocess.run([node, folder / "main.js"], input=json.dumps(given).encode(), capture_output=True)
        assert made.returncode == 0, made.stderr.decode()
        return json.loads(made.stdout)

    return call
