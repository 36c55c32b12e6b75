"""The texts that `prepare.py` wrote: attacks, ordinary ones, and those between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.quality.datasets import DatasetMissingError, data_folder


@dataclass(frozen=True, slots=True)
class Text:
    """`held` ones are not learned from; of a `stranger` nothing of the same source is either.

    Texts of one `document` are copies or translations of each other.
    """

    source: str
    kind: str
    document: int
    held: bool
    stranger: bool
    text: str


def texts(group: str) -> Iterator[Text]:
    path = data_folder() / "injection" / f"{group}.jsonl"
    if not path.is_file():
        raise DatasetMissingError(f"no {path}; see benchmarks/quality/README.md")
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield Text(**json.loads(line))
