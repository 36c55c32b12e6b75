"""Generates the JSON Schemas of knowledge units from the models that validate them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from commonplace.registry.units import SCHEMA, UnitType
from commonplace.surfaces.registry.units import SCHEMAS
from commonplace.surfaces.schema import schema_of


def _schema(kind: UnitType) -> str:
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": f"Made by `make docs` from the code; the context of such a unit is {SCHEMA}.",
        "title": kind.value,
        **schema_of(SCHEMAS[kind]),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    f"{kind.value}.schema.json": partial(_schema, kind) for kind in UnitType
}
