"""Damaged, cut, replaced and removed databases: no command shows a traceback, `doctor` notices,
`restore --force` works on all of them, and `salvage` saves what is left."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from commonplace.cli.main import COMMANDS
from tests.cli.commands import Outcome, run_here
from tests.cli.test_commands import ID, UNREACHABLE
from tests.stores import SteppingClock, open_store

PAGE = 4096
NOTES = 60
Harm = Callable[[Path, random.Random], object]

# How each command that opens the database is called; `{}` is a folder to write into.
CALLS: dict[str, tuple[str, ...]] = {
    "add": ("add", "Title", "Body"),
    "show": ("show", ID),
    "list": ("list", "--limit", "100"),
    "edit": ("edit", ID, "--title", "Other"),
    "supersede": ("supersede", ID, ID),
    "history": ("history", ID),
    "undo": ("undo", ID),
    "delete": ("delete", ID),
    "purge": ("purge", ID, "--yes"),
    "search": ("search", "zebra"),
    "find": ("find", "zebra"),
    "review": ("review", "list"),
    "weights": ("weights",),
    "project": ("project", "list"),
    "source": ("source", "list"),
    "ingest": ("ingest",),
    "push": ("push", "{}", "--project", "p"),
    "map": ("map", "zebra"),
    "graph": ("graph", "problems"),
    "skill": ("skill", "export", "{}/skills"),
    "token": ("token", "list"),
    "quota": ("quota", "show"),
    "plan": ("plan", "list"),
    "status": ("status",),
    "doctor": ("doctor",),
    "rebuild": ("rebuild",),
    "retry": ("retry",),
    "reembed": ("reembed", "--status"),
    "audit": ("audit",),
    "backup": ("backup", "{}/new.backup"),
    "restore": ("restore", "{}/absent.backup"),
    "salvage": ("salvage", "{}/saved.jsonl"),
    "export": ("export", "{}/all.jsonl"),
    "import": ("import", "{}"),
    "init": ("init", "{}"),
    "hook": ("hook", "start", "--client", "claude-code"),
    "login": ("login",),
    "org": ("org", "list"),
    "brief": ("brief",),
    "tidy": ("tidy",),
    "recall": ("recall", "a question"),
    "open": ("open", "note:0000"),
    "capture": ("capture", __file__),
}
# These run until they are stopped, have a home of their own, or write into the files of clients.
NOT_OPENING = {"mcp", "serve", "worker", "demo", "connect", "disconnect", "completion"}
OPENING = sorted(CALLS)


def _page(number: int, file: Path, dice: random.Random) -> None:
    with file.open("r+b") as out:
        out.seek(number * PAGE)
        out.write(dice.randbytes(PAGE))


def a_page(file: Path, dice: random.Random) -> None:
    _page(dice.randrange(1, file.stat().st_size // PAGE), file, dice)


def some_pages(file: Path, dice: random.Random) -> None:
    for _ in range(1 + file.stat().st_size // PAGE // 10):
        a_page(file, dice)


def zeros(file: Path, dice: random.Random) -> None:
    with file.open("r+b") as out:
        out.seek(dice.randrange(1, file.stat().st_size // PAGE) * PAGE)
        out.write(bytes(PAGE))


def swapped(file: Path, dice: random.Random) -> None:
    """A page with what belongs on another."""
    data = bytearray(file.read_bytes())
    one, two = (dice.randrange(1, len(data) // PAGE) * PAGE for _ in range(2))
    data[one : one + PAGE] = data[two : two + PAGE]
    file.write_bytes(data)


def catalogue(file: Path, dice: random.Random) -> None:
    """The names of tables become bytes that are no text, as messages then quote them."""
    data = bytearray(file.read_bytes())
    places = [found.start() for found in re.finditer(rb"CREATE (TABLE|TRIGGER|INDEX) ", data)]
    at = dice.choice(places) + dice.randrange(24)
    data[at : at + 4] = b"\xff\xfe\xc0\x80"
    file.write_bytes(data)


def text(file: Path, dice: random.Random) -> None:
    """Bytes within rows: the pages stay sound, the text does not."""
    data = bytearray(file.read_bytes())
    at = data.find(b"zebra", dice.randrange(len(data) // 2))
    data[at : at + 5] = b"\xff\xfe\xff\xfe\xff"
    file.write_bytes(data)


def tree(file: Path, dice: random.Random) -> None:
    _page(0, file, dice)


def aside(file: Path, dice: random.Random) -> None:
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).write_bytes(dice.randbytes(3 * PAGE))


def foreign(file: Path, _dice: random.Random) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE things (name TEXT)")
        other.execute("INSERT INTO things VALUES ('not ours')")
        other.commit()


def folder(file: Path, _dice: random.Random) -> None:
    file.unlink()
    file.mkdir()
    (file / "something").write_text("in the way")


HARMS: dict[str, Harm] = {
    "a page overwritten": a_page,
    "some pages overwritten": some_pages,
    "a page of zeros": zeros,
    "a page in the place of another": swapped,
    "the catalogue": catalogue,
    "text that is none": text,
    "the first page": tree,
    "files beside it": aside,
    "cut in half": lambda file, _: os.truncate(file, file.stat().st_size // 2),
    "cut anywhere": lambda file, dice: os.truncate(file, dice.randrange(file.stat().st_size)),
    "empty": lambda file, _: os.truncate(file, 0),
    "another text": lambda file, _: file.write_bytes(b"\xff\xfe not a database" * 999),
    "noise": lambda file, dice: file.write_bytes(dice.randbytes(20 * PAGE)),
    "another database": foreign,
    "removed": lambda file, _: file.unlink(),
    "a folder": folder,
}
# Nothing is damaged then: there is nothing, or something else.
SOUND = {"empty", "removed", "another database", "files beside it"}
# A file whose pages are sound is overwritten; all others are kept beside the new one.
REPLACED_WHERE_IT_IS = {"empty", "removed", "files beside it", "text that is none"}


class Home:
    """A home with a few notes, a backup of it, and copies to be harmed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = {"COMMONPLACE_HOME": str(folder / "good")} | UNREACHABLE
        lines = [{"type": "entity", "name": f"N{n}", "entityType": "t"} for n in range(NOTES)]
        for number, line in enumerate(lines):
            line["observations"] = [f"zebra {number} " * (1 + number * 9)]  # type: ignore[assignment]
        memory = folder / "memory.jsonl"
        memory.write_text("\n".join(map(json.dumps, lines)))
        assert run_here(self.settings, "import", str(memory)).code == 0
        self.backup = folder / "good.backup"
        assert run_here(self.settings, "backup", str(self.backup)).code == 0
        with closing(sqlite3.connect(folder / "good" / "commonplace.db")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            rows = connection.execute("SELECT id, title, body FROM entries").fetchall()
        self.entries = {row[0]: row[1:] for row in rows}

    def harmed(self, harm: str, seed: int) -> dict[str, str]:
        home = self.folder / f"harmed-{seed}-{harm.replace(' ', '-')}"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        shutil.copyfile(self.folder / "good" / "commonplace.db", home / "commonplace.db")
        HARMS[harm](home / "commonplace.db", random.Random(seed))
        return self.settings | {"COMMONPLACE_HOME": str(home)}


@pytest.fixture(scope="module")
def good_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("damage"))


