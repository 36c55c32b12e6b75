"""`backup` and `restore` from the command line, on both stores."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import run_here
from tests.cli.test_commands import UNREACHABLE


def test_a_backup_brings_back_what_was_lost(place: dict[str, str], tmp_path: Path) -> None:
    settings, file = place | UNREACHABLE, str(tmp_path / "kept.backup")
    id = run_here(settings, "add", "Title", "zebra", "--json").document["id"]
    made = run_here(settings, "backup", file, "--json").document
    assert (made["counts"]["entries"], made["bytes"] > 0) == (1, True)
    run_here(settings, "purge", id, "--yes")
    refused = run_here(settings, "restore", file, "--json")
    assert (refused.code, refused.document["error"]["code"]) == (1, "storage.not_empty")
    assert run_here(settings, "show", id).code == 1
    restored = run_here(settings, "restore", file, "--force", "--json")
    assert restored.document["counts"]["entries"] == 1
    assert run_here(settings, "show", id).code == 0
    assert len(run_here(settings, "search", "zebra", "--json").document["hits"]) == 1


def test_a_file_that_is_no_backup_is_refused_without_internals(
    home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "x").write_text("hello")
    for name in ("x", "absent"):
        refused = run_here(home, "restore", str(tmp_path / name))
        assert refused.code == 1
        assert refused.stderr.rstrip().endswith("[storage.backup_unusable]")
        assert "Traceback" not in refused.stderr
