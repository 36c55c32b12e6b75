"""Questions and the passages that answer them, from the texts of tuning.toml.

Decides what is asked of which text, and that nothing is taken which shares a passage with a judged
set. Knows nothing of models.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tools.model.gather import Repository, plain, shares
from tools.model.projects import Asked, Question, project

RECIPE = Path(__file__).with_name("tuning.toml")
_LONGEST_TEXT, _LONGEST_ANSWER, _LONGEST_TURN = 1200, 700, 600
_LEAST_SECTION, _LEAST_ANSWER = 120, 60
_LEAST_QUESTIONS = 30
# Shorter turns of a meeting say nothing by themselves.
_TELLING_WORDS = 15
_ID = re.compile(r"<object-id.*?</object-id>", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_HEADING = re.compile(r"^#{1,4} +(.+)$", re.MULTILINE)
_TITLE = re.compile(r"^title: *(.+)$", re.MULTILINE)
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_MACRO = re.compile(r"\{\{\s*\w+\(\"?([^\")]*)\"?[^}]*\}\}")
_NO_QUESTION = {"specifications", "browser compatibility", "see also", "further reading"}
_ASKED = re.compile(r"<Question[^>]*>(.*?)</Question>\s*<Answer>(.*?)</Answer>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Questions of a kind to texts of one place; the texts that do not answer are near ones."""

    kind: str
    name: str
    documents: list[list[str]]
    questions: list[Question]


def lessons(clones: Path, judged: set[int]) -> Iterator[Lesson]:
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    copied = partial(shares, judged=judged)
    for each in recipe["source"]:
        kind, form = FORMS[each["form"]]
        asked = form(Repository(clones, each), each["most"])
        yield _held_against(judged, kind, each["repository"], asked)
        if form in (_abstracts, _articles, _summaries):
            yield _held_against(judged, kind, each["repository"], _statements(asked))
    for each in recipe["project"]:
        changes, comments = project(Repository(clones, each), copied)
        for kind, asked in (("changes", changes), ("comments", comments)):
            if len(asked.questions) > _LEAST_QUESTIONS:
                yield Lesson(kind, each["repository"], asked.documents, asked.questions)


def _held_against(judged: set[int], kind: str, name: str, asked: Asked) -> Lesson:
    """Without what shares a passage with a judged set."""
    documents = [[text for text in parts if not shares(text, judged)] for parts in asked.documents]
    questions = []
    for question, answers in asked.questions:
        left = [answer for answer in answers if documents[answer]]
        if left and not shares(question, judged):
            questions.append((question, left))
    return Lesson(kind, name, documents, questions)


def _one_to_one(pairs: Iterator[tuple[str, str]], most: int) -> Asked:
    documents, questions = list[list[str]](), list[Question]()
    for question, text in pairs:
        questions.append((question, [len(documents)]))
        documents.append([text])
        if len(documents) == most:
            break
    return Asked(documents, questions)


def _chance(repository: Repository) -> random.Random:
    return random.Random(repository.name)


def _abstracts(repository: Repository, most: int) -> Asked:
    return _one_to_one(_titled(repository, r"<paper\b.*?</paper>", "title"), most)


def _articles(repository: Repository, most: int) -> Asked:
    return _one_to_one(_titled(repository, r".+", "article-title"), most)


def _titled(repository: Repository, paper: str, named: str) -> Iterator[tuple[str, str]]:
    """The title of each paper and its abstract."""
    for volume in repository.files(_chance(repository)):
        for one in re.findall(paper, volume, re.DOTALL):
            title = re.search(rf"<{named}>(.*?)</{named}>", one, re.DOTALL)
            abstract = re.search(r"<abstract\b[^>]*>(.*?)</abstract>", one, re.DOTALL)
            if title and abstract:
                yield plain(title[1]), plain(_ID.sub("", abstract[1]))[:_LONGEST_TEXT]


def _summaries(repository: Repository, most: int) -> Asked:
    rows = (json.loads(line) for line in _lines(repository))
    pairs = ((row["target"][0], " ".join(row["source"])[:_LONGEST_TEXT]) for row in rows)
    return _one_to_one(pairs, most)


def _statements(asked: Asked) -> Asked:
    """The last sentence but one of each abstract asks for the rest of it."""

    def pairs() -> Iterator[tuple[str, str]]:
        for (abstract,) in asked.documents:
            sentences = _SENTENCE.split(abstract)
            if len(sentences) >= 4 and len(sentences[-2].split()) > 7:
                yield sentences[-2], " ".join([*sentences[:-2], sentences[-1]])

    return _one_to_one(pairs(), len(asked.documents))


