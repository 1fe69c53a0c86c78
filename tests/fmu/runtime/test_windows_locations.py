"""Resource locations as tools on Windows write them: the runtime's own reading of them, compiled here."""

from __future__ import annotations

import subprocess

import pytest
from c_host import COMPILER, HOSTS, MISSING, SOURCES

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")

OPENED = {
    "file:///C:/models/resources": "C:/models/resources/plan.bin",
    "file:///c:/models/resources/": "c:/models/resources/plan.bin",
    "file:/C:/models/resources": "C:/models/resources/plan.bin",
    "file://C:/models/resources": "C:/models/resources/plan.bin",
    "file:///C|/models/resources": "C:/models/resources/plan.bin",
    "FILE:///D:/my%20models/100%25/resources": "D:/my models/100%/resources/plan.bin",
    "file:///C:/mod%C3%A8les/b%C3%A5t/resources": "C:/modèles/båt/resources/plan.bin",
    "file:///C:/modèles/båt/resources": "C:/modèles/båt/resources/plan.bin",
    "file://localhost/C:/models/resources": "C:/models/resources/plan.bin",
    "file://server/share/my%20models/resources": r"\\server/share/my models/resources/plan.bin",
    "file:////server/share/resources": "//server/share/resources/plan.bin",
    r"C:\Users\Åse\my models\resources": r"C:\Users\Åse\my models\resources/plan.bin",
    "C:\\models\\resources\\": "C:\\models\\resources\\plan.bin",
    r"\\server\share\resources": r"\\server\share\resources/plan.bin",
    "file:///C:/a%00b": "! has a %00 in it",
    "file://server/a%00b": "! has a %00 in it",
    "https://example.org/resources": "! is not a file: URI",
}


def test_locations_of_windows(tmp_path):
    program = tmp_path / "windows_locations"
    source = str(HOSTS / "windows_locations.c")
    includes = [f"-I{SOURCES}", f"-I{HOSTS / 'windows'}"]
    subprocess.run([*COMPILER, "-std=c99", "-D_GNU_SOURCE", *includes, source, "-o", str(program)], check=True)
    done = subprocess.run([program, *OPENED], capture_output=True, encoding="utf-8", check=True)
    assert dict(zip(OPENED, done.stdout.splitlines(), strict=True)) == OPENED
