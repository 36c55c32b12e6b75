"""Records the peaks of the inputs of products: python -m tools.model.peaks WHEEL CLONES OUT

Decides on which text: pieces of the public repositories in texts.toml, at the commits named there.
Only the largest value of each channel is kept, nothing of the texts.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from tools.model.container import Container, read_wheel
from tools.model.graph import build_recorder

SOURCES = Path(__file__).with_name("texts.toml")
_LINES = (4, 15, 40, 80)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("clones", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tuned", type=Path, help="what tune.py learned")
    given = parser.parse_args()
    texts = [text for source in sources() for text in pieces(given.clones, source)]
    peaks = recorded(read_wheel(given.wheel, given.tuned), texts)
    arrays: dict[str, Any] = {name: peak.astype(np.float32) for name, peak in peaks.items()}
    np.savez_compressed(given.out, **arrays)
    print(f"{len(texts)} texts, {len(peaks)} products")


def sources() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(SOURCES.read_text(encoding="utf-8"))["source"]
    return found


def pieces(clones: Path, source: dict[str, Any]) -> Iterator[str]:
    """Stretches of a repository's files, short ones and long ones, the same every time."""
    git = ["git", "-C", str(clones / source["repository"].replace("/", "+"))]
    listed = _output([*git, "ls-tree", "-r", "--name-only", source["commit"]]).splitlines()
    chance = random.Random(source["repository"])
    endings = tuple(source["endings"])
    files = sorted(p for p in listed if p.startswith(source["under"]) and p.endswith(endings))
    for path in chance.sample(files, min(source["texts"], len(files))):
        lines = _output([*git, "show", f"{source['commit']}:{path}"]).splitlines()
        length = chance.choice(_LINES)
        start = chance.randrange(max(1, len(lines) - length))
        if text := "\n".join(lines[start : start + length]).strip():
            yield text


def recorded(container: Container, texts: list[str]) -> dict[str, NDArray[np.float32]]:
    """The largest absolute value of each channel that meets a weight, over all texts."""
    tokenizer = Tokenizer.from_str(container.tokenizer.decode())
    tokenizer.enable_truncation(container.meta["max_length"])
    model, inputs = build_recorder(container)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    peaks = {name: np.zeros(1, np.float32) for name in inputs}
    for text in texts:
        tokens = np.array([tokenizer.encode(text).ids], np.int64)
        values = session.run(list(inputs.values()), {"input_ids": tokens})
        for name, value in zip(inputs, values, strict=True):
            peaks[name] = np.maximum(peaks[name], np.abs(value).max(axis=(0, 1)))
    return peaks


def _output(command: list[str]) -> str:
    done = subprocess.run(command, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    main()
