"""Compares a student with the full model: python -m tools.model.compare WHEEL LEARNED CLONES SETS

Decides what is compared: vectors of documents by the student and by the full model, both int8 and
in turns. LEARNED is what student.py wrote, SETS what `benchmarks.quality.prepare` wrote.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.quality.datasets import Dataset, load, owner_of
from benchmarks.quality.measures import DEPTH, ndcg
from commonplace.text.parts import parts_to_embed
from tools.model.container import Container, read_wheel
from tools.model.convert import PEAKS
from tools.model.graph import build
from tools.model.peaks import pieces, recorded, sources

Matrix = NDArray[np.float32]
# The model that embeds the documents, and the number of their tokens that it reads.
WAYS = (
    ("full", 256),
    ("full", 128),
    ("full", 64),
    ("full", 48),
    ("full", 32),
    ("student", 256),
    ("student", 128),
    ("student", 64),
)
Way = tuple[str, int]
# Sets whose documents are code, which is embedded as the product embeds it.
CODE = ("got", "gson")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("learned", type=Path)
    parser.add_argument("clones", type=Path)
    parser.add_argument("sets", type=Path)
    parser.add_argument("--only", action="append", help="a set, many times")
    parser.add_argument("--pool", type=int, default=2000, help="documents of each set")
    given = parser.parse_args()
    full = read_wheel(given.wheel)
    student = smaller(full, dict(np.load(given.learned)))
    texts = [text for source in sources() for text in pieces(given.clones, source)]
    models = {
        "full": _session(full, dict(np.load(PEAKS))),
        "student": _session(student, recorded(student, texts)),
    }
    tokenizer = Tokenizer.from_str(full.tokenizer.decode())
    for name in given.only or ("scifact", "cosqa", "locomo", "got", "gson"):
        compare(models, tokenizer, given.sets, name, given.pool)


def smaller(full: Container, learned: Mapping[str, Any]) -> Container:
    """The student: its own layers with the full model's word and position embeddings."""
    shared = {name: value for name, value in full.tensors.items() if name.endswith("_emb")}
    own = {name: value.astype(np.float32) for name, value in learned.items()}
    layers = sum(name.endswith("qkv.w") for name in own)
    return Container({**full.arch, "layers": layers}, full.meta, full.tokenizer, shared | own)


def compare(models: Mapping[str, Any], tokenizer: Any, sets: Path, name: str, most: int) -> None:
    halves = {half: load(name, sets, half) for half in ("tune", "test") if _has(sets, name, half)}
    documents = pool(list(halves.values()), most)
    texts = list(documents.values())
    if name in CODE:
        texts = [parts_to_embed("", text, "code")[0] for text in texts]
    vectors, spent = embedded(models, tokenizer, texts)
    for half, dataset in halves.items():
        asked = [_vector(models["full"], tokenizer, text, 512) for text in dataset.queries.values()]
        for way in WAYS:
            found = quality(dataset, list(documents), np.array(asked), vectors[way])
            cost = spent[way] / spent["full", 128]
            who, tokens = way
            print(f"{name} {half} {who:8} {tokens:4} nDCG {found:.3f} CPU {cost:.2f}", flush=True)


def pool(halves: list[Dataset], most: int) -> dict[str, str]:
    """All judged documents, and some others at random."""
    documents = halves[0].documents
    judged = {owner for half in halves for gains in half.judgments.values() for owner in gains}
    kept = [document for document in documents if owner_of(document) in judged]
    others = [document for document in documents if owner_of(document) not in judged]
    more = random.Random(1).sample(others, max(0, min(len(others), most - len(kept))))
    return {document: documents[document] for document in kept + more}


def embedded(
    models: Mapping[str, Any], tokenizer: Any, texts: list[str]
) -> tuple[dict[Way, Matrix], dict[Way, float]]:
    """The vectors and the processor time of each way, measured in turns, text by text."""
    rows: dict[Way, list[Any]] = {way: [] for way in WAYS}
    spent = dict.fromkeys(WAYS, 0.0)
    for text in texts:
        for way in WAYS:
            began = time.process_time()
            rows[way].append(_vector(models[way[0]], tokenizer, text, way[1]))
            spent[way] += time.process_time() - began
    return {way: np.array(found, np.float32) for way, found in rows.items()}, spent


def quality(dataset: Dataset, names: list[str], asked: Matrix, vectors: Matrix) -> float:
    """Mean nDCG of semantic search alone; a file has the score of its best piece."""
    scores = []
    for row, gains in zip(asked @ vectors.T, dataset.judgments.values(), strict=True):
        nearest = (owner_of(names[place]) for place in np.argsort(-row))
        ranked: dict[str, None] = {}
        for owner in nearest:
            ranked[owner] = None
            if len(ranked) == DEPTH:
                break
        scores.append(ndcg(list(ranked), gains))
    return float(np.mean(scores))


def _session(container: Container, peaks: Mapping[str, Any]) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    model = build(container, peaks).SerializeToString()
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _vector(session: Any, tokenizer: Any, text: str, most: int) -> Matrix:
    tokenizer.enable_truncation(most)
    tokens = np.array([tokenizer.encode(text).ids], np.int64)
    found: Matrix = session.run(None, {"input_ids": tokens})[0][0]
    return found


def _has(sets: Path, name: str, half: str) -> bool:
    return f'"{half}"' in (sets / name / "judgments.jsonl").read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
