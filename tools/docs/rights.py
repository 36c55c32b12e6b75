"""Generates the table of rights in docs/howto/authenticate.md from `model/rights.py`."""

from __future__ import annotations

import re
from pathlib import Path

from commonplace.model.rights import MATRIX, Whose
from tools.docs.markdown import code, table

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "authenticate.md"
_BEGIN, _END = "<!-- rights: made by `make docs` -->", "<!-- end of rights -->"
_BETWEEN = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
_HEAD = ("thing", "action", *Whose, "why")


def rights() -> str:
    rows = (
        (right.thing, right.verb, *(code(right.scope(whose) or "") for whose in Whose), right.why)
        for right in MATRIX
    )
    return table(_HEAD, rows)


def page() -> str:
    """The page, in which only the table is generated."""
    written = PAGE.read_text(encoding="utf-8")
    assert _BETWEEN.search(written), "the page has no marks around the table"
    return _BETWEEN.sub(lambda _: f"{_BEGIN}\n{rights()}\n{_END}", written)
