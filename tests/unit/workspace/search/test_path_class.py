"""What a path says of a file."""

from __future__ import annotations

import pytest

from commonplace.text.path_class import PathClass, is_prose, path_class


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/main/java/com/acme/Parser.java", PathClass.SOURCE),
        ("latest.ts", PathClass.SOURCE),
        ("src/contest.py", PathClass.SOURCE),
        ("source/core/options.ts", PathClass.SOURCE),
        ("test/retry.ts", PathClass.TEST),
        ("src/test/java/com/acme/ParserCheck.java", PathClass.TEST),
        ("src/ParserTest.java", PathClass.TEST),
        ("src/test_parser.py", PathClass.TEST),
        ("pkg/parser_test.go", PathClass.TEST),
        ("web/button.spec.tsx", PathClass.TEST),
        ("test-shrinker/src/main/java/Shrunk.java", PathClass.TEST),
        ("load_tests/main.py", PathClass.TEST),
        ("latest/main.py", PathClass.SOURCE),
        ("README.md", PathClass.DOCS),
        ("docs/guide.rst", PathClass.DOCS),
        ("docs/LICENSE", PathClass.DOCS),
        ("docs/tour.ipynb", PathClass.DOCS),
        ("docs/conf.py", PathClass.TOOLS),
        ("docs/assets/library.umd.js", PathClass.TOOLS),
        ("CHANGELOG.md", PathClass.HISTORY),
        ("scripts/release.sh", PathClass.TOOLS),
        ("benchmark/index.ts", PathClass.TOOLS),
        ("web/node_modules/got/index.js", PathClass.FOREIGN),
        ("third_party/lib/a.c", PathClass.FOREIGN),
        ("package-lock.json", PathClass.FOREIGN),
        ("", PathClass.SOURCE),
    ],
)
def test_a_path_has_a_class(path: str, expected: PathClass) -> None:
    assert path_class(path) is expected


def test_prose_is_known_by_the_name_of_its_file() -> None:
    for path in ("README.md", "src/notes/design.rst", "tests/README", "LICENSE", "web/index.html"):
        assert is_prose(path), path
    for path in (
        "src/cart.py",
        "CMakeLists.txt",
        "dev-requirements.txt",
        "Makefile",
        "scripts/install",
        "",
    ):
        assert not is_prose(path), path
