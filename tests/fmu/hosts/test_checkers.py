"""The checkers are those of the tools, though faster: what is wrong with an FMU is still found."""

from __future__ import annotations

import zipfile

import pytest
from foreign_checks import complaints
from subjects import BY_NAME

WRONG = {
    "an illegal name": ((b'name="y"', b'name="y["'), '"y[" (line'),
    "an attribute that the schema does not know": ((b"<ModelVariables>", b'<ModelVariables colour="red">'), "colour"),
    "an output that is said to be an input": ((b'causality="output"', b'causality="input"'), "start"),
    "text that is not XML": ((b"</ModelVariables>", b""), "XML"),
}


@pytest.fixture
def spoilt(export, tmp_path):
    """Makes an FMU with another description."""

    def make(old, new):
        path = tmp_path / "spoilt.fmu"
        with zipfile.ZipFile(export(BY_NAME["basic.Sine"], "2.0")) as source, zipfile.ZipFile(path, "w") as target:
            for name in source.namelist():
                content = source.read(name)
                assert name != "modelDescription.xml" or old in content
                target.writestr(name, content.replace(old, new, 1) if name == "modelDescription.xml" else content)
        return path

    return make


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_found(what, spoilt):
    (old, new), said = WRONG[what]
    found = complaints(spoilt(old, new))
    assert any(said in text for text in found), found
