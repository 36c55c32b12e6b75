"""A small project in memory, and what its references lead to."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.keeping.neighbours import is_manifest
from commonplace.codegraph.resolution.layout import layout_of
from commonplace.codegraph.resolution.linking import MODULE_ITSELF, DefinitionKey, Link
from commonplace.codegraph.resolution.resolve import resolve


class Project:
    """Files by path; manifests among them are read as such."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.sources = {path: dedent(text) for path, text in files.items()}
        manifests = {path: text for path, text in self.sources.items() if is_manifest(path)}
        self.facts: dict[str, FileFacts] = {
            path: extract(path, text.encode())
            for path, text in self.sources.items()
            if path not in manifests
        }
        self.links = resolve(self.facts, layout_of(manifests))

    def link(self, path: str, marked: str) -> Link | None:
        """The link of the name that stands after `|` in a piece of the file's text."""
        before, _, after = marked.partition("|")
        offset = self.sources[path].index(before + after) + len(before)
        head = self.sources[path][:offset]
        place = (head.count("\n"), offset - (head.rfind("\n") + 1))
        return next(
            (
                link
                for link in self.links[path]
                if self.facts[path].references[link.reference].position == place
            ),
            None,
        )

    def leads_to(self, path: str, marked: str) -> str:
        """`path:line name` of the likeliest target, lines from 1; empty where nothing is known."""
        link = self.link(path, marked)
        return self.shown(link.targets[0]) if link else ""

    def shown(self, target: DefinitionKey) -> str:
        if target.number == MODULE_ITSELF:
            return target.path
        definition = self.facts[target.path].definitions[target.number]
        return f"{target.path}:{definition.position.line + 1} {definition.name}"
