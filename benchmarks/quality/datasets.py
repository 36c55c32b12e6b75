"""Loads judged retrieval sets from the folder that `prepare.py` wrote, never from the network."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

DATA_VARIABLE = "COMMONPLACE_BENCH_DATA"
# The subfolder of a code set that contains its documents as files.
FILES = "files"
# The sets that anything in the product may be fitted to.
NAMES = ("cosqa", "scifact")
# Judged by people; sets made of project histories are named when they are prepared.
JUDGED = (*NAMES, "locomo")
Split = Literal["test", "tune"]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents, the queries of one split, and which documents answer each query.

    `files` is the folder with the same documents as whole files, if the set is code.
    """

    name: str
    documents: dict[str, str]
    queries: dict[str, str]
    judgments: dict[str, dict[str, int]]
    files: Path | None = None


def owner_of(document: str) -> str:
    """The id that judgments use: the document, or the file that the document is a piece of."""
    return document.partition("#")[0]


class DatasetMissingError(Exception):
    """The prepared data is missing; the message says how to get it."""


def data_folder() -> Path:
    """The folder named by the environment variable."""
    value = os.environ.get(DATA_VARIABLE)
    if not value:
        raise DatasetMissingError(
            f"set {DATA_VARIABLE} to a folder made by `python -m benchmarks.quality.prepare`"
        )
    return Path(value)


def prepared() -> list[str]:
    """The names of all sets in the folder, sets judged by people first."""
    found = {path.parent.name for path in data_folder().glob("*/judgments.jsonl")}
    return [*(name for name in JUDGED if name in found), *sorted(found.difference(JUDGED))]


def load(name: str, folder: Path | None = None, split: Split = "test") -> Dataset:
    """Load one set: `test` is for reported figures, `tune` for choosing and fitting."""
    home = (folder or data_folder()) / name
    if not (home / "documents.jsonl").is_file():
        raise DatasetMissingError(f"no {name} in {home.parent}; see benchmarks/quality/README.md")
    documents = {row["id"]: row["text"] for row in _rows(home / "documents.jsonl")}
    texts = {row["id"]: row["text"] for row in _rows(home / "queries.jsonl")}
    judgments: dict[str, dict[str, int]] = {}
    for row in _rows(home / "judgments.jsonl"):
        if row["split"] == split:
            judgments.setdefault(row["query"], {})[row["document"]] = row["gain"]
    queries = {query: texts[query] for query in judgments}
    files = home / FILES
    dataset = Dataset(name, documents, queries, judgments, files if files.is_dir() else None)
    _check_complete(dataset)
    return dataset


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _check_complete(dataset: Dataset) -> None:
    judged = {document for gains in dataset.judgments.values() for document in gains}
    missing = judged - {owner_of(document) for document in dataset.documents}
    if missing or not dataset.queries:
        raise ValueError(
            f"{dataset.name}: {len(dataset.queries)} queries, "
            f"{len(missing)} judged documents that are not in the collection"
        )
