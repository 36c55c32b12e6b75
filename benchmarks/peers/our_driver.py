"""Our own store behind the same pipe as the vector libraries: entries with their words and vectors.

python -m benchmarks.peers.our_driver ours FOLDER
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.latency.loading import ACTOR
from commonplace.bootstrap import build_store, utc_now
from commonplace.knowledge.passages import chunks_of, metadata_of
from commonplace.knowledge.service.writes import owner_of
from commonplace.model.chunk import Urgency
from commonplace.model.entry import EntryContent, EntryDraft, EntryKind
from commonplace.model.query import Filter
from commonplace.settings import Settings
from commonplace.storage.port import Store

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

_MODEL = "given@384"
# As wide as a search of the product looks.
_WIDTH = 64
_TITLE = 80


def add(store: Store, ids: Sequence[str], texts: Sequence[str], vectors: Sequence[Vector]) -> None:
    with store.write(ACTOR) as tx:
        for id, text in zip(ids, texts, strict=True):
            content = EntryContent(text[:_TITLE], text)
            entry = tx.entries.insert(EntryDraft(id, EntryKind.NOTE, content))
            drafts = chunks_of(entry.kind, entry.content, Urgency.FRESH)
            tx.chunks.replace(owner_of(entry), metadata_of(entry), drafts)
        claimed = tx.vectors.claim(Urgency.FRESH, len(ids), tx.now + timedelta(minutes=5))
        for chunk, vector in zip(claimed, vectors, strict=True):
            tx.vectors.put(_MODEL, chunk, [vector])
    store.maintain_vectors(_MODEL)


def search(store: Store, vector: Vector, limit: int) -> list[str]:
    with store.search(ACTOR) as tx:
        near = [key for key, _ in tx.vectors.nearest(_MODEL, vector, Filter(), limit, _WIDTH).hits]
        chunks = {one.key: one.owner.key for one in tx.chunks.fetch(near, Filter())}
        entries = tx.entries.by_keys(list(chunks.values()))
    return [entries[chunks[key]].id for key in near]


def main(folder: str) -> None:
    store = build_store(Settings(home=Path(folder)), utc_now)
    for line in sys.stdin:
        asked = json.loads(line)
        params, result = asked["params"], {}
        if asked["method"] == "add":
            add(store, params["ids"], params["texts"], [_read(one) for one in params["vectors"]])
        elif asked["method"] == "search":
            result = {"ids": search(store, _read(params["vector"]), params["limit"])}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
    store.close()


def _read(coded: str) -> Vector:
    return np.frombuffer(base64.b64decode(coded), dtype=np.float32)


if __name__ == "__main__":
    main(sys.argv[2])
