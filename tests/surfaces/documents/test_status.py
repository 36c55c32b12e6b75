"""The life of a source: waiting, being read, ready or in error, refreshed, removed."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest

from commonplace.bootstrap import build_store
from commonplace.model.actor import upkeep_actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.extract import Extract
from commonplace.model.quota import BYTES_STORED
from commonplace.reading.port import Original
from commonplace.worker.retry import MAX_CRASHES, SET_ASIDE
from tests.stores import SteppingClock
from tests.surfaces.documents.asking import GET, NOT_FOUND
from tests.surfaces.documents.desk import Desk, InlineReader, actor_of
from tests.surfaces.documents.website import Website
from tests.surfaces.nearness import near


class Watched:
    """Remembers every status of a source that its changes pass through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[str] = []
        settle = "commonplace.storage.tables.sources.SourceTable.settle"
        from commonplace.storage.tables.sources import SourceTable

        original = SourceTable.settle

        def watched(table: SourceTable, source: Any) -> bool:
            self.seen.append(source.sync.status.value)
            return original(table, source)

        monkeypatch.setattr(settle, watched)


@pytest.mark.requirement(
    "documents.status.order", "documents.status.ready", "documents.status.automatic"
)
def test_a_source_goes_over_processing_to_ready(
    both_ways: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch)
    id = both_ways.page("Oil", f"{near(90)} is the level.")
    assert both_ways.get(id)["status"] == "pending"
    both_ways.read()
    assert both_ways.get(id)["status"] == "ready"
    assert watched.seen == ["processing", "ready"]
    assert both_ways.search("oil")[0]["similarity"] == pytest.approx(0.9, abs=0.001)


@pytest.mark.requirement(
    "documents.status.processing",
    "documents.status.not-ready-not-found",
    "documents.status.refresh-keeps-old",
)
def test_text_is_found_when_it_is_ready_and_not_before(desk: Desk, site: Website) -> None:
    id = desk.url(site.put("/a", "<p>old words</p>"))
    assert desk.search("old") == []
    worker = desk.application.new_worker()
    for before, after, text in (([], "old words", "new"), (["old words"], "new words", "newer")):
        site.gate.clear()
        asked = len(site.asked)
        while len(site.asked) == asked:
            assert worker.step()
        assert desk.get(id)["status"] == "processing"
        assert desk.contents("old") == before
        site.gate.set()
        assert worker.drain(60)
        assert desk.contents("old") == [after]
        site.put("/a", f"<p>{text} words</p>")
        desk.refresh(id)
        assert desk.get(id)["status"] == "pending"
        assert desk.contents("old") == [after]


@pytest.mark.requirement(
    "documents.status.error",
    "documents.status.ready-sets",
    "documents.status.not-ready-not-found",
    "documents.types.url-failure",
)
def test_an_error_is_told_and_can_be_mended(both_ways: Desk, site: Website) -> None:
    id = both_ways.url(f"{site.address}/a")
    both_ways.read()
    assert "404" in both_ways.failed(id)
    assert (both_ways.get(id)["chunkCount"], both_ways.get(id)["lastSyncedAt"]) == (0, None)
    assert both_ways.search("old") == []
    site.put("/a", "<p>old words</p>")
    both_ways.refresh(id)
    both_ways.read()
    source = both_ways.ready(id)
    assert (source["errorMessage"], source["chunkCount"]) == (None, 1)
    assert source["lastSyncedAt"]


@pytest.mark.requirement("documents.status.empty-content")
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b""),
        ("a.md", b" \n\n\t "),
        ("a.html", b"<html><nav>menu</nav><script>x()</script></html>"),
        ("a.txt", b"\xef\xbb\xbf"),
    ],
)
def test_nothing_to_read_is_an_error(desk: Desk, name: str, data: bytes) -> None:
    id = desk.file(name, data)
    desk.read()
    assert desk.failed(id)
    assert desk.get(id)["chunkCount"] == 0


