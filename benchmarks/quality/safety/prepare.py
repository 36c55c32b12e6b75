"""Takes the SKILL.md files out of bare clones: python -m benchmarks.quality.safety.prepare IN OUT.

IN has a folder `owner+name` for each repository in sources.toml.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).with_name("sources.toml")


def main(clones: Path, data: Path) -> None:
    for group, repositories in tomllib.loads(SOURCES.read_text("utf-8")).items():
        for repository, commit in repositories.items():
            name = repository.replace("/", "+")
            home = data / "skills" / group / name
            for path in _skills(clones / name, commit):
                target = home / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(_git(clones / name, "show", f"{commit}:{path}"))


def _skills(clone: Path, commit: str) -> Iterator[str]:
    """Files only; a link to one is not another skill."""
    for line in _git(clone, "ls-tree", "-r", "-z", commit).decode().split("\0"):
        mode, _, path = line.partition("\t")
        if mode.startswith("100") and path.rpartition("/")[2] == "SKILL.md":
            yield path


def _git(clone: Path, *arguments: str) -> bytes:
    command = ["git", f"--git-dir={clone}", *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