def _answers(repository: Repository, most: int) -> Asked:
    def pairs() -> Iterator[tuple[str, str]]:
        for page in repository.files(_chance(repository)):
            for question, answer in _ASKED.findall(page):
                if len(answer) > _LEAST_ANSWER:
                    yield plain(question), plain(answer)[:_LONGEST_ANSWER]

    return _one_to_one(pairs(), most)


def _sections(repository: Repository, most: int) -> Asked:
    """Headings, with the page's title, ask for what is below them; `most` counts pages."""

    def pairs() -> Iterator[tuple[str, str]]:
        for _, page in zip(range(most), repository.files(_chance(repository)), strict=False):
            title = _TITLE.search(page[:600])
            named = title[1].strip("\"' ") if title else ""
            _, *parts = _HEADING.split(_FRONT.sub("", page))
            for heading, below in zip(parts[::2], parts[1::2], strict=True):
                text = _MACRO.sub(r"\1", below).strip()
                if len(text) > _LEAST_SECTION and heading.lower() not in _NO_QUESTION:
                    yield f"{heading} {named}".strip(), text[:_LONGEST_ANSWER]

    return _one_to_one(pairs(), -1)


def _episodes(repository: Repository, most: int) -> Asked:
    """Scenes of a series, and what is asked about who said what in them."""
    asked = Asked([], [])
    for file in _some(repository, most):
        for scene in (part for one in json.loads(file)["data"] for part in one["paragraphs"]):
            start = len(asked.documents)
            for turn in scene["utterances:"]:
                asked.documents.append([f"{', '.join(turn['speakers'])}: {turn['utterance']}"])
            for one in scene["qas"]:
                told = sorted({start + answer["utterance_id"] for answer in one["answers"]})
                _ask(asked, one["question"], told)
    return asked


def _chats(repository: Repository, most: int) -> Asked:
    asked = Asked([], [])
    for file in _some(repository, most):
        for chat in json.loads(file)["data"]["dialogues"]:
            start, turns = len(asked.documents), chat["edus"]
            asked.documents.extend([f"{turn['speaker']}: {turn['text']}"] for turn in turns)
            for one in chat["qas"]:
                answers = [answer["text"].lower() for answer in one.get("answers", [])]
                told = [
                    start + place
                    for place, turn in enumerate(turns)
                    if any(answer in turn["text"].lower() for answer in answers)
                ]
                _ask(asked, one["question"], told)
    return asked


def _meetings(repository: Repository, most: int) -> Asked:
    """What is asked about a meeting, and the turns that were found to tell it."""
    asked = Asked([], [])
    for meeting in (json.loads(line) for file in _some(repository, most) for line in _rows(file)):
        turns = [
            f"{turn['speaker']}: {turn['content']}"[:_LONGEST_TURN]
            for turn in meeting["meeting_transcripts"]
        ]
        told = {
            place: [
                at
                for first, last in one["relevant_text_span"]
                for at in range(int(first), min(int(last) + 1, len(turns)))
                if len(turns[at].split()) >= _TELLING_WORDS
            ]
            for place, one in enumerate(meeting["specific_query_list"])
        }
        kept = sorted({at for places in told.values() for at in places})
        places = {at: len(asked.documents) + place for place, at in enumerate(kept)}
        asked.documents.extend([turns[at]] for at in kept)
        for place, one in enumerate(meeting["specific_query_list"]):
            _ask(asked, one["query"], [places[at] for at in told[place]])
    return asked


def _ask(asked: Asked, question: str, answers: list[int]) -> None:
    if answers:
        asked.questions.append((question, answers))


def _some(repository: Repository, most: int) -> Iterator[str]:
    for _, file in zip(range(most), repository.files(_chance(repository)), strict=False):
        yield file


def _lines(repository: Repository) -> Iterator[str]:
    for file in repository.files(_chance(repository)):
        yield from _rows(file)


def _rows(file: str) -> list[str]:
    return [line for line in file.splitlines() if line.strip()]


Form = Callable[[Repository, int], Asked]
# The kind of question, which says how often it is asked, and how it is read.
FORMS: dict[str, tuple[str, Form]] = {
    "abstracts": ("science", _abstracts),
    "articles": ("science", _articles),
    "summaries": ("science", _summaries),
    "answers": ("answers", _answers),
    "sections": ("sections", _sections),
    "episodes": ("talk", _episodes),
    "chats": ("talk", _chats),
    "meetings": ("talk", _meetings),
}
