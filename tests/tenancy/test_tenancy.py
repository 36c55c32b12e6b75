"""No answer shows, or depends on, what its caller may not see: generated calls, on both stores.

A generator of our own rather than a library's: each run has an exact number of calls, is done in
several worlds, and is shortened by leaving out steps, which their symbols allow without repair.
"""

from __future__ import annotations

from secrets import randbits

import pytest

from commonplace.storage.postings import plan
from commonplace.surfaces.catalog import ALL_SURFACES
from tests.postings.library import AT_ONCE
from tests.tenancy import generators
from tests.tenancy.model import without_network
from tests.tenancy.search import generated, leak_in, shortened
from tests.tenancy.steps import OBSERVERS
from tests.tenancy.world import OpenWorld

# Calls of a run; with those before the background work they are a hundred.
LENGTH = 82


def look_for_leaks(open_world: OpenWorld, seed: int, network: bool) -> None:
    steps = generated(seed, LENGTH)
    if not network:
        steps = [without_network(step) for step in steps]
    observer = OBSERVERS[seed % len(OBSERVERS)]
    leak = leak_in(open_world, steps, observer)
    if leak is None:
        return
    fewer = shortened(open_world, steps, observer, leak)
    again = leak_in(open_world, fewer, observer) or leak
    pytest.fail(f"seed {seed}: {again}\n" + "\n".join(map(str, fewer)))


def test_a_run_is_a_hundred_calls() -> None:
    assert len([step for step in generated(0, LENGTH) if step.action != generators.WORK]) >= 100


def test_every_tool_has_a_generator() -> None:
    tools = {tool.name for offered in ALL_SURFACES for tool in offered.load().tools}
    assert tools <= generators.TOOLS.keys()


# Half as many again where orgs are no network, and all that is shared with it stays in its org.
@pytest.mark.parametrize(
    ("seed", "network"), [(seed, True) for seed in range(10)] + [(seed, False) for seed in range(5)]
)
def test_nobody_learns_of_what_they_may_not_see(
    open_world: OpenWorld, seed: int, network: bool
) -> None:
    look_for_leaks(open_world, seed, network)


@pytest.mark.parametrize(("seed", "network"), [(21, True), (22, False), (23, False)])
def test_posting_lists_tell_nothing_either(
    open_world: OpenWorld, seed: int, network: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, with lists from the first chunk on, which else only large orgs have."""
    for thresholds in ("STANDARD_THRESHOLDS", "POSTGRES_THRESHOLDS"):
        monkeypatch.setattr(plan, thresholds, AT_ONCE)
    look_for_leaks(open_world, seed, network)


@pytest.mark.soak
@pytest.mark.parametrize("network", [True, False])
@pytest.mark.parametrize("_run", range(100))
def test_nobody_learns_of_anything_in_a_long_run(
    open_world: OpenWorld, _run: int, network: bool
) -> None:
    look_for_leaks(open_world, randbits(32), network)
