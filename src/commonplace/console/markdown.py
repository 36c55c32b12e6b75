"""Markdown of agents and people to HTML: no tags of theirs, no pictures, links to the web only."""

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
    made = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False})
    made.enable(["table", "strikethrough"])
    made.disable(["image"])
    made.add_render_rule("link_open", _link)
    made.add_render_rule("heading_open", _heading)
    made.add_render_rule("heading_close", _heading)
    return made


def rendered(text: str) -> Markup:
    """Safe to show: everything that was written is escaped, whatever it looks like."""
    shown, cut = text[:_LONGEST], len(text) > _LONGEST
    more = Markup("<p>…</p>") if cut else Markup("")
    return Markup(_renderer().render(shown)) + more  # noqa: S704 - tags are only the renderer's


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
    """A heading of the text stands below the page's own two."""
    token = tokens[at]
    if not token.meta.get("lowered"):
        token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
        token.meta = {"lowered": True}
    return str(self.renderToken(tokens, at, options, _env))
