"""Every block and the Minerva mission in hosts of a few lines of C: no Python, no C++, nothing but dlopen."""

from __future__ import annotations

import pytest
from agreement import assert_agree
from c_host import MISSING, Unpacked, compile_host, run_host

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")
HOSTS = {("2.0", "cs"): "host", ("2.0", "me"): "host_me", ("3.0", "cs"): "host3", ("3.0", "me"): "host3_me"}


@pytest.fixture(scope="session")
def hosts(tmp_path_factory):
    """Compiles the host for a version and an interface, once: subjects come by turns with those of other modules."""
    folder, made = tmp_path_factory.mktemp("hosts"), {}

    def get(version, interface):
        name = HOSTS[version, interface]
        if name not in made:
            made[name] = compile_host(name, folder)
        return made[name]

    return get


def test_a_c_host_computes_what_this_process_does(turn, hosts, export, tmp_path):
    """In model exchange the host integrates as the run does, by Runge-Kutta 4 with the same steps."""
    subject, version, interface = turn
    unpacked = Unpacked.of(export(subject, version), tmp_path / "fmu")
    found = run_host(hosts(version, interface), unpacked, subject)
    assert_agree(found, subject.run if interface == "cs" else subject.renewed_run)
