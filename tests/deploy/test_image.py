"""The image is built from what its file copies, and nothing that the build needs is left out."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

from tests.docs.pages import REPOSITORY

RECIPE = (REPOSITORY / "deploy" / "Dockerfile").read_text(encoding="utf-8")
IGNORED = (REPOSITORY / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8")


def copied() -> list[tuple[list[str], str]]:
    """What is copied from the checkout, and where to."""
    lines = re.findall(r"^COPY (?!--)(.+)$", RECIPE, re.MULTILINE)
    return [(given, to) for *given, to in map(str.split, lines)]


def test_a_wheel_can_be_built_of_what_is_copied(tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "dist"
    for given, to in copied():
        (source / to).mkdir(parents=True, exist_ok=True)
        for name in given:
            place = REPOSITORY / name
            if place.is_dir():
                shutil.copytree(
                    place, source / to, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pyc*")
                )
            else:
                shutil.copy(place, source / to)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "commonplace/cli/data/docs/howto/tour.md" in names
    assert any("/sboms/" in name for name in names)


def test_nothing_that_is_copied_is_kept_from_the_build() -> None:
    allowed = {line[1:] for line in IGNORED.splitlines() if line.startswith("!")}
    for given, _ in copied():
        for name in given:
            above = {name, *map(str, PurePosixPath(name).parents)}
            assert above & allowed, f"{name} is ignored"
