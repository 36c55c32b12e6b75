"""The metadata of a moment, from its words: title, project, file, tags, reason, alternatives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from commonplace.analysis.lexicon import hint
from commonplace.analysis.sentences import sentences
from commonplace.analysis.spelling import plain
from commonplace.capture.blocks import SPOKEN, blocks, turns_of
from commonplace.capture.rules import words
from commonplace.capture.secrets import MASK
from commonplace.text.snippet import ELLIPSIS

NO_PROJECT = "default"
DECISION = "decision"
OPEN_QUESTION = "open-question"
TYPE_OF_QUESTIONS = "troubleshooting"
NO_FILE = "unknown"
SUMMARY_LENGTH = 200
MOST_TAGS = 4

_DECORATION = re.compile(
    r"^(?:[ \t]*(?:#{1,6}|>|[-*+•]|\d{1,3}[.)])[ \t]+)+|[*`]{1,3}", re.MULTILINE
)
_NAME = r"[\"'`*]{0,3}(?P<name>[A-Za-z][\w-]*+)(?![\w-]|[./\\]\w|[(=])"
_CALLED = re.compile(
    rf"\bproject(?:[ \t]++(?:called|named))?(?:[ \t]*+[:=])?[ \t]++{_NAME}", re.IGNORECASE
)
_OWN = re.compile(
    rf"\b(?:in|for)[ \t]+(?:the|our|my|this)[ \t]+{_NAME}[\"'`*]{{0,3}}[ \t]+"
    r"(?:project|repo|repository|service|app|application|codebase|package)\b",
    re.IGNORECASE,
)
# "in batches of", "for lack of": a noun that goes on names nothing.
_MENTIONED = re.compile(rf"\b(?:in|for)[ \t]+{_NAME}(?![ \t]+of\b)", re.IGNORECASE)
_PATH = r"(?P<path>(?:[A-Za-z]:)?[\w@~.+/\\-]{0,300}\w\.[A-Za-z]\w{0,9})(?![\w/\\])"
_FILE = re.compile(rf"\b(?:file|in|at)(?:[ \t]*+:)?[ \t]++[\"'`(*\[]{{0,3}}{_PATH}", re.IGNORECASE)
_ANY_FILE = re.compile(rf"(?<![\w.@/\\-])(?=[\w@~.+-]{{1,100}}[/\\]){_PATH}")
# The first line of a commit message; list items and headings are none.
_SUBJECT = re.compile(r"(?P<subject>[^\s#>*+•-][^\n]{0,99}[^\s:])\n[ \t]*\n\s*\S")
# A title has three words at least.
_SEVERAL_WORDS = re.compile(r"\b\w++\W++\w++\W++\w")
_PROPER = re.compile(
    r"(?<![.!?:;][ \n])(?<!\n\n)(?<![\w`./\\#@-])(?!\A)"
    r"([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*|[A-Z]{2,}[0-9]*)(?![\w(/\\-]|\.\w)"
)
_BECAUSE = re.compile(
    r"\b(?:because(?: of)?|since(?!\s+(?:\d|v\d|then\b|last\b|yesterday\b|version\b"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))|due to|so that"
    r"|as (?=we|it|they|the|there))\s+"
    r"(?P<reason>[^.!?\n]{8,300})",
    re.IGNORECASE,
)
# After fewer words a colon ends a lead-in: "Decision: ...".
_EXPLAINED = re.compile(r"\w\W{1,3}\w+\W{1,3}\w+: (?P<reason>[^.!?\n]{8,300})")
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in favou?r of|and not"
    r"|(?:chose|chosen|picked|prefer(?:red)?|take|favou?r(?:ed)?|went with|use)\s"
    r"(?:[\w.-]{1,30}\s){1,3}over)\s+(?P<other>[^,.;:!?\n]{2,80}?)"
    r"(?=\s+(?:for|because|since|so|as|due|in|on|after|all)\b|[,.;:!?\n]|\Z)",
    re.IGNORECASE,
)
# "considered X for the API and rejected it", "we ruled out X".
_REJECTED = re.compile(
    r"\b(?:(?:considered|evaluated|looked at|thought about)\s(?P<weighed>[^,.;:!?\n]{2,60}?)"
    r"(?=,?\s(?:for|as|and|but|then)\b[^.:;!?\n]{0,60}?"
    r"\b(?:rejected|dropped|discarded|ruled|decided against)\s(?:it|them|that)\b)"
    r"|(?:we\s(?:have\s)?(?:rejected|ruled out|discarded)|decided against)\s"
    r"(?!it\b|them\b|that\b)(?P<other>[^,.;:!?\n]{2,80}?)"
    r"(?=\s(?:for|because|since|so|as|due|in|on|after)\b|[,.;:!?\n]|\Z))",
    re.IGNORECASE,
)


def title_of(text: str, ranked: Sequence[str] = ()) -> str:
    """The most telling sentence, on one line and without its lead-in; never a filler.

    `ranked` are the sentences of the text, the most telling first.
    """
    turn = turns_of(text)
    for sentence in (*ranked, *_spoken(text)):
        line = _line(sentence, turn)
        if line and not is_filler(line):
            return _cut(line)
    return _cut(_line(next(iter(_spoken(text)), ""), turn) or " ".join(text.split()))


def subject_of(text: str) -> str | None:
    """The subject of a text that begins like a commit message: a short line, then a blank one."""
    found = _SUBJECT.match(text)
    return None if found is None or is_filler(found["subject"]) else found["subject"]


def is_filler(line: str) -> bool:
    """Whether a line says nothing of its own: too few words, or only courtesies."""
    return not _SEVERAL_WORDS.search(line) or bool(words().filler.match(line))


def _spoken(text: str) -> list[str]:
    said = [text[block.start : block.end] for block in blocks(text) if block.kind in SPOKEN]
    bodies = [body for body in said if not body.rstrip().endswith(":")] or [text]
    return [sentence for body in bodies for sentence in sentences(body)]


def _line(sentence: str, turn: re.Pattern[str]) -> str:
    plainly = _DECORATION.sub("", sentence.strip()).strip()
    speaker = turn.match(plainly)
    line = " ".join(plainly[speaker.end() if speaker else 0 :].split())
    start = 0
    while opening := words().opening.match(line, start):
        if not _SEVERAL_WORDS.search(line, opening.end()):
            break
        start = opening.end()
    return line[start:]


def _cut(line: str) -> str:
    return line if len(line) <= SUMMARY_LENGTH else line[:SUMMARY_LENGTH] + ELLIPSIS


def project_of(text: str) -> str:
    """The word after `project`, else after `in` or `for`, that could name one."""
    found = (_first_project(text, pattern) for pattern in (_CALLED, _OWN, _MENTIONED))
    return next(filter(None, found), NO_PROJECT)


def project_called(text: str) -> str | None:
    """The name after the word `project`."""
    return _first_project(text, _CALLED)


def _first_project(text: str, pattern: re.Pattern[str]) -> str | None:
    names = (match["name"].rstrip("-_") for match in pattern.finditer(text))
    known = words().not_projects
    return next((name for name in names if name.lower() not in known and "_" not in name), None)


def file_context_of(text: str) -> str:
    """The path with a dot in it after `file`, `in` or `at`, else the first one with a folder."""
    paths = (match["path"] for one in (_FILE, _ANY_FILE) for match in one.finditer(text))
    return next(filter(_could_be_file, paths), NO_FILE)


def _could_be_file(path: str) -> bool:
    is_address = "/" not in path and path.rpartition(".")[2].lower() in words().address_endings
    return path.lower() not in words().not_files and not is_address


def tags_of(text: str, *, chosen: bool = True) -> tuple[str, ...]:
    """The kind of moment, if its wording says so, and the names in it.

    "Instead of" makes a decision only of what is `chosen`: a cure has it too.
    """
    named = (match[1].lower() for match in _PROPER.finditer(MASK.sub("", text)))
    names = dict.fromkeys(name for name in named if name not in words().common_names)
    return (*_kinds(text, chosen=chosen), *names)[:MOST_TAGS]


def _kinds(text: str, *, chosen: bool) -> tuple[str, ...]:
    spelled = plain(text)
    found = [tag for tag, name in _KINDS if _telling(name).search(spelled)]
    if chosen and not found and _telling("choice").search(spelled):
        found.append(DECISION)
    return tuple(found[:1])


_KINDS = ((OPEN_QUESTION, "open"), (DECISION, "decision"), ("convention", "convention"))


@cache
def _telling(name: str) -> re.Pattern[str]:
    return hint(name)


def type_told(text: str) -> str | None:
    """The type of a moment if its lead-in names it."""
    announced = words().announced_types
    return next((told for told, lead_in in announced if lead_in.match(text)), None)


def reason_of(text: str) -> str | None:
    """The text after "because" and the like, else after a colon."""
    found = _BECAUSE.search(text) or _EXPLAINED.search(text)
    return " ".join(found["reason"].split()) if found else None


def alternatives_of(text: str) -> tuple[str, ...]:
    """The options that were not taken: the text after "instead of", "we ruled out" and the like."""
    instead = (match["other"] for match in _INSTEAD.finditer(text))
    rejected = (match["weighed"] or match["other"] for match in _REJECTED.finditer(text))
    others = (" ".join(other.split()) for other in (*instead, *rejected))
    return tuple(dict.fromkeys(others))[:3]
