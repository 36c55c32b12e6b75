"""How fast a source tree becomes searchable, and how little a change to it costs.

python -m benchmarks folders --trees DIR,DIR [--stores sqlite,postgres] [--words-only] [--name NAME]

The trees are copied below one folder, without what git ignores; they are never part of the project.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.report import Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.workspace import ResourceCounts
from commonplace.reading.folders import DiskFolders, FolderLimits
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope

ACTOR = Actor(org="bench", agent="bench")
_LONGEST_SECONDS = 3600.0
_ADDED = {
    ".ts": "\nexport function brandNew() { return 1; }\n",
    ".py": "\n\ndef brand_new():\n    return 1\n",
}
_OWN = "src,tests,docs,benchmarks"


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds on the clock, and of processor time of this process and those it began."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Moment:
        return cls(time.perf_counter(), _cpu_seconds())

    def since(self, start: Moment) -> Moment:
        return Moment(self.wall - start.wall, self.cpu - start.cpu)


@dataclass(frozen=True, slots=True)
class Step:
    """Until words are found, code is linked, everything is found by meaning (previews included),
    everything is embedded; chunks embedded anew."""

    name: str
    words: Moment
    linked: Moment
    meaning: Moment | None = None
    embedded: Moment | None = None
    chunks: int | None = None


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks folders", description=__doc__)
    parser.add_argument("--trees", default=_OWN, help="folders of source, separated by commas")
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--words-only", action="store_true", help="embed nothing")
    parser.add_argument("--name", default="ingestion-folders", help="what the results are called")
    given = parser.parse_args(arguments)
    started, load = now(), os.getloadavg()[0]
    trees = [Path(tree) for tree in given.trees.split(",")]
    with _planted(trees) as (root, files):
        notes = (
            f"{files} files of {', '.join(tree.name for tree in trees)}.",
            "Words are found after the first time; linking code and embedding follow.",
            "CPU is that of the server and its processes, without a database server's own.",
            "Found by meaning: no chunk lacks a vector, some have a preview. Embedded: complete.",
            "Chunks are those that had to be embedded: moved or unchanged text keeps its vectors.",
        )
        tables: tuple[Table, ...] = ()
        for store in given.stores.split(","):
            tables += (_table(store, root, files, not given.words_only),)
            facts = {"load": f"{load:.0f} to {os.getloadavg()[0]:.0f}"}
            # After each, so that a long run which is broken off has not been for nothing.
            Report(given.name, tables, notes, facts).save(started)


@contextmanager
def _planted(trees: Sequence[Path]) -> Iterator[tuple[Path, int]]:
    """A folder with a copy of the files that an ingest would read."""
    folders, count = DiskFolders(FolderLimits(files=100_000)), 0
    with tempfile.TemporaryDirectory(prefix="trees-") as made:
        root = Path(made).resolve()
        for tree in trees:
            for found in folders.list(str(tree.resolve())).files:
                target = root / tree.name / found.path
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(tree / found.path, target)
                count += 1
        yield root, count


def _table(dialect: str, root: Path, files: int, embed: bool) -> Table:
    with settings_for(dialect) as settings:
        application = build(settings.model_copy(update={"roots": str(root), "worker": False}))
        try:
            steps = list(_steps(_Bench(application, root, embed=embed), root))
        finally:
            application.close()
    first = steps[0]
    rows = tuple(
        (
            step.name,
            step.words.wall,
            step.words.cpu,
            files / step.words.wall,
            100 * step.words.cpu / first.words.cpu,
            step.linked.wall,
            step.linked.cpu,
            step.meaning.wall if step.meaning else None,
            step.meaning.cpu if step.meaning else None,
            step.embedded.wall if step.embedded else None,
            step.embedded.cpu if step.embedded else None,
            step.chunks,
        )
        for step in steps
    )
    columns = (
        "run",
        "seconds to searchable by words",
        "of CPU",
        "files per second",
        "% of the first run's CPU",
        "seconds to linked",
        "of CPU",
        "seconds to found by meaning",
        "of CPU",
        "seconds to embedded",
        "of CPU",
        "chunks embedded",
    )
    return Table(f"{dialect}: {files} files", columns, rows, digits=2)


def _steps(bench: _Bench, root: Path) -> Iterator[Step]:
    yield bench.step("first")
    yield bench.step("nothing changed")
    code = (path for path in root.rglob("*") if path.suffix in _ADDED)
    changed = max(code, key=lambda path: path.stat().st_size)
    with changed.open("a", encoding="utf-8") as file:
        file.write(_ADDED[changed.suffix])
    yield bench.step("one function added to the largest file")
    folder = next(path for path in sorted(root.iterdir()) if path.is_dir())
    moved = folder.rename(folder.with_name(f"{folder.name}-moved"))
    yield bench.step("one tree moved")
    moved.rename(folder)
    yield bench.step("rebuild", anew=True)


class _Bench:
    """One attached folder, and reading it as the worker does."""

    def __init__(self, application: Application, root: Path, *, embed: bool) -> None:
        self._application = application
        self._embed = embed
        workspace = application.workspace
        project = workspace.add_project(ACTOR, NewProject("bench", (str(root),))).id
        scope = WorkspaceScope(ScopeName.PROJECT, (project,))
        add = AttachmentChange(
            AttachmentOp.ADD,
            knowledge_type="code_intelligence",
            resource_kind="folder",
            locator=str(root),
        )
        workspace.change(ACTOR, scope, [add])
        (self._attached,) = workspace.view(ACTOR, EVERYTHING).attached

    def step(self, name: str, *, anew: bool = False) -> Step:
        subject = {"resource": self._attached.resource.id, "anew": anew, "whole": anew}
        started, heard = Moment.now(), list[Moment]()

        def hear(_done: int, _total: int, message: str) -> None:
            if message.endswith(" files"):
                heard.append(Moment.now())

        self._application.runs.process(ACTOR, subject, Call(progress=hear))
        linked = Moment.now().since(started)
        words = heard[-1].since(started) if heard else linked
        if not self._embed:
            return Step(name, words, linked)
        waiting = self._counts().unembedded
        worker = self._application.new_worker()
        while self._counts().unembedded and worker.step():
            pass
        meaning = Moment.now().since(started)
        worker.drain(_LONGEST_SECONDS)
        return Step(name, words, linked, meaning, Moment.now().since(started), waiting)

    def _counts(self) -> ResourceCounts:
        view = self._application.workspace.view(ACTOR, EVERYTHING)
        return view.counts[self._attached.resource.key]


def _cpu_seconds() -> float:
    """Of this process, of those it began that have ended, and, on Linux, of those that have not."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    lists = Path("/proc/self/task").glob("*/children")
    living = (pid for each in lists for pid in each.read_text().split())
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(map(_cpu_of, living))


def _cpu_of(pid: str) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    user, system, *of_its_own = (int(ticks) for ticks in fields[11:15])
    return (user + system + sum(of_its_own)) / os.sysconf("SC_CLK_TCK")
