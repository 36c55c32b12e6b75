"""Whatever reads foreign text or bytes: its cost grows no faster than what it reads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from commonplace.analysis.confidence import assess
from commonplace.capture.likeness import fingerprint
from commonplace.capture.moments import candidates, file_context_of, project_of
from commonplace.capture.secrets import mask_secrets
from commonplace.codegraph.answering.question import read_question
from commonplace.codegraph.resolution.layout import layout_of
from commonplace.codegraph.scip.protobuf import fields
from commonplace.errors import CommonplaceError
from commonplace.operations.transfer.basic_memory import read_note
from commonplace.reading.globs import globs_of
from commonplace.reading.html import read_html
from commonplace.reading.markdown import read_markdown
from commonplace.reading.plain import read_plain
from commonplace.reading.tracked import index_in
from commonplace.registry.skill import parse_skill
from commonplace.safety.examine import ExaminedText, findings
from commonplace.text.analyse import analyse, exact_words
from commonplace.text.count import estimate_tokens
from commonplace.text.markdown import without_code
from commonplace.text.snippet import snippet
from commonplace.text.split import split_passages
from commonplace.workspace.indexing.cutting import parts_of
from commonplace.workspace.indexing.drafts import prose_drafts
from commonplace.workspace.indexing.opening import opening_of
from tests.growth.cost import looks

Reader = Callable[[str], object]
LENGTH = 4_000
GROWN = 4
LINEAR = GROWN * 2.5  # a quadratic cost would grow by GROWN squared
CHEAP = 300  # looks at a character; nothing below is worth a second look

READERS: dict[str, Reader] = {
    "secrets": mask_secrets,
    "assess": assess,
    "candidates": candidates,
    "project": project_of,
    "file": file_context_of,
    "fingerprint": fingerprint,
    "question": read_question,
    "analyse": analyse,
    "words": exact_words,
    "tokens": estimate_tokens,
    "passages": lambda text: split_passages(text, max_tokens=300),
    "snippet": lambda text: snippet(text, "needle in the hay"),
    "safety": lambda text: findings([ExaminedText(("body",), text)]),
    "without code": without_code,
    "skill": lambda text: parse_skill(f"---\nname: a\ndescription: {text}\n---\n{text}"),
    "front matter": lambda text: parse_skill(f"---\n{text}\n---\nbody"),
    "memory note": lambda text: read_note("a.md", text),
    "manifest": lambda text: layout_of({"package.json": text, "tsconfig.json": "{" + text}),
    "html": read_html,
    "markdown": read_markdown,
    "plain": lambda text: prose_drafts(read_plain(text), "a.txt"),
    # Parsing code is dear where nothing closes; it is done apart, and ended when it takes long.
    "lines": parts_of,
    "opening": lambda text: opening_of(text, "typescript"),
    "protobuf": lambda text: list(fields(text.encode("utf-8", "replace"))),
    "git index": lambda text: index_in(b"DIRC\0\0\0\4\0\0\xff\xff" + text.encode()),
    "ignore file": lambda text: globs_of(text.encode("utf-8", "replace")),
}
PARTS = [
    "a", "1", "!", ".", "…", " ", "\n", "'", "_", "\\", "é", "\u0301", "中", "(", "[", "{", '"',
    "`", "<", "*", "#", "/*", "//\n", "<!--", "[a](", "](", "**", "- ", "- - ", "> ", "a: ",
    "- a\n",
    "&a=", "e.g. ", "the ", "<p>", "<b>", "<ul><li>", "</", "```\n", "~~~\n", "|a|b|\n", "a=b; ",
    "\x80",
    "sessa=b; cookie: auth-", "token secret: ", "-pwd", "passwort ", "in ", "file : ", "\\u0041",
    "if a:\n", "def a():\n", "f(", "=>", "\t", "\0", "\n \n", "x" * 250 + " ", "*a" * 20 + "\n",
]  # fmt: skip


def text_of(part: str, length: int) -> str:
    return part * (length // len(part)) + "x"


def cost(reader: Reader, part: str, length: int, times: int = 1) -> float:
    text = text_of(part, length)

    def read() -> None:
        with suppress(CommonplaceError, ValueError):
            reader(text)

    return looks(read, len(text), times)


def check(reader: Reader, part: str, length: int = LENGTH) -> str:
    """What is wrong with the cost, if so."""
    said = ""
    for _ in range(3):  # a machine that is busy with other things may be slow once
        long = cost(reader, part, GROWN * length)
        if long < CHEAP:
            return ""
        grown = GROWN * long / cost(reader, part, length, times=2)
        if grown < LINEAR:
            return ""
        said = f"{part!r}: {long:.0f} looks at a character, {grown:.1f} times as dear"
    return said


@pytest.mark.parametrize("name", READERS)
def test_reading_costs_no_more_than_the_length(name: str) -> None:
    with suppress(CommonplaceError, ValueError):
        READERS[name]("what is remembered is read before anything is measured")
    assert [said for part in PARTS if (said := check(READERS[name], part))] == []


@pytest.mark.soak
@pytest.mark.parametrize("name", READERS)
def test_reading_costs_no_more_than_a_greater_length(name: str) -> None:
    assert [said for part in PARTS if (said := check(READERS[name], part, 20_000))] == []


def test_the_text_that_froze_a_server() -> None:
    """44 seconds a megabyte, while nobody else was answered; now it costs as any other."""
    attack = ("sessa=b; cookie: auth-" * 50_000)[:100_000]
    mask_secrets("cookie: what is remembered is read before anything is measured")
    assert looks(lambda: mask_secrets(attack), len(attack)) < 500
