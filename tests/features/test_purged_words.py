"""What was purged is kept nowhere: in no table, no file, no cache, and in no answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from pydantic import SecretStr

from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.capture.finding import CaptureRequest
from commonplace.capture.report import Action
from commonplace.documents.rules import NewSource
from commonplace.memory.thoughts import Thought
from commonplace.model.actor import ALL_SCOPES, Actor
from commonplace.model.capture import ReviewStatus
from commonplace.model.entry import EntryContent, EntryKind, Visibility
from commonplace.model.query import Filter, SearchRequest
from commonplace.model.source import SourceType
from commonplace.model.workspace import ResourceKind
from commonplace.settings import Settings
from commonplace.storage.sqlite.connections import open_connection
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.records.notebook import NewNote
from commonplace.workspace.records.record import NewRecord, RecordEdit, RecordIdentity
from tests.redis_servers import RedisServer
from tests.stores import MakeDatabase
from tests.unit.registry.samples import skill_text

ADA = Actor("acme", "ada", ALL_SCOPES, "test")
BOB = replace(ADA, agent="bob")
GLOBAL = WorkspaceScope(ScopeName.GLOBAL)
# No word of any other text begins like this one, which also finds it inside of other bytes.
WORD = "zqxvutsr"
TITLE = f"About {WORD}"
TEXT = (
    f"We solved the bug: the {WORD} timed out because the pool was never closed. "
    "Lesson learned: close it."
)
CONTENT = EntryContent(
    title=TITLE,
    body=TEXT,
    tags=(WORD,),
    visibility=Visibility.ORG,
    attributes={"deep": {WORD: [TEXT]}},
)


class Home:
    """An application on one of the stores, and everything that it writes to."""

    def __init__(self, settings: Settings, address: str, redis: RedisServer) -> None:
        self.application: Application = build(settings)
        self._settings = settings
        self._address = address
        self._redis = redis

    def rows_with(self, word: str) -> list[str]:
        """The tables in which a row has this word."""
        if self._settings.database_url:
            with psycopg.connect(self._address) as connection:
                tables = connection.execute(
                    "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables "
                    "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
                ).fetchall()
                rows = {t: connection.execute(f"SELECT * FROM {t}").fetchall() for (t,) in tables}
        else:
            with closing(open_connection(self._settings.database_file)) as connection:
                connection.row_factory = None
                found = connection.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL"
                ).fetchall()
                rows = {t: connection.execute(f"SELECT * FROM {t}").fetchall() for (t,) in found}
        assert rows
        return [table for table, some in rows.items() if word in repr(some).casefold()]

    def files_with(self, word: str) -> list[str]:
        files = [file for file in self._settings.home.rglob("*") if file.is_file()]
        return [file.name for file in files if word.encode() in file.read_bytes().lower()]

    def keys_with(self, word: str) -> list[bytes]:
        with self._redis.client() as client:
            keys = [bytes(key) for key in client.scan_iter()]
            return [key for key in keys if word.encode() in bytes(client.dump(key) or b"").lower()]

    def traces_of(self, word: str) -> list[object]:
        return [*self.rows_with(word), *self.files_with(word), *self.keys_with(word)]


@pytest.fixture
def home(
    dialect: str, tmp_path: Path, make_database: MakeDatabase, redis_server: RedisServer
) -> Iterator[Home]:
    database = make_database(dialect)
    settings = Settings(
        home=tmp_path / "home" if dialect == "postgres" else Path(database.address).parent,
        database_url=SecretStr(database.address) if dialect == "postgres" else None,
        redis_url=SecretStr(redis_server.url),
        embedding_url="http://127.0.0.1:1/v1",
        embedding_model="absent",
        embedding_dimension=8,
        worker=False,
    )
    home = Home(settings, database.address, redis_server)
    yield home
    home.application.close()


def note_with_a_token(app: Application) -> str:
    return app.knowledge.add_once(ADA, EntryKind.NOTE, CONTENT, token=str(uuid4())).id


def note_with_a_history(app: Application) -> str:
    note = app.knowledge.add(ADA, EntryKind.NOTE, CONTENT)
    app.knowledge.edit(ADA, note.id, replace(CONTENT, body=f"{TEXT} Again."))
    newer = app.knowledge.add(ADA, EntryKind.NOTE, EntryContent(title="a", body="b"))
    app.knowledge.supersede(ADA, EntryKind.NOTE, note.id, newer.id)
    app.usage.count(ADA, [newer])
    app.knowledge.delete(ADA, note.id)
    app.knowledge.restore(ADA, note.id)
    return note.id


def thought(app: Application) -> str:
    kept = app.memory.remembering.remember(ADA, Thought(TEXT, title=TITLE, tags=(WORD,)))
    assert kept.entry
    return kept.entry.id


def confirmed_moment(app: Application) -> str:
    app.capture.auto_capture(ADA, CaptureRequest(TEXT, 0.2, False, "aggressive", 5))
    (waiting,), _ = app.reviewing.reviews(ADA, ReviewStatus.WAITING, 10)
    outcome = app.reviewing.judge(ADA, waiting.id, Action.CONFIRM, f"Yes, the {WORD} did")
    app.reviewing.judge(BOB, outcome.item_id, Action.CONFIRM, f"The {WORD} again")
    return outcome.item_id


def rejected_item(app: Application) -> str:
    outcome = app.capture.auto_capture(ADA, CaptureRequest(TEXT, 0.2, True, "aggressive", 5))
    (item,) = outcome.captured
    app.reviewing.judge(ADA, item.id, Action.REJECT, f"No {WORD} here")
    return item.id


def skill(app: Application) -> str:
    files = {f"scripts/{WORD}.sh": TEXT.encode()}
    text = skill_text(TITLE)
    return app.registry.contribute_skill(ADA, text, Visibility.ORG, files).id


def notebook_note(app: Application) -> str:
    note = NewNote("agent", TEXT, metadata={WORD: WORD})
    return app.records.append(ADA, GLOBAL, note).latest.id


def record(app: Application) -> str:
    view = app.records.create(
        ADA, GLOBAL, NewRecord(RecordIdentity("task", "T-1", 1), TITLE, body=TEXT)
    )
    app.records.update(
        ADA, GLOBAL, view.attached.resource.id, RecordEdit(body=f"{TEXT} Then changed")
    )
    return view.entry.id


def detached_record(app: Application) -> str:
    id = record(app)
    (attached,) = app.workspace.view(ADA, GLOBAL).attached
    app.records.delete(ADA, GLOBAL, attached.resource.id, ResourceKind.RECORD)
    return id


MADE: list[Callable[[Application], str]] = [
    note_with_a_token, note_with_a_history, thought, confirmed_moment, rejected_item, skill,
    notebook_note, record, detached_record,
]  # fmt: skip


def attached(app: Application) -> list[str]:
    return [one.attachment.label for one in app.workspace.view(ADA, GLOBAL).attached]


@pytest.mark.parametrize("make", MADE, ids=[make.__name__ for make in MADE])
def test_a_purged_word_is_nowhere(home: Home, make: Callable[[Application], str]) -> None:
    app = home.application
    id = make(app)
    app.retrieval.search(ADA, SearchRequest("which pool was never closed?", Filter()))
    app.activity.write()
    assert home.traces_of(WORD), "else nothing is proved"
    app.knowledge.purge(ADA, id)
    assert home.traces_of(WORD) == []


def test_a_repeated_call_is_not_answered_with_what_was_purged(home: Home) -> None:
    knowledge, token = home.application.knowledge, str(uuid4())
    first = knowledge.add_once(ADA, EntryKind.NOTE, CONTENT, token=token)
    knowledge.purge(ADA, first.id)
    again = knowledge.add_once(ADA, EntryKind.NOTE, replace(CONTENT, body="b"), token=token)
    assert again.id != first.id
    assert again.content.body == "b"
    assert knowledge.get(ADA, again.id).entry.content.body == "b"


def test_a_purged_record_is_attached_no_longer_and_may_be_made_again(home: Home) -> None:
    app = home.application
    id = record(app)
    assert attached(app) == [TITLE]
    app.knowledge.purge(ADA, id)
    assert attached(app) == []
    record(app)
    assert attached(app) == [TITLE]


def test_a_purged_source_is_nowhere(home: Home) -> None:
    documents = home.application.documents
    page = NewSource(SourceType.PAGE, workspace="ws", title=TITLE, text=TEXT)
    source = documents.add(ADA, page)
    documents.refresh(ADA, source.id, replace(page, title=f"{WORD} again"))
    assert home.traces_of(WORD)
    documents.remove(ADA, source.id, purge=True)
    assert home.traces_of(WORD) == []