@pytest.mark.requirement(
    "documents.status.refresh",
    "documents.status.refresh-keeps-identity",
    "documents.status.ready-sets",
)
def test_a_refresh_reads_anew(both_ways: Desk, site: Website, clock: SteppingClock) -> None:
    url = site.put("/a", "<h1>Kept</h1><p>the oil is high today</p><h1>Gone</h1><p>a fog horn</p>")
    id = both_ways.url(url, name="Log")
    both_ways.read()
    before = both_ways.get(id)
    clock.advance(60)
    site.put("/a", "<h1>Kept</h1><p>the oil is high today</p><p>the lamp is lit</p>")
    both_ways.refresh(id)
    both_ways.read()
    after = both_ways.ready(id)
    (content,) = both_ways.contents("oil")
    assert "lamp is lit" in content
    assert "fog horn" not in content
    assert after["lastSyncedAt"] > before["lastSyncedAt"]
    kept = ("id", "name", "type", "scope", "createdAt")
    assert [after[field] for field in kept] == [before[field] for field in kept]


@pytest.mark.requirement("documents.status.refresh-failed")
def test_a_failed_refresh_keeps_what_was_there(
    both_ways: Desk, site: Website, clock: SteppingClock
) -> None:
    id = both_ways.url(site.put("/a", "<p>old words</p>"))
    both_ways.read()
    before = both_ways.get(id)
    clock.advance(60)
    site.put("/a", "", status=500)
    both_ways.refresh(id)
    both_ways.read()
    assert "500" in both_ways.failed(id)
    after = both_ways.get(id)
    assert both_ways.contents("old") == ["old words"]
    assert after["chunkCount"] == before["chunkCount"] == 1
    assert after["lastSyncedAt"] == before["lastSyncedAt"]


@pytest.mark.requirement("documents.status.refresh")
def test_a_page_that_has_not_changed_is_not_read_again(
    desk: Desk, site: Website, clock: SteppingClock
) -> None:
    url = site.put("/a", "<p>old words</p>", headers={"ETag": '"one"'})
    id = desk.url(url)
    desk.read()
    first = desk.get(id)["lastSyncedAt"]
    clock.advance(60)
    desk.refresh(id)
    desk.read()
    assert desk.ready(id)["lastSyncedAt"] > first
    assert [asked.get("if-none-match") for path, asked in site.asked if path == "/a"] == [
        None,
        '"one"',
    ]
    assert desk.contents("old") == ["old words"]


