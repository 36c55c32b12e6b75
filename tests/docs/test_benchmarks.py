"""benchmarks/README.md lists every benchmark, and leads to every page of results."""

from __future__ import annotations

from benchmarks.__main__ import BENCHMARKS
from benchmarks.report import RESULTS
from tests.docs.pages import REPOSITORY


def test_every_benchmark_and_its_results_are_listed() -> None:
    page = (REPOSITORY / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert [name for name in BENCHMARKS if f"| `{name}` |" not in page] == []
    results = {path.stem for path in RESULTS.glob("*.md")}
    assert [name for name in sorted(results) if f"(results/{name}.md)" not in page] == []
