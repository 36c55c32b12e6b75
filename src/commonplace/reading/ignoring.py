"""What git ignores in a folder: by `.gitignore` at every level, by its exclude file, by the user's.

The nearest file that says something about a path decides, as git has it; what git keeps is not
ignored.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.reading.small_files import text_of
from commonplace.reading.tracked import Tracked

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_IGNORE_FILE = ".gitignore"
_EXCLUDE = Path("info") / "exclude"
_INDEX = "index"
_SECTION = re.compile(r"\s*\[\s*([\w.-]+)\s*(?:\"[^\"]*\")?\s*\]")
_SAYS = re.compile(r"\s*(excludesfile|path)\s*=\s*\"?([^\"#;]*?)\"?\s*(?:[#;].*)?", re.IGNORECASE)
_SYSTEM = Path("/etc/gitconfig")


@dataclass(frozen=True, slots=True)
class Rules:
    """One ignore file; what it says is about paths below `base`, a path that ends in a slash."""

    base: str
    spec: GitIgnoreSpec

    def verdict(self, path: str) -> bool | None:
        return self.spec.check_file(path.removeprefix(self.base)).include


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The ignore files that hold in a folder, the outermost first; `user` is nobody's project's."""

    rules: tuple[Rules, ...] = ()
    user: tuple[Rules, ...] = ()
    tracked: Tracked | None = None

    @property
    def declared(self) -> bool:
        """Whether the project says at all what it ignores."""
        return bool(self.rules)

    def ignores(self, path: str) -> bool:
        """An absolute path; a folder's ends in a slash."""
        for rules in reversed((*self.user, *self.rules)):
            verdict = rules.verdict(path)
            if verdict is not None:
                return verdict and not (self.tracked and self.tracked.holds(path))
        return False

    def below(self, folder: str) -> Ignoring:
        """These rules with the ignore file of a folder further down, if it has one."""
        found = _rules(Path(folder) / _IGNORE_FILE, folder)
        return replace(self, rules=(*self.rules, found)) if found else self


def ignoring_at(root: str) -> Ignoring:
    """What holds at the root of a walk: also what lies above it, up to the repository's top."""
    top = repository_top(root)
    if top is None:
        return Ignoring().below(root)
    own = _git_folder(top)
    git = _shared_folder(own)
    held, users = _rules(git / _EXCLUDE, str(top)), _rules(_user_excludes(git), str(top))
    tracked = Tracked(top, own / _INDEX)
    ignoring = Ignoring((held,) if held else (), (users,) if users else (), tracked)
    inner = [folder for folder in (Path(root), *Path(root).parents) if folder.is_relative_to(top)]
    for folder in reversed(inner):
        ignoring = ignoring.below(str(folder))
    return ignoring


def repository_top(root: str) -> Path | None:
    above = (Path(root), *Path(root).parents)
    return next((folder for folder in above if (folder / ".git").exists()), None)


def _git_folder(top: Path) -> Path:
    """Git's folder; in a worktree `.git` is a file that names it."""
    held = top / ".git"
    if held.is_dir():
        return held
    return top / text_of(held).removeprefix("gitdir:").strip()


def _shared_folder(git: Path) -> Path:
    """What all worktrees of a repository have in common."""
    common = text_of(git / "commondir").strip()
    return git / common if common else git


def _user_excludes(git: Path) -> Path:
    """What `core.excludesFile` names, in the repository before the user's own configuration."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - where there is no home it stays as it is
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
    for config in (git / "config", home / ".gitconfig", settings / "config", _SYSTEM):
        if named := _excludes_named(config, home, set()):
            return named
    return settings / "ignore"


def _excludes_named(config: Path, home: Path, seen: set[Path]) -> Path | None:
    """The last that a file of git's configuration says, or one that it includes in any case."""
    if config in seen:
        return None
    seen.add(config)
    section, named = "", None
    for line in text_of(config).splitlines():
        if head := _SECTION.match(line):
            section = head[1].lower()
        elif not (said := _SAYS.fullmatch(line)) or not said[2]:
            continue
        elif (section, said[1].lower()) == ("core", "excludesfile"):
            named = _meant(said[2], home, home)
        elif (section, said[1].lower()) == ("include", "path"):
            included = _meant(said[2], home, config.parent)
            named = _excludes_named(included, home, seen) or named
    return named


def _meant(path: str, home: Path, folder: Path) -> Path:
    return home / path.removeprefix("~/") if path.startswith("~/") else folder / path


def _rules(file: Path, base: str) -> Rules | None:
    text = text_of(file)
    if not text.strip():
        return None
    from pathspec import GitIgnoreSpec

    return Rules(base.rstrip("/") + "/", GitIgnoreSpec.from_lines(_sound(text)))


def _sound(text: str) -> list[str]:
    """Lines that are ignore patterns; git passes over the others, too."""
    from pathspec import GitIgnoreSpec

    sound: list[str] = []
    for line in text.splitlines():
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue
        sound.append(line)
    return sound
