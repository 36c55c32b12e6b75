"""References as resources, how they are completed, and the prompts for people."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from mcp import MCPError

from commonplace.model.entry import EntryKind
from commonplace.model.references import of_document, of_entry
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.memory.home import Home

TEMPLATE = "commonplace://open/{id}"


def uri(reference: str) -> str:
    return TEMPLATE.replace("{id}", quote(reference, safe=""))


@pytest.mark.requirement("memory.resources.read")
def test_every_reference_is_a_resource(home: Home, eve: Caller) -> None:
    home.project()
    note = str(of_entry(EntryKind.NOTE, home.note()))
    document = str(of_document(home.page("Manual", "# Lamp\n\nRefill it at dusk.\n")))
    assert TEMPLATE in home.alice.templates()
    for reference in (note, document, "file:shop/src/cart.py#L13-14", "project:shop"):
        shown = home.alice.read_text(uri(reference), "text/markdown")
        assert shown == home.open(reference, budget=20_000)
        assert eve.read_refusal(uri(reference)).data["code"].endswith("not_found")
    for strange in ("nonsense", "note:0123456789"):
        assert home.alice.read_refusal(uri(strange)).data["code"] == "knowledge.not_found"


@pytest.mark.requirement("memory.resources.completion")
def test_references_are_completed_from_what_the_caller_may_see(
    home: Home, premises: Premises, eve: Caller
) -> None:
    home.project()
    note = str(of_entry(EntryKind.NOTE, home.note()))
    document = str(of_document(home.page("Manual", "# Lamp\n\nRefill it at dusk.\n")))
    complete = home.alice.completions
    assert "note:" in complete(TEMPLATE, "")
    assert complete(TEMPLATE, "no") == ["note:", "notebook:"]
    assert complete(TEMPLATE, "note:") == [note]
    assert complete(TEMPLATE, note[:-3]) == [note]
    assert complete(TEMPLATE, f"{note[:-3]}%00") == []
    assert complete(TEMPLATE, "doc:") == [document]
    assert complete(TEMPLATE, "file:sh") == ["file:shop/"]
    assert complete(TEMPLATE, "project:") == ["project:shop"]
    assert complete(TEMPLATE, "file:shop/src") == ["file:shop/src/cart.py"]
    cart = "symbol:shop/src/cart.py"
    assert complete(TEMPLATE, "symbol:shop/src") == [cart]
    assert complete(TEMPLATE, f"{cart}#C") == [f"{cart}#Cart", f"{cart}#Cart.add"]
    assert complete(TEMPLATE, "symbol:shop/src/none.py#C") == []
    assert complete(TEMPLATE, "thing:") == []
    assert complete("commonplace://knowledge/{id}", "x") == []
    for written in ("note:", note[:-3], "doc:", "file:sh", "file:shop/", f"{cart}#C"):
        assert eve.completions(TEMPLATE, written) == []
    writer = premises.caller("writer", scopes="knowledge:write")
    with pytest.raises(MCPError):
        writer.completions(TEMPLATE, "note:")


@pytest.mark.requirement("memory.prompts.completion")
def test_the_project_of_a_prompt_is_completed(home: Home, premises: Premises) -> None:
    home.project("shop")
    home.project("ship")
    complete = home.alice.prompt_completions
    assert complete("handover", "project", "Sh") == ["ship", "shop"]
    assert complete("handover", "project", "sho") == ["shop"]
    home.project("Mill")
    assert complete("handover", "project", "mi") == ["Mill"] == complete("handover", "project", "M")
    for prompt, name in (("handover", "other"), ("recall", "question"), ("nothing", "project")):
        assert complete(prompt, name, "s") == []
    writer = premises.caller("writer", scopes="knowledge:write")
    with pytest.raises(MCPError):
        writer.prompt_completions("handover", "project", "s")


@pytest.mark.requirement("memory.prompts.offered")
def test_people_have_three_prompts(home: Home) -> None:
    offered = home.alice.prompts()
    assert offered.keys() == {"recall", "remember", "handover"}
    assert all(prompt.description and prompt.title for prompt in offered.values())
    assert "how are ids made" in home.alice.prompt("recall", question="how are ids made")
    assert "Use version 7." in home.alice.prompt("remember", text="Use version 7.")
    assert "in the project shop" in home.alice.prompt("handover", project="shop")
    assert "open question" in home.alice.prompt("handover")
    for name, given in (("recall", {}), ("nothing", {}), ("handover", {"other": "x"})):
        with pytest.raises(MCPError):
            home.alice.prompt(name, **given)
