"""Forms that are refused: the page says why, and shows again what was typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.model.quota import KNOWLEDGE_STORED
from tests.console.library import PERSON, Library, Reader

Read = Callable[..., Reader]


def typed(reader: Reader, **expected: str) -> None:
    """Check the fields of the form in which `title` or another named field stands."""
    for name, value in expected.items():
        field = reader.page.locator(f"main [name={name}]:visible")
        assert field.first.input_value() == value, name


def test_every_field_of_a_note_is_kept(library: Library, read: Read) -> None:
    reader = read()
    reader.goto("/knowledge/new")
    fields = {
        "title": "Anchors",
        "body": "Weigh them\nat dawn.",
        "tags": "iron, Rope",
        "project": "harbour",
        "confidence": "35",
        "expires_at": "2001-02-03",
    }
    for name, value in fields.items():
        reader.page.locator(f"[name={name}]").fill(value)
    reader.page.locator("[name=visibility]").select_option("private")
    reader.press("Save")
    reader.page.get_by_role("alert").wait_for()
    typed(reader, **fields, visibility="private")
    reader.page.locator("[name=expires_at]").fill("")
    reader.press("Save")
    reader.sees("Added.")


def test_a_text_above_the_quota_is_kept(library: Library, read: Read) -> None:
    library.application.quotas.override(PERSON, KNOWLEDGE_STORED, 0)
    reader = read()
    try:
        reader.goto("/knowledge/new")
        reader.fill("Title", "Ballast")
        reader.fill("Text, in Markdown", "Stones.")
        reader.press("Save")
        assert "quota" in reader.page.get_by_role("alert").inner_text()
        typed(reader, title="Ballast", body="Stones.")
    finally:
        library.application.quotas.withdraw(PERSON, KNOWLEDGE_STORED)
    reader.press("Save")
    reader.sees("Added.")


def test_what_was_to_be_added_as_a_source_is_kept(
    library: Library, read: Read, tmp_path: Path
) -> None:
    reader = read()
    reader.goto("/sources")
    reader.page.get_by_text("Write a page").click()
    reader.page.locator("[name=title]").fill("t" * 3000)
    reader.page.locator("[name=text]").fill("Two bells.\nFour bells.")
    reader.press("Save page")
    reader.page.get_by_role("alert").wait_for()
    typed(reader, title="t" * 3000, text="Two bells.\nFour bells.")
    reader.page.get_by_text("Add a web address").click()
    reader.page.locator("[name=url]").fill("ftp://example.org/log")
    reader.press("Add address")
    reader.page.get_by_role("alert").wait_for()
    typed(reader, url="ftp://example.org/log")
    reader.page.get_by_text("Add a folder as a project").click()
    reader.page.locator("[name=folder]").fill(str(tmp_path / "nowhere"))
    reader.page.locator("[name=key]").fill("hold")
    reader.page.locator("[name=holds]").select_option("docs")
    reader.press("Attach and index")
    reader.page.get_by_role("alert").wait_for()
    typed(reader, folder=str(tmp_path / "nowhere"), key="hold", holds="docs")


def test_what_was_to_become_a_token_is_kept(library: Library, read: Read) -> None:
    reader = read()
    reader.goto("/admin")
    if library.given:
        reader.page.get_by_text("Create a token").click()
    reader.page.locator("form.writing [name=org]").fill("atlantis")
    reader.page.locator("form.writing [name=agent]").fill("diver")
    reader.page.locator("[name=lifetime]").fill("7d")
    reader.page.get_by_label("audit:read").check()
    reader.page.get_by_label("knowledge:write", exact=False).first.uncheck()
    reader.press("Create token")
    assert "There is no org atlantis" in reader.page.get_by_role("alert").inner_text()
    typed(reader, agent="diver", lifetime="7d")
    assert reader.page.get_by_label("audit:read").is_checked()
    assert not reader.page.get_by_label("knowledge:write", exact=False).first.is_checked()


@pytest.mark.parametrize("library", ["sqlite"], indirect=True)
def test_what_cannot_be_undone_is_asked_first(library: Library, read: Read) -> None:
    """The reader says yes; here is what was asked."""
    library.token(agent="stoker")
    reader = read()
    questions: list[str] = []
    reader.page.on("dialog", lambda dialog: questions.append(dialog.message))
    reader.goto("/admin")
    row = reader.page.locator("tr", has_text="stoker").first
    row.get_by_role("button", name="Revoke", exact=True).click()
    reader.sees("Servers refuse it within seconds.")
    assert questions == ["Revoke this token of stoker? It is refused within seconds."]
