"""`map` and `graph`: questions about symbols, and indexes to and from other tools."""

from __future__ import annotations

import shutil
from pathlib import Path

from commonplace.codegraph.scip.format import (
    Document,
    Occurrence,
    ScipRange,
    ScipRole,
    index_chunks,
)
from tests.cli.commands import run_here

FILES = {
    "src/config.ts": "export function parseConfig(text: string) {\n  return text;\n}\n",
    "src/main.ts": (
        "import { parseConfig } from './config';\n\n"
        "export function start() {\n  return parseConfig('a');\n}\n"
    ),
    "src/broken.ts": "export function half( {",
}


def ingested(home: dict[str, str], root: Path) -> None:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    run_here(home, "project", "add", "shop", "--json")
    pushed = run_here(home, "push", str(root), "--project", "shop", "--json")
    assert pushed.code == 0, pushed
    assert run_here(home, "ingest", "--project", "shop", "--json").code == 0


def test_the_graph_is_asked_and_exchanged(home: dict[str, str], tmp_path: Path) -> None:
    ingested(home, tmp_path / "shop")
    found = run_here(home, "map", "callers of parseConfig", "--json").document
    assert (found["relation"], found["total"], found["complete"]) == ("callers", 1, True)
    (definition,), (caller,) = found["definitions"], found["places"]
    assert (definition["symbol"], definition["uses"]) == ("parseConfig", 2)
    assert (caller["symbol"], caller["use"], caller["confidence"]) == ("start", "call", 0.99)
    shown = run_here(home, "map", "callers of parseConfig").stdout
    assert "src/main.ts:4 start (call 0.99) |" in shown
    prose = run_here(home, "map", "where do settings come from").stdout
    assert "Not understood as a question about code; its forms are definition of X," in prose
    word = run_here(home, "map", "start").stdout
    assert word.startswith("symbol:shop/src/main.ts#start function")
    assert run_here(home, "map", "cycles").stdout == run_here(home, "map", "import cycles").stdout
    assert run_here(home, "map", "settings").stdout.endswith("\nNo symbol is called settings.\n")
    unknown = run_here(home, "map", "impact of parseConfgi")
    assert "No symbol or file is called parseConfgi. Nearest: parseConfig." in unknown.stderr
    outline = run_here(home, "map", "outline of main.ts").stdout
    assert "start function" in outline

    problem = "src/broken.ts: read in part: syntax errors in 1 of 1 lines (100 %), from line 1 on"
    assert run_here(home, "graph", "problems").stdout == f"{problem}\n"
    assert problem in run_here(home, "ingest").stdout
    assert f"1 code file: {problem}" in run_here(home, "ingest", "--rebuild").stdout

    index = tmp_path / "index.scip"
    assert run_here(home, "graph", "export", str(index), "--json").document["bytes"] > 100
    nowhere = tmp_path / "no-such-folder" / "index.scip"
    refused = run_here(home, "graph", "export", str(nowhere), "--json")
    assert refused.document["error"]["code"] == "validation.invalid_argument"
    taken = run_here(home, "graph", "import", str(index), "--json").document
    assert taken == {"files": 2, "other_versions": 1, "elsewhere": 0, "brought": 0}
    again = run_here(home, "map", "callers of parseConfig", "--json").document
    assert again["places"][0]["confidence"] == 1, "a compiler is sure"


INDEXED = Path(__file__).parent.parent / "features" / "codegraph" / "indexed"
ZIG = "pub fn mend() void {}\npub fn sew() void { mend(); }\n"


def with_zig(index: bytes) -> bytes:
    """The index with one more file, of a language that is not read here."""
    defined, mend, sew = ScipRole.DEFINITION, "zig . . . mend().", "zig . . . sew()."
    told = Document(
        "src/tool.zig",
        "Zig",
        (
            Occurrence(ScipRange(0, 7, 11), mend, defined),
            Occurrence(ScipRange(1, 7, 10), sew, defined),
            Occurrence(ScipRange(1, 20, 24), mend),
        ),
    )
    return index + b"".join(index_chunks([told], "file:///srv/shop", "1"))


