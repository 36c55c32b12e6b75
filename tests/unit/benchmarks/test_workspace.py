"""How the answers to questions about projects are scored."""

from __future__ import annotations

from pathlib import Path

from benchmarks.quality.workspace.grep import Grep, words_of
from benchmarks.quality.workspace.questions import OWN, TUNING, Question, load
from benchmarks.quality.workspace.run import Score, rank_of, score

QUESTION = Question(
    "shop", "Where is a refund retried?", frozenset({"a.md", "b.ts"}), held=False, later=False
)


def test_about_half_of_the_questions_are_held_back_and_every_right_file_of_ours_is_there() -> None:
    repositories, questions = load()
    first = [one for one in questions if not one.later]
    assert (len(first), sum(one.held for one in first)) == (40, 20)
    assert sum(one.held for one in questions) >= 45
    assert {one.project for one in questions} == repositories.keys()
    root = repositories[OWN].root(Path("nowhere"))
    missing = [
        file
        for one in questions
        if one.project == OWN
        for file in one.files
        if not (root / file).is_file()
    ]
    assert missing == []


def test_rules_are_chosen_on_projects_that_are_not_reported() -> None:
    reported, _ = load()
    others, questions = load(TUNING)
    assert not others.keys() & reported.keys()
    assert {one.project for one in questions} == others.keys()
    assert all(one.commit and one.sources for one in others.values())
    assert len({(one.project, one.text) for one in questions}) == len(questions) == 173
    assert all(one.files and not one.held for one in questions)


def test_a_rank_is_that_of_the_first_right_file_of_the_right_project() -> None:
    assert rank_of(QUESTION, ["shop:x", "other:a.md", "shop:b.ts", "shop:a.md"]) == 3
    assert rank_of(QUESTION, ["shop:x"]) == 0
    assert rank_of(QUESTION, [*["shop:x"] * 10, "shop:a.md"]) == 0


def test_shares_and_the_reciprocal_rank() -> None:
    answers = iter([["shop:a.md"], ["shop:x", "shop:a.md"], ["shop:x"], ["shop:x"] * 4])
    found = score(lambda _: next(answers), [QUESTION] * 4)
    assert found == Score(first=0.25, three=0.5, reciprocal=0.375)


def test_grep_ranks_by_how_many_words_and_by_how_rare_they_are() -> None:
    assert words_of("Where is the refund retried?") == ["refund", "retried"]
    grep = Grep({"many": "pay pay", "rare": "zirconium", "both": "pay zirconium", "none": "x"})
    assert grep.by_number("pay zirconium") == ["both", "many", "rare"]
    assert grep.by_rarity("pay zirconium")[0] == "both"
    assert grep.by_number("") == []
