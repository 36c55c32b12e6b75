"""Every indexer is given the files that the compiler's answer is about, and no others."""

from __future__ import annotations

from pathlib import Path

from benchmarks.codegraph.speed import copied


def test_a_copy_holds_covered_folders_and_manifests(tmp_path: Path) -> None:
    source = tmp_path / "project"
    kept = {
        "package.json": "{}",
        "docs/tsconfig.json": "{}",
        "src/a.ts": "export const a = 1;",
        "src/index.ts": "export * from './a';",  # names nothing, so that no answer is about it
    }
    left = {"src/old/b.ts": "", "src/node_modules/c/c.ts": "", "docs/guide.ts": ""}
    for path, text in (kept | left).items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(text, encoding="utf-8")
    with copied(source, ["src/a.ts"]) as root:
        found = {str(each.relative_to(root)) for each in root.rglob("*") if each.is_file()}
    assert found == kept.keys()


def test_the_settings_of_the_compiler_are_those_of_the_copy(tmp_path: Path) -> None:
    source = tmp_path / "project"
    source.mkdir()
    (source / "tsconfig.json").write_text('{"include": ["."]}', encoding="utf-8")
    (source / "tsconfig.truth.json").write_text('{"include": ["src"]}', encoding="utf-8")
    with copied(source, []) as root:
        assert (root / "tsconfig.json").read_text(encoding="utf-8") == '{"include": ["src"]}'
