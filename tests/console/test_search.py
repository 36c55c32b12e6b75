"""Search in a browser: results while one types, narrowed, marked and explained."""

from __future__ import annotations

from collections.abc import Callable

from commonplace.recall.values import RecallRequest
from commonplace.recall.wording import recalled_text
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader

Read = Callable[..., Reader]


def test_results_come_while_one_types(library: Library, read: Read) -> None:
    library.note("Tide tables", "The ferry leaves two hours before high tide.", "ferry")
    library.note("Harbour dues", "Dues are paid in the harbour office before noon.", "money")
    library.settle()
    reader = read()
    reader.sees("Newest entries")
    box = reader.page.get_by_role("searchbox")
    box.press_sequentially("when does the ferry leave")
    reader.page.locator(".hit").get_by_role("link", name="Tide tables").wait_for()
    assert "ferry" in reader.page.locator("mark").all_inner_texts()
    reader.page.wait_for_url("**q=when**")
    box.press("ArrowDown")
    reader.page.keyboard.press("Enter")
    reader.page.get_by_role("heading", name="Tide tables").wait_for()
    reader.page.go_back()
    reader.page.get_by_text("What an agent gets").click()
    given = reader.page.locator("details[data-fill] pre")
    given.wait_for()
    request = RecallRequest("when does the ferry leave")
    told = recalled_text(library.application.recall.recall(PERSON, request)).splitlines()
    assert given.inner_text().splitlines()[0] == told[0]
    assert "Tide tables" in given.inner_text()
    reader.page.get_by_text("Why this rank").first.click()
    assert reader.page.locator(".why[open] tr").count() > 0


@ONE_LIBRARY
def test_a_title_that_the_text_begins_with_is_shown_once(library: Library, read: Read) -> None:
    library.note("Moor the ferry at low tide", "Moor the ferry at low tide. Ropes give way.")
    library.note("The pilot boards at…", "The pilot boards at the outer buoy of the harbour.")
    library.note("Signals at night", "# Signals at night\n\n## Red\n\nThe red lamp means stop.")
    library.settle()
    reader = read()
    for question, left in (
        ("when do we moor the ferry", "Ropes give way."),
        ("what does the red lamp mean at night", "Red\n\nThe red lamp means stop."),
        ("where does the pilot board", "… the outer buoy of the harbour."),
    ):
        reader.goto(f"/?q={question.replace(' ', '+')}")
        assert reader.page.locator(".hit .excerpt").first.inner_text() == left


@ONE_LIBRARY
def test_results_are_narrowed(library: Library, read: Read) -> None:
    library.note("Ropes of hemp", "Ropes are spliced by hand.", "hemp", agent="bosun")
    library.note("Ropes of steel", "Ropes are greased by hand.", "steel", agent="smith")
    library.settle()
    reader = read()
    reader.page.get_by_role("searchbox").fill("ropes by hand")
    reader.page.get_by_role("link", name="Ropes of hemp").wait_for()
    reader.page.get_by_text("Filters").click()
    reader.fill("Author", "smith")
    reader.page.get_by_role("link", name="Ropes of hemp").wait_for(state="hidden")
    assert reader.titles() == ["Ropes of steel"]
    reader.fill("Author", "")
    reader.fill("Tag", "hemp")
    reader.page.get_by_role("link", name="Ropes of steel").wait_for(state="hidden")
    assert reader.titles() == ["Ropes of hemp"]


@ONE_LIBRARY
def test_a_list_that_was_asked_for_shows_no_probabilities(library: Library, read: Read) -> None:
    for number in range(21):
        library.note(f"Ferry {number}", f"Ferry {number} leaves at noon.", agent="ferryman")
    library.settle()
    reader = read()
    reader.goto("/?q=notes+by+ferryman")
    reader.sees("21 entries, newest first:")
    reader.sees("1 older entry left out.")
    assert reader.page.locator(".hit").count() == 20
    assert reader.page.locator(".hit .score").count() == 0
    assert reader.page.get_by_text("Why this rank").count() == 0


@ONE_LIBRARY
def test_where_nothing_is_found_it_says_so(library: Library, read: Read) -> None:
    reader = read()
    reader.goto("/?q=zzyzx+quuxification&tag=never-used")
    reader.sees("Nothing relevant was found")


@ONE_LIBRARY
def test_a_time_narrows_and_a_wrong_one_is_refused_in_words(library: Library, read: Read) -> None:
    library.note("Anchors away", "Anchors are weighed at dawn.")
    library.settle()
    reader = read()
    reader.goto("/?q=when+are+anchors+weighed&since=2020-01-01")
    assert reader.titles()[0] == "Anchors away"
    reader.goto("/?q=when+are+anchors+weighed&until=2020-01-01")
    reader.sees("Nothing relevant was found")
    assert reader.goto("/?q=anchors&since=yesterday") == 400
    reader.sees("since is a date")
