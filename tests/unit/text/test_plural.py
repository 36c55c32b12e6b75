"""A number with its noun."""

from __future__ import annotations

from commonplace.text.plural import plural


def test_a_noun_follows_its_number() -> None:
    assert (plural(1, "use"), plural(0, "use"), plural(2, "use")) == ("1 use", "0 uses", "2 uses")
    assert (plural(1, "entry", "entries"), plural(2_000, "entry", "entries")) == (
        "1 entry",
        "2,000 entries",
    )
