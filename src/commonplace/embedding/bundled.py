"""The bundled model: granite-embedding-30m-english, int8, on onnxruntime. Schedules its runs.

Each run has one text and one thread: the int8 model scales its numbers over the whole batch, so a
vector would depend on its neighbours, and threads that share a run wait for each other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from commonplace.embedding.calibration import calibration_for
from commonplace.embedding.port import Handling, ModelIdentity
from commonplace.embedding.turns import Turns
from commonplace.embedding.windows import spans
from commonplace.errors import EmbeddingModelMissing

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

_OVERLAP_TOKENS = 64
_HANDLING = Handling(sketches=True)
_AFTER_LATIN = "\u0250"
_MOST_AT_ONCE = 50_000  # characters; far more than a window of tokens has


@dataclass(frozen=True, slots=True)
class _Manifest:
    identity: ModelIdentity
    max_tokens: int


class BundledEmbedder:
    """The bundled model as an embedder; loads on first use and is thread-safe."""

    def __init__(self, threads: int = 2, folder: Path | None = None) -> None:
        self._threads = threads
        self._folder: Traversable = folder or files("commonplace.embedding").joinpath("granite")
        self._manifest = _read_manifest(self._folder)
        self._calibration = calibration_for(self.identity.key)
        self._turns = Turns(threads)
        self._loading = Lock()
        self._model: _Model | None = None

    @property
    def identity(self) -> ModelIdentity:
        return self._manifest.identity

    @property
    def handling(self) -> Handling:
        return _HANDLING

    def embed_query(self, text: str) -> Vector:
        """Embed a query; of one longer than the window only the start counts."""
        model = self._loaded()
        tokens = model.windows(text[:_MOST_AT_ONCE])[0]
        with self._turns.query():
            return model.run(tokens)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        model = self._loaded()
        windows = [model.windows(text) for text in texts]
        made = iter(self._bulk_runs(model, [tokens for some in windows for tokens in some]))
        return [[next(made) for _ in some] for some in windows]

    def similarity(self, cosine: float) -> float:
        return self._calibration.similarity(cosine)

    def count_tokens(self, text: str) -> int:
        return self._loaded().count(text)

    def reads(self, text: str) -> bool:
        """Whether most letters are Latin: English, and well enough other languages with them."""
        letters = [letter for letter in text if letter.isalpha()]
        return 2 * sum(letter < _AFTER_LATIN for letter in letters) >= len(letters)

    def release(self) -> None:
        """Unload the model; runs in progress keep it until they end."""
        with self._loading:
            self._model = None

    @property
    def loaded(self) -> bool:
        return self._model is not None

    def _bulk_runs(self, model: _Model, windows: Sequence[list[int]]) -> Iterable[Vector]:
        run = partial(self._bulk_run, model)
        if len(windows) < 2 or self._threads == 1:
            return map(run, windows)
        with ThreadPoolExecutor(min(self._threads, len(windows))) as pool:
            # Consumed inside the pool: if one run fails, the waiting ones are cancelled.
            return list(pool.map(run, windows))

    def _bulk_run(self, model: _Model, tokens: list[int]) -> Vector:
        with self._turns.bulk():
            return model.run(tokens)

    def _loaded(self) -> _Model:
        with self._loading:
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> _Model:
        try:
            with as_file(self._folder) as folder:
                return _Model(folder, self._manifest.max_tokens)
        # Missing wheels, missing files and damaged files raise unrelated types of exceptions.
        except Exception as error:
            raise EmbeddingModelMissing(
                f"The bundled embedding model cannot be loaded ({type(error).__name__}); "
                "reinstall the package."
            ) from error


class _Model:
    """The loaded session and tokenizer."""

    def __init__(self, folder: Path, max_tokens: int) -> None:
        # Read at import: otherwise onnxruntime writes a device id to the user's cache, and sends
        # events with it.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # Otherwise "<s>" in HTML would be read as the model's own start token.
        self._tokenizer.encode_special_tokens = True
        self._marks: list[int] = self._tokenizer.encode("").ids
        self._window = max_tokens - len(self._marks)

    def windows(self, text: str) -> list[list[int]]:
        """The token ids of a text, in windows of the model's size, each between its special
        tokens."""
        tokens = self._tokens(text)
        first, last = self._marks
        return [
            [first, *tokens[start:end], last]
            for start, end in spans(len(tokens), self._window, _OVERLAP_TOKENS)
        ]

    def count(self, text: str) -> int:
        """Count tokens in portions, as the tokenizer blocks all other threads meanwhile."""
        starts = range(0, len(text), _MOST_AT_ONCE)
        return sum(len(self._tokens(text[at : at + _MOST_AT_ONCE])) for at in starts)

    def _tokens(self, text: str) -> list[int]:
        readable = text.encode("utf-8", "replace").decode("utf-8")
        tokens: list[int] = self._tokenizer.encode(readable, add_special_tokens=False).ids
        return tokens

    def run(self, tokens: list[int]) -> Vector:
        import numpy as np

        inputs = {"input_ids": np.array([tokens], dtype=np.int64)}
        vector: Vector = self._session.run(None, inputs)[0][0]
        return vector


def _read_manifest(folder: Traversable) -> _Manifest:
    stored = json.loads(folder.joinpath("manifest.json").read_text(encoding="utf-8"))
    follows = tuple(stored["follows"])
    identity = ModelIdentity(stored["name"], stored["dimension"], stored["revision"], follows)
    return _Manifest(identity, stored["max_tokens"])
