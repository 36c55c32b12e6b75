"""Converts git directories of public data sets into the folder that `datasets.py` reads.

    python -m benchmarks.quality.prepare --coclr GIT --scifact-texts GIT --scifact-judgments GIT \
        --locomo GIT --history gson=GIT ... OUT

Code is written both as documents and as files.
"""

from __future__ import annotations

import argparse
import ast
import csv
import io
import json
import re
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.quality.datasets import FILES, owner_of
from benchmarks.quality.histories import pieces_of, source_files, telling_commits, text_of

_UNANSWERABLE = 5
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judged pair and the split it belongs to."""

    query: str
    document: str
    gain: int
    split: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--coclr", type=Path, required=True)
    parser.add_argument("--scifact-texts", type=Path, required=True)
    parser.add_argument("--scifact-judgments", type=Path, required=True)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--history", action="append", default=[], help="NAME=GIT, many times")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    prepare_cosqa(arguments.coclr, arguments.out / "cosqa")
    prepare_scifact(arguments.scifact_texts, arguments.scifact_judgments, arguments.out / "scifact")
    if arguments.locomo:
        prepare_locomo(arguments.locomo, arguments.out / "locomo")
    for given in arguments.history:
        name, _, git = given.partition("=")
        prepare_history(Path(git), arguments.out / name)


def prepare_cosqa(git: Path, out: Path) -> None:
    """Web queries and a pool of Python functions; one right function per query."""
    pool = json.loads(_file(git, "data/search/code_idx_map.txt"))
    queries: dict[str, str] = {}
    judgments: list[Judgment] = []
    for split, part in (("test", "test-500"), ("tune", "dev-500")):
        for row in json.loads(_file(git, f"data/search/cosqa-retrieval-{part}.json")):
            queries[row["idx"]] = row["doc"]
            judgments.append(Judgment(row["idx"], f"{row['retrieval_idx']}.py", 1, split))
    functions = {f"{key}.py": code for code, key in pool.items()}
    _write(out, functions, queries, judgments)
    _write_files(out / FILES, functions)


def prepare_scifact(texts: Path, judged: Path, out: Path) -> None:
    """Scientific claims and abstracts; the text is the title, then the sentences."""
    archive = zipfile.ZipFile(io.BytesIO(_file(texts, "data/scifact.zip")))
    rows = csv.DictReader(io.StringIO(archive.read("corpus_train.csv").decode()))
    documents = {row["doc_id"]: f"{row['title']}\n{_sentences(row['abstract'])}" for row in rows}
    lines = _file(judged, "scifact/queries.jsonl").decode().splitlines()
    queries = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    judgments = [
        *_judgments(_file(judged, "scifact/qrels/test.tsv"), "test"),
        *_judgments(_file(judged, "scifact/qrels/train.tsv"), "tune"),
    ]
    _write(out, documents, queries, judgments)


def prepare_locomo(git: Path, out: Path) -> None:
    """Questions and the turns of ten conversations, in one collection; odd ones are for tuning."""
    documents: dict[str, str] = {}
    queries: dict[str, str] = {}
    judgments: list[Judgment] = []
    for number, sample in enumerate(json.loads(_file(git, "data/locomo10.json"))):
        said = {f"{number}/{turn['dia_id']}": text for turn, text in _turns(sample["conversation"])}
        documents |= said
        for place, asked in enumerate(sample["qa"]):
            evidence = " ".join(asked.get("evidence", ())).replace(";", " ").split()
            answers = [key for turn in evidence if (key := f"{number}/{turn}") in said]
            if asked["category"] != _UNANSWERABLE and answers:
                query = f"{number}/{place}"
                queries[query] = asked["question"]
                split = "tune" if number % 2 else "test"
                judgments += [Judgment(query, key, 1, split) for key in dict.fromkeys(answers)]
    _write(out, documents, queries, judgments)


def _turns(conversation: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    for name, turns in conversation.items():
        if isinstance(turns, list):
            day = conversation[f"{name}_date_time"]
            for turn in turns:
                yield turn, f"{turn['speaker']}, {day}: {turn['text']}"


def prepare_history(git: Path, out: Path) -> None:
    """Commit messages and the files that the commits changed."""
    files = {path: text_of(git, path) for path in source_files(git)}
    pieces = {id: text for path, whole in files.items() for id, text in pieces_of(path, whole)}
    paths = {owner_of(id) for id in pieces}
    queries: dict[str, str] = {}
    judgments: list[Judgment] = []
    for commit in telling_commits(git, paths):
        queries[commit.id] = commit.message
        split = "tune" if int(commit.id, 16) % 2 else "test"
        judgments += [Judgment(commit.id, path, 1, split) for path in commit.paths]
    _write(out, pieces, queries, judgments)
    _write_files(out / FILES, files)


def _judgments(table: bytes, split: str) -> Iterator[Judgment]:
    """Rows are `query document gain`, with a constant column after the query in some files."""
    for line in table.decode().splitlines():
        cells = line.split()
        if cells and cells[0].isdigit():
            yield Judgment(cells[0], cells[-2], int(cells[-1]), split)


def _sentences(printed: str) -> str:
    """The abstract is a printed array of quoted sentences without commas between them."""
    return " ".join(ast.literal_eval(match.group()).strip() for match in _QUOTED.finditer(printed))


def _file(git: Path, path: str) -> bytes:
    command = ["git", "-C", str(git), "show", f"HEAD:{path}"]
    return subprocess.run(command, check=True, capture_output=True).stdout


def _write(
    out: Path, documents: dict[str, str], queries: dict[str, str], judgments: list[Judgment]
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    asked = {judgment.query for judgment in judgments}
    _lines(out / "documents.jsonl", ({"id": k, "text": v} for k, v in documents.items()))
    _lines(out / "queries.jsonl", ({"id": k, "text": v} for k, v in queries.items() if k in asked))
    _lines(
        out / "judgments.jsonl",
        (
            {"query": j.query, "document": j.document, "gain": j.gain, "split": j.split}
            for j in judgments
        ),
    )
    print(f"{out.name}: {len(documents)} documents, {len(asked)} queries, {len(judgments)} judged")


def _write_files(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def _lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    main()
