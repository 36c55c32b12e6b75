"""Folders, pages, files and addresses come in, within the rules that they have anyway."""

from __future__ import annotations

from base64 import b64encode

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.contents import stored_text
from tests.surfaces.memory.home import CART, Home, references_in

ADD = "add"
PAGE = "# Lamp\n\nThe lamp is refilled at dusk, by whoever comes up the stairs first.\n"


@pytest.mark.requirement("memory.add.folder")
def test_a_folder_becomes_a_project_and_can_be_asked(home: Home) -> None:
    home.write("shop/src/cart.py", CART)
    told = home.alice.text(ADD, folder=str(home.folder / "shop"))
    assert told.startswith("Added project:shop: made; shop was read")
    assert "count_of" in home.open("file:shop/src/cart.py")
    assert "src/cart.py" in home.alice.text("trace", symbol="count_of")
    again = home.alice.text(ADD, folder=str(home.folder / "shop"))
    assert "there; shop is up to date" in again
    named = home.alice.text(ADD, folder=str(home.folder / "shop" / "src"), into="shop")
    assert named.startswith("Added project:shop: there")


@pytest.mark.requirement("memory.code.read-in-part")
def test_what_the_grammar_cannot_read_is_told(home: Home) -> None:
    home.write("shop/src/half.ts", "export const one = 1;\nexport function half( {\n" + "\n" * 8)
    reason = "read in part: syntax errors in 1 of 10 lines (10 %), from line 2 on"
    told = home.alice.text(ADD, folder=str(home.folder / "shop"))
    assert f"of 1 file not all is known: src/half.ts: {reason}" in told
    assert f"! {reason}" in home.open("file:shop/src/half.ts").splitlines()
    assert f"src/half.ts: {reason}" in home.open("project:shop")


@pytest.mark.requirement("memory.add.folder")
def test_files_without_text_are_told(home: Home) -> None:
    home.write("shop/src/cart.py", CART)
    home.write("shop/src/words.css", "word " * 12_000)
    told = home.alice.text(ADD, folder=str(home.folder / "shop"))
    assert "shop was read; 1 file was not read: src/words.css: It is not read: " in told


@pytest.mark.requirement("memory.add.folder")
def test_reading_a_folder_tells_its_progress(home: Home) -> None:
    home.write("shop/src/cart.py", CART)
    heard = home.alice.progress_of(ADD, folder=str(home.folder / "shop"))
    assert heard
    assert heard[-1][2] == "done"


KEY = "sk-live-a8Fj3kLq9ZxW2mNb7VcT5yRu1PoEiH6sDgKwQe4z"
TOLD = f"# Access\n\nThe api key we use is {KEY}.\n"


@pytest.mark.requirement("memory.add.secrets")
def test_a_secret_in_a_page_is_warned_of(home: Home, premises: Premises) -> None:
    told = home.alice.text(ADD, into="manuals", title="Access", text=TOLD)
    assert "! It holds what looks like a secret (key or token)" in told
    assert KEY not in told
    premises.embed()
    (reference,) = [one for one in references_in(told) if one.startswith("doc:")]
    assert KEY in home.open(reference)


@pytest.mark.requirement("memory.add.secrets")
def test_a_secret_in_a_page_is_removed_if_the_setting_says_so(open_premises: OpenPremises) -> None:
    premises = open_premises(mask_written=True)
    told = premises.caller().text(ADD, into="manuals", title=f"token: {KEY}", text=TOLD)
    assert "! What looks like a secret was removed (key or token)" in told
    assert KEY not in stored_text(premises.settings)


@pytest.mark.requirement("memory.add.documents")
def test_pages_and_files_are_read_and_opened(home: Home, premises: Premises) -> None:
    page = home.alice.text(ADD, into="manuals", title="Keeper's manual", text=PAGE)
    data = b64encode(PAGE.encode()).decode()
    file = home.alice.text(ADD, into="manuals", name="lamp.md", content=data)
    premises.embed()
    for told in (page, file):
        (reference,) = references_in(told)
        assert "refilled at dusk" in home.open(reference.rstrip(":"))
    assert home.alice.call("knowledge.list", workspaceId="manuals")["sources"][1:]


@pytest.mark.requirement("memory.add.once")
def test_what_is_added_again_is_kept_once(home: Home) -> None:
    data = b64encode(PAGE.encode()).decode()
    for given in (
        {"title": "Manual", "text": PAGE},
        {"name": "lamp.md", "content": data},
        {"url": "https://docs.example.com/lamp"},
    ):
        (first,) = references_in(home.alice.text(ADD, into="manuals", **given))
        again = home.alice.text(ADD, into="manuals", **given)
        assert again.startswith(f"Added {first} there; it was added before")
        elsewhere = home.alice.text(ADD, into="shop", **given)
        assert references_in(elsewhere) != [first]
    changed = home.alice.text(ADD, into="manuals", title="Manual", text=f"{PAGE}More.")
    assert "read in the background" in changed
    assert len(home.alice.call("knowledge.list", workspaceId="manuals")["sources"]) == 4


@pytest.mark.requirement("memory.add.policy")
def test_the_rules_of_sources_hold(home: Home, premises: Premises) -> None:
    error = home.alice.refusal(ADD, into="web", url="ftp://example.com/x")
    assert error["code"] == "validation.invalid_argument"
    told = home.alice.text(ADD, into="web", url="http://127.0.0.1:9/private")
    premises.embed()
    assert "! reading it failed" in home.open(references_in(told)[0].rstrip(":"))
    missing = home.alice.refusal(ADD, folder=str(home.folder / "nowhere"))
    assert missing["code"] == "source.locator_invalid"
    assert not home.application.workspace.projects(home.actor())
    secret = home.folder / ".ssh"
    secret.mkdir(parents=True)
    assert home.alice.refusal(ADD, folder=str(secret))["code"] == "source.sensitive"
    assert not home.application.workspace.projects(home.actor())


@pytest.mark.requirement("memory.add.arguments")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "one of folder"),
        ({"folder": "/a", "url": "http://a.example"}, "one of folder"),
        ({"text": "T", "into": "w"}, "title"),
        ({"content": "eA==", "into": "w"}, "name"),
        ({"content": "%", "name": "a.md", "into": "w"}, "base64"),
        ({"url": "http://a.example"}, "into"),
    ],
)
def test_what_is_missing_is_named(home: Home, given: dict[str, str], told: str) -> None:
    assert told in home.alice.refusal(ADD, **given)["message"]


@pytest.mark.requirement("memory.add.scope")
def test_adding_needs_the_scope_to_write(reader: Caller, home: Home) -> None:
    error = reader.refusal(ADD, into="w", title="T", text="x")
    assert error["code"] == "auth.insufficient_scope"
    assert not home.application.documents.in_reach(home.actor(), None)
