"""Which file an `#include` of C or C++ means."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.includes import IncludedFiles

FILES = (
    "src/shelf.h",
    "src/core/shelf.h",
    "src/core/main.c",
    "lib/string.h",
    "lib/include/net/sys/poll.h",
    "include/box/box.h",
    "vendor/include/box/box.h",
)


@pytest.mark.parametrize(
    ("specifier", "path"),
    [
        ("shelf.h", "src/core/shelf.h"),
        ("../shelf.h", "src/shelf.h"),
        ("..\\shelf.h", "src/shelf.h"),
        ("../../lib/string.h", "lib/string.h"),
        ("string.h", "lib/string.h"),
        ("<shelf.h>", "src/core/shelf.h"),
        ("<box/box.h>", "include/box/box.h"),
        ("<string.h>", None),
        ("<sys/poll.h>", None),
        ("box/shelf.h", None),
        ("helf.h", None),
    ],
)
def test_what_is_beside_the_file_comes_first(specifier: str, path: str | None) -> None:
    assert IncludedFiles(FILES).find("src/core/main.c", specifier) == path


def test_the_nearest_of_several_is_meant() -> None:
    assert IncludedFiles(FILES).find("vendor/src/main.c", "<box/box.h>") == FILES[-1]
