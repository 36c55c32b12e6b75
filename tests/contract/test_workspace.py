"""Projects, resources, attachments and files, on every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from commonplace.errors import CommonplaceError, NotFound, RevisionConflict
from commonplace.model.actor import Actor
from commonplace.model.chunk import (
    ChunkDraft,
    ChunkMetadata,
    Indexed,
    Owner,
    OwnerType,
    Position,
    SymbolMark,
    TrustTier,
)
from commonplace.model.entry import EntryContent, EntryDraft, EntryKind, Place
from commonplace.model.query import Filter
from commonplace.model.workspace import (
    AttachmentDraft,
    FileState,
    IndexStatus,
    KnowledgeType,
    ProjectDraft,
    Resource,
    ResourceCounts,
    ResourceDraft,
    ResourceKind,
)
from commonplace.storage.port import LexicalQuery, Store, Transaction
from tests.generate import ALICE, EVE

SHOP = ProjectDraft("proj_shop", "shop", "The shop", ("/srv/shop",), "git:shop")
SOURCES = ResourceDraft(
    "res_src", ResourceKind.FOLDER, KnowledgeType.CODE, "file:///srv/shop/src", "Sources"
)


def file_state(path: str, content_hash: str = "h1", digest: str | None = None) -> FileState:
    return FileState(0, path, content_hash, 1, 10, 1_000, "python", digest)


def draft(text: str, ordinal: int = 0, symbol: SymbolMark | None = None) -> ChunkDraft:
    indexed = Indexed(terms=text, context_terms="", words=text)
    return ChunkDraft(ordinal, text, "", Position(), 3, f"hash of {text}", indexed, symbol=symbol)


def metadata(resource: Resource, path: str) -> ChunkMetadata:
    place = Place(resource=resource.key)
    return ChunkMetadata(kind="file", agent="alice", place=place, path=path, language="python")


def add_file(tx: Transaction, resource: Resource, path: str, *drafts: ChunkDraft) -> int:
    key = tx.files.put(resource.key, file_state(path))
    tx.chunks.replace(Owner(OwnerType.DOCUMENT, key), metadata(resource, path), drafts)
    return key


def found(store: Store, wanted: Filter, actor: Actor = ALICE) -> set[str]:
    with store.read(actor) as tx:
        keys = tx.chunks.lexical(LexicalQuery(terms=("refund",)), wanted, 50)
        return {str(chunk.metadata.path) for chunk in tx.chunks.fetch(keys, wanted)}


def test_a_project_is_found_by_id_handle_and_repository(store: Store) -> None:
    with store.write(ALICE) as tx:
        made = tx.projects.insert(SHOP)
    with store.read(ALICE) as tx:
        assert tx.projects.get("proj_shop") == made
        assert tx.projects.find(handle="shop") == made
        assert tx.projects.find(repository="git:shop") == made
        assert tx.projects.find() is None
        assert tx.projects.all() == [made]
        assert (made.roots, made.repository, made.revision) == (("/srv/shop",), "git:shop", 1)


def test_a_project_is_changed_at_its_revision_and_removed(store: Store) -> None:
    with store.write(ALICE) as tx:
        made = tx.projects.insert(SHOP)
        moved = tx.projects.update(replace(made, roots=("/srv/shop", "/srv/lib")))
        assert (moved.roots, moved.revision) == (("/srv/shop", "/srv/lib"), 2)
    with pytest.raises(RevisionConflict), store.write(ALICE) as tx:
        tx.projects.update(replace(made, name="outdated"))
    with store.write(ALICE) as tx:
        tx.projects.remove(moved)
        assert tx.projects.get("proj_shop") is None
        assert tx.projects.all() == []
        # The handle is free again, the id is not.
        assert tx.projects.insert(replace(SHOP, id="proj_other")).handle == "shop"
    with store.read(ALICE) as tx:
        recorded = [c for c in tx.changes.since(0, 100) if c.entity_id == "proj_shop"]
        assert [change.operation for change in recorded] == ["create", "edit", "delete"]


def test_a_handle_is_taken_once(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.projects.insert(SHOP)
    with pytest.raises(CommonplaceError), store.write(ALICE) as tx:
        tx.projects.insert(replace(SHOP, id="proj_2"))
    with store.write(EVE) as tx:
        assert tx.projects.all() == []
        assert tx.projects.insert(SHOP).org == EVE.org


def test_a_resource_is_shared_by_attachments(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(SOURCES)
        first = tx.attachments.insert(AttachmentDraft("att_1", resource.key, "proj_shop", "Src"))
        second = tx.attachments.insert(
            AttachmentDraft("att_2", resource.key, None, "All", TrustTier.CANONICAL, 1.5, False)
        )
    with store.read(ALICE) as tx:
        assert tx.resources.get("res_src") == resource
        assert tx.resources.at(KnowledgeType.CODE, SOURCES.locator) == resource
        assert tx.resources.at(KnowledgeType.DOCS, SOURCES.locator) is None
        assert tx.attachments.all() == [first, second]
        assert tx.attachments.of_resource(resource.key) == [first.attachment, second.attachment]
        assert first.resource == resource
        assert (second.attachment.trust, second.attachment.weight) == (TrustTier.CANONICAL, 1.5)
        assert (first.attachment.enabled, second.attachment.enabled) == (True, False)
        assert tx.sources.in_reach(None) == []
        assert tx.sources.get("res_src") is None
    with store.read(EVE) as tx:
        assert tx.attachments.all() == []
        assert tx.attachments.get("att_1") is None
        assert tx.resources.get("res_src") is None


def test_an_attachment_changes_and_goes(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(SOURCES)
        made = tx.attachments.insert(AttachmentDraft("att_1", resource.key, None, "Src"))
        after = tx.attachments.update(replace(made.attachment, label="Code", weight=0.5))
        assert (after.attachment.label, after.attachment.weight) == ("Code", 0.5)
        tx.attachments.remove(after.attachment)
        assert tx.attachments.get("att_1") is None
        recorded = [c for c in tx.changes.since(0, 100) if c.entity_id == "att_1"]
    assert [change.operation for change in recorded] == ["create", "edit", "delete"]
    assert recorded[1].before is not None
    assert recorded[1].before["label"] == "Src"


def test_a_resource_is_attached_to_a_scope_once(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(SOURCES)
        tx.attachments.insert(AttachmentDraft("att_1", resource.key, None, "Src"))
    with pytest.raises(CommonplaceError), store.write(ALICE) as tx:
        tx.attachments.insert(AttachmentDraft("att_2", resource.key, None, "Src"))


def test_an_outdated_reading_does_not_count(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(SOURCES)
        assert resource.indexing.status is IndexStatus.STALE
        tx.resources.queue([resource.key], "run-1")
        assert not tx.resources.settle(resource, IndexStatus.READY)
        held = tx.resources.lock(resource.key)
        assert held is not None
        assert tx.resources.settle(held, IndexStatus.INDEXING)
        assert tx.resources.settle(held, IndexStatus.READY)
        tx.resources.watch([resource.key], tx.now + timedelta(minutes=1))
        ready = tx.resources.get("res_src")
        assert ready is not None
        assert (ready.indexing.status, ready.indexing.run_id) == (IndexStatus.READY, "run-1")
        assert ready.indexing.indexed_at == tx.now
        assert ready.indexing.watched_until == tx.now + timedelta(minutes=1)
        assert tx.resources.settle(ready, IndexStatus.FAILED, "unreadable")
        failed = tx.resources.get("res_src")
        assert failed is not None
        assert failed.indexing.error == "unreadable"
        assert failed.indexing.indexed_at == tx.now


def test_files_are_kept_by_path_and_moved_with_their_chunks(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(SOURCES)
        key = add_file(tx, resource, "b.py", draft("refund"))
        other = tx.files.put(resource.key, file_state("a.py"))
        assert tx.files.put(resource.key, file_state("b.py", "h2")) == key
        assert [state.path for state in tx.files.of_resource(resource.key)] == ["a.py", "b.py"]
        assert tx.files.get([key])[key].content_hash == "h2"
        tx.files.move(key, "deep/b.py", 2_000)
        tx.files.remove([other])
        (kept,) = tx.files.of_resource(resource.key)
        assert (kept.key, kept.path, kept.modified_ns) == (key, "deep/b.py", 2_000)
    assert found(store, Filter()) == {"deep/b.py"}


def test_files_are_found_by_their_name_in_any_folder(store: Store) -> None:
    paths = ("cart.py", "src/cart.py", "src/smart.py", "src/Cart.py", "cart.py/x", "ü%_/größe.py")
    with store.write(ALICE) as tx:
        one = tx.resources.insert(SOURCES).key
        other = tx.resources.insert(replace(SOURCES, id="other", locator="file:///other")).key
        for path in paths:
            tx.files.put(one, file_state(path))
        tx.files.put(other, file_state("cart.py"))
    with store.read(ALICE) as tx:
        named = {name: [state.path for state in tx.files.named(one, name)] for name in (
            "cart.py", "größe.py", "%.py", "_art.py", "art.py", "",
        )}  # fmt: skip
    with store.read(EVE) as tx:
        assert tx.files.named(one, "cart.py") == []
    assert named.pop("cart.py") == ["cart.py", "src/cart.py"]
    assert named.pop("größe.py") == ["ü%_/größe.py"]
    assert not any(named.values())


def test_bytes_go_with_the_last_file_that_stands_on_them(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(replace(SOURCES, kind=ResourceKind.PUSHED))
        digest = tx.blobs.put(b"text", "text/plain")
        keys = [tx.files.put(resource.key, file_state(path, digest=digest)) for path in ("a", "b")]
        tx.files.remove(keys[:1])
        assert tx.blobs.get(digest) == b"text"
        tx.resources.remove(resource)
        assert tx.blobs.get(digest) is None
        assert tx.files.of_resource(resource.key) == []
        assert tx.resources.get("res_src") is None
    with pytest.raises(NotFound), store.write(ALICE) as tx:
        tx.resources.remove(resource)
    with store.write(ALICE) as tx:
        again = replace(SOURCES, id="res_again")
        assert tx.resources.insert(again).locator == SOURCES.locator


def test_what_a_resource_holds_is_counted(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(SOURCES)
        empty = tx.resources.insert(replace(SOURCES, id="res_2", locator="file:///elsewhere"))
        add_file(tx, resource, "a.py", draft("one"), draft("two", 1))
        tx.files.put(resource.key, replace(file_state("b.ts"), language="ts"))
        tx.files.put(resource.key, replace(file_state("LICENSE"), language=None))
        place = Place(project="proj_shop", resource=resource.key)
        content = EntryContent("a note", "of the notebook", place=place)
        entry = tx.entries.insert(EntryDraft("note_1", EntryKind.NOTEBOOK_NOTE, content))
        assert entry.content.place == place
        counted = tx.resources.counts([resource.key, empty.key])
    assert counted[resource.key] == ResourceCounts(3, 2, 1, 2, ("python", "ts"))
    assert counted[empty.key] == ResourceCounts()


def test_chunks_are_filtered_by_resource_path_and_symbol(store: Store) -> None:
    mark = SymbolMark("function", "refund")
    with store.write(ALICE) as tx:
        one = tx.resources.insert(SOURCES)
        two = tx.resources.insert(replace(SOURCES, id="res_2", locator="file:///elsewhere"))
        add_file(tx, one, "pay/refund.py", draft("refund", symbol=mark))
        add_file(tx, one, "payments.py", draft("refund"))
        add_file(tx, two, "pay/other.py", draft("refund"))
    assert found(store, Filter()) == {"pay/refund.py", "payments.py", "pay/other.py"}
    assert found(store, Filter(resources=(one.key,))) == {"pay/refund.py", "payments.py"}
    assert found(store, Filter(resources=(one.key, two.key), paths=((two.key, ""),))) == {
        "pay/other.py"
    }
    assert found(store, Filter(paths=((one.key, "pay"),))) == {"pay/refund.py"}
    assert found(store, Filter(paths=((one.key, "pay/refund.py"),))) == {"pay/refund.py"}
    assert found(store, Filter(symbol_kinds=("function", "class"))) == {"pay/refund.py"}
    assert found(store, Filter(resources=(one.key,)), EVE) == set()
    with store.read(ALICE) as tx:
        keys = tx.chunks.lexical(LexicalQuery(terms=("refund",)), Filter(), 50)
        marks = {chunk.symbol for chunk in tx.chunks.fetch(keys, Filter())}
    assert marks == {mark, None}
