"""The commits of a folder: as many as are wanted, and no work where none is new."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from commonplace.model.actor import Actor
from commonplace.model.chunk import Owner, OwnerType, Urgency
from commonplace.model.commits import Commit
from commonplace.model.workspace import FileState, IndexStatus, KnowledgeType, Resource
from commonplace.reading.git_log import GitLog
from commonplace.storage.port import Store
from commonplace.workspace.history.kept import MOST_FILES
from commonplace.workspace.history.service import FolderHistory
from tests.folders.conftest import NewYard
from tests.folders.yard import Yard
from tests.generate import ALICE
from tests.reading.test_git_log import git

MOST = 5


class CountedLog(GitLog):
    """Remembers how many commits it was asked to read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[int] = []

    def commits(self, folder: str, ids: Sequence[str]) -> list[Commit]:
        self.read.append(len(ids))
        return super().commits(folder, ids)


@pytest.fixture
def yard(new_yard: NewYard) -> Yard:
    return new_yard("index")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    grow(tmp_path, 1, 8)
    return tmp_path


def grow(folder: Path, first: int, last: int) -> None:
    for number in range(first, last):
        (folder / f"part{number}.py").write_text(f"def part{number}(): ...\n")
        git(folder, "add", ".")
        git(folder, "commit", "-qm", f"Add part {number}", day=f"2024-05-{number:02}")


def kept(store: Store, resource: Resource, actor: Actor = ALICE) -> dict[str, FileState]:
    """Subjects of commits that are kept, the newest first."""
    with store.read(actor) as tx:
        history = tx.resources.at(KnowledgeType.HISTORY, resource.locator)
        states = tx.files.of_resource(history.key) if history else []
        newest = sorted(states, key=lambda state: -state.modified_ns)
        texts = [tx.chunks.page(Owner(OwnerType.DOCUMENT, one.key), 9, 0)[0].text for one in newest]
    return dict(zip(texts, newest, strict=True))


def test_the_latest_commits_are_kept_and_read_once(yard: Yard, folder: Path) -> None:
    resource, log = yard.attach(folder), CountedLog()
    history = FolderHistory(yard.store, log, str, MOST)
    assert history.differs(ALICE, resource)
    history.update(ALICE, resource)
    assert list(kept(yard.store, resource)) == [f"Add part {n}" for n in (7, 6, 5, 4, 3)]
    assert not history.differs(ALICE, resource)
    history.update(ALICE, resource)
    grow(folder, 8, 10)
    assert history.differs(ALICE, resource)
    history.update(ALICE, resource)
    assert list(kept(yard.store, resource)) == [f"Add part {n}" for n in (9, 8, 7, 6, 5)]
    assert log.read == [5, 2], "what is kept is not read again"


def test_another_number_is_kept_when_it_is_set(yard: Yard, folder: Path) -> None:
    resource = yard.attach(folder)
    for most in (MOST, 2, 0, 7):
        FolderHistory(yard.store, GitLog(), str, most).update(ALICE, resource)
        assert len(kept(yard.store, resource)) == most


def test_a_part_of_a_repository_has_the_commits_that_touched_it(yard: Yard, folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "own.py").write_text("def own(): ...\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Add an inner part", day="2024-06-01")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Nothing", day="2024-06-02")
    resource = yard.attach(folder / "inner")
    yard.history.update(ALICE, resource)
    ((text, state),) = kept(yard.store, resource).items()
    assert text == "Add an inner part"
    with yard.store.read(ALICE) as tx:
        assert tx.files.touched([state.key]) == {state.key: ("own.py",)}


def test_a_commit_of_many_files_and_words_is_kept_in_bounds(yard: Yard, folder: Path) -> None:
    for number in range(MOST_FILES + 20):
        (folder / f"many{number}.txt").write_text("x")
    git(folder, "add", ".")
    git(folder, "commit", "-qF", "-", day="2024-06-01", given="word " * 5_000)
    resource = yard.attach(folder)
    yard.history.update(ALICE, resource)
    text, state = next(iter(kept(yard.store, resource).items()))
    assert len(text) < 5_000
    assert state.size == MOST_FILES + 20
    with yard.store.read(ALICE) as tx:
        assert len(tx.files.touched([state.key])[state.key]) == MOST_FILES
        (chunk,) = tx.chunks.page(Owner(OwnerType.DOCUMENT, state.key), 9, 0)
    assert chunk.urgency is Urgency.REST_OF_ASIDE, "after everything else"


