"""Which events are worth a look; that they come is tested with two servers in tests/folders."""

from __future__ import annotations

import pytest

from commonplace.reading.watching import worth_a_look

ROOTS = ("/srv/shop", "/srv/.venv/odd")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/srv/shop/src/a.ts", True),
        ("/srv/shop/.git/index", False),
        ("/srv/shop/node_modules/x/a.js", False),
        ("/srv/shopping/a.ts", False),
        ("/srv/.venv/odd/a.py", True),
    ],
)
def test_what_is_never_read_is_no_reason_to_look(path: str, expected: bool) -> None:
    assert worth_a_look(path, ROOTS) is expected
