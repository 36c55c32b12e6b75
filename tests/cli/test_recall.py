"""`commonplace recall` and `commonplace open`: questions to everything, and reading references."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import run_here
from tests.cli.test_folders import folder

PURGE = "The storefront purges its CDN keys whenever a price changes."


def test_one_question_finds_notes_and_files(place: dict[str, str], tmp_path: Path) -> None:
    root = folder(tmp_path / "shop")
    run_here(place, "project", "add", "shop")
    run_here(place, "push", str(root), "--project", "shop")
    run_here(place, "ingest", "--project", "shop")
    run_here(place, "add", "Price cache", PURGE, "--tag", "caching")

    note = run_here(place, "recall", "when are CDN keys purged", "--json").document
    first = note["hits"][0]
    assert note["verdict"] == "answers"
    assert (first["kind"], first["title"], first["tags"]) == ("note", "Price cache", ["caching"])
    assert first["excerpt"] == PURGE
    assert 0.5 < first["probability"] <= 1

    file = run_here(place, "recall", "wolfram", "--project", "shop", "--json").document["hits"][0]
    assert (file["kind"], file["title"]) == ("docs", "Refunds")

    shown = run_here(place, "open", first["reference"]).stdout
    assert shown.startswith(f"{first['reference']} · ")
    assert PURGE in shown
    opened = run_here(place, "open", file["reference"], "--json").document
    assert opened["title"] == "docs/page.md"
    assert "wolfram" in opened["text"].lower()


def test_an_answer_is_what_agents_get(home: dict[str, str]) -> None:
    run_here(home, "add", "Price cache", PURGE)
    answer = run_here(home, "recall", "when are CDN keys purged").stdout
    verdict, first, *_ = answer.split("\n\n")
    assert verdict.startswith("These answer (p ")
    about, excerpt = first.strip().split("\n")
    assert about.startswith("note:")
    assert excerpt == PURGE
    foreign = run_here(home, "recall", "how do penguins raise their chicks", "--json").document
    assert (foreign["verdict"], foreign["hits"]) == ("nothing relevant", [])
    assert foreign["nearest"] is None


def test_an_empty_home_names_the_commands_that_fill_it(home: dict[str, str]) -> None:
    asked = run_here(home, "recall", "what do we know").stdout
    assert asked.startswith("Nothing is kept here yet: `commonplace add` keeps a note")
    listed = run_here(home, "list").stdout
    assert listed == "No entries yet: `commonplace add` keeps a note.\n"
    assert run_here(home, "list", "--tag", "other").stdout == "0 of 0\n"


def test_what_is_nearest_is_named_where_nothing_is_relevant(home: dict[str, str]) -> None:
    note = run_here(home, "add", "Price cache", PURGE, "--json").document["id"]
    question = "how do we keep shoppers from seeing outdated amounts"
    found = run_here(home, "recall", question, "--json").document
    assert (found["verdict"], found["hits"]) == ("nothing relevant", [])
    assert run_here(home, "open", found["nearest"]).stdout.endswith(f"{PURGE}\n")
    assert found["nearest"] == f"note:{note.replace('-', '')[:10]}"


def test_narrowing_leaves_out_the_rest(home: dict[str, str]) -> None:
    run_here(home, "add", "Price cache", PURGE, "--tag", "caching")
    question = ("recall", "when are CDN keys purged", "--json")
    for narrowing in (("--tag", "other"), ("--kind", "skill"), ("--until", "2d")):
        assert run_here(home, *question, *narrowing).document["hits"] == [], narrowing
    for narrowing in (("--tag", "caching"), ("--kind", "note"), ("--since", "2d")):
        assert len(run_here(home, *question, *narrowing).document["hits"]) == 1, narrowing


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("recall", "x", "--since", "yesterday"), "must be a time such as 2030-01-31 or a span"),
        (("recall", "x", "--budget", "5"), "100<=x<=50000"),
        (("recall", " "), "must not be empty"),
        (("open", "note:0000"), "There is nothing named note:0000"),
        (("open", "nonsense"), "commit:PROJECT/HASH. [validation.invalid_argument]"),
    ],
)
def test_what_cannot_be_asked_is_said(
    home: dict[str, str], arguments: tuple[str, ...], said: str
) -> None:
    outcome = run_here(home, *arguments)
    assert outcome.code != 0
    assert said in outcome.stderr
