"""Git's ignore patterns, matched without backtracking.

A star matches as little as possible: trying more can never help, so no pattern is expensive. Works
on bytes, as git does.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SLASH, _ESCAPED_SLASH, _STAR = b"/", rb"\/", b"*"
_SPECIAL = re.compile(rb"[*?\[\\]")
_UTF8_MARK = b"\xef\xbb\xbf"
_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, (*range(32), 127))),
    "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))),
    "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))),
    "punct": string.punctuation,
    "space": string.whitespace,
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}

Part = re.Pattern[bytes]
_ANYTHING: Part = re.compile(b"")


@dataclass(frozen=True, slots=True)
class Glob:
    """One line of an ignore file.

    Without a slash, it applies to file names at any depth. Otherwise it applies to paths: `prefix`
    is what comes before the first special character; `groups` are the parts between slashes after
    that, split where `**` stands for any number of folders.
    """

    negated: bool
    folders_only: bool
    named: bool
    prefix: bytes
    groups: tuple[tuple[Part, ...], ...]

    def matches(self, path: bytes, *, folder: bool) -> bool:
        """Whether it matches; `path` is relative to the ignore file's folder, without a slash at
        its end."""
        if self.folders_only and not folder:
            return False
        text = path.rpartition(_SLASH)[2] if self.named else path
        if not text.startswith(self.prefix):
            return False
        rest = text[len(self.prefix) :]
        return _fit(self.groups, rest.split(_SLASH)) if self.groups else not rest


@dataclass(frozen=True, slots=True)
class Globs:
    """The lines of an ignore file, last first. Most names match none of those that are about names:
    `names` are those without special characters, and `shapes` matches what any other one does."""

    globs: tuple[Glob, ...]
    placed: tuple[Glob, ...]
    names: frozenset[bytes]
    shapes: Part | None

    def verdict(self, path: bytes, *, folder: bool) -> bool | None:
        """Whether a path is ignored by the last line that matches; None if none does."""
        name = path.rpartition(_SLASH)[2]
        named = name in self.names or (self.shapes is not None and self.shapes.match(name))
        for glob in self.globs if named else self.placed:
            if glob.matches(path, folder=folder):
                return not glob.negated
        return None


def rules_of(text: bytes) -> Globs:
    globs = tuple(reversed(globs_of(text)))
    named = [glob for glob in globs if glob.named]
    shapes = [re.escape(glob.prefix) + glob.groups[0][0].pattern for glob in named if glob.groups]
    return Globs(
        globs,
        tuple(glob for glob in globs if not glob.named),
        frozenset(glob.prefix for glob in named if not glob.groups),
        re.compile(b"|".join(shapes), re.DOTALL) if shapes else None,
    )


def globs_of(text: bytes) -> list[Glob]:
    """The lines of an ignore file that can match something, in order."""
    lines = (line.removesuffix(b"\r") for line in text.removeprefix(_UTF8_MARK).split(b"\n"))
    found = (_glob(_trimmed(line)) for line in lines if line and not line.startswith(b"#"))
    return [glob for glob in found if glob]


def _trimmed(line: bytes) -> bytes:
    """The line without trailing blanks, except one protected by a backslash."""
    bare = line.rstrip(b" ")
    kept = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + 1] if kept % 2 else bare


def _glob(line: bytes) -> Glob | None:
    negated = line.startswith(b"!")
    body = line[negated:]
    folders_only = body.endswith(_SLASH)
    body = body.removesuffix(_SLASH)
    named = _SLASH not in body
    body = body.removeprefix(_SLASH)
    special = _SPECIAL.search(body)
    prefix = body[: special.start()] if special else body
    try:
        groups = _groups(body[len(prefix) :], named=named)
    except _NeverMatches:
        return None
    return Glob(negated, folders_only, named, prefix, groups) if body else None


def _fit(groups: Sequence[Sequence[Part]], names: Sequence[bytes]) -> bool:
    """Match the first group at the start, the last at the end, and the others as early as
    possible."""
    first, *others = groups
    if not others:
        return len(first) == len(names) and _fit_at(first, names, 0)
    *middle, last = others
    start, end = len(first), len(names) - len(last)
    if start > end or not (_fit_at(first, names, 0) and _fit_at(last, names, end)):
        return False
    for group in middle:
        places = range(start, end - len(group) + 1)
        place = next((at for at in places if _fit_at(group, names, at)), None)
        if place is None:
            return False
        start = place + len(group)
    return True


def _fit_at(group: Sequence[Part], names: Sequence[bytes], at: int) -> bool:
    return all(part.match(names[at + step]) for step, part in enumerate(group))


class _NeverMatches(Exception):
    """A pattern that git ignores too."""


def _groups(body: bytes, *, named: bool) -> tuple[tuple[Part, ...], ...]:
    if not body:
        return ()
    groups: list[list[Part]] = [[]]
    part: list[bytes] = []
    for token in _tokens(body):
        if token not in (_SLASH, _ESCAPED_SLASH):
            part.append(token)
            continue
        _add(groups, part, named=named)
        if token == _ESCAPED_SLASH and not groups[-1]:
            # As in git: before such a slash, `**` matches at least one folder.
            groups[-1].append(_ANYTHING)
        part = []
    _add(groups, part, named=named)
    if len(groups) > 1 and not groups[-1]:
        # `folder/**` matches the contents of the folder, but not the folder itself.
        groups[-1].append(_ANYTHING)
    return tuple(map(tuple, groups))


def _add(groups: list[list[Part]], part: Sequence[bytes], *, named: bool) -> None:
    if not named and len(part) > 1 and set(part) == {_STAR}:
        groups.append([])
    else:
        groups[-1].append(_compiled(part))


def _compiled(part: Sequence[bytes]) -> Part:
    """Compile one path component: its parts between stars, anchored at start and end."""
    first, *others = _between_stars(part)
    if not others:
        return re.compile(b"".join(first) + rb"\Z", re.DOTALL)
    *middle, last = others
    early = b"".join(b"(?>.*?" + b"".join(run) + b")" for run in middle if run)
    ends = b"(?=.{%d}).*+(?<=%s)" % (len(last), b"".join(last)) if last else b""
    return re.compile(b"".join(first) + early + ends, re.DOTALL)


def _between_stars(part: Sequence[bytes]) -> list[list[bytes]]:
    runs: list[list[bytes]] = [[]]
    for token in part:
        if token == _STAR:
            runs.append([])
        else:
            runs[-1].append(token)
    return runs


def _tokens(body: bytes) -> Iterator[bytes]:
    """A star, a slash, or a regular expression for exactly one byte."""
    at = 0
    while at < len(body):
        sign = body[at : at + 1]
        at += 1
        if sign == b"?":
            yield b"."
        elif sign == b"[":
            accepted, at = _set(body, at)
            yield _one_of(accepted)
        elif sign == b"\\":
            if at == len(body):
                raise _NeverMatches
            escaped = body[at : at + 1]
            yield _ESCAPED_SLASH if escaped == _SLASH else re.escape(escaped)
            at += 1
        else:
            yield sign if sign in (_STAR, _SLASH) else re.escape(sign)


def _one_of(accepted: set[int]) -> bytes:
    if not accepted:
        raise _NeverMatches
    return b"[" + b"".join(b"\\x%02x" % value for value in sorted(accepted)) + b"]"


def _set(body: bytes, at: int) -> tuple[set[int], int]:
    """The bytes that `[...]` accepts, and where it ends."""
    negated = body[at : at + 1] in (b"!", b"^")
    at += negated
    accepted: set[int] = set()
    before: int | None = None
    first = True
    while first or body[at : at + 1] != b"]":
        first = False
        if body.startswith(b"[:", at) and (named := _class(body, at)):
            accepted |= named[0]
            before, at = None, named[1]
        elif body[at : at + 1] == b"-" and before is not None and _goes_on(body, at + 1):
            value, at = _literal(body, at + 1)
            accepted |= set(range(before, value + 1))
            before = None
        else:
            before, at = _literal(body, at)
            accepted.add(before)
    return (set(range(256)) - accepted if negated else accepted), at + 1


def _goes_on(body: bytes, at: int) -> bool:
    return at < len(body) and body[at : at + 1] != b"]"


def _literal(body: bytes, at: int) -> tuple[int, int]:
    at += body[at : at + 1] == b"\\"
    if at >= len(body):
        raise _NeverMatches
    return body[at], at + 1


def _class(body: bytes, at: int) -> tuple[set[int], int] | None:
    """The bytes that `[:name:]` accepts; None if it is not closed and thus an ordinary bracket."""
    end = body.find(b"]", at + 2)
    if end < 0:
        raise _NeverMatches
    name = body[at + 2 : end - 1]
    if end < at + 3 or body[end - 1 : end] != b":":
        return None
    accepted = _CLASSES.get(name.decode("ascii", "replace"))
    if accepted is None:
        raise _NeverMatches
    return set(accepted.encode()), end + 1
