"""Projects and what is attached to them: what goes with a project, and who else keeps it."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from commonplace.codegraph.service.answers import SymbolAnswers
from commonplace.errors import Conflict, ProjectNotFound, SourceTooBroad
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.chunk import ChunkDraft, ChunkMetadata, Indexed, Owner, OwnerType, Position
from commonplace.model.entry import Place
from commonplace.model.workspace import (
    AttachmentDraft,
    FileState,
    KnowledgeType,
    ResourceDraft,
    ResourceKind,
)
from commonplace.reading.folders import DiskFolders, FolderLimits
from commonplace.reading.places import LocalPlaces
from commonplace.storage.port import Store
from commonplace.workspace.projects import service as projects
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp, Changed
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.policy import HostPaths
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope
from commonplace.workspace.projects.service import WorkspaceService, detach
from commonplace.workspace.records.notebook import NewNote
from commonplace.workspace.records.record import NewRecord, RecordIdentity
from commonplace.workspace.records.service import RecordService
from tests.features.house import House
from tests.generate import ALICE, EVE, chunk_draft, metadata, put_chunk
from tests.models import entry_chunks
from tests.stores import Database
from tests.waiting import eventually

GLOBAL = WorkspaceScope(ScopeName.GLOBAL)
SHOP = WorkspaceScope(ScopeName.PROJECT, ("shop",))


@pytest.fixture
def workspace(house: House) -> WorkspaceService:
    folders = DiskFolders(FolderLimits())
    symbols = SymbolAnswers(house.store)
    return WorkspaceService(house.store, house.model, LocalPlaces(), folders, HostPaths(), symbols)


@pytest.fixture
def records(store: Store) -> RecordService:
    return RecordService(store, QuotaService(store), entry_chunks())


@pytest.fixture
def root(tmp_path: Path, workspace: WorkspaceService) -> Path:
    """The root of a project shop, with a folder docs in it."""
    (tmp_path / "shop" / "docs").mkdir(parents=True)
    workspace.add_project(ALICE, NewProject("shop", (str(tmp_path / "shop"),)))
    return tmp_path / "shop"


def adding(folder: Path) -> AttachmentChange:
    return AttachmentChange(
        AttachmentOp.ADD, knowledge_type="docs", resource_kind="folder", locator=str(folder)
    )


def read(store: Store, workspace: WorkspaceService) -> None:
    """As if an ingest had found one file with one chunk in each folder."""
    for resource in workspace.view(ALICE, EVERYTHING).resources:
        with store.write(ALICE) as tx:
            key = tx.files.put(resource.key, FileState(0, "a.md", "h", 1, 1, 1))
            place = Place(resource=resource.key)
            metadata = ChunkMetadata(kind="file", agent="alice", place=place, path="a.md")
            indexed = Indexed(terms="lighthous", context_terms="", words="lighthouse")
            chunk = ChunkDraft(0, "lighthouse", "", Position(), 1, "hash", indexed)
            tx.chunks.replace(Owner(OwnerType.DOCUMENT, key), metadata, [chunk])


def chunks(store: Store) -> int:
    with store.read(ALICE) as tx:
        return tx.chunks.counts().total


def test_everything_goes_with_a_project(
    house: House, workspace: WorkspaceService, records: RecordService, root: Path
) -> None:
    workspace.change(ALICE, SHOP, [adding(root / "docs")])
    read(house.store, workspace)
    records.append(ALICE, SHOP, NewNote("keeper", "The lamp is lit."))
    records.create(ALICE, SHOP, NewRecord(RecordIdentity("task", "T-1", 1), body="Light the lamp."))
    assert chunks(house.store) == 3
    workspace.remove_project(ALICE, "shop")
    assert chunks(house.store) == 0
    assert workspace.view(ALICE, EVERYTHING).attached == ()
    with pytest.raises(ProjectNotFound):
        workspace.project(ALICE, "shop")


def test_what_others_attach_stays(house: House, workspace: WorkspaceService, root: Path) -> None:
    workspace.change(ALICE, SHOP, [adding(root / "docs")])
    workspace.change(ALICE, GLOBAL, [adding(root / "docs")])
    read(house.store, workspace)
    workspace.remove_project(ALICE, "shop")
    (left,) = workspace.view(ALICE, EVERYTHING).attached
    assert left.attachment.project_id is None
    assert chunks(house.store) == 1


def test_another_org_has_projects_of_its_own(workspace: WorkspaceService, root: Path) -> None:
    assert workspace.projects(EVE) == []
    with pytest.raises(ProjectNotFound):
        workspace.remove_project(EVE, "shop")
    theirs = workspace.add_project(EVE, NewProject("shop", (str(root),)))
    assert theirs.id != workspace.project(ALICE, "shop").id


def test_a_project_that_is_removed_leaves_its_names_free(
    workspace: WorkspaceService, root: Path
) -> None:
    first = workspace.remove_project(ALICE, "shop")
    again = workspace.add_project(ALICE, NewProject("shop", (str(root),)))
    assert again.id != first.id
    with pytest.raises(Conflict):
        workspace.add_project(ALICE, NewProject("store", id=again.id))


def test_a_root_must_be_narrow(workspace: WorkspaceService) -> None:
    with pytest.raises(SourceTooBroad):
        workspace.add_project(ALICE, NewProject("all", ("/",)))


def test_first_notes_at_the_same_moment_make_one_notebook(records: RecordService) -> None:
    counts: list[int] = []

    def append(number: int) -> None:
        counts.append(records.append(ALICE, GLOBAL, NewNote("keeper", f"Note {number}.")).notes)

    threads = [threading.Thread(target=append, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(counts) == [1, 2, 3, 4]


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
def test_detaching_waits_for_a_reader_before_it_takes_anything(
    store: Store, database: Database
) -> None:
    """On SQLite there is one writer."""
    draft = ResourceDraft("r", ResourceKind.FOLDER, KnowledgeType.CODE, "file:///shop", "shop")
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(draft)
        attached = tx.attachments.insert(AttachmentDraft("a", resource.key, None, "shop"))
        file = tx.files.put(resource.key, FileState(0, "a.py", "hash", 1, 10, 0))
        owner = put_chunk(tx, file, "brown fox")

    def detach_it() -> None:
        with store.write(ALICE) as tx:
            detach(tx, attached)

    with ThreadPoolExecutor(1) as pool, psycopg.connect(database.address) as watcher:
        with store.write(ALICE) as tx:
            tx.resources.lock(resource.key)
            detaching = pool.submit(detach_it)
            waiting = b"SELECT 1 FROM pg_locks WHERE NOT granted"
            eventually(lambda: watcher.execute(waiting).fetchone() is not None)
            tx.chunks.replace(owner, metadata(), [chunk_draft("red bear")])
        detaching.result()
    with store.read(ALICE) as tx:
        assert tx.resources.get("r") is None
        assert tx.chunks.counts().total == 0


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
@pytest.mark.parametrize("op", [AttachmentOp.REMOVE, AttachmentOp.ADD])
def test_who_changes_the_same_folders_in_another_order_meets_no_deadlock(
    workspace: WorkspaceService,
    database: Database,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    op: AttachmentOp,
) -> None:
    """On SQLite there is one writer."""
    folders = [root / "docs", root]
    scopes = (SHOP, WorkspaceScope(ScopeName.PROJECT, ("shop2",)))
    workspace.add_project(ALICE, NewProject("shop2", (str(root),)))

    def changes(scope: WorkspaceScope) -> list[AttachmentChange]:
        if op is AttachmentOp.ADD:
            return [adding(folder) for folder in folders]
        done = workspace.change(ALICE, scope, [adding(folder) for folder in folders]).done
        return [AttachmentChange(op, one.attached.attachment.id) for one in done]

    first, second = (changes(scope) for scope in scopes)
    name = {AttachmentOp.REMOVE: "_alter", AttachmentOp.ADD: "_add"}[op]
    real = getattr(projects, name)
    theirs: list[Future[Changed]] = []

    def change_and_meet_another(*given: Any) -> Any:
        done = real(*given)
        if not theirs:
            theirs.append(pool.submit(workspace.change, ALICE, scopes[1], list(reversed(second))))
            eventually(lambda: watcher.execute(waiting).fetchone() is not None)
        return done

    waiting = b"SELECT 1 FROM pg_locks WHERE NOT granted"
    monkeypatch.setattr(projects, name, change_and_meet_another)
    with (
        ThreadPoolExecutor(1) as pool,
        psycopg.connect(database.address, autocommit=True) as watcher,
    ):
        ours = workspace.change(ALICE, scopes[0], first)
        assert len(ours.done) == len(theirs[0].result().done) == len(folders)
    left = 0 if op is AttachmentOp.REMOVE else 2 * len(folders)
    assert len(workspace.view(ALICE, EVERYTHING).attached) == left
