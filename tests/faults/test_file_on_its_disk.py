"""The file under a running process: removed, replaced or cut short; read-only; who may read it."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.shared.exceptions import MCPError

from commonplace.errors import StorageError, StorageGone, StorageReadOnly
from commonplace.model.query import Filter
from commonplace.settings import Settings
from commonplace.storage.sqlite.store import SqliteStore
from tests.cli.commands import run_here
from tests.cli.test_commands import UNREACHABLE
from tests.generate import ALICE, axis, entry_draft
from tests.loopback import send
from tests.processes import running
from tests.stores import ExactIndexes, SteppingClock
from tests.surfaces.clients import Caller, Connections
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import Processes
from tests.unit.embedding.local_endpoint import local_endpoint
from tests.vectors.library import Library, found_numbers, ladder, nearest, put, tend

NOBODY = 65534


def opened(file: Path) -> SqliteStore:
    return SqliteStore(file, SteppingClock(), indexes=ExactIndexes)


def insert(store: SqliteStore, id: str) -> None:
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft(id, body="text " * 200))


def count(store: SqliteStore) -> int:
    with store.read(ALICE) as tx:
        return tx.entries.count(Filter())


def replaced(file: Path) -> None:
    shutil.copyfile(file, file.with_name("copy"))
    file.with_name("copy").replace(file)


HARMS: dict[str, Callable[[Path], object]] = {
    "removed": lambda file: file.unlink(),
    "replaced": replaced,
    "moved": lambda file: file.rename(file.with_name("elsewhere")),
    "its log removed": lambda file: file.with_name(f"{file.name}-wal").unlink(),
}


@pytest.mark.parametrize("harm", HARMS)
def test_nothing_is_acknowledged_that_nobody_will_find(harm: str, tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    store = opened(file)
    insert(store, "before")
    HARMS[harm](file)
    for work in (lambda: insert(store, "after"), lambda: count(store), store.health):
        with pytest.raises(StorageGone):
            work()
    store.close()


def test_what_was_committed_while_the_file_went_is_not_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    store = opened(file)

    def write() -> None:
        with store.write(ALICE) as tx:
            tx.entries.insert(entry_draft("lost"))
            file.unlink()

    with pytest.raises(StorageGone):
        write()
    store.close()


def test_a_file_that_is_put_back_serves_again(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    store = opened(file)
    insert(store, "before")
    file.rename(tmp_path / "elsewhere")
    with pytest.raises(StorageGone):
        insert(store, "while away")
    (tmp_path / "elsewhere").rename(file)
    insert(store, "after")
    assert count(store) == 2
    store.close()


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


def is_refused(caller: Caller) -> bool:
    """By the tool, or before it: every few seconds the gate asks whether tokens were made."""
    try:
        return caller.ask("store_knowledge", title="After", body="after").is_error
    except MCPError as error:
        return "database file was removed or replaced" in error.message


@pytest.mark.parametrize("harm", ["removed", "replaced"])
def test_a_server_whose_file_is_gone_says_so(
    harm: str, tmp_path: Path, portal: BlockingPortal
) -> None:
    with ExitStack() as started, local_endpoint(answer) as endpoint, ExitStack() as connected:
        processes = Processes(tmp_path, Connections(portal, connected), started)
        home = tmp_path / "home"
        server = processes.serve(Settings(home=home, **embedded_at(endpoint.url)))
        caller = processes.connect(server.mcp)
        caller.call("store_knowledge", title="Before", body="before")
        base, shown = server.address, server.headers
        assert send("GET", f"{base}/readyz").status_code == 200
        HARMS[harm](home / "commonplace.db")
        for _ in range(20):
            assert is_refused(caller)
        ready: httpx.Response = send("GET", f"{base}/readyz")
        assert (ready.status_code, ready.json()["code"]) == (503, "storage.gone")
        assert send("GET", f"{base}/", headers=shown).status_code == 503
        assert send("GET", f"{base}/metrics", headers=shown).status_code == 200
        assert server.process.poll() is None


def cut_while_open(address: str) -> None:
    """In a process of its own: whoever reads a mapped file that was cut short is killed."""
    file = Path(address)
    store = opened(file)
    for number in range(300):
        insert(store, f"n-{number}")
    with store._pool.connection(write=True) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert count(store) == 300
    os.truncate(file, 4096 * 3)
    other = opened_or_refused(file)
    for each in (store, other):
        if each is not None:
            with suppress(StorageError), each.read(ALICE) as tx:
                for number in range(300):
                    tx.entries.get(f"n-{number}")


def opened_or_refused(file: Path) -> SqliteStore | None:
    try:
        return opened(file)
    except StorageError:
        return None


def test_a_file_that_is_cut_short_kills_nobody(tmp_path: Path) -> None:
    with running(cut_while_open, (str(tmp_path / "store.db"),)):
        pass


def search_a_harmed_graph(home: str, how: str) -> None:
    library = Library(Path(home))
    store = library.open()
    put(store, 0, ladder(150))
    tend(store)
    assert not nearest(store, axis(0)).exact
    if how == "cut":
        os.truncate(library.graph, 100)
    else:
        with library.graph.open("r+b") as out:
            out.write(os.urandom(library.graph.stat().st_size))
    for _ in range(2):
        assert found_numbers(store, axis(0)) == list(range(10))
    fresh = library.open()
    assert nearest(fresh, axis(0)).exact
    assert found_numbers(fresh, axis(0)) == list(range(10))
    library.close()


@pytest.mark.parametrize("how", ["cut", "overwritten"])
def test_a_graph_that_is_harmed_in_place_kills_no_search(how: str, tmp_path: Path) -> None:
    with running(search_a_harmed_graph, (str(tmp_path), how)):
        pass


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def wide_umask() -> Iterator[None]:
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def test_what_a_home_holds_is_its_owners_only(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    with wide_umask():
        library = Library(home)
        store = library.open()
        put(store, 0, ladder(150))
        tend(store)
        store.scrub()
        store.credentials.server_key()
    modes = {path.name: oct(mode(path)) for path in home.rglob("*") if path.is_file()}
    assert {"library.db", "library.db-wal", "library.db-shm", "tokens.key"} <= modes.keys()
    assert set(modes.values()) == {"0o600"}, modes
    assert mode(home / "vectors") == 0o700
    library.close()


def test_commands_leave_nothing_that_others_could_read(tmp_path: Path) -> None:
    settings = {"COMMONPLACE_HOME": str(tmp_path / "new")} | UNREACHABLE
    with wide_umask():
        assert run_here(settings, "add", "Title", "Body").code == 0
        assert run_here(settings, "backup", str(tmp_path / "a.backup")).code == 0
        assert run_here(settings, "export", str(tmp_path / "a.jsonl")).code == 0
        markdown = ("export", str(tmp_path / "notes"), "--format", "markdown")
        assert run_here(settings, *markdown).code == 0
    assert mode(tmp_path / "new") == mode(tmp_path / "notes") == 0o700
    assert {mode(path) for path in tmp_path.rglob("*") if path.is_file()} == {0o600}


def test_what_was_open_to_others_is_closed_and_told(tmp_path: Path) -> None:
    settings = {"COMMONPLACE_HOME": str(tmp_path / "home")} | UNREACHABLE
    assert run_here(settings, "add", "Title", "Body").code == 0
    file = tmp_path / "home" / "commonplace.db"
    file.chmod(0o644)
    told = run_here(settings, "doctor").stdout
    assert "Others could read commonplace.db" in told
    assert mode(file) == 0o600
    assert "Others could" not in run_here(settings, "doctor").stdout


@contextmanager
def read_only_home() -> Iterator[Path]:
    """A home in which this process may only read; root may write anywhere, so it is nobody here."""
    place = Path(tempfile.mkdtemp(prefix="cp-home-"))
    home, root = place / "home", os.geteuid() == 0
    try:
        settings = {"COMMONPLACE_HOME": str(home)} | UNREACHABLE
        assert run_here(settings, "add", "Title", "zebra", "--json").code == 0
        assert run_here(settings, "search", "zebra").code == 0
        for path in (home, *home.iterdir()):
            path.chmod(0o500 if path.is_dir() else 0o400)
            if root:
                os.chown(path, NOBODY, NOBODY)
        place.chmod(0o755)
        if root:
            os.seteuid(NOBODY)
        yield home
    finally:
        if root:
            os.seteuid(0)
        home.chmod(0o700)
        shutil.rmtree(place)


def test_a_home_that_is_read_only_is_read() -> None:
    with read_only_home() as home:
        settings = {"COMMONPLACE_HOME": str(home)} | UNREACHABLE
        found = run_here(settings, "search", "zebra", "--json")
        assert len(found.document["hits"]) == 1
        assert run_here(settings, "list", "--json").document["total"] == 1
        refused = run_here(settings, "add", "Title", "Body", "--json").document["error"]
        assert refused["code"] == "storage.read_only"
        assert "read-only" in refused["message"]
        assert "read-only" in run_here(settings, "doctor").stdout


def test_a_read_only_database_says_so() -> None:
    with read_only_home() as home:
        store = opened(home / "commonplace.db")
        with pytest.raises(StorageReadOnly):
            insert(store, "n")
        store.close()
