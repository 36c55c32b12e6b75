"""Reads HTML: the main content of a page as blocks, in Markdown notation.

Decides what is content. Scripts, styles, navigation, page headers and footers never are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from commonplace.errors import SourceUnreadable
from commonplace.model.extract import BlockKind, Extract
from commonplace.reading.building import ExtractBuilder
from commonplace.reading.tables import table_lines

_FURNITURE = (
    "script, style, noscript, template, nav, header, footer, form, button, select, svg, canvas, "
    "iframe, object, audio, video, dialog, [hidden], [aria-hidden=true], [role=navigation], "
    "[role=banner], [role=contentinfo], [role=search], a.headerlink, a.anchor"
)
_MAIN = ("main", "[role=main]", "article", "#content", "#main")
# If the chosen part has a smaller share of the words, it is not the main content after all.
_MAIN_SHARE = 0.4
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol"})
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "label", "mark", "output", "q", "rp", "rt", "ruby", "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "input",
})  # fmt: skip
_SPACE = re.compile(r"[ \t\n\r\f]+")
_LIST = re.compile(r"<(/?)[uo]l\b", re.IGNORECASE)
_DEEPEST_LIST = 6
# Of lists in each other; the parser takes time in the square of it.
_DEEPEST_NESTING = 500
_TOO_DEEP = "The page is nested too deeply."


def read_html(text: str, base_url: str = "", *, whole: bool = False) -> Extract:
    """Read the main content, or with `whole` everything except page furniture."""
    if _lists_nested(text) > _DEEPEST_NESTING:
        raise SourceUnreadable(_TOO_DEEP)
    tree = LexborHTMLParser(text)
    title = tree.css_first("title")
    name = _SPACE.sub(" ", title.text()).strip() if title else ""
    for node in tree.css(_FURNITURE):
        node.decompose()
    if tree.body is None:
        return Extract("", ())
    page = _Page(base_url)
    try:
        page.blocks(tree.body if whole else _main(tree, tree.body))
    except RecursionError:
        raise SourceUnreadable(_TOO_DEEP) from None
    page.flush()
    return page.builder.extract(name)


def _lists_nested(text: str) -> int:
    """How many lists are open at once where most are."""
    depth = deepest = 0
    for found in _LIST.finditer(text):
        depth = max(0, depth - 1) if found[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _main(tree: LexborHTMLParser, body: LexborNode) -> LexborNode:
    length = len(body.text(deep=True).strip())
    for selector in _MAIN:
        found = tree.css(selector)
        if len(found) == 1 and len(found[0].text(deep=True).strip()) >= _MAIN_SHARE * length:
            return found[0]
    return body


class _Page:
    """Walks the elements; inline text is collected until the next block begins."""

    def __init__(self, base_url: str) -> None:
        self.builder = ExtractBuilder()
        self._base = base_url
        self._line: list[str] = []

    def blocks(self, parent: LexborNode) -> None:
        for node in _children(parent):
            tag = node.tag or ""
            if tag == "-text":
                self._line.append(_SPACE.sub(" ", node.text_content or ""))
            elif tag in _INLINE and not _holds_blocks(node):
                self._line.append(self._inline(node))
            elif tag == "br":
                self._line.append("\n")
            else:
                self.flush()
                self._block(node, tag)

    def flush(self) -> None:
        self.builder.add(BlockKind.TEXT, _tidy("".join(self._line)))
        self._line.clear()

    def _block(self, node: LexborNode, tag: str) -> None:
        if tag in _HEADINGS:
            level = int(tag[1])
            title = _tidy(self._inline(node, links=False)).replace("\n", " ")
            mark = "#" * level
            self.builder.add(BlockKind.HEADING, f"{mark} {title}" if title else "", level, title)
        elif tag in _LISTS:
            self.builder.add(BlockKind.LIST, "\n".join(self._items(node, 0)))
        elif tag == "pre":
            code = (node.text(deep=True) or "").strip("\n")
            self.builder.add(BlockKind.CODE, f"```\n{code}\n```" if code.strip() else "")
        elif tag == "table" and not node.css_first("h1, h2, h3, h4, td table, pre"):
            self.builder.add(BlockKind.TABLE, "\n".join(self._table(node)))
        else:
            self.blocks(node)
            self.flush()

    def _items(self, parent: LexborNode, depth: int) -> Iterator[str]:
        number = 0
        for item in _children(parent):
            if item.tag in _LISTS:
                yield from self._items(item, min(depth + 1, _DEEPEST_LIST))
            elif item.tag == "li":
                number += 1
                mark = f"{number}." if parent.tag == "ol" else "-"
                words = _tidy(self._inline(item, lists=False)).replace("\n", " ")
                if words:
                    yield f"{'  ' * depth}{mark} {words}"
                for inner in _lists_of(item):
                    yield from self._items(inner, min(depth + 1, _DEEPEST_LIST))

    def _table(self, node: LexborNode) -> list[str]:
        rows = [
            [
                _tidy(self._inline(cell)).replace("\n", " ")
                for cell in _children(row)
                if cell.tag in ("td", "th")
            ]
            for row in node.css("tr")
        ]
        caption = node.css_first("caption")
        return ([_tidy(self._inline(caption))] if caption else []) + table_lines(rows)

    def _inline(self, node: LexborNode, *, links: bool = True, lists: bool = True) -> str:
        """The text of an element on one line, with the targets of its links."""
        if node.tag == "img":
            return (node.attributes.get("alt") or "").strip()
        parts = []
        for child in _children(node):
            tag = child.tag or ""
            if tag == "-text":
                parts.append(_SPACE.sub(" ", child.text_content or ""))
            elif tag == "br":
                parts.append("\n")
            elif lists or tag not in _LISTS:
                words = self._inline(child, links=links, lists=lists)
                parts.append(words if tag in _INLINE else f" {words} ")
        text = "".join(parts)
        if node.tag == "a" and links:
            return self._link(text, node.attributes.get("href") or "")
        if node.tag == "code" and text.strip():
            return f"`{text}`"
        return text

    def _link(self, text: str, href: str) -> str:
        words = _tidy(text).replace("\n", " ")
        if words in ("¶", "#", "§"):
            return ""
        target = _resolved(self._base, href)
        return f"[{words}]({target})" if words and target else text


def _children(node: LexborNode) -> Iterator[LexborNode]:
    return node.iter(include_text=True)


def _holds_blocks(node: LexborNode) -> bool:
    return node.css_first("p, div, ul, ol, table, pre, h1, h2, h3, h4, h5, h6") is not None


def _lists_of(item: LexborNode) -> Iterator[LexborNode]:
    """The lists directly below an item; searching all descendants at every level would be
    quadratic."""
    for child in item.iter():
        if child.tag in _LISTS:
            yield child
        elif child.tag != "li":
            yield from _lists_of(child)


def _resolved(base: str, href: str) -> str:
    """The target of a link; empty for anchors on the same page and for scripts."""
    if href.startswith("#"):
        return ""
    try:
        target = urljoin(base, href.strip())
        return target if urlsplit(target).scheme in ("http", "https", "mailto") else ""
    except ValueError:
        return ""


def _tidy(text: str) -> str:
    lines = (" ".join(line.split(" ")).strip() for line in text.split("\n"))
    return "\n".join(re.sub(r" {2,}", " ", line) for line in lines).strip("\n")
