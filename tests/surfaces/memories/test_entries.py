"""Files are entries: found by recall, with a history, restored, each agent's own."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memories.conftest import SURFACES
from tests.surfaces.memories.drawer import ROOT, Drawer
from tests.surfaces.memory.home import references_in
from tests.surfaces.nearness import embedded_at

FILE = "/memories/shop/prices.md"
SECRET = "ghp_" + "b7Kq9ZtX4mWc2LrV8nYd5HsJ3fPg6TaUeQ1C"


def recalled(drawer: Drawer, question: str) -> str:
    return drawer.caller.text("recall", question=question)


@pytest.mark.requirement("memories.files.entries")
def test_recall_finds_what_a_file_says_now(open_premises: OpenPremises) -> None:
    """By the bundled model: a file is embedded when it is written."""
    drawer = Drawer(open_premises(surfaces=SURFACES).caller())
    drawer.file(FILE, "The lighthouse keeper prefers paraffin.\n")
    found = recalled(drawer, "which fuel does the lighthouse keeper prefer")
    assert FILE in found
    assert "paraffin" in found
    drawer("str_replace", path=FILE, old_str="paraffin", new_str="rapeseed oil")
    assert "rapeseed" in recalled(drawer, "lighthouse keeper fuel")
    assert "paraffin" not in recalled(drawer, "lighthouse keeper fuel")
    drawer("rename", old_path=FILE, new_path="/memories/fuel.md")
    assert "/memories/fuel.md" in recalled(drawer, "lighthouse keeper fuel")
    drawer("delete", path="/memories/fuel.md")
    assert "/memories/fuel.md" not in recalled(drawer, "lighthouse keeper fuel")


@pytest.mark.requirement("memories.files.entries")
def test_every_command_can_be_taken_back(drawer: Drawer) -> None:
    drawer.file(FILE, "first words about the harbour\n")
    reference = references_in(recalled(drawer, "harbour words"))[0]
    drawer("str_replace", path=FILE, old_str="first", new_str="second")
    drawer("rename", old_path=FILE, new_path="/memories/moved.md")
    shown = drawer.caller.text("open", reference=reference, history=True)
    assert "1 insert" in shown or "1 create" in shown, shown
    assert "3 edit" in shown

    def restore() -> None:
        drawer.caller.text("revise", reference=reference, action="restore")

    drawer("delete", path="/memories/moved.md")
    assert drawer.listed() == [ROOT]
    restore()
    assert drawer.lines("/memories/moved.md") == ["second words about the harbour", ""]
    drawer.caller.text("revise", reference=reference, action="restore", revision=1)
    assert drawer.listed() == [ROOT, "/memories/shop/", FILE]
    assert drawer.lines(FILE) == ["first words about the harbour", ""]


@pytest.mark.requirement("memories.files.own")
def test_every_agent_has_its_own(drawer: Drawer, premises: Premises) -> None:
    drawer.file(FILE, "Gulls nest on the northern pier.\n")
    bob, eve = Drawer(premises.caller("bob")), Drawer(premises.caller("eve", "umbrella"))
    for other in (bob, eve):
        assert other.listed() == [ROOT]
        assert "does not exist" in other.refusal("view", path=FILE)
        assert "does not exist" in other.refusal("delete", path=FILE)
        other.file(FILE, "mine\n")
    assert drawer.lines(FILE) == ["Gulls nest on the northern pier.", ""]
    assert "northern pier" in recalled(bob, "where do gulls nest")
    assert "northern pier" not in recalled(eve, "where do gulls nest")


@pytest.mark.requirement("memories.files.secrets")
def test_secrets_are_removed_or_refused(
    drawer: Drawer, open_premises: OpenPremises, endpoint: str
) -> None:
    told = drawer("create", path=FILE, file_text=f"token: {SECRET}\n")
    assert told.startswith(f"File created successfully at: {FILE}\nWhat looks like a secret")
    assert SECRET not in "".join(drawer.lines(FILE))
    told = drawer("insert", path=FILE, insert_line=0, insert_text=f"also {SECRET}")
    assert "removed" in told
    strict = open_premises(surfaces=SURFACES, secrets="refuse", **embedded_at(endpoint))
    careful = Drawer(strict.caller("careful"))
    told = careful.refusal("create", path=FILE, file_text=f"token: {SECRET}\n")
    assert "looks like a secret" in told
    assert SECRET not in told
    assert careful.listed() == [ROOT]


@pytest.mark.requirement("memories.surface.scopes")
def test_reading_and_writing_need_their_scopes(premises: Premises) -> None:
    reader = Drawer(premises.caller("rita", scopes="knowledge:read"))
    assert reader.listed() == [ROOT]
    for command, given in (
        ("create", {"path": FILE, "file_text": "x"}),
        ("str_replace", {"path": FILE, "old_str": "x", "new_str": "y"}),
        ("insert", {"path": FILE, "insert_line": 0, "insert_text": "x"}),
        ("delete", {"path": FILE}),
        ("rename", {"old_path": FILE, "new_path": "/memories/x"}),
    ):
        assert "knowledge:write" in reader.refusal(command, **given)
    writer = Drawer(premises.caller("will", scopes="knowledge:write"))
    assert "knowledge:read" in writer.refusal("view", path=ROOT)
