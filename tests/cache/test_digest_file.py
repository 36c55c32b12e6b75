"""Digests of texts that were found harmless, in a file that processes share and any may lose."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path

import pytest

from commonplace.cache.digest_file import DIGEST_BYTES, DigestFile

Open = Callable[..., DigestFile]


def digest(number: int) -> bytes:
    return sha256(str(number).encode()).digest()


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens files that are closed behind the test."""
    with ExitStack() as stack:
        yield lambda *given: stack.enter_context(closing(DigestFile(*given)))


def test_what_is_added_is_there_for_others_and_later(tmp_path: Path, opened: Open) -> None:
    one, other = opened(tmp_path / "digests"), opened(tmp_path / "digests")
    assert not other.has(digest(1))
    one.add(digest(1))
    one.add(digest(1))
    assert other.has(digest(1))
    assert not one.has(digest(2))
    one.close()
    other.add(digest(2))
    later = opened(tmp_path / "digests")
    assert later.has(digest(1))
    assert later.has(digest(2))


def test_a_full_file_forgets_and_grows_no_further(tmp_path: Path, opened: Open) -> None:
    kept = opened(tmp_path / "digests", 2)
    for number in range(100):
        kept.add(digest(number))
        assert kept.has(digest(number))
    known = sum(map(kept.has, map(digest, range(100))))
    assert known == 16
    assert (tmp_path / "digests").stat().st_size == 16 * DIGEST_BYTES


def test_half_a_digest_is_none(tmp_path: Path, opened: Open) -> None:
    kept = opened(tmp_path / "digests", 1)
    kept.add(digest(1))
    written = (tmp_path / "digests").read_bytes()
    (tmp_path / "digests").write_bytes(written[:-20])
    assert not opened(tmp_path / "digests", 1).has(digest(1))
    # Nor are two that stand across two places.
    (tmp_path / "digests").write_bytes(b"half" + digest(2))
    assert not opened(tmp_path / "digests", 1).has(digest(2))


def test_a_home_that_is_not_there_yet_is_made(tmp_path: Path, opened: Open) -> None:
    """On PostgreSQL nothing else needs one."""
    kept = opened(tmp_path / "home" / "digests")
    kept.add(digest(1))
    assert kept.has(digest(1))
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


def test_only_the_account_itself_reads_it(tmp_path: Path, opened: Open) -> None:
    opened(tmp_path / "digests").add(digest(1))
    assert (tmp_path / "digests").stat().st_mode & 0o777 == 0o600


def test_without_a_place_for_it_everything_is_forgotten(tmp_path: Path, opened: Open) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "digests", tmp_path / "folder"):
        kept = opened(path)
        kept.add(digest(1))
        assert not kept.has(digest(1))
        kept.close()
    closed = opened(tmp_path / "digests")
    closed.add(digest(1))
    closed.close()
    closed.add(digest(2))
    assert not closed.has(digest(1))


def test_threads_lose_nothing_of_each_other(tmp_path: Path, opened: Open) -> None:
    kept = opened(tmp_path / "digests")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: kept.add(digest(number)), range(200)))
    assert all(map(kept.has, map(digest, range(200))))
