"""What is declared to depend on what is found out by trying: a declaration that says less or more is found."""

from __future__ import annotations

import pytest

from blocks import Output
from blocks.basic import Gain
from blocks.model.dependence import each, whole
from blocks.signal import AnySignal
from blocks.trials.dependence import Probes, check_dependence, check_needless_dependence
from blocks.trials.errors import TrialError
from blocks.trials.probing import Probe


class Secretive(Gain, abstract=True):
    """A Gain that does not say all."""

    y = Output(AnySignal, "K u", depends=each("u"))


class Boastful(Gain, abstract=True):
    """A Gain that says too much."""

    y = Output(AnySignal, "K u", depends=whole("u", "gain"))


def test_a_wrong_declaration_is_found() -> None:
    with pytest.raises(
        TrialError, match=r"y depends on the parameter gain \(in element 0 and 1 more\), which is not decl"
    ):
        check_dependence(Secretive)
    check_dependence(Boastful)
    with pytest.raises(
        TrialError, match=r"y is declared to depend on the input u\[1\] \(in element 0 and 1 more\), and"
    ):
        check_needless_dependence(Boastful)


def test_every_element_that_is_wrong_is_found() -> None:
    secretive, boastful = Probes([Probe(Secretive(2.0))]), Probes([Probe(Boastful(2.0))])
    ((probe, declared),) = secretive.declared
    assert probe.seen["output", "y"] - declared["output", "y"] == {(i, ("parameter", "gain", 0)) for i in range(2)}
    unseen = {element for _, _, unseen, _ in boastful.unseen() for element in unseen}
    assert unseen == {(0, ("input", "u", 1)), (1, ("input", "u", 0))}
