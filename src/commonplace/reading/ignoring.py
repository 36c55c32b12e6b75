"""Which files git ignores: by `.gitignore` at every level, the exclude file, the user's excludes.

As in git, the nearest file with a matching rule decides, and tracked files are never ignored.
A `.commonplaceignore` takes precedence over all of that.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from commonplace.reading.globs import Globs, rules_of
from commonplace.reading.small_files import bytes_of, text_of
from commonplace.reading.tracked import Tracked

_IGNORE_FILE = ".gitignore"
_OWN_FILE = ".commonplaceignore"
IGNORE_FILES = frozenset({_IGNORE_FILE, _OWN_FILE})
_EXCLUDE = Path("info") / "exclude"
_INDEX = "index"
_SECTION = re.compile(r"\s*+\[\s*+([\w.-]++)\s*+(?:\"[^\"]*+\"\s*+)?\]")
_COMMENTS = "#;"
_MOST_INCLUDED = 20
_SYSTEM = Path("/etc/gitconfig")


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """One ignore file; it applies to paths below `base` (without trailing slash)."""

    base: bytes
    globs: Globs

    def verdict(self, path: bytes, *, folder: bool) -> bool | None:
        return self.globs.verdict(path[len(self.base) + 1 :], folder=folder)


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The ignore files that apply to a folder, outermost first; `own` are ours, not git's.

    In an ignored folder everything is ignored, and no file can change that.
    """

    rules: tuple[IgnoreFile, ...] = ()
    user: tuple[IgnoreFile, ...] = ()
    own: tuple[IgnoreFile, ...] = ()
    tracked: Tracked | None = None
    everything: bool = False

    @property
    def declared(self) -> bool:
        """Whether the project has any ignore rules."""
        return bool(self.rules)

    def ignores(self, path: str) -> bool:
        """Whether the file at an absolute path is ignored."""
        said = _verdict(self.own, path, folder=False)
        if said is not None:
            return said
        return self._is_ignored(path, folder=False) and not self._keeps(path)

    def entering(self, folder: str) -> Ignoring | None:
        """The rules for a subfolder, without those in it; None if nothing in it needs to be
        read."""
        said = _verdict(self.own, folder, folder=True)
        if said:
            return None
        ignored = said is None and self._is_ignored(folder, folder=True)
        if ignored and not self._keeps(f"{folder}/"):
            return None
        return replace(self, everything=ignored)

    def below(self, folder: str) -> Ignoring:
        """These rules plus those of the folder's own ignore files; costs two looks at the disk."""
        rules, own = (_rules(Path(folder, name), folder) for name in (_IGNORE_FILE, _OWN_FILE))
        return replace(
            self,
            rules=(*self.rules, rules) if rules else self.rules,
            own=(*self.own, own) if own else self.own,
        )

    def _keeps(self, path: str) -> bool:
        return self.tracked is not None and self.tracked.holds(path)

    def _is_ignored(self, path: str, *, folder: bool) -> bool:
        if self.everything:
            return True
        return _verdict((*self.user, *self.rules), path, folder=folder) or False


def _verdict(files: tuple[IgnoreFile, ...], path: str, *, folder: bool) -> bool | None:
    """The verdict of the nearest file with a matching rule."""
    if not files:
        return None
    encoded = os.fsencode(path)
    for file in reversed(files):
        verdict = file.verdict(encoded, folder=folder)
        if verdict is not None:
            return verdict
    return None


def ignoring_at(root: str) -> Ignoring:
    """The rules for the root of a walk: those above it, up to the repository's top."""
    top = repository_top(root)
    if top is None:
        return Ignoring()
    own = _git_folder(top)
    git = _shared_folder(own)
    held, users = _rules(git / _EXCLUDE, str(top)), _rules(_user_excludes(git), str(top))
    tracked = Tracked(top, own / _INDEX, text_of(git / "config"))
    ignoring = Ignoring((held,) if held else (), (users,) if users else (), tracked=tracked)
    above = top
    for folder in _between(top, Path(root)):
        around = ignoring.below(str(above))
        entered = around.entering(str(folder))
        if entered is None:
            return replace(around, everything=True, tracked=None)
        ignoring, above = entered, folder
    return ignoring


def _between(top: Path, root: Path) -> list[Path]:
    """The folders from below the top down to the root, including the root."""
    inner = [folder for folder in (root, *root.parents) if top in folder.parents]
    return inner[::-1]


def repository_top(root: str) -> Path | None:
    above = (Path(root), *Path(root).parents)
    return next((folder for folder in above if (folder / ".git").exists()), None)


def _git_folder(top: Path) -> Path:
    """The git directory; in a worktree, `.git` is a file that names it."""
    held = top / ".git"
    if held.is_dir():
        return held
    return top / text_of(held).removeprefix("gitdir:").strip()


def _shared_folder(git: Path) -> Path:
    """The git directory that all worktrees of a repository share."""
    common = text_of(git / "commondir").strip()
    return git / common if common else git


def _user_excludes(git: Path) -> Path:
    """The file in `core.excludesFile`; the repository's configuration overrides the user's."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - where there is no home it stays as it is
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
    for config in (git / "config", home / ".gitconfig", settings / "config", _SYSTEM):
        if named := _excludes_named(config, home, set()):
            return named
    return settings / "ignore"


def _excludes_named(config: Path, home: Path, seen: set[Path]) -> Path | None:
    """The last value in a git configuration file and the files that it includes unconditionally."""
    if config in seen or len(seen) > _MOST_INCLUDED:
        return None
    seen.add(config)
    section, named = "", None
    for line in text_of(config).splitlines():
        if head := _SECTION.match(line):
            section = head[1].lower()
            continue
        name, sign, said = line.partition("=")
        setting, value = (section, name.strip().lower()), _value(said)
        if not sign or not value:
            continue
        if setting == ("core", "excludesfile"):
            named = _expanded(value, home, home)
        elif setting == ("include", "path"):
            included = _expanded(value, home, config.parent)
            named = _excludes_named(included, home, seen) or named
    return named


def _value(said: str) -> str:
    """The value of a setting, without quotes and trailing comment."""
    kept, quoted, letters = "", False, iter(said.strip())
    for letter in letters:
        if letter == "\\":
            kept += next(letters, "")
        elif letter == '"':
            quoted = not quoted
        elif letter in _COMMENTS and not quoted:
            return kept.rstrip()
        else:
            kept += letter
    return kept


def _expanded(path: str, home: Path, folder: Path) -> Path:
    return home / path.removeprefix("~/") if path.startswith("~/") else folder / path


def _rules(file: Path, base: str) -> IgnoreFile | None:
    text = bytes_of(file)
    if not text.strip():
        return None
    return IgnoreFile(os.fsencode(base.rstrip("/")), rules_of(text))
