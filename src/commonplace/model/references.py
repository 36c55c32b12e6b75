"""Short, stable names for everything that is stored: how they are written and parsed.

`note:1a2b3c4d5e`, `doc:0f9e8d7c6b#p3`, `file:shop/src/cart.py#L10-20`, `symbol:shop/cart.py#add`.
Looking a reference up, and whether the caller may see it, happens elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import quote, unquote

from commonplace.errors import InvalidArgument
from commonplace.model.entry import EntryKind

SCHEME = "commonplace://"
# This many digits of a random id are unique among millions of ids.
SHORT = 10
LONGEST = 4_000
GLOBAL = "global"
_UNQUOTED = "/:@!$&'()*+,;=~"
_HEX = re.compile(r"[0-9a-f]+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# An id, or the beginning of one in a reference of ours; a word like "defaceable" is none.
_ID = re.compile(rf"{_UUID.pattern}|(?=[a-f]*\d)[0-9a-f]{{{SHORT}}}")
_LINES = re.compile(r"L(\d{1,9})(?:-L?(\d{1,9}))?")
# As compilers and `trace` name lines: src/cart.py:10 or src/cart.py:10-20.
_PLACED = re.compile(r"(.+):(\d{1,9}(?:-\d{1,9})?)")
_PATH = re.compile(r"[^\s/:#]+/[^\s:#]+(?::\d[\d-]*)?(?:#.*)?")
_QUOTES = {"`": "`", '"': '"', "'": "'", "[": "]", "(": ")", "<": ">", "*": "*", "“": "”"}
# The address of a reference as a resource, or of its page in the console.
_OPENED = re.compile(rf"(?:{SCHEME}|https?://\S+?/)open/(\w+(?::|%3[Aa])\S+)")
_WEB = ("https://", "http://")
_NUMBERED = re.compile(r"([pc])(\d{1,9})")
_UNIT = re.compile(r"(trace|pattern|sop)[-:](.+)")
_FORMS = (
    "note:…, item:…, doc:…, file:PROJECT/PATH, symbol:PROJECT/PATH#NAME, notebook:…, record:…, "
    "skill:…, unit:…, review:…, project:NAME or commit:PROJECT/HASH"
)


class ReferenceKind(StrEnum):
    """What a reference names. DOC is a source of the documents surface."""

    NOTE = "note"
    ITEM = "item"
    PAGE = "page"
    NOTEBOOK = "notebook"
    RECORD = "record"
    UNIT = "unit"
    SKILL = "skill"
    DOC = "doc"
    FILE = "file"
    SYMBOL = "symbol"
    PROJECT = "project"
    REVIEW = "review"
    COMMIT = "commit"


OF_ENTRIES = {
    EntryKind.NOTE: ReferenceKind.NOTE,
    EntryKind.ITEM: ReferenceKind.ITEM,
    EntryKind.PAGE: ReferenceKind.PAGE,
    EntryKind.NOTEBOOK_NOTE: ReferenceKind.NOTEBOOK,
    EntryKind.RECORD: ReferenceKind.RECORD,
    EntryKind.UNIT: ReferenceKind.UNIT,
    EntryKind.SKILL: ReferenceKind.SKILL,
}
# Kinds whose names begin with a project, and what follows it.
_IN_PROJECTS = {
    ReferenceKind.FILE: "a path, as in file:shop/src/cart.py",
    ReferenceKind.SYMBOL: "a path, as in symbol:shop/src/cart.py#Cart.add",
    ReferenceKind.COMMIT: "a hash, as in commit:shop/1a2b3c4d5e",
}
# The prefix of a kind's ids, and whether dashes separate the digits after it.
_SHAPES = {
    ReferenceKind.NOTE: ("", True),
    ReferenceKind.PAGE: ("", True),
    ReferenceKind.NOTEBOOK: ("note_", False),
    ReferenceKind.RECORD: ("entry_", False),
    ReferenceKind.SKILL: ("kp:skill:", True),
    ReferenceKind.DOC: ("ks_", False),
}
_KNOWN_IDS = (
    ("kp:skill:", ReferenceKind.SKILL),
    ("kp:trace:", ReferenceKind.UNIT),
    ("kp:pattern:", ReferenceKind.UNIT),
    ("kp:sop:", ReferenceKind.UNIT),
    ("ks_", ReferenceKind.DOC),
    ("note_", ReferenceKind.NOTEBOOK),
    ("entry_", ReferenceKind.RECORD),
    ("ki-", ReferenceKind.ITEM),
    ("rv-", ReferenceKind.REVIEW),
)
_ADDRESSES = {"knowledge": ReferenceKind.NOTE.value}


@dataclass(frozen=True, slots=True)
class Portion:
    """A part of what a reference names. Lines and pages count from 1, passages from 0."""

    first_line: int | None = None
    last_line: int | None = None
    page: int | None = None
    passage: int | None = None

    def __str__(self) -> str:
        if self.first_line is not None:
            last = "" if self.last_line in (None, self.first_line) else f"-{self.last_line}"
            return f"L{self.first_line}{last}"
        return f"p{self.page}" if self.page is not None else f"c{self.passage}"


@dataclass(frozen=True, slots=True)
class ShortReference:
    """The short, stable name of something stored, such as `note:1a2b3c4d5e`.

    `name` is an id or its beginning; for files and symbols, a project and a path in it, or a path
    on disk; for documents also the address of a web page.
    """

    kind: ReferenceKind
    name: str
    portion: Portion | None = None
    symbol: str = ""

    @property
    def lowered(self) -> ShortReference:
        """The same reference with a lower-case id, for callers that write ids in capitals."""
        return replace(self, name=self.name.lower())

    @property
    def project(self) -> str:
        """The project of a file, symbol or commit (`global` if none owns it); empty for a path on
        disk."""
        return self.name.partition("/")[0] if self.kind in _IN_PROJECTS else ""

    @property
    def path(self) -> str:
        return self.name.partition("/")[2] if self.kind in _IN_PROJECTS else ""

    @property
    def beginning(self) -> str:
        """The beginning of the ids that the name stands for."""
        if self.kind is ReferenceKind.UNIT and (typed := _UNIT.fullmatch(self.name)):
            return f"kp:{typed[1]}:{_dashed(typed[2])}"
        shape = _SHAPES.get(self.kind)
        if shape is None or not _HEX.fullmatch(self.name.replace("-", "")):
            return self.name
        prefix, dashes = shape
        return prefix + (_dashed(self.name) if dashes else self.name)

    def at(self, portion: Portion) -> ShortReference:
        return replace(self, portion=portion)

    def __str__(self) -> str:
        inside = quote(self.symbol, safe=_UNQUOTED) if self.symbol else str(self.portion or "")
        name = quote(self.name, safe=_UNQUOTED)
        if self.kind is ReferenceKind.FILE and _PLACED.fullmatch(name):
            name = name.replace(":", "%3A")
        return f"{self.kind.value}:{name}" + (f"#{inside}" if inside else "")


def of_entry(kind: EntryKind, id: str, *, whole: bool = False) -> ShortReference:
    """The reference of an entry, with its whole id if it is of another org: only our own ids are
    looked up by their beginning."""
    named = OF_ENTRIES[kind]
    if named is ReferenceKind.UNIT:
        _, _, rest = id.partition("kp:")
        sort, _, number = rest.partition(":")
        fits = bool(sort and _UUID.fullmatch(number))
        return ShortReference(named, f"{sort}-{_short(number, whole)}" if fits else id)
    return ShortReference(named, _named(named, id, whole))


def of_document(id: str) -> ShortReference:
    return ShortReference(ReferenceKind.DOC, _named(ReferenceKind.DOC, id, whole=False))


def of_file(
    project: str, path: str, first: int | None = None, last: int | None = None
) -> ShortReference:
    part = Portion(first, last) if first is not None else None
    return ShortReference(ReferenceKind.FILE, f"{project}/{path}", part)


def of_commit(project: str, id: str) -> ShortReference:
    return ShortReference(ReferenceKind.COMMIT, f"{project}/{id[:SHORT]}")


def of_symbol(project: str, path: str, symbol: str) -> ShortReference:
    return ShortReference(ReferenceKind.SYMBOL, f"{project}/{path}", symbol=symbol)


def parse_reference(text: str) -> ShortReference:
    """Parse a reference as people write it: quoted, at the end of a sentence, or with the rest of
    the line that it begins; ids and addresses of other dialects are accepted too."""
    given = _written(text)
    if given.startswith(_WEB) and "\0" not in given:
        return ShortReference(ReferenceKind.DOC, given)
    if given.startswith("/"):
        return _with_part(ReferenceKind.FILE, given)
    for beginning, kind in _KNOWN_IDS:
        if given.startswith(beginning):
            return _with_part(kind, _bare(kind, given))
    if _ID.fullmatch(given.lower()):
        return _with_part(ReferenceKind.NOTE, given.lower())
    name, _, rest = given.partition(":")
    known = _kind(name)
    if known is None and _PATH.fullmatch(given):
        return _with_part(ReferenceKind.FILE, given)
    if known is None or not rest.strip():
        raise InvalidArgument(
            f"{text!r} is not a reference. References look like {_FORMS}.", field="reference"
        )
    return _with_part(known, _bare(known, rest.strip()))


def _written(text: str) -> str:
    """A reference without what stands around it; of an address of ours, what it names."""
    if len(text) > LONGEST:
        raise InvalidArgument(f"A reference has at most {LONGEST:,} characters.", field="reference")
    given = text.strip().partition(" · ")[0].rstrip(".,;:")
    while len(given) > 2 and given[0] in _QUOTES and given[-1] == _QUOTES[given[0]]:
        given = given[1:-1].strip()
    if opened := _OPENED.fullmatch(given):
        given = unquote(opened[1])
    elif given.startswith(SCHEME):
        name, _, rest = given.removeprefix(SCHEME).partition("/")
        given = f"{_ADDRESSES.get(name, name)}:{rest}"
    return given.removeprefix("./")


def _kind(name: str) -> ReferenceKind | None:
    return next((kind for kind in ReferenceKind if kind.value == name.strip().lower()), None)


def _bare(kind: ReferenceKind, id: str) -> str:
    """An id of another dialect without the prefix that its kind implies."""
    shape = _SHAPES.get(kind)
    if shape and _HEX.match(id.removeprefix(shape[0])):
        return id.removeprefix(shape[0])
    return id.removeprefix("kp:") if kind is ReferenceKind.UNIT else id


def _with_part(kind: ReferenceKind, rest: str) -> ShortReference:
    name, _, inside = rest.partition("#")
    if kind is ReferenceKind.FILE and not inside and (placed := _PLACED.fullmatch(name.strip())):
        name, inside = placed[1], f"L{placed[2]}"
    name, inside = unquote(name.strip()), unquote(inside.strip())
    if "\0" in name + inside:
        raise InvalidArgument("reference: must not contain %00.", field="reference")
    if kind in _SHAPES and _UUID.fullmatch(name.lower()):
        name = name.lower().replace("-", "")
    on_disk = name.startswith("/") and kind is not ReferenceKind.COMMIT
    if kind in _IN_PROJECTS and not on_disk and not all(name.partition("/")):
        raise InvalidArgument(
            f"{kind.value}: needs a project and {_IN_PROJECTS[kind]}.", field="reference"
        )
    if kind is ReferenceKind.SYMBOL:
        return ShortReference(kind, name, symbol=inside)
    return ShortReference(kind, name, _part(inside) if inside else None)


def _part(inside: str) -> Portion:
    if lines := _LINES.fullmatch(inside):
        first, last = int(lines[1]), int(lines[2] or lines[1])
        if 1 <= first <= last:
            return Portion(first, last)
    if numbered := _NUMBERED.fullmatch(inside):
        number = int(numbered[2])
        if numbered[1] == "c":
            return Portion(passage=number)
        if number >= 1:
            return Portion(page=number)
    raise InvalidArgument(
        f"#{inside} is not a part: use #L10-20 for lines, #p3 for a page, #c0 for a passage; "
        "section takes a heading.",
        field="reference",
    )


def _named(kind: ReferenceKind, id: str, whole: bool) -> str:
    prefix, dashes = _SHAPES.get(kind, ("", False))
    number = id.removeprefix(prefix)
    random = _UUID.fullmatch(number) if dashes else _HEX.fullmatch(number) and len(number) == 32
    return _short(number, whole) if kind in _SHAPES and id.startswith(prefix) and random else id


def _short(number: str, whole: bool) -> str:
    digits = number.replace("-", "")
    return digits if whole else digits[:SHORT]


def _dashed(digits: str) -> str:
    """The digits of a UUID, or of its beginning, with the usual dashes."""
    plain = digits.replace("-", "")
    parts = (plain[:8], plain[8:12], plain[12:16], plain[16:20], plain[20:])
    return "-".join(part for part in parts if part)
