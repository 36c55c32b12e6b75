"""Several servers on one store, sudden ends, and calls at the same moment."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain

import pytest
from anyio.from_thread import BlockingPortal

from commonplace.settings import Settings
from tests.surfaces.clients import Caller, Connections, Premises, together
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.notes.steps import SUPERSEDE, entry, found, heads, store, stored_id, supersede
from tests.surfaces.processes import Processes

EACH = 6


@pytest.mark.requirement("notes.expect.durable")
def test_what_was_answered_outlives_the_server(
    processes: Processes, portal: BlockingPortal, wired: Settings
) -> None:
    """One server is killed, one ends with its client."""
    with ExitStack() as first:
        connect = Connections(portal, first)
        doomed, ending = (processes.stdio(wired, connect=connect) for _ in range(2))
        writers = {"a": doomed.caller, "b": doomed.caller, "c": ending.caller}
        a, b, c = (stored_id(w, title=f"Kept {n}", tags=["Kept", n]) for n, w in writers.items())
        supersede(ending.caller, a, b)
        supersede(doomed.caller, b, c)
        shown = [entry(ending.caller, id) for id in (a, b, c)]
        assert found(doomed.caller, "kept") == [c]
        doomed.kill()
    again = processes.stdio(wired).caller
    assert [entry(again, id) for id in (a, b, c)] == shown
    assert [entry_["tags"] for entry_ in shown] == [["kept", n] for n in "abc"]
    assert heads(again, a, b, c) == [c, c, None]
    assert found(again, "kept", tags=["kept"]) == [c]
    assert set(found(again, "kept", includeSuperseded=True)) == {a, b, c}


def write_and_search(caller: Caller, name: str) -> list[str]:
    ids = []
    for number in range(EACH):
        ids.append(stored_id(caller, title=f"{name} {number}", body="harvest", tags=[name]))
        assert ids[-1] in found(caller, "harvest", tags=[name])
    return ids


@pytest.mark.requirement("notes.expect.many-processes")
def test_processes_share_one_store(processes: Processes, wired: Settings) -> None:
    names = ["ann", "ben", "cat", "dan"]
    callers = [processes.stdio(wired.model_copy(update={"agent": name})).caller for name in names]
    written = together(
        *(lambda c=c, n=n: write_and_search(c, n) for c, n in zip(callers, names, strict=True))
    )
    everything = set(chain.from_iterable(written))
    assert len(everything) == len(names) * EACH
    for caller in callers:
        assert set(found(caller, "harvest", limit=50)) == everything
    owners = [entry(callers[0], ids[0])["createdByAgentId"] for ids in written]
    assert owners == names


def outcome(caller: Caller, old: str, new: str) -> str:
    result = caller.ask(SUPERSEDE, oldId=old, newId=new)
    assert result.structured_content is not None
    return str(result.structured_content["error"]["code"]) if result.is_error else "done"


def race(callers: Sequence[Caller], pairs: Sequence[tuple[str, str]]) -> list[str]:
    return together(*(lambda c=c, p=p: outcome(c, *p) for c, p in zip(callers, pairs, strict=True)))


@pytest.mark.requirement("notes.expect.concurrent-cycle")
def test_two_that_would_close_a_circle_never_both_succeed(open_premises: OpenPremises) -> None:
    callers = [open_premises().caller() for _ in range(2)]
    for _ in range(8):
        a, b = stored_id(callers[0]), stored_id(callers[0])
        outcomes = race(callers, [(a, b), (b, a)])
        assert sorted(outcomes) == ["done", "knowledge.cycle"]
        assert sorted(map(bool, heads(callers[0], a, b))) == [False, True]


@pytest.mark.requirement("notes.expect.concurrent-cycle")
@pytest.mark.parametrize("size", [3, 4])
def test_a_larger_circle_is_never_closed_either(open_premises: OpenPremises, size: int) -> None:
    callers = [open_premises().caller() for _ in range(size)]
    for _ in range(5):
        ids = [stored_id(callers[0]) for _ in range(size)]
        pairs = [(ids[n], ids[(n + 1) % size]) for n in range(size)]
        outcomes = race(callers, pairs)
        assert sorted(outcomes) == ["done"] * (size - 1) + ["knowledge.cycle"]
        (last,) = [id for id, head in zip(ids, heads(callers[0], *ids), strict=True) if not head]
        assert heads(callers[0], *ids) == [None if id == last else last for id in ids]


@pytest.mark.requirement("notes.expect.concurrent-cycle")
def test_two_chains_are_joined_at_one_end_only(premises: Premises) -> None:
    callers = [premises.caller() for _ in range(2)]
    for _ in range(5):
        a, b, c, d = (stored_id(callers[0]) for _ in range(4))
        supersede(callers[0], a, b)
        supersede(callers[0], c, d)
        assert sorted(race(callers, [(b, c), (d, a)])) == ["done", "knowledge.cycle"]


@pytest.mark.requirement("notes.expect.many-processes")
def test_many_calls_at_once_are_all_answered(premises: Premises) -> None:
    """Through one connection each, more of them than the store has connections."""
    callers = [premises.caller(f"agent-{number}") for number in range(16)]
    stored = together(*(lambda c=c: store(c, title="Crowd") for c in callers))
    assert len({answer["id"] for answer in stored}) == premises.count() == 16
    assert len(found(callers[0], "crowd", limit=50)) == 16
