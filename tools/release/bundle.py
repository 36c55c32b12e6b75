"""Builds the bundle for Claude Desktop, which contains the wheel and its manifest.

`python -m tools.release.bundle [--packer COMMAND]`; without a packer the archive is written here.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from commonplace import __version__

ROOT = Path(__file__).parents[2]
PARTS = ROOT / "packaging" / "mcpb"
PROJECT = """\
[project]
name = "commonplace-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["commonplace-mcp"]

[tool.uv]
package = false

[tool.uv.sources]
commonplace-mcp = {{ path = "{wheel}" }}
"""


def stage(wheel: Path, folder: Path) -> None:
    """The files of the bundle: the manifest, the wheel, and a project that depends on the wheel."""
    manifest = json.loads((PARTS / "manifest.json").read_text(encoding="utf-8"))
    if manifest["version"] != __version__:
        raise SystemExit(f"the manifest is of {manifest['version']}, not of {__version__}")
    for part in (PARTS / "manifest.json", PARTS / "server.py", ROOT / "LICENSE", wheel):
        shutil.copy(part, folder)
    project = PROJECT.format(version=__version__, wheel=wheel.name)
    (folder / "pyproject.toml").write_text(project, encoding="utf-8")


def pack(folder: Path, target: Path) -> None:
    """Write the archive as the packer does: all files at their paths, and nothing else."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packer", help="the command of @anthropic-ai/mcpb")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    wheels = sorted(given.dist.glob(f"commonplace_mcp-{__version__}-*.whl"))
    if not wheels:
        print("no wheel of this version; make wheel", file=sys.stderr)
        return 1
    target = given.dist / f"commonplace-{__version__}.mcpb"
    with TemporaryDirectory() as name:
        folder = Path(name)
        stage(wheels[-1], folder)
        if given.packer:
            packer = shlex.split(given.packer)
            subprocess.run([*packer, "validate", str(folder / "manifest.json")], check=True)
            subprocess.run([*packer, "pack", str(folder), str(target)], check=True)
        else:
            pack(folder, target)
    print(f"wrote {target.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
