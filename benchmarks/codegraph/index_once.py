"""One folder into the graph of a fresh SQLite home, as a server does it; says how long, as JSON.

python -m benchmarks.codegraph.index_once FOLDER [--changes] [--edges FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.databases import settings_for
from commonplace.application import local_actor
from commonplace.bootstrap import build_graph, build_store, utc_now
from commonplace.codegraph.extraction.languages import language_of
from commonplace.codegraph.keeping.neighbours import is_manifest
from commonplace.codegraph.resolution.linking import MODULE_ITSELF
from commonplace.codegraph.service.graph import CodeGraph
from commonplace.model.actor import Actor
from commonplace.model.workspace import (
    AttachmentDraft,
    FileState,
    KnowledgeType,
    Resource,
    ResourceDraft,
    ResourceKind,
)
from commonplace.reading.folders import DiskFolders, FolderLimits
from commonplace.storage.port import Store

_CHANGED = 8
_PASSING = frozenset({"import", "export"})
_ADDED = {
    ".ts": "\nexport function brandNew() { return 1; }\n",
    ".py": "\n\ndef brand_new():\n    return 1\n",
    ".java": "\nclass BrandNew { int one() { return 1; } }\n",
    ".go": "\nfunc brandNew() int { return 1 }\n",
    ".rs": "\npub fn brand_new() -> u8 { 1 }\n",
}


@dataclass
class Folder:
    """The files of a folder in memory, and what the store knows of them."""

    store: Store
    graph: CodeGraph
    actor: Actor
    texts: dict[str, bytes]
    states: dict[str, FileState] = field(init=False)
    resource: Resource = field(init=False)

    def __post_init__(self) -> None:
        draft = ResourceDraft("r", ResourceKind.FOLDER, KnowledgeType.CODE, "file:///r", "r")
        with self.store.write(self.actor) as tx:
            self.resource = tx.resources.insert(draft)
            tx.attachments.insert(AttachmentDraft("a", self.resource.key, None, "r"))
        self._note(self.texts)

    def index(self, texts: Mapping[str, bytes]) -> tuple[float, float]:
        """Seconds until the graph knows these texts of files: by the clock, and of this process."""
        self.texts |= texts
        self._note(texts)
        start, used = time.perf_counter(), time.process_time()
        self.graph.update(self.actor, self.resource, set(texts), [], self._read)
        return time.perf_counter() - start, time.process_time() - used

    def _read(self, state: FileState) -> bytes:
        return self.texts[state.path]

    def _note(self, texts: Mapping[str, bytes]) -> None:
        with self.store.write(self.actor) as tx:
            for path, text in texts.items():
                content = hashlib.sha256(text).hexdigest()
                tx.files.put(self.resource.key, FileState(0, path, content, 1, len(text), 0))
            self.states = {each.path: each for each in tx.files.of_resource(self.resource.key)}


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--changes", action="store_true", help="then change some files, too")
    parser.add_argument("--edges", type=Path, help="where to write what leads where")
    given = parser.parse_args(arguments)
    print(json.dumps(measured(given.folder, changes=given.changes, edges=given.edges)))


def measured(root: Path, *, changes: bool, edges: Path | None = None) -> dict[str, Any]:
    """`cpu` is that of this process and of those that parse, until the index is made; `index_cpu`
    leaves out what this process did before it was asked for an index."""
    start, texts = time.perf_counter(), _texts(root)
    with settings_for("sqlite") as settings:
        store = build_store(settings, utc_now)
        graph = build_graph(settings, store)
        folder = Folder(store, graph, local_actor(settings, "bench"), texts)
        indexing, indexing_cpu = folder.index(texts)
        seconds, server = time.perf_counter() - start, _cpu(resource.RUSAGE_SELF)
        made_at = time.time()
        graph.close()
        counts = graph.answers.counts(folder.actor, [folder.resource.key])
        found: dict[str, Any] = {
            "files": len(texts),
            "references": counts.references,
            "resolved": counts.resolved,
            "seconds": seconds,
            "made_at": made_at,
            "server": server,
            "cpu": server + _cpu(resource.RUSAGE_CHILDREN),
            "index_seconds": indexing,
            "index_cpu": indexing_cpu + _cpu(resource.RUSAGE_CHILDREN),
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        if edges is not None:
            lines = (json.dumps(each) for each in _edges(folder))
            edges.write_text("\n".join(lines), encoding="utf-8")
        if changes:
            found["touched"], found["added"] = _changes(folder)
        graph.close()
        store.close()
    return found


def _texts(root: Path) -> dict[str, bytes]:
    found = [each.path for each in DiskFolders(FolderLimits()).list(str(root)).files]
    return {
        path: (root / path).read_bytes()
        for path in found
        if language_of(path) is not None or is_manifest(path)
    }


def _changes(folder: Folder) -> tuple[list[float], list[float]]:
    """For a file that says the same, and for one that exports one function more: the median and
    the most of seconds by the clock, then of CPU seconds."""
    sources = [path for path in folder.texts if Path(path).suffix in _ADDED]
    some = sources[:: max(1, len(sources) // _CHANGED)][:_CHANGED]
    touched, added = [], []
    for path in some:
        text = folder.texts[path]
        mark = b"#" if path.endswith(".py") else b"//"
        touched.append(folder.index({path: text + b"\n" + mark + b" touched\n"}))
        added.append(folder.index({path: text + _ADDED[Path(path).suffix].encode()}))
    return _summary(touched), _summary(added)


def _summary(times: Sequence[tuple[float, float]]) -> list[float]:
    return [figure for each in zip(*times, strict=True) for figure in (median(each), max(each))]


def _edges(folder: Folder) -> Iterator[tuple[str, int, str, int, int, str]]:
    """Line by line, what is used there and where that is defined; no imports, no modules."""
    paths = {state.key: path for path, state in folder.states.items()}
    with folder.store.read(folder.actor) as tx:
        symbols = {each.key: each for each in tx.graph.symbols_of(sorted(paths))}
        kept = tx.graph.edges_from(sorted(paths))
    for edge in kept:
        if edge.target_key is None or edge.rank or edge.use in _PASSING:
            continue
        led_to = symbols[edge.target_key]
        if led_to.number == MODULE_ITSELF:
            continue
        place = (paths[led_to.document_key], led_to.first_line, led_to.last_line, led_to.name)
        for line in edge.lines:
            yield (paths[edge.document_key], line, *place)


def _cpu(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
