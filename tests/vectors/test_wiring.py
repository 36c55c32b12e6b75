"""How bootstrap wires the vector index: files beside the database, no heavy imports at start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_TENDS_A_NEW_STORE = """
import sys
from pathlib import Path
from commonplace import bootstrap
from commonplace.model.actor import Actor
from commonplace.settings import Settings

store = bootstrap.build_store(Settings(home=Path(sys.argv[1])), bootstrap.utc_now)
with store.write(Actor("acme", "alice")) as tx:
    tx.blobs.put(b"", "text/plain")
assert not store.maintain_vectors("model")
store.scrub()
assert type(store._indexes).__name__ == "LayeredIndexes"
assert store._indexes.file_of("acme", "model").parent == Path(sys.argv[1]) / "vectors"
assert not {"numpy", "usearch"} & set(sys.modules)
"""


def test_the_model_can_be_loaded_after_the_index() -> None:
    loads = "import commonplace.storage.sqlite.vectors.engine, onnxruntime"
    subprocess.run([sys.executable, "-c", loads], check=True)


def test_maintaining_few_vectors_imports_neither_numpy_nor_usearch(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _TENDS_A_NEW_STORE, str(tmp_path)], check=True)
