"""The exports of a file, and its star imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from commonplace.codegraph.extraction.facts import WHOLE, Export, ShapeOp
from commonplace.codegraph.extraction.imports import import_shape
from commonplace.codegraph.extraction.matches import Match
from commonplace.codegraph.extraction.shapes import Shaper
from commonplace.codegraph.extraction.source import SourceText


def exports_of(exports: Iterable[Match], shaper: Shaper, source: SourceText) -> Iterator[Export]:
    for role, captures in exports:
        what = role.what
        name = {
            "default": "default",
            "whole": WHOLE,
            "star": "*",
            "folder": "*",
            "glob": "*",
            "namespace": "*",
            "static": "*",
            "using": "*",
        }.get(what, "")
        if not name:
            named = captures.get("name") or captures.get("imported") or captures["value"]
            name = source.word(named[0])
        if "module" in captures or what in {"folder", "namespace", "static"}:
            yield Export(name, import_shape(what, captures, source))
        else:
            value = shaper.shape(captures["value"][0])
            if value is not None:
                yield Export(
                    name, value._replace(op=ShapeOp.NAME) if value.op is ShapeOp.TYPE else value
                )
