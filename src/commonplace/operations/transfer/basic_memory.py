"""Reads a basic-memory note: front matter, Markdown, and list items with observations and
relations.

The text stays unchanged; what the list items say is also stored in attributes.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from commonplace.operations.transfer.entries import new_row, same_id
from commonplace.operations.transfer.markdown import parts

_ITEM = re.compile(r"^[^\S\n]*+[-*+][^\S\n]++(?P<text>[^\n]++)", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_OBSERVATION = re.compile(
    r"\[(?P<category>[^\[\]()\n]{2,}|[^\[\]()\sxX])\](?!\()\s+(?P<content>.+)"
)
_RELATION = re.compile(r"(?P<type>[^\[\]\n]*+)\[\[(?P<target>[^\[\]\n]++)\]\](?P<rest>.*)")
_CONTEXT = re.compile(r"\((?P<context>[^()]*+)\)\Z")
_TAG = re.compile(r"(?<![\w#])#([\w/-]+)")
_OURS = ("title", "tags", "permalink", "type")
_LINKS = "links_to"


def read_note(path: str, text: str) -> dict[str, Any]:
    fields, body = parts(text)
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    permalink = _plain(fields.get("permalink")) or path.removesuffix(".md")
    observations, relations = _graph(body)
    inline = [tag for observation in observations for tag in observation["tags"]]
    attributes = {
        "permalink": permalink,
        "type": _plain(fields.get("type")) or "note",
        "observations": observations,
        "relations": relations,
        "metadata": {str(k): _json(v) for k, v in fields.items() if k not in _OURS},
    }
    return new_row(
        same_id("basic-memory", permalink),
        _plain(fields.get("title")) or name,
        body.strip() or name,
        tags=list(dict.fromkeys([*_tags(fields.get("tags")), *inline]))[:64],
        attributes={name: value for name, value in attributes.items() if value},
    )


def _graph(body: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The observations and relations in list items outside code; an item is one or the other."""
    observations, relations = [], []
    for item in _ITEM.finditer(_FENCE.sub("", body)):
        text = item["text"].rstrip()
        if observation := _OBSERVATION.fullmatch(text):
            observations.append(_observation(observation["category"], observation["content"]))
        elif relation := _RELATION.fullmatch(text):
            relations.append(_relation(relation))
    return observations, relations


def _observation(category: str, content: str) -> dict[str, Any]:
    said, context = _without_context(content)
    return {"category": category, "content": said, "tags": _TAG.findall(said), "context": context}


def _relation(match: re.Match[str]) -> dict[str, Any]:
    _, context = _without_context(match["rest"])
    target = match["target"].split("|", 1)[0].strip()
    return {"type": match["type"].strip() or _LINKS, "to": target, "context": context}


def _without_context(text: str) -> tuple[str, str]:
    context = _CONTEXT.search(text)
    return (text[: context.start()].rstrip(), context["context"]) if context else (text, "")


def _tags(given: object) -> list[str]:
    listed = given if isinstance(given, list) else str(given or "").split(",")
    return [tag for one in listed if (tag := str(one).strip().lstrip("#")[:100])]


def _plain(value: object) -> str:
    return "" if value is None else str(value).strip()


def _json(value: Any) -> Any:
    """A JSON value; YAML dates become text."""
    if isinstance(value, dict):
        return {str(key): _json(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_json(one) for one in value]
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool | None) else str(value)
