"""Questions as agents word them: with a time, an author, a project, or a whole task around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memory.home import Home, references_in

DATABASE = "PostgreSQL 16 with pgvector is what production runs on."
PRICES = "Prices in the cart are cached for 30 seconds and dropped when a price changes."
STUB = "The payment stub of the checkout tests is not up yet when they begin: wait for its port."
TASK = (
    "You are a senior engineer. I have looked at the ticket and at the code around it. "
    "The user wants a small diff and no new dependency. How long are prices in the cart cached? "
    "Please write a plan first and keep every step short. Use conventional commits. "
    "I ran the linter and the unit tests, and both were fine."
)


@pytest.fixture
def team(open_premises: OpenPremises, tmp_path: Path) -> Home:
    """With the bundled model, as it decides what is related."""
    home = Home(open_premises(roots="/"), tmp_path / "work")
    home.alice.text("remember", text=DATABASE, kind="decision", project="shop")
    bob = home.premises.caller("bob")
    bob.text("remember", text=PRICES, kind="decision", project="billing")
    bob.text("remember", text=STUB, kind="gotcha", project="shop")
    home.premises.embed()
    return home


def ask(home: Home, question: str, **given: object) -> str:
    return home.alice.text("recall", question=question, **given)


@pytest.mark.requirement("memory.recall.wording")
def test_words_that_say_where_to_look_are_no_part_of_the_subject(team: Home) -> None:
    for question, said, asked in (
        ("what did we decide about pgvector", DATABASE, '"pgvector" within kinds decision'),
        ("any gotchas with checkout?", STUB, '"checkout" within kinds gotcha'),
        ("what did bob learn about prices", PRICES, '"prices" within author bob'),
        ("in the shop project, what does production run on?", DATABASE, "within project shop"),
    ):
        told = ask(team, question)
        assert told.startswith("These answer"), question
        assert len(references_in(told)) >= 1, question
        assert said in told
        assert f"(asked as {asked}" in told or f"{asked})" in told


@pytest.mark.requirement("memory.recall.wording")
def test_a_list_is_restricted_by_what_the_question_says(team: Home) -> None:
    for question, said in (
        ("what did alice decide?", [DATABASE]),
        ("notes by bob", [STUB, PRICES]),
        ("list all decisions of billing", [PRICES]),
        ("tell me everything about the shop project", [STUB, DATABASE]),
        ("what did we decide last week?", [PRICES, DATABASE]),
        ("what is new?", [STUB, PRICES, DATABASE]),
        ("what do you know?", [STUB, PRICES, DATABASE]),
    ):
        told = ask(team, question)
        count = "1 entry:" if len(said) == 1 else f"{len(said)} entries, newest first:"
        assert told.startswith(count), question
        assert [line for line in told.splitlines() if line in said] == said, question


@pytest.mark.requirement("memory.recall.wording")
def test_a_list_that_is_empty_says_what_was_read_into_the_question(team: Home) -> None:
    told = ask(team, "what did carol decide?")
    assert told.startswith("Nothing of that kind is kept here.")
    assert "looked only at kinds decision, author carol" in told


@pytest.mark.requirement("memory.recall.wording")
def test_a_restriction_that_leads_nowhere_is_dropped(team: Home) -> None:
    told = ask(team, "how long are prices in the cart project cached?")
    assert PRICES in told
    assert "asked as" not in told


@pytest.mark.requirement("memory.recall.wording")
def test_a_restriction_that_leads_only_to_related_entries_is_dropped(team: Home) -> None:
    shown = "Prices in the cart are shown with two decimals."
    team.alice.text("remember", text=shown, kind="gotcha", project="shop")
    team.premises.embed()
    within = ask(team, "how long are prices cached", project="shop")
    assert within.startswith("Related only")
    assert PRICES not in within
    told = ask(team, "how long are prices cached in the shop project?")
    assert told.startswith("These answer")
    assert told.index(PRICES) < told.index(shown)


@pytest.mark.requirement("memory.recall.long")
def test_a_question_with_a_whole_task_around_it_is_answered(team: Home) -> None:
    told = ask(team, TASK)
    assert told.startswith("These answer")
    assert PRICES in told
    assert '(asked as "How long are prices in the cart cached?")' in told
    assert ask(team, TASK.replace("prices in the cart", "cakes in the oven")).startswith("Nothing")


@pytest.mark.requirement("memory.recall.long")
def test_several_questions_are_all_answered(team: Home) -> None:
    told = ask(team, "How long are prices in the cart cached? What does production run on?")
    assert told.startswith("These answer")
    assert PRICES in told
    assert DATABASE in told
    assert '(asked as "What does production run on?")' in told
    told = ask(team, "How long are prices in the cart cached? When does the cake leave the oven?")
    assert PRICES in told
    assert "oven" not in told
    told = ask(team, "How long are prices cached? What does production run on?", least=1)
    assert "none of which may be shown" in told
    told = ask(team, "When does the cake leave the oven? Who knows how to bake bread?")
    assert told.startswith("Nothing")


@pytest.mark.requirement("memory.recall.long")
def test_what_answers_another_of_several_questions_is_not_left_out(team: Home) -> None:
    told = ask(
        team,
        "How long are prices in the cart cached? What does production run on? "
        "Which tests wait for the port of the payment stub?",
    )
    assert len({*references_in(told)}) == 3
    assert "left out" not in told


@pytest.mark.requirement("memory.recall.long")
def test_each_sentence_of_a_task_that_is_answered_has_its_answer(team: Home) -> None:
    told = ask(team, f"{TASK} What does production run on? When does the cake leave the oven?")
    assert told.startswith("These answer")
    assert PRICES in told
    assert DATABASE in told
    assert '(asked as "How long are prices in the cart cached?")' in told
    assert '(asked as "What does production run on?")' in told
    assert "oven" not in told
    assert len(references_in(told)) == len({*references_in(told)})
    first = ask(team, f"{TASK} What does production run on?", limit=1)
    assert len(references_in(first)) == 1


@pytest.mark.requirement("memory.recall.list")
def test_what_one_asks_first_lists_what_is_new(home: Home) -> None:
    home.alice.text("remember", text="Tests need TZ=UTC.", kind="gotcha", project="shop")
    home.alice.text("remember", text="Do we drop Python 3.10?", kind="question", project="shop")
    for question in (
        "where did we leave off?",
        "catch me up",
        "what do I need to know before I start?",
        "what is left to do in the shop project?",
        "what did we work on last week?",
        "what was I doing yesterday?",
        "the last 2 notes",
    ):
        assert ask(home, question).startswith("2 entries, newest first:\n"), question
    for question, known in (("any todos?", "Python"), ("what should I watch out for?", "UTC")):
        told = ask(home, question)
        assert told.startswith("1 entry:\n"), question
        assert known in told
    for question in ("1234", "who left?", "does the lamp work on Mondays?"):
        assert "entries" not in ask(home, question, project="shop"), question
