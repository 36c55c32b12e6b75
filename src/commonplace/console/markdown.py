"""Converts untrusted Markdown to safe HTML: no raw tags, no images, only safe links."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_LONGEST = 100_000
_OUTSIDE = {"rel": "noopener noreferrer nofollow", "target": "_blank"}


@cache
def _renderer() -> MarkdownIt:
    renderer = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False})
    renderer.enable(["table", "strikethrough"])
    renderer.disable(["image"])
    renderer.add_render_rule("link_open", _link)
    renderer.add_render_rule("heading_open", _heading)
    renderer.add_render_rule("heading_close", _heading)
    renderer.add_render_rule("th_open", _cell)
    renderer.add_render_rule("td_open", _cell)
    return renderer


def rendered(text: str) -> Markup:
    """The HTML of a text, cut at a length; all tags come from the renderer."""
    more = Markup("<p>…</p>") if len(text) > _LONGEST else Markup("")
    html = _renderer().render(text[:_LONGEST])
    return Markup(html) + more  # noqa: S704 - the renderer escapes the text


def _link(
    self: Any,
    tokens: Sequence[Token],
    at: int,
    options: Mapping[str, Any],
    _env: MutableMapping[str, Any],
) -> str:
    for name, value in _OUTSIDE.items():
        tokens[at].attrSet(name, value)
    return str(self.renderToken(tokens, at, options, _env))


def _heading(
    self: Any,
    tokens: Sequence[Token],
    at: int,
    options: Mapping[str, Any],
    _env: MutableMapping[str, Any],
) -> str:
    """Lower headings by two levels, below the page's own."""
    token = tokens[at]
    if not token.meta.get("lowered"):
        token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        token.meta = {"lowered": True}
    return str(self.renderToken(tokens, at, options, _env))


def _cell(
    self: Any,
    tokens: Sequence[Token],
    at: int,
    options: Mapping[str, Any],
    _env: MutableMapping[str, Any],
) -> str:
    """Align by a class: the content security policy allows no styles in the page."""
    style = str(tokens[at].attrs.pop("style", ""))
    if style:
        tokens[at].attrSet("class", style.removeprefix("text-align:"))
    return str(self.renderToken(tokens, at, options, _env))
