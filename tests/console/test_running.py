"""Skills, health, the audit and tokens in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx

from commonplace.model.actor import Scope
from commonplace.model.entry import EntryContent, EntryKind, Visibility
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader

Read = Callable[..., Reader]
SKILL = """\
---
name: trim-lamps
description: How lamps are trimmed, wicks first, before the evening watch begins.
---

# Trim lamps

{steps}
"""


def contribute(library: Library, steps: str) -> str:
    text = SKILL.format(steps=steps)
    made = library.application.registry.contribute_skill(PERSON, text, visibility=Visibility.ORG)
    return made.id


def test_a_skill_shows_its_versions_and_who_stands_behind_it(library: Library, read: Read) -> None:
    first = contribute(library, "1. Trim the wicks.\n2. Clean the glass.")
    second = contribute(library, "1. Trim the wicks.\n2. Polish the glass.\n3. Fill the oil.")
    reader = read()
    reader.goto("/skills")
    reader.follow("trim-lamps")
    margin = reader.page.get_by_label("About this skill or unit").inner_text()
    for told in ("Quality", "Reputation of tests", "No verdicts yet"):
        assert told in margin, told
    reader.follow("compare")
    reader.sees("What changed since")
    assert "2. Clean the glass." in reader.page.locator(".diff .removed code").all_inner_texts()
    assert reader.goto(f"/skills/{first}") == 200
    reader.sees("superseded")
    assert reader.goto(f"/skills/{second}?against=nonsense") == 400
    note = library.note("No skill", "At all.")
    assert reader.goto(f"/skills/{note.id}") == 404


@ONE_LIBRARY
def test_an_address_that_forms_send_to_says_that_it_shows_nothing(read: Read) -> None:
    reader = read()
    for path in ("/review/none", "/review/undo"):
        assert reader.goto(path) == 405
        reader.sees("There is no page here")


def test_many_units_are_shown_page_by_page(library: Library, read: Read) -> None:
    for number in range(51):
        content = EntryContent(f"Unit {number}", "Steps.", domain="lamps")
        library.application.knowledge.add(PERSON, EntryKind.UNIT, content)
    reader = read()
    reader.goto("/skills")
    assert reader.page.get_by_role("link", name="Unit 50", exact=True).count() == 1
    assert reader.page.get_by_role("link", name="Unit 0", exact=True).count() == 0
    reader.follow("Older units")
    reader.page.get_by_role("link", name="Unit 0", exact=True).wait_for()
    assert reader.page.locator("[data-row]").count() == 1
    reader.follow("Newest")
    reader.page.get_by_role("link", name="Unit 50", exact=True).wait_for()
    assert reader.goto("/skills?kind=note") == 400
    assert reader.goto("/skills?kind=unit&from=12-ab") == 400


def test_health_and_the_audit(library: Library, read: Read) -> None:
    note = library.note("Audited", "Text.", agent="auditor")
    library.settle()
    reader = read()
    reader.goto("/activity/health")
    text = reader.page.locator("main").inner_text()
    for told in ("Not embedded yet", "entries stored", "Storage", "Embedding lag", "Queue"):
        assert told in text, told
    reader.follow("Audit log")
    reader.sees("auditor through auditor-client")
    reader.follow("Audited")
    reader.page.get_by_role("heading", name="Audited").wait_for()
    assert reader.page.url.endswith(note.id)
    for number in range(31):
        library.note(f"Line {number}", "Text.")
    reader.goto("/activity/audit")
    reader.follow("Earlier changes")
    reader.sees("auditor-client")
    assert re.fullmatch(r"[0-9a-f]+", reader.page.url.partition("before=")[2]), "no bare number"
    assert reader.goto("/activity/audit?before=12") == 400


def test_tokens_are_made_replaced_and_revoked(library: Library, read: Read) -> None:
    access = library.application.access
    reader = read()
    reader.goto("/admin")
    form = reader.page.locator("form[action='/admin/tokens']")
    if not form.is_visible():
        reader.page.get_by_text("Create a token").click()
    form.get_by_label("Agent", exact=True).fill("<b>deckhand</b>")
    reader.press("Create token")
    shown = reader.page.locator(".secret")
    shown.wait_for()
    first = shown.inner_text()
    grant = access.authenticate(first)
    assert grant.agent == "<b>deckhand</b>"
    assert grant.scopes == {Scope.READ, Scope.WRITE}
    row = reader.page.locator("tr", has_text="deckhand").first
    row.get_by_role("button", name="Replace").click()
    reader.page.get_by_text("It is shown only once").wait_for()
    second = reader.page.locator(".secret").inner_text()
    assert second != first
    assert valid_tokens(library) == 1
    assert access.authenticate(second).agent == "<b>deckhand</b>"
    agents = reader.page.get_by_role("region", name="Agents")
    row = agents.locator("tr", has_text="deckhand")
    row.get_by_role("button", name="Revoke all tokens").click()
    reader.sees("Revoked.")
    assert valid_tokens(library) == 0
    reader.fill("New org", "fleet")
    reader.press("Create org")
    reader.sees("Org created.")
    assert "fleet" in access.orgs()
    erasing = reader.page.locator(".orgs li", has_text="fleet")
    erasing.get_by_text("Erase", exact=True).first.click()
    erasing.get_by_role("textbox").fill("fleece")
    erasing.get_by_role("button", name="Erase").click()
    reader.sees("Type fleet to erase it.")
    reader.goto("/admin")
    erasing.get_by_text("Erase", exact=True).first.click()
    erasing.get_by_role("textbox").fill("fleet")
    erasing.get_by_role("button", name="Erase").click()
    reader.sees("Org erased")
    assert "fleet" not in access.orgs()


def test_all_tokens_of_an_agent_are_revoked_in_the_own_org_unless_another_is_named(
    library: Library,
) -> None:
    headers = {"Authorization": f"Bearer {library.token(agent='harbourmaster')}"}
    library.token(agent="deckhand")

    def revoke(**form: str) -> httpx.Response:
        address = f"{library.origin}/admin/agents/revoke"
        return httpx.post(address, data=form, headers=headers, trust_env=False)

    assert revoke(agent="deckhand").status_code == 303
    assert valid_tokens(library) == 0
    for unknown in ({}, {"agent": "nobody"}, {"agent": "deckhand", "org": "nowhere"}):
        refused = revoke(**unknown)
        assert refused.status_code == 404, unknown
        assert "has tokens" in refused.text


def valid_tokens(library: Library) -> int:
    """How many of the agent are valid; other processes may believe a revoked one for seconds."""
    made = library.application.access.tokens(PERSON, ["local"])
    return sum(one.agent == "<b>deckhand</b>" and one.revoked_at is None for one in made)


@ONE_LIBRARY
def test_only_administrators_see_tokens_and_nobody_gives_what_they_lack(
    library: Library, read: Read
) -> None:
    reader = read(signed_in=False)
    reader.goto("/login")
    reader.fill("Token", library.token(frozenset({Scope.READ, Scope.WRITE})))
    reader.press("Sign in")
    reader.is_in()
    assert reader.page.get_by_role("link", name="Tokens").count() == 0
    assert reader.goto("/admin") == 403
    few = read(signed_in=False)
    few.goto("/login")
    few.fill("Token", library.token(frozenset({Scope.READ, Scope.ADMIN})))
    few.press("Sign in")
    few.is_in()
    few.goto("/admin")
    few.page.get_by_text("Create a token").click()
    few.page.locator("input[name=agent]").first.fill("greedy")
    few.press("Create token")
    few.sees("You do not have knowledge:write yourself.")
