"""Texts that try to be scripts, in every field of every page: all are shown, none runs."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from commonplace.model.entry import Place
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader

pytestmark = ONE_LIBRARY
Read = Callable[..., Reader]
ATTACKS = (
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "\"'><svg onload=window.hit=1>",
    "{{9091*11101}}${9091*11101}",
    "[x](javascript:window.hit=1) ![x](https://evil.example/x.png)",
    "<a href=javascript:window.hit=1>x</a><iframe src=//evil.example></iframe>",
)
ALL = " ".join(ATTACKS)


def unharmed(reader: Reader) -> None:
    assert reader.page.evaluate("window.hit") is None
    for element in ("main img", "iframe", "main script", "[onerror]", "[onload]"):
        assert reader.page.locator(element).count() == 0, element
    links = reader.page.locator("main a").evaluate_all("all => all.map(a => a.href)")
    assert not [link for link in links if link.startswith("javascript:")]


def test_nothing_that_was_written_runs(library: Library, read: Read) -> None:
    note = library.note(
        ALL, ALL, ALL[:90], agent=ALL[:90], place=Place(project=ALL), domain=ALL, category=ALL
    )
    other = library.note(f"{ALL} again", f"{ALL} again")
    library.application.knowledge.edit(PERSON, note.id, other.content, revision=1)
    library.application.knowledge.supersede(PERSON, note.kind, note.id, other.id)
    reader = read()
    for path in (
        "/knowledge?state=all",
        f"/knowledge/{note.id}",
        f"/knowledge/{other.id}",
        f"/knowledge/{note.id}/history",
        f"/knowledge/{note.id}/edit",
    ):
        assert reader.goto(path) == 200
        assert "9091*11101" in reader.page.content(), path
        assert "100919191" not in reader.page.content()
        unharmed(reader)


def test_nothing_in_an_address_runs(library: Library, read: Read) -> None:
    reader = read()
    for attack in ATTACKS:
        reader.page.goto("/")
        reader.page.evaluate(
            """async (attack) => {
                const paths = ["/", "/knowledge", "/review", "/code", "/search/results"];
                const names = ["q", "tag", "agent", "project", "from", "done", "of", "id"];
                const bad = "script:not([src^='/static/']), img, iframe, [onerror], [onload]";
                const every = paths.flatMap((path) => names.map((name) => `${path}?${name}=`));
                for (const place of every) {
                    const answer = await fetch(place + encodeURIComponent(attack));
                    const text = await answer.text();
                    const shown = new DOMParser().parseFromString(text, "text/html");
                    const found = shown.querySelector(bad);
                    if (found) throw new Error(`${place}: ${found.outerHTML}`);
                }
            }""",
            attack,
        )
        reader.page.goto(f"/?q={quote(attack, safe='')}")
        unharmed(reader)


def test_nothing_that_is_typed_runs(library: Library, read: Read) -> None:
    reader = read()
    reader.goto("/knowledge/new")
    reader.fill("Title", ALL)
    reader.fill("Text, in Markdown", ALL)
    reader.fill("Tags, comma-separated", ALL[:90].replace(",", ""))
    reader.fill("Project", ALL)
    reader.press("Save")
    reader.sees("Added.")
    unharmed(reader)
    reader.goto("/")
    reader.page.get_by_role("searchbox").fill(ALL)
    reader.page.locator("#results[aria-busy=false] .hit, #results .empty").first.wait_for()
    unharmed(reader)