def run(settings: dict[str, str], tmp_path: Path, command: str) -> Outcome:
    place = tmp_path / f"{command}-{len(list(tmp_path.iterdir()))}"
    place.mkdir()
    given = [argument.replace("{}", str(place)) for argument in CALLS[command]]
    done = run_here(settings, *given)
    shown = done.stdout + done.stderr
    assert "Traceback" not in shown, (command, shown)
    assert done.code in (0, 1), (command, shown)
    return done


def test_every_command_that_opens_the_database_is_called() -> None:
    assert CALLS.keys() == COMMANDS.keys() - NOT_OPENING


@pytest.mark.parametrize("harm", HARMS)
def test_no_command_shows_a_traceback(harm: str, good_home: Home, tmp_path: Path) -> None:
    """A third of them on each damage, another third on the next."""
    turn = list(HARMS).index(harm) % 3
    for command in OPENING[turn::3]:
        run(good_home.harmed(harm, seed=turn), tmp_path, command)


@pytest.mark.parametrize("harm", ["a page of zeros", "a page in the place of another"])
def test_an_export_of_rows_that_are_no_documents_names_the_damage(
    harm: str, good_home: Home, tmp_path: Path
) -> None:
    """Pages that look sound, with values that nobody wrote."""
    codes = {run(good_home.harmed(harm, seed), tmp_path, "export").code for seed in range(30)}
    assert codes <= {0, 1}


@pytest.mark.soak
@pytest.mark.parametrize("harm", HARMS)
def test_no_command_ever_shows_a_traceback(harm: str, good_home: Home, tmp_path: Path) -> None:
    for seed in range(30):
        for command in OPENING:
            run(good_home.harmed(harm, seed), tmp_path, command)


def restored(settings: dict[str, str], good_home: Home) -> None:
    done = run_here(settings, "restore", str(good_home.backup), "--force")
    assert done.code == 0, done.stderr
    listed = run_here(settings, "list", "--limit", "100", "--json").document
    assert listed["total"] == NOTES
    assert run_here(settings, "doctor", "--json").document["findings"]


