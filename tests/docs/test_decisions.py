"""The index of decisions lists each record once, by its title, and says which were replaced."""

from __future__ import annotations

import re

from tests.docs.pages import REPOSITORY

DECISIONS = REPOSITORY / "docs" / "decisions"
ROW = re.compile(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \|$", re.MULTILINE)
REPLACED = re.compile(r"^Status: replaced by \[(\d{4})\]", re.MULTILINE)
REPLACES = re.compile(r"^Status: accepted; replaces (.*)$", re.MULTILINE)


def topics() -> list[list[tuple[str, str, str]]]:
    """The rows of the index, by topic."""
    page = (DECISIONS / "README.md").read_text(encoding="utf-8")
    return [ROW.findall(section) for section in page.split("\n## ")[1:]]


def test_the_index_names_each_record_and_its_successor() -> None:
    expected = []
    for path in sorted(DECISIONS.glob("0*.md")):
        text = path.read_text(encoding="utf-8")
        number, title = text.splitlines()[0].removeprefix("# ").split(". ", 1)
        successor = REPLACED.search(text)
        note = f" (replaced by {successor[1]})" if successor else ""
        expected.append((number, path.name, title + note))
    assert sorted(row for topic in topics() for row in topic) == expected


def test_the_records_of_a_topic_are_in_order() -> None:
    assert [topic for topic in topics() if topic != sorted(topic)] == []


def test_a_replaced_record_says_so() -> None:
    texts = {path.name[:4]: path.read_text(encoding="utf-8") for path in DECISIONS.glob("0*.md")}
    successors = {old: REPLACED.search(text) for old, text in texts.items()}
    for number, text in texts.items():
        replaces = REPLACES.search(text)
        for old in re.findall(r"\[(\d{4})\]", replaces[1] if replaces else ""):
            successor = successors[old]
            assert successor is not None, f"{old} does not say that {number} replaced it"
            assert successor[1] == number
