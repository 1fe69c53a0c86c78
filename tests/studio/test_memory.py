"""A page that is used for long takes no more memory than one that was used for a while."""

from __future__ import annotations

import pytest
from pages import Tab

from studio.share import page_of

pytestmark = pytest.mark.slow

_RUNS = """async ([path, from, to]) => {
  for (let i = from; i < to; i++) {
    keelblocks.set(path, [0.01 + 0.00001 * i]);
    await keelblocks.run();
    if (i % 25 === 0) await new Promise(requestAnimationFrame);
  }
  return (await keelblocks.run()).memory;
}"""


def test_a_thousand_runs_take_no_more_than_two_hundred(opened, folder, mission):
    """Of the page and its engine, after garbage was collected: a tenth is left for what browsers keep for later."""
    scenario = mission("short")
    scenario.settings |= {"end": 2.0}
    path = folder / "shortest.html"
    path.write_bytes(page_of(scenario).encode())
    tab: Tab = opened(path)
    session = tab.page.context.new_cdp_session(tab.page)

    def used(first: int, last: int) -> tuple[float, float, int]:
        engine = tab.page.evaluate(_RUNS, ["plant.current.speed", first, last])
        tab.settle()
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")
        nodes = session.send("Memory.getDOMCounters")["nodes"]
        return heap["usedSize"] + heap.get("backingStorageSize", 0.0), engine, nodes

    used(0, 20)
    heap, engine, nodes = used(20, 200)
    later, engine_later, nodes_later = used(200, 1000)
    assert engine_later == engine
    assert later < 1.1 * heap
    assert nodes_later < nodes + 50
