"""How documents are cut, and what similarities mean: answers found among real Markdown sections.

python -m benchmarks passages [--questions 200]
"""

from __future__ import annotations

import argparse
import random
import re
import textwrap
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import numpy as np

from benchmarks.quality.datasets import data_folder
from benchmarks.report import Cell, Report, Table, now
from commonplace.documents.chunking import SHORT_TOKENS, pieces_of
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.reading.markdown import read_markdown
from commonplace.text.parts import parts_to_embed

# Lists of questions whose sections are the answers; see README.md for the commits.
DOCUMENTS = ("javascript-interview-questions", "reactjs-interview-questions")
OTHER_QUESTIONS = Path(__file__).parent / "workspace" / "questions.toml"
# Sections below so many tokens join the next one.
SHORTEST = (SHORT_TOKENS, 100, 250, 500)
BUDGETS = (500, 1000, 2000)
LEVELS = (0.3, 0.4, 0.5, 0.6)
NOTES = (
    "Every heading is a question, taken out of its document and asked.",
    "A chunk with a line of the section below the heading is an answer.",
    "The strange questions are those to other projects in workspace/questions.toml.",
)
DEPTH = 20
_SECTION = re.compile(r"(?m)^ *\d+\. +### +")
_TELLING = 40


@dataclass(frozen=True, slots=True)
class Question:
    """A heading that was taken out of its document, and lines of the section below it."""

    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    text: str
    tokens: int

    def answers(self, question: Question) -> bool:
        return any(line in self.text for line in question.lines)


class Cut:
    """The documents cut in one way, embedded as the product does, each chunk by its best part."""

    def __init__(self, embedder: BundledEmbedder, texts: Sequence[str], shortest: int) -> None:
        self._embedder = embedder
        self.chunks: list[Chunk] = []
        embedded = []
        for extract in map(read_markdown, texts):
            for piece in pieces_of(extract, embedder.count_tokens, shortest):
                text = extract.text[piece.start : piece.end]
                context = " > ".join(h for h in piece.headings if h not in text)
                parts = embedder.embed_passages(parts_to_embed(context, text))
                embedded.append([window for windows in parts for window in windows])
                self.chunks.append(Chunk(text, piece.tokens))
        self._owners = np.repeat(np.arange(len(embedded)), [len(some) for some in embedded])
        self._vectors = np.stack([vector for some in embedded for vector in some])

    def search(self, query: str) -> list[tuple[Chunk, float]]:
        """Nearest first, with the similarity."""
        best = np.full(len(self.chunks), -1.0)
        np.maximum.at(best, self._owners, self._vectors @ self._embedder.embed_query(query))
        nearest = np.argsort(-best)[:DEPTH]
        return [(self.chunks[n], self._embedder.similarity(float(best[n]))) for n in nearest]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks passages", description=__doc__)
    parser.add_argument("--questions", type=int, default=200, help="of each document")
    given = parser.parse_args(arguments)
    started = now()
    read = [_document(data_folder() / "src" / name / "README.md") for name in DOCUMENTS]
    texts = [text for text, _ in read]
    questions = [q for _, some in read for q in random.Random(1).sample(some, given.questions)]
    embedder = BundledEmbedder()
    cuts = {shortest: Cut(embedder, texts, shortest) for shortest in SHORTEST}
    tables = (_found(cuts, questions), _levels(cuts[SHORT_TOKENS], questions))
    Report("passages", tables, NOTES).save(started)


def _document(path: Path) -> tuple[str, list[Question]]:
    """The document with numbers for headings, and what its headings asked."""
    sections, questions = [f"# {path.parent.name}"], []
    for number, part in enumerate(_SECTION.split(path.read_text(encoding="utf-8"))[1:], start=1):
        heading, _, body = part.partition("\n")
        kept = (line for line in body.split("\n") if "Back to Top" not in line)
        answer = re.sub(r"(?m)^#+ ", "", textwrap.dedent("\n".join(kept)).strip())
        lines = tuple(line for line in answer.split("\n") if len(line) >= _TELLING)
        if lines:
            sections.append(f"## Topic {number}\n\n{answer}")
            questions.append(Question(re.sub(r"[*`\[\]]", "", heading).strip(), lines))
    return "\n\n".join(sections), questions


def _found(cuts: dict[int, Cut], questions: Sequence[Question]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for shortest, cut in cuts.items():
        tokens = [chunk.tokens for chunk in cut.chunks]
        answers = [[c.answers(q) for c, _ in found] for q, found in _asked(cut, questions)]
        spent = [_spent(found, q) for q, found in _asked(cut, questions)]
        rows.append(
            (
                f"sections below {shortest} tokens join",
                int(median(tokens)),
                fmean(500 <= count <= 1000 for count in tokens),
                fmean(right[0] for right in answers),
                fmean(any(right[:5]) for right in answers),
                *(fmean(cost <= budget for cost in spent) for budget in BUDGETS),
            )
        )
    columns = ("", "median tokens", "of 500 to 1,000", "answer first", "in first 5")
    within = tuple(f"within {budget} tokens" for budget in BUDGETS)
    return Table(f"Answers found, {len(questions)} questions", columns + within, tuple(rows))


def _asked(
    cut: Cut, questions: Sequence[Question]
) -> list[tuple[Question, list[tuple[Chunk, float]]]]:
    return [(question, cut.search(question.text)) for question in questions]


def _spent(found: Sequence[tuple[Chunk, float]], question: Question) -> float:
    """How many tokens one reads until the answer has been read."""
    read = 0
    for chunk, _ in found:
        read += chunk.tokens
        if chunk.answers(question):
            return read
    return float("inf")


def _levels(cut: Cut, questions: Sequence[Question]) -> Table:
    firsts = [(question, found[0]) for question, found in _asked(cut, questions)]
    right = [similarity for q, (chunk, similarity) in firsts if chunk.answers(q)]
    rows = tomllib.loads(OTHER_QUESTIONS.read_text(encoding="utf-8"))["question"]
    strange = [cut.search(row["text"])[0][1] for row in rows]
    shown: list[tuple[Cell, ...]] = [
        (label, *(fmean(s > level for s in similarities) for level in LEVELS))
        for label, similarities in (
            (f"right first hits ({len(right)})", right),
            (f"first hits of strange questions ({len(strange)})", strange),
        )
    ]
    columns = ("share with a similarity", *(f"above {level}" for level in LEVELS))
    return Table("What a similarity means, sections as they are", columns, tuple(shown))