def test_why_a_history_cannot_be_read_is_its_status(yard: Yard, folder: Path) -> None:
    (folder / ".git/objects/info/alternates").write_text("/elsewhere\n")
    resource = yard.attach(folder)
    yard.history.update(ALICE, resource)
    with yard.store.read(ALICE) as tx:
        history = tx.resources.at(KnowledgeType.HISTORY, resource.locator)
    assert history is not None
    assert history.indexing.status is IndexStatus.FAILED
    assert history.indexing.error == "That repository borrows objects from another one."


def test_a_folder_without_a_repository_has_no_history(yard: Yard, tmp_path: Path) -> None:
    resource = yard.attach(tmp_path)
    yard.history.update(ALICE, resource)
    assert not yard.history.differs(ALICE, resource)
    with yard.store.read(ALICE) as tx:
        assert tx.resources.histories() == []


def crafted(folder: Path, raw: str) -> str:
    """A commit that no git of today would write, as the head; its id."""
    id = git(folder, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", given=raw)
    git(folder, "update-ref", "refs/heads/main", id)
    return id


@pytest.mark.parametrize("seconds", ["253402300799", "99999999999", "9223372036", "9" * 30])
def test_a_commit_of_a_far_year_is_kept(yard: Yard, folder: Path, seconds: str) -> None:
    tree = git(folder, "rev-parse", "HEAD^{tree}")
    author = f"Ada <ada@example.org> {seconds} +0000"
    raw = f"tree {tree}\nauthor {author}\ncommitter {author}\n\nFrom afar\n"
    id = crafted(folder, raw)
    resource = yard.attach(folder)
    yard.history.update(ALICE, resource)
    assert [state.path for state in kept(yard.store, resource).values()] == [id]


def test_a_path_that_no_store_takes_is_counted_and_not_kept(yard: Yard, folder: Path) -> None:
    blob = git(folder, "hash-object", "-w", "--stdin", given="x")
    names = [os.urandom(100).hex() for _ in range(20)]
    git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},{'/'.join(names)}")
    git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},plain.txt")
    git(folder, "commit", "-qm", "Go deep", day="2024-07-01")
    resource = yard.attach(folder)
    yard.history.update(ALICE, resource)
    state = kept(yard.store, resource)["Go deep"]
    assert state.size == 2
    with yard.store.read(ALICE) as tx:
        assert tx.files.touched([state.key]) == {state.key: ("plain.txt",)}


def test_a_folder_that_was_detached_meanwhile_gets_no_history(yard: Yard, folder: Path) -> None:
    resource = yard.attach(folder)
    with yard.store.write(ALICE) as tx:
        tx.resources.remove(resource)
    yard.history.update(ALICE, resource)
    with yard.store.read(ALICE) as tx:
        assert tx.resources.histories() == []


def test_what_is_kept_goes_with_the_repository(yard: Yard, folder: Path) -> None:
    resource = yard.attach(folder)
    yard.history.update(ALICE, resource)
    shutil.rmtree(folder / ".git")
    assert yard.history.differs(ALICE, resource)
    yard.history.update(ALICE, resource)
    assert kept(yard.store, resource) == {}
    assert not yard.history.differs(ALICE, resource)


def test_of_a_message_without_an_end_only_its_beginning_is_looked_at(
    yard: Yard, folder: Path
) -> None:
    looked: list[int] = []

    def mask(text: str) -> str:
        looked.append(len(text))
        return text

    git(folder, "commit", "-q", "--allow-empty", "-F", "-", given="word " * 1_000_000)
    resource = yard.attach(folder)
    FolderHistory(yard.store, GitLog(), mask, MOST).update(ALICE, resource)
    assert max(looked) < 100_000
