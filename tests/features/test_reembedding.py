"""Changing the model: the old one serves until the new one is complete, whatever is killed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest

from commonplace.embedding.serving import ServingEmbedder
from commonplace.errors import Conflict, EmbeddingUnavailable
from commonplace.model.query import RetrievalMode
from commonplace.model.run import RunKind
from commonplace.worker.reembedding.service import GRACE, ReembeddingService, searchable
from commonplace.worker.service.loop import Worker
from tests.features.embedders import ChoosyEmbedder, GramEmbedder, UnreachableEmbedder
from tests.features.house import House
from tests.generate import ALICE, EVE
from tests.stores import Database, SteppingClock

OLD, NEW = "grams-r1@64", "grams-r2@64"


@dataclass
class Process:
    """One process, with the models of its settings; the first is the configured one."""

    database: Database
    models: Sequence[GramEmbedder]
    clock: SteppingClock
    house: House = field(init=False)

    def __post_init__(self) -> None:
        store = self.database.open()
        serving = ServingEmbedder(self.models, partial(searchable, store), seconds=0)
        self.house = House(store, self.models[0], self.clock, serving)
        self.reembedding = ReembeddingService(store, self.models[0], self.clock)

    def worker(self) -> Worker:
        handlers = {RunKind.REBUILD: self.house.rebuilding.batch}
        keeper = ReembeddingService(self.house.store, self.models[0], self.clock)
        return Worker(
            self.house.store, self.house.model, self.clock, handlers, 300.0, keeper=keeper
        )

    def work(self, until: Callable[[], bool] = lambda: False) -> None:
        worker = self.worker()
        while not until() and worker.step():
            pass
        worker.stop()

    def found(self, query: str) -> list[str]:
        return self.house.found(query, mode=RetrievalMode.SEMANTIC)


@pytest.fixture
def old(database: Database, clock: SteppingClock) -> Process:
    """With forty notes, embedded."""
    process = Process(database, [GramEmbedder("r1")], clock)
    for number in range(40):
        process.house.add(f"n-{number}", body=f"zebra {number}")
    process.house.add("theirs", EVE, body="lion")
    process.work()
    return process


@pytest.fixture
def new(old: Process) -> Process:
    return Process(old.database, [GramEmbedder("r2")], old.clock)


def test_another_setting_touches_nothing_until_it_is_told_to(old: Process, new: Process) -> None:
    new.work()
    old.work()
    assert new.models[0].embedded == []
    assert len(old.models[0].embedded) == 41
    assert new.reembedding.progress().serving == OLD
    answer = new.house.search("zebra 7", mode=RetrievalMode.SEMANTIC)
    assert answer.mode_used is RetrievalMode.LEXICAL
    assert OLD in answer.notices[0]
    assert "reembed" in answer.notices[0]
    assert new.house.found("zebra 7")[0] == "n-7", "by words"


def test_the_old_vectors_serve_until_the_new_ones_are_complete(old: Process, new: Process) -> None:
    new.reembedding.start()
    half = lambda: new.reembedding.progress().embedded >= 20  # noqa: E731 - a condition
    new.work(until=half)
    progress = new.reembedding.progress()
    assert (progress.serving, progress.preparing, progress.complete) == (OLD, NEW, False)
    assert 20 <= progress.embedded < progress.total == 41
    assert old.house.search("zebra 7", mode=RetrievalMode.SEMANTIC).model == OLD
    assert old.found("zebra 39")[0] == "n-39"
    old.house.add("meanwhile", body="giraffe")
    old.work()
    assert old.found("giraffe")[0] == "meanwhile"
    new.work()
    finished = new.reembedding.progress()
    assert (finished.serving, finished.complete, finished.retired) == (NEW, True, (OLD,))
    assert new.found("giraffe")[0] == "meanwhile"
    assert new.found("zebra 7")[0] == "n-7"
    assert new.house.status.of_org(ALICE).chunks.pending == 0
    assert len(new.models[0].embedded) == 42, "nothing twice"


def test_a_killed_process_loses_a_batch_at_most(old: Process, new: Process) -> None:
    new.reembedding.start()
    new.work(until=lambda: new.reembedding.progress().embedded >= 20)
    new.house.store.take_lease("reembedding", "the dead", 60)
    other = Process(old.database, [GramEmbedder("r2")], old.clock)
    other.work()
    assert other.reembedding.progress().serving == OLD, "the lease of the dead still holds"
    old.clock.advance(61)
    other.work()
    assert other.reembedding.progress().complete
    assert len(other.models[0].embedded) <= 41 - 16
    assert other.found("zebra 3")[0] == "n-3"


@pytest.fixture
def later(old: Process) -> Process:
    """The same package at its next version: the old revision of the model is gone from it."""
    return Process(old.database, [GramEmbedder("r2", compatible_with=(OLD,))], old.clock)


def test_a_later_revision_is_prepared_by_itself_and_answers_meanwhile(later: Process) -> None:
    before = later.house.search("zebra 7", mode=RetrievalMode.SEMANTIC)
    assert (before.mode_used, before.model, before.notices) == (RetrievalMode.SEMANTIC, OLD, ())
    assert before.hits[0].entry is not None
    assert before.hits[0].entry.id == "n-7"
    worker = later.worker()
    while not later.reembedding.progress().complete:
        assert worker.step(), "there is always something to do until it is complete"
        assert later.found("zebra 39")[0] == "n-39"
    worker.stop()
    assert later.house.search("zebra 7", mode=RetrievalMode.SEMANTIC).model == NEW
    assert later.house.status.of_org(ALICE).chunks.pending == 0


def test_what_is_written_before_a_later_revision_serves_is_found_at_once(later: Process) -> None:
    later.house.add("meanwhile", body="giraffe")
    worker = later.worker()
    while "meanwhile" not in later.found("giraffe"):
        assert worker.step()
    assert later.reembedding.progress().serving == OLD
    later.work()
    assert later.reembedding.progress().complete
    assert later.found("giraffe")[0] == "meanwhile"


def test_a_later_revision_does_not_disturb_another_change(old: Process, later: Process) -> None:
    other = Process(old.database, [GramEmbedder("r3")], old.clock)
    other.reembedding.start()
    later.work()
    assert later.reembedding.progress().preparing == "grams-r3@64"
    assert later.found("zebra 7")[0] == "n-7"


def test_a_revision_that_plays_an_earlier_one_is_the_later_one(later: Process) -> None:
    played, model = later.house.model.current(), later.models[0]
    assert (played.identity.key, model.identity.key) == (OLD, NEW)
    assert (played.similarity(0.5), played.count_tokens("a b"), played.reads("a")) == (0.5, 2, True)
    played.release()
    assert model.releases == 1


def test_servers_with_the_old_settings_go_on_for_a_while(old: Process, new: Process) -> None:
    new.reembedding.start()
    new.work()
    assert old.found("zebra 7")[0] == "n-7", "with the old vectors"
    old.house.add("late", body="okapi")
    old.work()
    assert "late" not in old.found("okapi"), "only the model that serves embeds"
    new.work()
    assert new.found("okapi")[0] == "late"
    old.clock.advance(GRACE.total_seconds())
    new.work()
    assert new.reembedding.progress().retired == ()
    with new.house.store.read(ALICE) as tx:
        assert (tx.reembedding.count(OLD), tx.reembedding.count(NEW)) == (0, 41)
    answer = old.house.search("zebra 7", mode=RetrievalMode.SEMANTIC)
    assert answer.mode_used is RetrievalMode.LEXICAL


def test_a_process_that_has_both_models_goes_over_by_itself(old: Process) -> None:
    both = Process(old.database, [GramEmbedder("r2"), GramEmbedder("r1")], old.clock)
    assert both.found("zebra 7")[0] == "n-7"
    both.house.add("more", body="okapi")
    both.work()
    assert both.models[1].embedded, "embedded by the one that serves"
    both.reembedding.start()
    both.work()
    answer = both.house.search("okapi", mode=RetrievalMode.SEMANTIC)
    assert (answer.model, answer.pending) == (NEW, 0)


def test_it_can_be_cancelled(old: Process, new: Process) -> None:
    new.reembedding.start()
    new.work(until=lambda: new.reembedding.progress().embedded >= 20)
    assert old.reembedding.cancel() == NEW
    assert old.reembedding.cancel() is None
    new.work()
    assert new.reembedding.progress().serving == OLD
    assert old.found("zebra 7")[0] == "n-7"
    old.clock.advance(GRACE.total_seconds())
    old.work()
    with old.house.store.read(ALICE) as tx:
        assert (tx.reembedding.count(OLD), tx.reembedding.count(NEW)) == (40, 0)


def test_one_change_at_a_time(old: Process, new: Process) -> None:
    assert new.reembedding.start().preparing == NEW
    assert new.reembedding.start().preparing == NEW, "once more is the same"
    third = Process(old.database, [GramEmbedder("r3")], old.clock)
    with pytest.raises(Conflict, match="grams-r2"):
        third.reembedding.start()


def test_a_text_that_the_new_model_refuses_does_not_stop_it(old: Process) -> None:
    old.house.add("odd", body="forbidden")
    old.work()
    choosy = ChoosyEmbedder("forbidden")
    choosy.identity = GramEmbedder("r2").identity
    new = Process(old.database, [choosy], old.clock)
    new.reembedding.start()
    for _ in range(6):
        new.work()
        old.clock.advance(301)
    assert new.reembedding.progress().complete
    status = new.house.status.of_org(ALICE)
    assert (status.chunks.failed, status.failures) == (1, ("The model does not take this text.",))


def test_a_model_that_is_away_is_waited_for(old: Process) -> None:
    away = UnreachableEmbedder(failures=2)
    away.identity = GramEmbedder("r2").identity
    new = Process(old.database, [away], old.clock)
    new.reembedding.start()
    worker = new.worker()
    for _ in range(3):
        while worker.step():
            pass
        old.clock.advance(31)
    assert new.reembedding.progress().complete


def test_where_nothing_is_embedded_a_model_that_answers_takes_over(
    database: Database, clock: SteppingClock
) -> None:
    wrong = UnreachableEmbedder(failures=100)
    wrong.identity = GramEmbedder("r1").identity
    first = Process(database, [wrong], clock)
    first.house.add("n-1", body="zebra")
    first.work()
    assert first.reembedding.progress().serving == OLD
    second = Process(database, [GramEmbedder("r2")], clock)
    second.work(until=lambda: second.reembedding.progress().serving == NEW)
    first.work()
    assert second.reembedding.progress().serving == NEW, "a model that is away takes no place"
    clock.advance(600)
    second.work()
    assert second.found("zebra") == ["n-1"]


def test_a_model_that_is_not_there_says_so(old: Process, new: Process) -> None:
    absent = new.house.model.current()
    with pytest.raises(EmbeddingUnavailable, match="reembed"):
        absent.embed_passages(["x"])
    assert absent.identity.key == OLD
    assert absent.similarity(0.5) == 0.5
    assert absent.count_tokens("a b") == 2
    new.house.model.release()
    assert new.models[0].releases == 1
