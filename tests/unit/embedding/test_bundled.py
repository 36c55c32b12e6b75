"""The bundled model: what is shipped, when it is loaded, and how it fails."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from typing_extensions import override

from commonplace.embedding.bundled import BundledEmbedder, _Model
from commonplace.errors import EmbeddingModelMissing

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

SHIPPED = Path(str(files("commonplace.embedding"))) / "granite"


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def test_shipped_files_are_the_recorded_ones() -> None:
    manifest = json.loads((SHIPPED / "manifest.json").read_text())
    for name, recorded in manifest["sha256"].items():
        assert hashlib.sha256((SHIPPED / name).read_bytes()).hexdigest() == recorded
    assert "Apache License" in (SHIPPED / "LICENSE").read_text()
    assert "IBM" in (SHIPPED / "NOTICE").read_text()


def test_identity_names_the_model() -> None:
    assert BundledEmbedder().identity.key == "granite-30m-en-int8-r2@384"


def test_vectors_are_nearly_those_of_the_model_in_full_precision(
    embedder: BundledEmbedder,
) -> None:
    """`tools/model/exact.py` wrote them; a graph that loses more is no revision to ship."""
    exact = np.load(Path(__file__).with_name("exact.npz"))
    made = np.array([embedder.embed_query(str(text)) for text in exact["texts"]])
    agreement = (made * exact["vectors"].astype(np.float32)).sum(axis=1)
    assert agreement.mean() >= 0.996
    assert agreement.min() >= 0.99


def test_a_text_has_the_same_vector_whatever_is_embedded_with_it(embedder: BundledEmbedder) -> None:
    texts = ["tea", "def parse(path): return open(path).read()", "ΩΩ 🙂 " * 40]
    together = embedder.embed_passages(texts)
    alone = [embedder.embed_passages([text])[0] for text in texts]
    for one, other in zip(together, alone, strict=True):
        assert np.array_equal(one, other)


def test_vectors_are_the_same_however_many_are_made_at_once(embedder: BundledEmbedder) -> None:
    texts = [f"The heron of pond {number} waits for rain. " * number for number in range(1, 12)]
    one_by_one = BundledEmbedder(threads=1).embed_passages(texts)
    at_once = BundledEmbedder(threads=4).embed_passages([*texts, "word " * 1_000])
    assert len(at_once.pop()) > 1
    for one, other in zip(one_by_one, at_once, strict=True):
        assert np.array_equal(one, other)
    assert embedder.embed_passages([]) == []


def test_one_that_fails_ends_the_rest() -> None:
    """Who is told of a failure, or leaves by a key, waits for none of the others."""
    tried: list[int] = []

    class Failing(BundledEmbedder):
        @override
        def _bulk_run(self, model: _Model, tokens: list[int]) -> Vector:
            tried.append(len(tokens))
            if len(tried) == 1:
                raise MemoryError
            return super()._bulk_run(model, tokens)

    with pytest.raises(MemoryError):
        Failing().embed_passages(["word " * 30] * 200)
    assert len(tried) < 200


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    program = (
        "import sys\n"
        "from commonplace.embedding.bundled import BundledEmbedder\n"
        "from commonplace.embedding.endpoint import EndpointEmbedder\n"
        "from commonplace.embedding.cache import QueryCache\n"
        "QueryCache(BundledEmbedder(), 1, 1).identity\n"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers', 'httpx'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_runtime_of_the_model_collects_nothing_about_its_user(tmp_path: Path) -> None:
    """onnxruntime would keep a device id and send events to its maker, unless told not to."""
    program = (
        "from commonplace.embedding.bundled import BundledEmbedder\n"
        "BundledEmbedder().embed_query('anything')\n"
    )
    variables = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    variables.pop("ORT_DISABLE_TELEMETRY", None)
    home = variables | {"HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=home)
    assert [path.name for path in tmp_path.rglob("*")] == []


def test_it_loads_on_first_use_once_and_again_after_release() -> None:
    class Counting(BundledEmbedder):
        loads = 0

        def _load(self) -> _Model:
            self.loads += 1
            return super()._load()

    embedder = Counting()
    assert not embedder.loaded
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(embedder.embed_query, ["the same text"] * 8))
    assert embedder.loads == 1
    assert all(np.array_equal(vector, vectors[0]) for vector in vectors)
    embedder.release()
    assert not embedder.loaded
    assert np.array_equal(embedder.embed_query("the same text"), vectors[0])
    assert embedder.loads == 2


@pytest.mark.parametrize("damage", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", [None, b"", b"version https://git-lfs.example/spec"])
def test_missing_or_damaged_files_mean_try_later(
    tmp_path: Path, damage: str, content: bytes | None
) -> None:
    for file in SHIPPED.iterdir():
        if file.name != damage:
            shutil.copy(file, tmp_path)
    if content is not None:
        (tmp_path / damage).write_bytes(content)
    embedder = BundledEmbedder(folder=tmp_path)
    with pytest.raises(EmbeddingModelMissing, match="cannot be loaded"):
        embedder.embed_query("anything")
    shutil.copy(SHIPPED / damage, tmp_path)
    assert len(embedder.embed_query("anything")) == 384


def test_marks_of_the_model_in_a_text_are_only_text(embedder: BundledEmbedder) -> None:
    model = embedder._loaded()
    (tokens,) = model.windows("old <s>price</s> <pad><mask>")
    start, *inner, end = tokens
    assert (start, end) == (0, 2)
    assert not {0, 1, 2, 50264} & set(inner)


def test_windows_fit_the_model_and_the_longest_runs(embedder: BundledEmbedder) -> None:
    model = embedder._loaded()
    windows = model.windows("word " * 511)
    assert len(windows) == 2
    assert max(map(len, windows)) <= 512
    (longest,) = model.windows("word" + " word" * 509)
    assert len(longest) == 512
    assert np.isclose(np.linalg.norm(model.run(longest)), 1, atol=1e-5)


def test_meaning_is_found(embedder: BundledEmbedder) -> None:
    question = embedder.embed_query("how do we ship a new version?")
    answers = embedder.embed_passages(
        [
            "Releases are built by the pipeline and published every Friday.",
            "The kitchen has a coffee machine and a box of tea.",
            "def publish(release):\n    upload(build(release))",
        ]
    )
    close, far, code = (float(question @ windows[0]) for windows in answers)
    assert embedder.similarity(close) > 0.4
    assert embedder.similarity(far) < 0.3
    assert far < min(close, code)


def test_a_long_text_is_counted_in_stretches(embedder: BundledEmbedder) -> None:
    assert embedder.count_tokens("") == 0
    long = embedder.count_tokens("word " * 100_000)
    assert long == pytest.approx(1_000 * embedder.count_tokens("word " * 100), rel=0.02)
    assert embedder.embed_query("word " * 100_000).shape == embedder.embed_query("word").shape
