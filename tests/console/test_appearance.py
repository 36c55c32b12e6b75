"""How the console looks: accessible to everybody by axe, and pictures of it for the docs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader
from tests.transports.node import FOLDER, install_packages

Read = Callable[..., Reader]
_SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def axe() -> str:
    install_packages()
    return (FOLDER / "node_modules" / "axe-core" / "axe.min.js").read_text()


def problems(reader: Reader, axe: str) -> list[str]:
    """What axe finds serious; it comes into the page by the debugger, which no policy stops.

    The dark scheme differs in colours alone.
    """
    reader.page.evaluate(axe)
    reader.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = violations(reader)
    reader.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += violations(reader, runOnly=["color-contrast"])
    return [
        f"{one['id']}: {json.dumps([node['html'] for node in one['nodes']])[:600]}"
        for one in found
        if one["impact"] in _SERIOUS
    ]


def violations(reader: Reader, **options: Any) -> list[dict[str, Any]]:
    run = "async options => (await axe.run(options)).violations"
    found: list[dict[str, Any]] = reader.page.evaluate(
        run, {"resultTypes": ["violations"]} | options
    )
    return found


@ONE_LIBRARY
def test_pages_have_no_serious_accessibility_violations(
    library: Library, read: Read, axe: str
) -> None:
    note = library.note("For all eyes", "# A heading\n\nA [link](https://example.org).", "seen")
    newer = library.note("Newer", "Text.")
    knowledge = library.application.knowledge
    knowledge.edit(PERSON, note.id, newer.content, revision=1)
    knowledge.supersede(PERSON, note.kind, note.id, newer.id)
    reader = read()
    for path in (
        "/",
        "/?q=heading",
        "/knowledge",
        "/knowledge?state=all",
        f"/knowledge/{note.id}",
        f"/knowledge/{note.id}/history",
        f"/knowledge/{note.id}/edit",
        "/review",
        "/sources",
        "/code",
        "/code?q=nothing_of_it",
        "/skills",
        "/activity",
        "/activity/questions",
        "/activity/health",
        "/activity/audit",
        "/admin",
        "/nothing-here",
    ):
        reader.goto(path)
        assert problems(reader, axe) == [], path
    stranger = read(signed_in=False)
    stranger.goto("/login")
    assert problems(stranger, axe) == []


@ONE_LIBRARY
def test_a_narrow_screen_needs_no_scrolling_sideways(library: Library, read: Read) -> None:
    note = library.note("Narrow" + "w" * 300, "word " * 50 + "x" * 400, "t" * 60)
    reader = read()
    reader.page.set_viewport_size({"width": 390, "height": 800})
    for path in (
        "/",
        "/knowledge",
        f"/knowledge/{note.id}",
        "/review",
        "/sources",
        "/code",
        "/skills",
        "/activity",
        "/admin",
    ):
        reader.goto(path)
        width = reader.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, path
    reader.goto("/code")
    long = f'<ul class="symbols"><li><code>{"Name." * 30}</code> {"folder/" * 30}</li></ul>'
    reader.page.locator("main").evaluate("(main, html) => { main.innerHTML = html; }", long)
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("library", ["sqlite"], indirect=True)
def test_a_paragraph_begins_where_its_script_begins(library: Library, read: Read) -> None:
    note = library.note("כותרת", "טקסט בעברית.\n\nPlain English.")
    reader = read()
    reader.goto(f"/knowledge/{note.id}")
    gaps = """nodes => nodes.map(node => {
        const text = document.createRange();
        text.selectNodeContents(node);
        const [inner, outer] = [text.getBoundingClientRect(), node.getBoundingClientRect()];
        return [inner.left - outer.left < 1, outer.right - inner.right < 1];
    })"""
    found = reader.page.locator("main h1, .prose p").evaluate_all(gaps)
    assert found == [[False, True], [False, True], [True, False]]


@pytest.mark.parametrize("library", ["sqlite"], indirect=True)
def test_columns_are_aligned_as_the_text_says(library: Library, read: Read) -> None:
    note = library.note("Tides", "| when | high |\n|---|---:|\n| dawn | 3 |\n")
    reader = read()
    reader.goto(f"/knowledge/{note.id}")
    aligned = "cells => cells.map(cell => getComputedStyle(cell).textAlign)"
    assert reader.page.locator(".prose td").evaluate_all(aligned) == ["left", "right"]
