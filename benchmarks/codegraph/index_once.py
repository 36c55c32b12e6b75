"""One folder into the graph of a fresh SQLite home, as a server does it; says how long, as JSON.

python -m benchmarks.codegraph.index_once FOLDER [FILE ...]: the files alone, or all that is read.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.databases import settings_for
from commonplace.application import local_actor
from commonplace.bootstrap import build_graph, build_store, utc_now
from commonplace.codegraph.languages import language_of
from commonplace.codegraph.neighbours import is_manifest
from commonplace.codegraph.service import CodeGraph
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

_CHANGED = 12
_ADDED = {
    ".ts": "\nexport function brandNew() { return 1; }\n",
    ".py": "\n\ndef brand_new():\n    return 1\n",
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

    def index(self, texts: Mapping[str, bytes]) -> float:
        """Seconds until the graph knows these texts of files."""
        self.texts |= texts
        self._note(texts)
        start = time.perf_counter()
        self.graph.update(
            self.actor, self.resource, [self.states[path] for path in texts], [], self._read
        )
        return time.perf_counter() - start

    def _read(self, state: FileState) -> bytes:
        return self.texts[state.path]

    def _note(self, texts: Mapping[str, bytes]) -> None:
        with self.store.write(self.actor) as tx:
            for path, text in texts.items():
                content = hashlib.sha256(text).hexdigest()
                tx.files.put(self.resource.key, FileState(0, path, content, 1, len(text), 0))
            self.states = {each.path: each for each in tx.files.of_resource(self.resource.key)}


def main(arguments: Sequence[str]) -> None:
    root, *only = arguments
    texts = _texts(Path(root), only)
    with settings_for("sqlite") as settings:
        store = build_store(settings, utc_now)
        graph = build_graph(settings, store)
        folder = Folder(store, graph, local_actor(settings, "bench"), texts)
        whole = folder.index(texts)
        counts = graph.counts(folder.actor, [folder.resource.key])
        used = _cpu(resource.RUSAGE_SELF)
        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        touched, added = _changes(folder)
        graph.close()
        store.close()
    print(
        json.dumps(
            {
                "files": len(texts),
                "references": counts.references,
                "resolved": counts.resolved,
                "seconds": whole,
                "server": used,
                "megabytes": largest,
                "touched": touched,
                "added": added,
            }
        )
    )


def _texts(root: Path, only: Sequence[str]) -> dict[str, bytes]:
    found = only or [each.path for each in DiskFolders(FolderLimits()).list(str(root)).files]
    return {
        path: (root / path).read_bytes()
        for path in found
        if language_of(path) is not None or is_manifest(path)
    }


def _changes(folder: Folder) -> tuple[list[float], list[float]]:
    """Seconds for a file that says the same, and for one that exports one function more."""
    sources = [path for path in folder.texts if Path(path).suffix in _ADDED]
    some = sources[:: max(1, len(sources) // _CHANGED)][:_CHANGED]
    touched, added = [], []
    for path in some:
        text = folder.texts[path]
        mark = b"#" if path.endswith(".py") else b"//"
        touched.append(folder.index({path: text + b"\n" + mark + b" touched\n"}))
        added.append(folder.index({path: text + _ADDED[Path(path).suffix].encode()}))
    return [median(touched), max(touched)], [median(added), max(added)]


def _cpu(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
