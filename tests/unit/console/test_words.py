"""How the console puts values into words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from commonplace.console.diffs import LineChange, line_diff
from commonplace.console.markdown import rendered
from commonplace.console.notices import notice_of
from commonplace.console.words import (
    ago,
    backticked,
    figure,
    marked,
    named,
    percent,
    size,
    unwrapped,
    without_marks,
)

NOW = datetime(2031, 5, 14, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (3, "just now"),
        (60, "1 minute ago"),
        (7_200, "2 hours ago"),
        (86_400 * 3, "3 days ago"),
        (86_400 * 400, "1 year ago"),
        (-3, "in a moment"),
        (5 - 86_400 * 90, "in 3 months"),
        (-86_400, "in 1 day"),
    ],
)
def test_moments(seconds: int, said: str) -> None:
    assert ago(NOW - timedelta(seconds=seconds), NOW) == said


def test_numbers() -> None:
    assert (figure(1_000), figure(0.5), percent(0.126)) == ("1,000", "0.50", "13 %")
    assert [size(n) for n in (12, 1_500, 2e6, 3e12)] == ["12 B", "1.5 kB", "2.0 MB", "3,000.0 GB"]


def test_marks_are_of_words_as_a_search_reads_them() -> None:
    assert marked("Retried <payments>", "retry payment") == (
        "<mark>Retried</mark> &lt;<mark>payments</mark>&gt;"
    )
    assert marked("<b>", "") == "&lt;b&gt;"


def test_in_code_only_the_name_of_the_symbol_is_marked() -> None:
    assert named("open_all = open(all_open) < Open", "open") == (
        "open_all = <mark>open</mark>(all_open) &lt; Open"
    )
    assert named("Cart().add(add_all)", "shop.Cart.add") == (
        "<mark>Cart</mark>().<mark>add</mark>(add_all)"
    )
    assert named("add", "") == "add"


def test_commands_in_messages_are_shown_as_code() -> None:
    assert backticked("`commonplace login` prints <one>; a ` alone") == (
        "<code>commonplace login</code> prints &lt;one&gt;; a ` alone"
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>x</script>",
        "<img src=x onerror=x>",
        "[x](javascript:alert)",
        "![x](https://evil.example)",
        "[x](data:text/html,x)",
        "[x](vbscript:x)",
        "<https://example.org>",
        "`<b>`",
        '[x](https://a "onmouseover=x")',
    ],
)
def test_markdown_holds_no_tags_but_its_own(text: str) -> None:
    html = rendered(text)
    for never in ("<script", "<img", 'javascript:alert"', 'href="data', 'href="vbs', "<b>"):
        assert never not in html.lower()


def test_links_lead_out_without_telling_where_from() -> None:
    assert 'rel="noopener noreferrer nofollow"' in rendered("[x](https://example.org)")
    assert rendered("# Title").startswith("<h3>")


def test_a_difference_shows_what_is_around_it() -> None:
    before = "\n".join(map(str, range(20)))
    after = before.replace("10", "ten")
    shown = line_diff(before, after)
    assert [one.text for one in shown if one.change is LineChange.REMOVED] == ["10"]
    assert [one.text for one in shown if one.change is LineChange.ADDED] == ["ten"]
    assert [one.text for one in shown if one.change is LineChange.LEFT_OUT] == [
        "7 unchanged",
        "6 unchanged",
    ]
    assert line_diff(before, before) == []


def test_only_known_deeds_are_told() -> None:
    assert notice_of({"done": "<b>"}) is None
    told = notice_of({"done": "deleted", "n": "3", "left": "1", "of": "a@1 b@2 nonsense"})
    assert told
    assert told.text.startswith("3 entries deleted. 1 entry skipped")
    assert told.undo == ("a@1", "b@2")


LONG = "a sentence of the docs that was broken to keep its line short, so"


@pytest.mark.parametrize(
    ("following", "joined"),
    [
        ("that it fits", True),
        ("`code` begins the line", True),
        ("- a point", False),
        ("1. a step", False),
        ("| a | table |", False),
        ("> a quotation", False),
        ("    an_indented(line)", False),
        ("```python", False),
        ("", False),
    ],
)
def test_prose_is_shown_without_the_breaks_of_its_source(following: str, joined: bool) -> None:
    assert unwrapped(f"{LONG}\n{following}") == f"{LONG}{' ' if joined else chr(10)}{following}"


def test_short_lines_and_whole_sentences_keep_their_breaks() -> None:
    kept = f"Owner: ada\nTeam: prices\n{LONG}.\nThe next sentence"
    assert unwrapped(kept) == kept


def test_code_within_prose_keeps_its_lines() -> None:
    fenced = f"Run:\n```\n{LONG}\n{LONG}\n```\n"
    assert unwrapped(fenced + f"{LONG}\nthat") == fenced + f"{LONG} that"


@pytest.mark.parametrize(
    ("markdown", "read"),
    [
        ("see [decision 7](../decisions/0007-x.md) first", "see decision 7 first"),
        ("**Never** call `flush()`", "Never call flush()"),
        ("[`recall`](recall.md) and **[all](x)**", "recall and all"),
        ("a[i](x y) and 2 ** 3 ** 4 and `open", "a[i](x y) and 2 ** 3 ** 4 and `open"),
        ("```\ncode\n```", "```\ncode\n```"),
        ("```python\ncalls[name](`x`)\n```", "```python\ncalls[name](`x`)\n```"),
        ("`calls[name](call)` is `a**2 + b**2`", "calls[name](call) is a**2 + b**2"),
        ("calls[name](call) is a**2 + b**2", "calls[name](call) is a**2 + b**2"),
        ("**[`all`](x)**: **yes**", "all: yes"),
        ("# Deploy\n\n## When #1\nNot a # sign", "Deploy\n\nWhen #1\nNot a # sign"),
        ("```\n# a comment\n```", "```\n# a comment\n```"),
    ],
)
def test_markdown_in_results_reads_as_text(markdown: str, read: str) -> None:
    assert without_marks(markdown) == read
