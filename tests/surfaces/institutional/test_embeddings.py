"""Items whose embedding is missing: what searches say of them, and how generate_embeddings makes
up for it, with progress, until it is told to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from anyio import to_thread
from anyio.from_thread import BlockingPortal
from mcp import Client

from commonplace.application import LazyApplication
from commonplace.model.actor import upkeep_actor
from commonplace.server.mcp.endpoint import mcp_endpoint
from commonplace.surfaces import call as wrapper
from tests.surfaces.clients import PATIENCE_SECONDS, Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.steps import (
    EMBED,
    SEARCH,
    capture,
    captured_id,
    data,
    delete,
    failure,
    found,
    refuse,
    tiered,
    update,
)
from tests.surfaces.nearness import answer, embedded_at, near
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint

ANY = "anything"
HARD_TO_READ = "indigestible"
MISSING = "Embeddings not generated for some items"
COUNTS = ("generated", "skipped", "failed", "total_processed")


class Model:
    """Predictable while it is well; `away` it answers nobody, and some texts it never takes."""

    def __init__(self) -> None:
        self.away = False
        self.before_each: Callable[[], object] = lambda: None

    def answer(self, asked: Asked) -> Answered:
        self.before_each()
        if self.away:
            return Answered(b"{}", status=503)
        if any(HARD_TO_READ in text for text in asked.inputs):
            return Answered(b"{}", status=400)
        return answer(asked)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def endpoint(model: Model) -> Iterator[str]:
    with local_endpoint(model.answer) as running:
        yield running.url


@pytest.fixture
def premises(open_premises: OpenPremises, endpoint: str) -> Premises:
    return open_premises(**embedded_at(endpoint))


def unembedded(alice: Caller, model: Model, count: int = 1, **given: Any) -> list[str]:
    """Items that were captured while the model was away."""
    model.away = True
    ids = [captured_id(alice, **given) for _ in range(count)]
    model.away = False
    return ids


def counts(caller: Caller, **given: Any) -> tuple[int, ...]:
    """Generated, skipped, failed; the total must be their sum."""
    shown = data(caller, EMBED, **given)
    *parts, total = (shown[name] for name in COUNTS)
    assert total == sum(parts)
    return tuple(parts)


@pytest.mark.requirement(
    "institutional.embeddings.force-type", "institutional.embeddings.batch-size-bounds"
)
@pytest.mark.parametrize(
    ("argument", "wrong"),
    [
        ("force", ["please", "true", 1, [True]]),
        ("batch_size", [0, 101, -1, 2.5, "50", [50], True]),
        ("limit", [5]),
    ],
)
def test_wrong_values_are_refused_by_name(alice: Caller, argument: str, wrong: list[Any]) -> None:
    for value in wrong:
        refuse(alice, EMBED, argument, **{argument: value})


@pytest.mark.requirement(
    "institutional.embeddings.no-arguments",
    "institutional.embeddings.output-fields",
    "institutional.embeddings.empty-store",
    "institutional.embeddings.total",
    "institutional.embeddings.batch-size-bounds",
    "institutional.embeddings.example",
)
def test_an_empty_store_has_nothing_to_embed(alice: Caller) -> None:
    calls: list[dict[str, Any]] = [{}, {"batch_size": 1}, {"batch_size": 100}, {"batch_size": 50}]
    for given in calls:
        shown = data(alice, EMBED, **given)
        assert shown.keys() == {*COUNTS, "duration_ms"}
        assert [shown[name] for name in COUNTS] == [0, 0, 0, 0]
        assert isinstance(shown["duration_ms"], int)
        assert shown["duration_ms"] >= 0


@pytest.mark.requirement("institutional.embeddings.batch-size-default")
def test_the_schema_states_the_defaults(alice: Caller) -> None:
    properties = alice.tools()[EMBED].input_schema["properties"]
    assert {name: schema["default"] for name, schema in properties.items()} == {
        "batch_size": 50,
        "force": False,
    }


@pytest.mark.requirement(
    "institutional.embeddings.missing-only",
    "institutional.embeddings.idempotent",
    "institutional.embeddings.total",
    "institutional.embeddings.example",
)
def test_only_what_is_missing_is_embedded(alice: Caller, model: Model) -> None:
    for _ in range(3):
        capture(alice)
    unembedded(alice, model, 2)
    assert counts(alice, batch_size=50) == (2, 3, 0)
    assert counts(alice) == counts(alice, force=False) == (0, 5, 0)


@pytest.mark.requirement(
    "institutional.embeddings.force", "institutional.embeddings.batch-size-not-a-cap"
)
@pytest.mark.parametrize("batch_size", [1, 2, 7, 100])
def test_force_embeds_all_items_anew(alice: Caller, model: Model, batch_size: int) -> None:
    embedded: list[int] = []
    for _ in range(7):
        capture(alice)
    model.before_each = lambda: embedded.append(1)
    assert counts(alice, force=True, batch_size=batch_size) == (7, 0, 0)
    assert len(embedded) == 7, "the model was really asked"
    assert len(found(alice, ANY, limit=20)) == 7


@pytest.mark.requirement("institutional.embeddings.force", "institutional.embeddings.missing-only")
def test_each_org_has_its_own_items_and_deleted_ones_are_gone(
    alice: Caller, eve: Caller, model: Model
) -> None:
    kept, gone = unembedded(alice, model, 2)
    unembedded(eve, model)
    delete(alice, gone)
    assert counts(alice) == (1, 0, 0)
    assert counts(alice, force=True) == (1, 0, 0)
    assert found(alice, ANY) == [kept]
    assert failure(eve, SEARCH, query=ANY)["error"] == MISSING
    assert counts(eve) == (1, 0, 0)


@pytest.mark.requirement("institutional.embeddings.output-fields", "institutional.embeddings.total")
def test_an_item_that_the_model_refuses_has_failed_and_the_others_go_on(alice: Caller) -> None:
    before = captured_id(alice, content=near(90))
    capture(alice, content=HARD_TO_READ)
    after = captured_id(alice, content=near(80))
    assert counts(alice) == (0, 2, 1)
    assert counts(alice, force=True, batch_size=1) == (2, 0, 1)
    partly = failure(alice, SEARCH, query=ANY)
    assert [result["id"] for result in partly["data"]["results"]] == [before, after]


@pytest.mark.requirement("institutional.search.partial", "institutional.embeddings.missing-only")
def test_a_search_says_that_some_items_could_not_be_looked_at(alice: Caller, model: Model) -> None:
    near_one = captured_id(alice, content=near(90))
    far_one = captured_id(alice, content=near(20))
    (missing,) = unembedded(alice, model, content=near(60))
    answer = failure(alice, SEARCH, query=ANY)
    assert (answer["error"], answer["code"]) == (MISSING, "embedding.missing")
    assert answer["data"].keys() == {"query", "results", "total_results"}
    assert [result["id"] for result in answer["data"]["results"]] == [near_one, far_one]
    assert (answer["data"]["query"], answer["data"]["total_results"]) == (ANY, 2)
    narrowed = failure(alice, SEARCH, query=ANY, threshold=0.5, limit=1)["data"]
    assert ([result["id"] for result in narrowed["results"]], narrowed["total_results"]) == (
        [near_one],
        1,
    )
    assert counts(alice) == (1, 2, 0)
    assert found(alice, ANY) == [near_one, missing, far_one]


@pytest.mark.requirement("institutional.search.partial")
def test_a_search_says_so_when_no_item_is_embedded(alice: Caller, model: Model) -> None:
    unembedded(alice, model, 2)
    assert failure(alice, SEARCH, query=ANY) == {
        "success": False,
        "error": MISSING,
        "code": "embedding.missing",
        "data": {"query": ANY, "results": [], "total_results": 0},
    }


@pytest.mark.requirement("institutional.search.partial")
def test_an_item_that_was_changed_without_a_model_is_missing_again(
    alice: Caller, model: Model
) -> None:
    id = captured_id(alice, content=near(90))
    model.away = True
    update(alice, id, content=near(30))
    model.away = False
    assert failure(alice, SEARCH, query=ANY)["error"] == MISSING
    assert counts(alice) == (1, 0, 0)
    (result,) = data(alice, SEARCH, query=ANY)["results"]
    assert result["similarity"] == pytest.approx(0.3, abs=1e-3)


@pytest.mark.requirement("institutional.search.partial-only-in-scope")
def test_missing_items_that_the_filters_exclude_do_not_matter(alice: Caller, model: Model) -> None:
    id = captured_id(alice, type="win", project="ours", tags=["a"])
    unembedded(alice, model, type="gotcha", project="theirs", tags=["b"])
    inside: list[dict[str, Any]] = [{"type": "win"}, {"project": "ours"}, {"tags": ["a", "c"]}]
    for filters in inside:
        assert found(alice, ANY, **filters) == [id]
    assert found(alice, ANY, type="pattern") == []
    reaching: list[dict[str, Any]] = [{"type": "gotcha"}, {"project": "theirs"}, {"tags": ["b"]}]
    for filters in reaching:
        answer = failure(alice, SEARCH, query=ANY, **filters)
        assert (answer["error"], answer["data"]["results"]) == (MISSING, [])


@pytest.mark.requirement("institutional.tiered.blank-query", "institutional.tiered.tier2-count")
def test_retrieval_without_a_model_shows_the_newest_and_says_so(
    alice: Caller, model: Model
) -> None:
    older = captured_id(alice, content=near(90))
    (newer,) = unembedded(alice, model)
    partly = tiered(alice, "asked while the model is well")
    assert [result["id"] for result in partly["results"]] == [older]
    assert "embedding" in partly["tier2"]["notice"]
    model.away = True
    instead = tiered(alice, "asked while it is away")
    assert {result["id"] for result in instead["results"]} == {older, newer}
    assert instead["tier2"]["results_count"] == 2
    assert "most recent" in instead["tier2"]["notice"]


@pytest.mark.requirement(
    "institutional.embeddings.batch-size-not-a-cap", "institutional.embeddings.total"
)
def test_a_client_hears_how_far_it_is(
    premises: Premises, alice: Caller, model: Model, portal: BlockingPortal
) -> None:
    unembedded(alice, model, 7)
    heard: list[tuple[float, float | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert message
        heard.append((progress, total))

    async def scenario() -> None:
        async with Client(premises.server(agent="alice", org="acme"), mode="legacy") as client:
            await client.call_tool(EMBED, {"batch_size": 3}, progress_callback=hear)

    portal.call(scenario)
    assert heard == [(3, 7), (6, 7), (7, 7)]


@pytest.mark.requirement("institutional.embeddings.missing-only")
def test_a_cancelled_call_stops_between_items_and_keeps_what_is_done(
    premises: Premises, alice: Caller, model: Model, portal: BlockingPortal
) -> None:
    unembedded(alice, model, 5)
    asked, at_the_second, go_on = iter(range(100)), threading.Event(), threading.Event()

    def hold_the_second() -> None:
        if next(asked) == 1:
            at_the_second.set()
            assert go_on.wait(PATIENCE_SECONDS)

    model.before_each = hold_the_second
    ended: SimpleQueue[str] = SimpleQueue()
    settings = premises.settings.model_copy(update={"agent": "alice", "org": "acme"})
    lazy = LazyApplication(lambda: premises.application)
    endpoint = mcp_endpoint(lazy, settings, lambda _tool, status, _seconds: ended.put(status))
    server = endpoint.server()

    async def scenario() -> None:
        async with Client(server, mode="legacy") as client:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, EMBED)
                await to_thread.run_sync(at_the_second.wait, PATIENCE_SECONDS)
                group.cancel_scope.cancel()
            await client.list_tools()
            go_on.set()
            status = await to_thread.run_sync(partial(ended.get, timeout=PATIENCE_SECONDS))
            assert status == "call.cancelled"

    portal.call(scenario)
    assert counts(alice) == (3, 2, 0), "the second was under way"


@pytest.mark.requirement("institutional.embeddings.missing-only")
def test_work_may_take_an_hour_and_what_is_done_by_then_is_kept(
    alice: Caller, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    unembedded(alice, model, 5)
    leaps = iter([0, 3500, 98, 3, 0])
    ahead = [0.0]

    def leap() -> None:
        ahead[0] += next(leaps)

    model.before_each = leap
    hurried = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead[0])
    monkeypatch.setattr(wrapper, "time", hurried)
    assert failure(alice, EMBED)["code"] == "call.deadline_exceeded"
    assert counts(alice) == (1, 4, 0), "the fourth took a second too long"


@pytest.mark.requirement("institutional.expect.long-content-is-begun")
def test_of_a_long_content_the_beginning_is_embedded_before_the_answer(
    open_premises: OpenPremises, endpoint: str
) -> None:
    given = {"embedding_batch": 2, "embedding_concurrency": 2}
    premises = open_premises(**{**embedded_at(endpoint), **given})
    alice = premises.caller("alice")
    told = [f"Paragraph {n} tells of the osmium trade in the year {n}. " * 20 for n in range(200)]
    content = "\n\n".join([f"{near(90)} {told[0]}", *told[1:]])
    assert len(content) > 200_000
    item = captured_id(alice, content=content)
    status, actor = premises.application.status, upkeep_actor("acme")
    chunks = status.of_org(actor).chunks
    assert chunks.ready == 4, "as much as the model takes at once"
    assert (chunks.pending, chunks.previewed) == (0, chunks.total - 4)
    assert found(alice, ANY, max_content_chars=20) == [item]
    premises.embed()
    assert status.of_org(actor).chunks.ready == chunks.total > 100
