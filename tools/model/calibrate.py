"""Computes calibration.toml from data: python -m tools.model.calibrate OUT

Decides where the points of the map lie. Uses the tune split only, so that figures measured on the
test split stay honest.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.quality.datasets import NAMES, load
from commonplace.embedding.bundled import BundledEmbedder
from tools.model.pairs import Cosines, of_dataset, of_paraphrases

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
# Stored vectors are float16: the same text has a cosine of .9995 or more with itself.
SAME = 0.999
# Callers use .7 as a threshold for related texts: three of four such pairs are above it.
USUAL = 0.72


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    out: Path = parser.parse_args().out
    embedder = BundledEmbedder()
    groups = [of_dataset(embedder, load(name, split="tune")) for name in NAMES]
    groups.append(of_paraphrases(embedder))
    text = document(embedder.identity.key, groups, points(groups))
    out.write_text(text, encoding="utf-8")
    print(text)


def points(groups: list[Cosines]) -> list[tuple[float, float]]:
    """The points of the map, each the mean of the groups' quantiles, so that kinds weigh alike."""

    def unrelated(quantile: float) -> float:
        return float(np.mean([np.quantile(group.unrelated, quantile) for group in groups]))

    def related(quantile: float) -> float:
        return float(np.mean([np.quantile(group.related, quantile) for group in groups]))

    return [
        (round(unrelated(0.05), 3), 0.0),
        (round(unrelated(0.5), 3), 0.12),
        (round(unrelated(0.95), 3), 0.35),
        (round(related(0.25), 3), USUAL),
        (round(related(0.75), 3), 0.86),
        (SAME, 1.0),
    ]


def document(key: str, groups: list[Cosines], line: list[tuple[float, float]]) -> str:
    lines = [
        "# Cosine to similarity, per model identity: straight lines between these points.",
        "# Written by `python -m tools.model.calibrate`; edit that, not this.",
        "#",
        "# quantile                " + " ".join(f"{100 * q:5.0f}%" for q in QUANTILES),
    ]
    for group in groups:
        for kind, values in (("unrelated", group.unrelated), ("related", group.related)):
            cells = " ".join(f"{np.quantile(values, q):6.3f}" for q in QUANTILES)
            lines.append(f"# {group.name:11} {kind:9}   {cells}")
    lines += ["", f'["{key}"]', "points = ["]
    lines += [f"  [{cosine}, {similarity}]," for cosine, similarity in line]
    return "\n".join([*lines, "]", ""])


if __name__ == "__main__":
    main()
