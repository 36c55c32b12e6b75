"""Arguments and names as models write them, and what is said where they lead nowhere."""

from __future__ import annotations

import pytest

from commonplace.workspace.projects.identity import NewProject
from tests.surfaces.clients import Caller
from tests.surfaces.memory.home import Home, references_in

PRICES = "Prices in the cart are cached for 30 seconds and dropped when a price changes."


def ask(home: Home, question: str, **given: object) -> str:
    return home.alice.text("recall", question=question, **given)


@pytest.mark.requirement("memory.arguments.as-models-write")
def test_arguments_are_taken_as_models_write_them(home: Home) -> None:
    home.alice.text("remember", text=PRICES, kind="decision", project="billing")
    home.premises.embed()
    unset = dict.fromkeys(("project", "path", "author", "since", "kinds", "tags"), "")
    told = ask(home, "how long are prices cached", budget="1500", history="true", **unset)
    assert PRICES in told
    for kinds in ("fact, decision", "fact, decision,", '["fact", "decision"]'):
        assert PRICES in ask(home, "how long are prices cached", kinds=kinds)
    stored = home.alice.text(
        "remember",
        text="The crane lifts nine tons.",
        kind="howto",
        tags="cranes, harbour",
        title="",
    )
    (reference,) = references_in(stored)
    assert "tags cranes, harbour" in home.open(reference)
    for written in (f"`{reference}`", f"[{reference}]", f'"{reference}"', f"{reference}."):
        assert home.open(written).startswith(reference)
    assert "The crane" in home.open(reference, lines=1)
    assert "forgotten" in home.alice.text("revise", reference=reference, action="Forget")
    assert home.alice.refusal("trace", symbol="lamp", ask="Entry Points")["message"] == (
        "No code is attached yet."
    )
    for given in ({"budget": "many"}, {"history": "perhaps"}, {"limit": "3.5"}):
        error = home.alice.refusal("recall", question="cranes", **given)
        assert next(iter(given)) in error["message"]


@pytest.mark.requirement("memory.arguments.as-models-write")
@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800"])
def test_a_list_as_text_cannot_smuggle_in_what_no_store_holds(home: Home, escape: str) -> None:
    given = {"text": PRICES, "tags": f'["cart{escape}"]'}
    error = home.alice.refusal("remember", **given)
    assert "Unicode" in error["message"] or "NUL" in error["message"]


@pytest.mark.requirement("memory.arguments.as-models-write")
def test_a_deep_list_as_text_is_one_name_that_is_too_long(home: Home) -> None:
    error = home.alice.refusal("recall", question="cranes", tags="[" * 100_000)
    assert error["message"].startswith("tags")


@pytest.mark.requirement("memory.projects.any-case")
def test_projects_are_named_in_any_case(home: Home, bob: Caller) -> None:
    home.project()
    bob.text("remember", text="Tabs are four spaces here.", kind="preference", project="Shop")
    assert home.open("project:SHOP").startswith("project:shop")
    told = home.alice.text("recent", since="1d", project="SHOP")
    assert "Tabs" in told
    assert "project:shop folder read" in told
    told = home.alice.text("recent", since="1d", project="nowhere")
    assert "(No project is called nowhere. There is shop.)" in told
    assert "Tabs" in home.application.memory.recent.brief(home.actor(), "shop", 500)


@pytest.mark.requirement("memory.projects.any-case")
def test_a_namesake_of_a_project_is_another(home: Home, bob: Caller) -> None:
    home.project()
    home.application.workspace.add_project(home.actor(), NewProject("till", name="shop"))
    bob.text("remember", text="Tills are closed at six.", kind="fact", project="till")
    bob.text("remember", text="Lamps hang over the door.", kind="fact", project="shop")
    for project, told, other in (("shop", "Lamps", "Tills"), ("till", "Tills", "Lamps")):
        brief = home.application.memory.recent.brief(home.actor(), project, 500)
        news = home.alice.text("recent", since="1d", project=project)
        for text in (brief, news):
            assert told in text
            assert other not in text


@pytest.mark.requirement("memory.revise.decision")
def test_a_review_that_does_not_exist_is_said_with_where_they_are_listed(home: Home) -> None:
    error = home.alice.refusal("revise", reference="review:rv-nothing", action="helped")
    assert error["message"].endswith("does not wait for review.")
    assert error["hint"] == "recent lists what waits for review."


@pytest.mark.requirement("memory.add.documents")
def test_bytes_are_taken_from_a_data_url(home: Home) -> None:
    encoded = "IyBNYW51YWwKClRoZSBjcmFuZSBsaWZ0cyBuaW5lIHRvbnMuCg=="
    told = home.alice.text(
        "add", content=f"data:text/markdown;base64,{encoded}", name="crane.md", into="manuals"
    )
    home.premises.embed()
    assert "nine tons" in home.open(references_in(told)[0])
