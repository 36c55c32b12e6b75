"""Knowledge in a browser: read, write, edit, supersede, expire, delete, go back; one and many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from commonplace.model.actor import Scope
from commonplace.model.entry import Visibility
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader

Read = Callable[..., Reader]


def test_a_note_is_written_read_and_edited(library: Library, read: Read) -> None:
    reader = read()
    reader.goto("/knowledge")
    reader.follow("Write a note")
    reader.fill("Title", "Lamps are trimmed at dusk")
    reader.fill("Text, in Markdown", "Trim the **wicks** first.\n\n- then the glass")
    reader.fill("Tags, comma-separated", "Lamps, evening")
    reader.press("Save")
    reader.sees("Added.")
    assert reader.page.locator(".prose strong").inner_text() == "wicks"
    id = reader.page.url.rpartition("/")[2].partition("?")[0]
    kept = library.current(id)
    assert (kept.content.tags, kept.source) == (("lamps", "evening"), "person")
    reader.follow("Edit")
    reader.fill("Text, in Markdown", "Trim the wicks last.")
    reader.fill("Confidence in %", "40")
    reader.press("Save as revision 2")
    reader.sees("Saved as a new revision.")
    kept = library.current(id)
    assert (kept.content.body, kept.content.confidence) == ("Trim the wicks last.", 0.4)
    reader.press("Undo")
    reader.sees("Restored.")
    assert library.current(id).content.body.startswith("Trim the **wicks** first.")


@ONE_LIBRARY
def test_what_was_typed_is_kept_when_it_is_refused(library: Library, read: Read) -> None:
    note = library.note("Two at once", "The first wording.")
    reader = read()
    reader.goto(f"/knowledge/{note.id}/edit")
    library.application.knowledge.edit(PERSON, note.id, note.content, revision=1)
    reader.fill("Text, in Markdown", "My wording")
    reader.press("Save as revision 2")
    reader.page.get_by_role("alert").wait_for()
    assert reader.page.get_by_label("Text, in Markdown").input_value() == "My wording"
    assert library.current(note.id).content.body == "The first wording."
    reader.page.evaluate("onbeforeunload = null")


@ONE_LIBRARY
def test_a_refusal_leads_back_to_where_it_came_from(library: Library, read: Read) -> None:
    library.note("Ropes", "Coiled by day.", "coil")
    reader = read()
    reader.goto("/knowledge?tag=coil")
    reader.press("Delete")
    reader.sees("Select at least one entry.")
    reader.follow("Back")
    reader.page.get_by_role("link", name="Ropes").wait_for()
    assert reader.page.url.endswith("/knowledge?tag=coil")


@ONE_LIBRARY
def test_a_tag_with_a_space_leads_to_its_entries(library: Library, read: Read) -> None:
    library.note("Wet paint", "Do not touch.", "night watch", "paint")
    library.settle()
    reader = read()
    reader.goto("/knowledge?tag=paint")
    reader.page.get_by_role("link", name="night watch").click()
    reader.page.get_by_role("link", name="Wet paint").wait_for()
    for tags, count in (("night watch, paint", 1), ("night", 0)):
        reader.goto(f"/knowledge?tag={tags}")
        assert reader.page.get_by_role("link", name="Wet paint").count() == count
    reader.goto("/?q=what+must+one+not+touch&tag=night watch")
    reader.page.get_by_role("link", name="Wet paint").wait_for()


@ONE_LIBRARY
def test_the_margin_says_where_it_comes_from(library: Library, read: Read) -> None:
    note = library.note("Provenance", "Known.", "origin", agent="grace", confidence=0.9)
    library.application.usage.count(PERSON, [note])
    reader = read()
    reader.goto(f"/knowledge/{note.id}")
    margin = reader.page.get_by_label("About this entry").inner_text()
    for told in ("grace through grace-client", "1 time", "90 %", note.id, "the org"):
        assert told in margin, told


@ONE_LIBRARY
def test_what_is_shared_with_a_network_is_its_orgs_alone_without_one(
    library: Library, read: Read
) -> None:
    note = library.note("Shared", "Known.")
    content = replace(note.content, visibility=Visibility.NETWORK)
    library.application.knowledge.edit(PERSON, note.id, content, revision=1)
    reader = read()
    reader.goto(f"/knowledge/{note.id}")
    reader.sees("the org (the orgs of this server form no network)")


def test_a_chain_is_drawn_and_leads_from_the_old_to_the_new(library: Library, read: Read) -> None:
    first = library.note("Retry once", "Once.")
    reader = read()
    reader.goto(f"/knowledge/{first.id}")
    reader.follow("Write a successor")
    reader.fill("Title", "Retry twice")
    reader.press("Save as successor")
    reader.sees("Added.")
    second = reader.page.url.rpartition("/")[2].partition("?")[0]
    third = library.note("Retry with jitter", "Five times.")
    reader.page.get_by_text("Superseded by another entry").click()
    reader.fill("Title words, id or address", "retry with jitter")
    reader.page.locator(f"#successors option[value='{third.id}']").wait_for(state="attached")
    reader.fill("Title words, id or address", f"{library.origin}/knowledge/{third.id}")
    reader.press("Supersede")
    reader.sees("Superseded.")
    chain = reader.page.get_by_label("From the oldest to the newest").get_by_role("listitem")
    assert [one.split("\n")[0] for one in chain.all_inner_texts()] == [
        "Retry once",
        "Retry twice",
        "Retry with jitter",
    ]
    assert library.current(first.id).head == library.current(second).head == third.id
    reader.press("Undo")
    reader.sees("Restored.")
    assert library.current(second).head is None


@ONE_LIBRARY
def test_an_entry_is_tagged_and_expires_on_its_own_page(library: Library, read: Read) -> None:
    note = library.note("Slack water", "It lasts minutes.", "tides")
    reader = read()
    reader.goto(f"/knowledge/{note.id}")
    quick = reader.page.get_by_role("form", name="Tags and expiry")
    quick.get_by_label("Tag").fill("timing")
    quick.get_by_role("button", name="Tag", exact=True).click()
    reader.sees("Tagged.")
    assert library.current(note.id).content.tags == ("tides", "timing")
    quick.get_by_role("button", name="Expire now").click()
    reader.sees("Expired.")
    assert library.current(note.id).content.expires_at is not None
    reader.press("Undo")
    reader.sees("Restored.")
    assert library.current(note.id).content.expires_at is None


def test_history_shows_what_changed_and_brings_it_back(library: Library, read: Read) -> None:
    note = library.note("Keys", "one\ntwo\nthree", "a")
    content = replace(note.content, body="one\n2\nthree\nfour", tags=("b",))
    library.application.knowledge.edit(PERSON, note.id, content, revision=1)
    reader = read()
    reader.goto(f"/knowledge/{note.id}")
    reader.follow("2 revisions")
    reader.sees("What changed from 1 to 2")
    assert reader.page.locator(".diff .removed code").all_inner_texts() == ["two"]
    assert reader.page.locator(".diff .added code").all_inner_texts() == ["2", "four"]
    reader.press("Restore revision 1")
    reader.sees("Restored.")
    assert (library.current(note.id).content.body, library.current(note.id).revision) == (
        "one\ntwo\nthree",
        3,
    )


def test_a_deleted_entry_can_be_brought_back_from_its_page(library: Library, read: Read) -> None:
    note = library.note("Goes and comes", "Text.")
    reader = read()
    reader.goto(f"/knowledge/{note.id}")
    reader.page.get_by_text("Delete", exact=True).first.click()
    reader.page.locator("form[action$='/delete'] button").click()
    reader.sees("Deleted.")
    assert reader.goto(f"/knowledge/{note.id}") == 410
    reader.press("Restore it")
    reader.sees("Restored.")
    assert library.current(note.id).deleted_at is None
    reader.page.get_by_text("Delete", exact=True).first.click()
    reader.press("Purge permanently")
    reader.sees("Purged permanently")
    assert reader.goto(f"/knowledge/{note.id}") == 404


def test_many_are_tagged_expired_and_deleted_and_all_of_it_is_taken_back(
    library: Library, read: Read
) -> None:
    notes = [library.note(f"Crate {number}", "Of apples.", "crates") for number in range(4)]
    reader = read()
    for action, done in (
        ("Tag", "2 entries tagged."),
        ("Expire", "2 entries expired."),
        ("Delete", "2 entries deleted."),
    ):
        reader.goto("/knowledge?tag=crates")
        for number in (1, 3):
            reader.page.get_by_label(f"Select Crate {number}").check()
        reader.sees("2 selected")
        reader.page.locator(".bulk input[name=tag]").fill("fruit")
        reader.press(action)
        reader.sees(done)
        changed = [note for note in notes if library_revision(library, note.id) % 2 == 0]
        assert [note.content.title for note in changed] == ["Crate 1", "Crate 3"]
        reader.press("Undo")
        reader.sees("2 entries restored.")
    for note in notes:
        kept = library.current(note.id).content
        assert (kept.tags, kept.expires_at) == (("crates",), None)


def library_revision(library: Library, id: str) -> int:
    return library.application.knowledge.history(PERSON, id)[-1].number


@ONE_LIBRARY
def test_others_entries_are_left_alone_in_bulk(library: Library, read: Read) -> None:
    mine = library.note("Mine", "Text.", "whose", agent="eve")
    theirs = library.note("Theirs", "Text.", "whose", agent="adam")
    reader = read(signed_in=False)
    reader.goto("/login")
    reader.fill("Token", library.token(frozenset({Scope.READ, Scope.WRITE}), agent="eve"))
    reader.press("Sign in")
    reader.is_in()
    reader.goto("/knowledge?tag=whose")
    reader.page.locator("[data-all]").check()
    reader.press("Delete")
    reader.sees("1 entry skipped")
    assert library_revision(library, mine.id) == 2
    assert library.current(theirs.id).deleted_at is None


def test_the_list_is_narrowed_and_goes_on_where_it_ended(library: Library, read: Read) -> None:
    for number in range(60):
        library.note(f"Page {number:02}", "Of many.", "many", agent="scribe")
    library.note("Old news", "x", "many", expires_at=datetime.now(UTC) + timedelta(seconds=1))
    reader = read()
    reader.goto("/knowledge?agent=scribe")
    assert reader.titles()[0] == "Page 59"
    assert len(reader.titles()) == 50
    library.note("Came meanwhile", "x", "many", agent="scribe")
    reader.follow("Older entries")
    reader.page.wait_for_url("**from=**")
    assert reader.titles() == [f"Page {number:02}" for number in range(9, -1, -1)]
    reader.goto("/knowledge?tag=no-such-tag")
    reader.sees("No matching entries")
    assert reader.goto("/knowledge?kind=nonsense") == 400


@ONE_LIBRARY
def test_lists_are_walked_by_keyboard(library: Library, read: Read) -> None:
    for number in range(3):
        library.note(f"Key {number}", "Text.", "keyed")
    reader = read()
    reader.goto("/knowledge?tag=keyed")
    for key in ("j", "j", "x", "j", "k"):
        reader.page.keyboard.press(key)
    assert reader.page.get_by_label("Select Key 1").is_checked()
    reader.page.keyboard.press("Enter")
    reader.page.get_by_role("heading", name="Key 1").wait_for()
    reader.page.wait_for_load_state("load")
    reader.page.keyboard.press("e")
    reader.sees("Save as revision 2")
    reader.goto("/knowledge")
    reader.page.keyboard.press("?")
    assert reader.page.get_by_role("dialog").is_visible()
    reader.press("Close")
    reader.page.keyboard.press("g")
    reader.page.keyboard.press("r")
    reader.page.wait_for_url("**/review")


@ONE_LIBRARY
def test_the_keys_are_shown_from_the_empty_search_field_too(read: Read) -> None:
    reader = read()
    reader.goto("/")
    field = reader.page.get_by_role("searchbox")
    field.wait_for()
    reader.page.keyboard.press("?")
    assert reader.page.get_by_role("dialog").is_visible()
    reader.press("Close")
    field.fill("why")
    field.press("?")
    assert field.input_value() == "why?"
    assert not reader.page.get_by_role("dialog").is_visible()