@pytest.mark.requirement("documents.status.refresh")
def test_the_same_bytes_again_are_not_taken_apart_again(
    desk: Desk, site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    plain = InlineReader.read

    def noted(self: InlineReader, original: Original, call: Call = PLAIN_CALL) -> Extract:
        read.append(original.name)
        return plain(self, original, call)

    monkeypatch.setattr(InlineReader, "read", noted)
    id = desk.url(site.put("/a", "<p>old words</p>"))
    desk.read()
    desk.refresh(id)
    desk.read()
    assert site.paths().count("/a") == 2, "nothing tells beforehand whether the page has changed"
    assert (len(read), desk.contents("old")) == (1, ["old words"])


@pytest.mark.requirement("documents.status.refresh")
def test_a_rebuild_reads_also_what_has_not_changed(desk: Desk, site: Website) -> None:
    url = site.put("/a", "<p>old words</p>", headers={"ETag": '"one"'})
    ids = [desk.url(url), desk.page("Oil", "the oil is low")]
    desk.read()
    actor = actor_of(desk.premises.settings)
    assert desk.application.documents.refresh_all(actor, anew=True) == 2
    desk.read()
    assert all(map(desk.ready, ids))
    assert all("if-none-match" not in asked for _, asked in site.asked)
    assert sorted(desk.contents("words")) == ["# Oil\n\nthe oil is low", "old words"]


@pytest.mark.requirement("documents.status.refresh")
def test_bytes_can_be_replaced(desk: Desk) -> None:
    id = desk.file("a.txt", "the oil is low", name="Levels")
    desk.read()
    desk.refresh(id, file_name="b.txt", data=b"the oil is high")
    desk.read()
    assert desk.contents("oil") == ["the oil is high"]
    assert desk.ready(id)["name"] == "Levels"


@pytest.mark.requirement("documents.status.delete")
def test_a_removed_source_is_gone_and_can_come_back(both_ways: Desk) -> None:
    id = both_ways.page("Oil", "the oil is low")
    both_ways.read()
    both_ways.remove(id)
    assert both_ways.names() == []
    assert both_ways.search("oil") == []
    gone = both_ways.asker.refusal(GET, sourceId=id)
    assert gone == both_ways.asker.refusal(GET, sourceId="ks_none")
    assert gone["code"] == NOT_FOUND
    both_ways.application.documents.restore(actor_of(both_ways.premises.settings), id)
    both_ways.read()
    assert both_ways.ready(id)["chunkCount"] == 1
    assert len(both_ways.search("oil")) == 1


@pytest.mark.requirement("documents.status.delete")
def test_a_removed_source_takes_nobodys_place(desk: Desk) -> None:
    nearest = desk.page("Oil", f"{near(90)} removed")
    desk.page("Tyres", f"{near(80)} left")
    desk.read()
    desk.remove(nearest)
    assert [hit["sourceName"] for hit in desk.search("anything", limit=1)] == ["Tyres"]


@pytest.mark.requirement("documents.status.delete")
def test_a_source_removed_while_it_is_read_stays_gone(desk: Desk, site: Website) -> None:
    id = desk.url(site.put("/a", "<p>old words</p>"))
    site.gate.clear()
    worker = desk.application.new_worker()
    while not site.asked:
        assert worker.step()
    desk.remove(id)
    site.gate.set()
    assert worker.drain(60)
    assert desk.search("old") == []
    assert desk.names() == []


@pytest.mark.requirement("documents.status.refresh")
def test_a_refresh_during_reading_counts_after_it(desk: Desk, site: Website) -> None:
    id = desk.url(site.put("/a", "<p>old words</p>"))
    site.gate.clear()
    worker = desk.application.new_worker()
    while not site.asked:
        assert worker.step()
    desk.refresh(id)
    answered = threading.Timer(0, site.gate.set)
    answered.start()
    site.put("/a", "<p>new words</p>")
    assert worker.drain(60)
    assert desk.contents("words") == ["new words"]
    assert desk.ready(id)["chunkCount"] == 1


@pytest.mark.requirement("documents.expect.failure-contained")
def test_a_failing_source_does_not_hold_up_others(desk: Desk, site: Website) -> None:
    failing = [desk.file("a.pdf", b"%PDF-1.4 broken"), desk.url(f"{site.address}/none")]
    good = desk.page("Oil", "the oil is low")
    desk.read()
    assert all(map(desk.failed, failing))
    assert desk.ready(good)


@pytest.mark.requirement("documents.status.error", "documents.status.refresh-failed")
def test_a_page_beyond_the_quota_is_an_error_and_leaves_what_was_there(
    desk: Desk, site: Website
) -> None:
    quotas, owner = desk.application.quotas, actor_of(desk.premises.settings)
    quotas.override(owner, BYTES_STORED, 20)
    id = desk.url(site.put("/a", "<p>old words</p>"))
    desk.read()
    assert desk.get(id)["status"] == "ready"
    site.put("/a", f"<p>{'new words ' * 10}</p>")
    desk.refresh(id)
    desk.read()
    told = desk.get(id)
    assert told["status"] == "error"
    assert "The quota bytes_stored of 20 a month has no room" in told["errorMessage"]
    assert desk.contents("old") == ["old words"]
    assert [quota.used for quota in quotas.of(owner)[1]] == [0, len("old words")]


@pytest.mark.requirement("documents.status.error")
def test_a_source_that_ends_its_workers_says_so(both_ways: Desk, clock: SteppingClock) -> None:
    id = both_ways.page("Oil", f"{near(90)} is the level.")
    store = build_store(both_ways.premises.settings, clock)
    for _ in range(MAX_CRASHES):
        with store.write(upkeep_actor("acme")) as tx:
            assert tx.runs.claim(tx.now + timedelta(seconds=15)) is not None
        clock.advance(16)
    store.close()
    both_ways.read()
    source = both_ways.get(id)
    assert (source["status"], source["errorMessage"]) == ("error", SET_ASIDE)
    assert both_ways.search("oil") == []

    both_ways.refresh(id)
    both_ways.read()
    source = both_ways.get(id)
    assert (source["status"], source["errorMessage"]) == ("ready", None), "it was asked for"