def test_an_index_tells_of_files_that_cannot_be_read(home: dict[str, str], tmp_path: Path) -> None:
    """`index.scip` was made by scip-typescript 0.4.0 in `indexed`."""
    root = tmp_path / "shop"
    shutil.copytree(INDEXED, root, ignore=shutil.ignore_patterns("*.scip"))
    (root / "src/tool.zig").write_text(ZIG)
    run_here(home, "project", "add", "shop", "--json")
    assert run_here(home, "push", str(root), "--project", "shop", "--json").code == 0
    assert run_here(home, "ingest", "--project", "shop", "--json").code == 0
    assert "No symbol or file is called mend" in run_here(home, "map", "callers of mend").stderr
    assert "definition of Shop.counter" not in run_here(home, "map", "Shop.counter").stdout

    index = tmp_path / "index.scip"
    index.write_bytes(with_zig((INDEXED / "index.scip").read_bytes()))
    taken = run_here(home, "graph", "import", str(index), "--json").document
    assert taken == {"files": 5, "other_versions": 0, "elsewhere": 0, "brought": 2}
    for _ in range(2):  # a run that finds nothing new leaves it as it is
        callers = run_here(home, "map", "callers of mend", "--json").document
        assert [(one["file"], one["symbol"]) for one in callers["places"]] == [
            ("shop/src/tool.zig", "sew")
        ]
        uses = run_here(home, "map", "references of Shop.counter", "--json").document
        assert [(one["file"], one["line"]) for one in uses["places"]] == [("shop/src/shop.ts", 10)]
        prices = run_here(home, "map", "callers of Item.price", "--json").document
        assert {one["file"] for one in prices["places"]} == {"shop/src/shop.ts", "shop/src/user.ts"}
        assert "symbols come from an imported index" in run_here(home, "graph", "problems").stdout
        assert run_here(home, "ingest", "--project", "shop", "--json").code == 0

    (root / "src/tool.zig").write_text(f"\n{ZIG}")
    assert run_here(home, "push", str(root), "--project", "shop", "--json").code == 0
    assert run_here(home, "ingest", "--project", "shop", "--json").code == 0
    assert "No symbol or file is called mend" in run_here(home, "map", "callers of mend").stderr
    taken = run_here(home, "graph", "import", str(index), "--json").document
    assert (taken["other_versions"], taken["brought"]) == (1, 1)


def test_what_is_no_index_or_names_no_source_is_refused(
    home: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "index.scip"
    file.write_bytes(b"\xff" * 20)
    outcome = run_here(home, "graph", "import", str(file), "--json")
    assert outcome.document["error"]["code"] == "validation.invalid_argument"
    assert outcome.document["error"]["message"] == "No source tree is attached."
    ingested(home, tmp_path / "shop")
    outcome = run_here(home, "graph", "import", str(file), "--json")
    assert "no SCIP index" in outcome.document["error"]["message"]


def test_problems_are_listed_for_every_source_tree(home: dict[str, str], tmp_path: Path) -> None:
    ingested(home, tmp_path / "shop")
    ingested(home, tmp_path / "till")
    lines = run_here(home, "graph", "problems").stdout.splitlines()
    assert [line.partition(":")[0] for line in sorted(lines)] == [
        "shop/src/broken.ts",
        "till/src/broken.ts",
    ]
    files = run_here(home, "graph", "problems", "--json").document["files"]
    assert sorted(file["source"] for file in files) == ["shop", "till"]
    assert run_here(home, "graph", "problems", "--source", "shop").stdout.startswith("src/broken")
    refused = run_here(home, "graph", "export", str(tmp_path / "index.scip"))
    assert "Choose a source tree with --source: shop (att_" in refused.stderr
    unknown = run_here(home, "graph", "problems", "--source", "shed")
    assert "Choose a source tree with --source: shop (att_" in unknown.stderr
