"""Builds a graph file piece by piece and moves it into place when it is complete."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from commonplace.storage.sqlite.vectors.coverage import Coverage, append_seal, digests
from commonplace.storage.sqlite.vectors.exact import matrix_of
from commonplace.storage.sqlite.vectors.graph import eight_bit, new_graph
from commonplace.storage.sqlite.vectors.port import VectorBatch, VectorFeed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.storage.sqlite.vectors.engine import Index

TEMPORARY = ".building"
_PIECE = 1000
_SAMPLES = 16


class GraphBuilder:
    """A graph under construction. Vectors removed meanwhile are skipped by whoever searches it."""

    def __init__(self, org: str, model: str, feed: VectorFeed) -> None:
        self._org = org
        self._model = model
        self._first_removal = feed.last_removal()
        self._last_key = 0
        self._index: Index | None = None
        self._keys: list[NDArray[np.int64]] = []
        self._chunk_keys: list[NDArray[np.int64]] = []
        self._samples: dict[str, str] = {}

    def advance(self, feed: VectorFeed) -> bool:
        """Add the next piece; False if there is none."""
        batch = feed.added(self._last_key, _PIECE)
        if not batch.keys:
            return False
        matrix = matrix_of(batch)
        if self._index is None:
            self._index = new_graph(matrix.shape[1])
        keys = np.array(batch.keys, np.int64)
        # One thread, so that searches and embedding are not starved.
        self._index.add(keys.astype(np.uint64), eight_bit(matrix), threads=1)
        self._keys.append(keys)
        self._chunk_keys.append(np.array(batch.chunk_keys, np.int64))
        self._samples |= digests(_last_of(batch))
        self._last_key = batch.keys[-1]
        return True

    def save(self, path: Path) -> None:
        """Write a temporary file and rename it, so that no reader sees an incomplete file."""
        assert self._index is not None, "saved only after something was added"
        temporary = path.with_name(f"{path.stem}-{uuid4().hex}{TEMPORARY}")
        try:
            # usearch keeps the mode of an existing file, so create it as private.
            temporary.touch(0o600)
            _save(self._index, temporary)
            with temporary.open("r+b") as file:
                file.seek(0, os.SEEK_END)
                file.write(bytes(-file.tell() % 8))
                for array in (*self._keys, *self._chunk_keys):
                    file.write(array.tobytes())
                append_seal(file, self._coverage(self._index))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def _coverage(self, index: Index) -> Coverage:
        sampled = list(self._samples)
        chosen = {*sampled[:: max(1, len(sampled) // _SAMPLES)], sampled[-1]}
        return Coverage(
            org=self._org,
            model=self._model,
            dimension=index.ndim,
            count=len(index),
            last_key=self._last_key,
            last_removal=self._first_removal,
            samples={key: self._samples[key] for key in sampled if key in chosen},
        )


def _save(index: Index, path: Path) -> None:
    """Save the index; usearch reports a failed write as RuntimeError, callers expect OSError."""
    try:
        index.save(str(path))
    except RuntimeError as error:
        raise OSError(f"usearch: {error}") from error


def _last_of(batch: VectorBatch) -> VectorBatch:
    size = len(batch.data) // len(batch.keys)
    return VectorBatch(batch.keys[-1:], batch.chunk_keys[-1:], batch.data[-size:])
