"""Graph files that are damaged, missing, foreign, old or unfinished; purges; other models."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.query import Filter
from commonplace.storage.sqlite.vectors.coverage import GraphUnusable, read_seal
from commonplace.storage.sqlite.vectors.graph import eight_bit, open_graph
from tests.generate import ALICE, EVE, MODEL, Vector, axis, embed_all, near, put_chunk, unit_vectors
from tests.multiprocess.spawn import Member
from tests.processes import running
from tests.vectors.library import (
    Library,
    found_numbers,
    grow_and_rebuild,
    ladder,
    nearest,
    put,
    remove,
    tend,
)

Harm = Callable[[Path], object]


def _flipped(file: Path, place: float) -> None:
    data = bytearray(file.read_bytes())
    data[int(place * len(data))] ^= 0xFF
    file.write_bytes(data)


HARMS: dict[str, Harm] = {
    "gone": lambda file: file.unlink(),
    "empty": lambda file: file.write_bytes(b""),
    "cut in half": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "cut by a byte": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "something else": lambda file: file.write_bytes(b"something else entirely" * 100),
    "first byte": lambda file: _flipped(file, 0),
    "in the vectors": lambda file: _flipped(file, 0.2),
    "in the graph": lambda file: _flipped(file, 0.6),
    "in the keys": lambda file: _flipped(file, 0.92),
    "another format": lambda file: file.write_bytes(file.read_bytes()[:-1] + b"0"),
    "more after its end": lambda file: file.write_bytes(file.read_bytes() + b"more"),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS.keys())
def test_a_damaged_file_is_ignored_and_rebuilt(library: Library, harm: Harm) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    tend(store)
    harm(library.graph)
    fresh = library.open()
    for _ in range(2):
        found = nearest(fresh, axis(0))
        assert found.exact
        assert found_numbers(fresh, axis(0)) == list(range(10))
    tend(library.open())
    open_graph(library.graph)
    for reading in (store, fresh):
        assert not nearest(reading, axis(0)).exact
        assert found_numbers(reading, axis(0)) == list(range(10))


def test_a_reader_keeps_its_file_when_a_bad_one_replaces_it(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    tend(store)
    assert not nearest(store, axis(0)).exact
    bad = library.home / "bad"
    bad.write_bytes(b"bad")
    bad.replace(library.graph)
    put(store, 1000, [near(axis(0), 0.99)])
    assert found_numbers(store, axis(0), limit=3) == [1000, 0, 1]


def test_a_file_of_another_database_is_ignored(library: Library, tmp_path: Path) -> None:
    """The same keys, the same number of vectors, other vectors."""
    (tmp_path / "other").mkdir()
    other = Library(tmp_path / "other")
    for place, vectors in ((library, ladder(150)), (other, unit_vectors(150))):
        store = place.open()
        put(store, 0, vectors)
        tend(store)
    shutil.copy(other.graph, library.graph)
    other.close()
    fresh = library.open()
    assert nearest(fresh, axis(0)).exact
    assert found_numbers(fresh, axis(0)) == list(range(10))
    tend(fresh)
    assert not nearest(fresh, axis(0)).exact
    assert found_numbers(fresh, axis(0)) == list(range(10))


def test_a_file_newer_than_the_database_is_ignored(library: Library) -> None:
    """As after a backup was put back, and the same keys were given out again."""
    store = library.open()
    put(store, 0, unit_vectors(120))
    backup = library.home / "backup.db"
    with sqlite3.connect(library.home / "library.db") as source, sqlite3.connect(backup) as target:
        source.backup(target)
    source.close()
    target.close()
    put(store, 120, unit_vectors(30, seed=1))
    tend(store)
    store.close()
    for file in library.home.glob("library.db*"):
        file.unlink()
    backup.replace(library.home / "library.db")
    restored = library.open()
    assert nearest(restored, axis(0)).exact
    put(restored, 500, ladder(30))
    assert nearest(restored, axis(0)).exact
    assert found_numbers(restored, axis(0)) == list(range(500, 510))
    tend(restored)
    assert not nearest(restored, axis(0)).exact
    assert found_numbers(restored, axis(0)) == list(range(500, 510))


def test_a_file_of_another_org_is_ignored(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    with store.write(EVE) as tx:
        for number in range(150):
            put_chunk(tx, number, f"number {number}")
    embed_all(store, EVE, lambda chunk: [near(axis(0), 0.99, chunk.key)])
    tend(store)
    first, second = library.files()
    swapped = library.home / "swapped"
    first.rename(swapped)
    second.rename(first)
    swapped.rename(second)
    fresh = library.open()
    assert nearest(fresh, axis(0)).exact
    assert found_numbers(fresh, axis(0)) == list(range(10))


def test_a_file_is_ignored_once_removals_are_no_longer_recorded(library: Library) -> None:
    store, other = library.open(), library.open()
    put(store, 0, ladder(150))
    tend(store)
    assert not nearest(other, axis(0)).exact
    remove(store, range(5))
    with sqlite3.connect(library.home / "library.db") as connection:
        connection.execute("DELETE FROM vector_removals WHERE sequence <= 3")
    connection.close()
    for reading in (other, library.open()):
        assert nearest(reading, axis(0)).exact
        assert found_numbers(reading, axis(0)) == list(range(5, 15))
    tend(library.open())
    assert not nearest(library.open(), axis(0)).exact


def test_the_file_is_deleted_when_few_vectors_are_left(library: Library) -> None:
    store, other = library.open(), library.open()
    put(store, 0, ladder(150))
    tend(store)
    assert not nearest(other, axis(0)).exact
    remove(store, range(40, 150))
    tend(store)
    assert not library.files()
    assert nearest(other, axis(0)).exact
    assert found_numbers(other, axis(0), limit=100) == list(range(40))


def test_a_graph_is_rebuilt_when_enough_vectors_have_changed(library: Library) -> None:
    store, other = library.open(), library.open()
    put(store, 0, ladder(150))
    tend(store)
    before = read_seal(library.graph).coverage
    put(store, 200, unit_vectors(20))
    tend(library.open())
    assert read_seal(library.graph).coverage == before
    put(store, 300, unit_vectors(20))
    remove(store, range(10))
    tend(library.open())
    after = read_seal(library.graph).coverage
    assert (before.count, after.count) == (150, 180)
    assert found_numbers(other, axis(0)) == list(range(10, 20))


def test_the_file_of_another_model_replaces_that_of_the_old_one(library: Library) -> None:
    store, other = library.open(), library.open()
    put(store, 0, ladder(150))
    tend(store)
    old = library.graph
    with store.write(ALICE) as tx:
        assert tx.vectors.reopen("model-2", 1000) == 150
    embed_all(store, ALICE, lambda chunk: [near(axis(1), chunk.key / 200, 1)], model="model-2")
    tend(store, "model-2")
    assert library.graph != old
    assert read_seal(library.graph).coverage.model == "model-2"
    with other.read(ALICE) as tx:
        found = tx.vectors.nearest("model-2", axis(1), Filter(), 5, 64)
        assert not found.exact
        assert len(found.hits) == 5
        assert tx.vectors.nearest(MODEL, axis(0), Filter(), 5, 64).exact, "without a file"


def _bytes_in(folder: Path, vector: Vector) -> list[Path]:
    wanted = eight_bit(vector.astype("float16")).tobytes()
    return [file for file in folder.iterdir() if wanted in file.read_bytes()]


def test_purged_vectors_are_erased_from_the_files(library: Library) -> None:
    store, other = library.open(), library.open()
    vectors = ladder(150)
    put(store, 0, vectors)
    tend(store)
    folder = library.home / "vectors"
    assert _bytes_in(folder, vectors[7])
    assert not nearest(other, axis(0)).exact
    remove(store, [7])
    store.scrub()
    assert not _bytes_in(folder, vectors[7])
    assert 7 not in found_numbers(other, axis(0))
    tend(store)
    assert _bytes_in(folder, vectors[8])
    assert not _bytes_in(folder, vectors[7])
    assert not nearest(other, axis(0)).exact


def test_a_purge_keeps_files_that_lack_the_purged_vector(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    tend(store)
    put(store, 1000, unit_vectors(1))
    remove(store, [1000])
    store.scrub()
    assert library.files()


@pytest.mark.parametrize("steps", [1, 2])
def test_a_purge_during_a_build_erases_the_vector_from_the_new_graph(
    library: Library, steps: int
) -> None:
    store, builder = library.open(), library.open()
    vectors = ladder(150)
    put(store, 0, vectors)
    for _ in range(steps):
        assert builder.maintain_vectors(MODEL)
    with store.write(ALICE) as tx:
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, 7))
    store.scrub()
    tend(builder)
    assert _bytes_in(library.home / "vectors", vectors[8])
    assert not _bytes_in(library.home / "vectors", vectors[7])


def test_one_process_searches_while_another_rebuilds(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    tend(store)
    stamps: set[int] = set()
    with running(grow_and_rebuild, (str(library.home), 12)):
        while len(stamps) < 4:
            assert found_numbers(store, axis(0), limit=5) == [0, 1, 2, 3, 4]
            stamps.add(library.graph.stat().st_mtime_ns)
    assert found_numbers(store, axis(0), limit=5) == [0, 1, 2, 3, 4]
    everything = found_numbers(store, axis(0), limit=5000)
    assert set(everything) == {*range(150), *_survivors(12)}


def _survivors(rounds: int) -> set[int]:
    return {1000 + 60 * r + place for r in range(rounds) for place in range(30, 60)}


def test_a_build_that_was_killed_is_cleaned_up(library: Library, tmp_path: Path) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    for number in range(3):
        member = Member(tmp_path / f"member-{number}", "tests.vectors.library", str(library.home))
        member.wait_until_ready()
        while not library.files("*.building"):
            pass
        member.kill()
    assert found_numbers(library.open(), axis(0)) == list(range(10))
    tend(library.open())
    assert not library.files("*.building")
    assert not nearest(store, axis(0)).exact
    assert found_numbers(store, axis(0)) == list(range(10))


def test_searches_are_exact_where_the_folder_cannot_be_made(library: Library) -> None:
    store = library.open()
    (library.home / "vectors").write_text("a file where a folder should be")
    put(store, 0, ladder(150))
    tend(store)
    assert nearest(store, axis(0)).exact
    assert found_numbers(store, axis(0)) == list(range(10))
    remove(store, [0])
    store.scrub()


def test_a_file_with_a_wrong_description_is_ignored(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    tend(store)
    data = library.graph.read_bytes()
    library.graph.write_bytes(data.replace(b'"count": 150', b'"tnuoc": 150'))
    with pytest.raises(GraphUnusable, match="description"):
        read_seal(library.graph)
    assert nearest(library.open(), axis(0)).exact