@pytest.mark.parametrize("harm", HARMS)
def test_a_restore_works_on_whatever_is_there(harm: str, good_home: Home) -> None:
    settings = good_home.harmed(harm, seed=7)
    restored(settings, good_home)
    home = Path(settings["COMMONPLACE_HOME"])
    kept = list(home.glob("commonplace.db.damaged-*"))
    assert bool(kept) == (harm not in REPLACED_WHERE_IT_IS), kept


@pytest.mark.soak
@pytest.mark.parametrize("harm", HARMS)
def test_a_restore_works_on_whatever_was_ever_there(harm: str, good_home: Home) -> None:
    for seed in range(100):
        restored(good_home.harmed(harm, seed), good_home)


def findings(outcome: Outcome) -> dict[str, dict[str, Any]]:
    return {finding["check"]: finding for finding in outcome.document["findings"]}


@pytest.mark.parametrize("harm", [name for name in HARMS if name not in SOUND])
def test_the_doctor_notices(harm: str, good_home: Home) -> None:
    settings = good_home.harmed(harm, seed=3)
    deep = ("--deep",) if harm == "text that is none" else ()
    outcome = run_here(settings, "doctor", "--json", *deep)
    assert outcome.code == 1, outcome.stdout
    problems = [f for f in findings(outcome).values() if f["state"] == "problem" and f["mend"]]
    assert {problem["check"] for problem in problems} & {"store", "data"}


def test_the_doctor_says_where_the_data_is_and_how_big(good_home: Home) -> None:
    found = findings(run_here(good_home.settings, "doctor", "--deep", "--json"))
    assert "good/commonplace.db" in found["store"]["found"]
    assert " MB in " in found["store"]["found"]
    assert found["data"]["found"] == "Every row can be read"
    assert "good" in found["home"]["found"]


def salvaged(good_home: Home, harm: str, seed: int, tmp_path: Path) -> tuple[int, int]:
    """How many entries were saved, and how many rows at most were not; none was made up."""
    settings = good_home.harmed(harm, seed)
    before = Path(settings["COMMONPLACE_HOME"], "commonplace.db").read_bytes()
    file = tmp_path / f"{seed}.jsonl"
    done = run_here(settings, "salvage", str(file), "--json")
    assert Path(settings["COMMONPLACE_HOME"], "commonplace.db").read_bytes() == before
    if done.code:
        assert done.document["error"]["code"] in ("storage.damaged", "storage.unavailable")
        return 0, NOTES
    fresh = UNREACHABLE | {"COMMONPLACE_HOME": str(tmp_path / f"fresh-{seed}-{harm}")}
    taken = run_here(fresh, "import", str(file), "--wait", "0", "--json")
    assert taken.code == 0, taken.stdout
    with closing(sqlite3.connect(Path(fresh["COMMONPLACE_HOME"], "commonplace.db"))) as saved:
        rows = saved.execute("SELECT id, title, body FROM entries").fetchall()
    assert all(good_home.entries.get(row[0]) == row[1:] for row in rows)
    return len(rows), done.document["lost"].get("entries", 0)


def test_what_can_be_read_is_saved(good_home: Home, tmp_path: Path) -> None:
    for seed in range(4):
        count, lost = salvaged(good_home, "a page overwritten", seed, tmp_path)
        assert count + lost >= NOTES


@pytest.mark.soak
def test_what_can_be_read_of_any_damage_is_saved(good_home: Home, tmp_path: Path) -> None:
    outcomes = [
        (harm, seed, *salvaged(good_home, harm, seed, tmp_path))
        for harm in (
            "a page overwritten",
            "some pages overwritten",
            "cut anywhere",
            "the catalogue",
        )
        for seed in range(50)
    ]
    one_page = [count for harm, _, count, _ in outcomes if harm == "a page overwritten"]
    told = {harm: sum(c for h, _, c, _ in outcomes if h == harm) for harm, *_ in outcomes}
    print(f"entries saved of {50 * NOTES} each: {told}")  # noqa: T201 - the answer of a long run
    assert sum(one_page) >= 0.9 * len(one_page) * NOTES


def test_a_running_server_is_noticed(good_home: Home) -> None:
    settings = good_home.harmed("another database", seed=1)
    restored(settings, good_home)
    with used(settings):
        refused = run_here(settings, "restore", str(good_home.backup), "--force", "--json")
        assert (refused.code, refused.document["error"]["code"]) == (1, "storage.in_use")
        told = run_here(settings, "restore", str(good_home.backup), "--force", "--while-running")
        assert told.code == 0
    restored(settings, good_home)


@contextmanager
def used(settings: dict[str, str]) -> Iterator[None]:
    file = Path(settings["COMMONPLACE_HOME"], "commonplace.db")
    with closing(open_store(str(file), SteppingClock())):
        yield
