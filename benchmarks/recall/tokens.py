"""The estimate of tokens beside counts that real tokenizers gave.

python -m benchmarks.recall.tokens FILE
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from benchmarks.report import Cell, Report, Table, now
from commonplace.text.context_tokens import estimate_context_tokens


def main(file: Path) -> None:
    started = now()
    ratios: dict[str, list[float]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        estimate = estimate_context_tokens(row["text"])
        ratios[row["group"]] += [estimate / counted for counted in row["counted"]]
    groups = {**ratios, "all": [ratio for group in ratios.values() for ratio in group]}
    rows: list[tuple[Cell, ...]] = [
        (name, len(some), fmean(some), fmean(abs(ratio - 1) for ratio in some))
        for name, some in groups.items()
    ]
    columns = ("", "counts", "estimate / count, mean", "error, mean")
    table = Table("Tokens, estimated without a tokenizer", columns, tuple(rows))
    Report("tokens", (table,), ("Counted with o200k_base and cl100k_base.",)).save(started)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
