"""Finds the secrets that a sentence tells: "the api key we use is ...", "... is our password".

Each word that is odd enough is looked at once, with a bounded part of the sentence around it: the
time is linear. Names and linking words of a few languages are data, in `secrets.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from commonplace.capture.values import (
    entropy,
    is_attribute,
    is_call,
    is_chosen,
    is_made,
    is_noise,
    is_scrambled,
    is_word_row,
    secret_data,
    stands_for,
)


class ToldSecret(NamedTuple):
    """Where a sentence tells a secret, and the rule that says what to call it."""

    start: int
    end: int
    rule: str


class _Link(IntEnum):
    """How closely a sentence links a name and a value."""

    NEAR = 1
    CLOSE = 2


class _Mention(NamedTuple):
    """A name of a secret in the sentence of a value: its kind, and the link between the two."""

    kind: str
    link: _Link


class _Words(NamedTuple):
    name: re.Pattern[str]
    harmless_key: re.Pattern[str]
    about: re.Pattern[str]
    about_it: re.Pattern[str]
    linked: re.Pattern[str]
    handed: re.Pattern[str]
    turned: re.Pattern[str]
    changes: re.Pattern[str]
    linked_after: re.Pattern[str]
    bracketed_after: re.Pattern[str]
    mentioned_after: re.Pattern[str]
    technical: re.Pattern[str]


_LOOKED_AT = 110  # characters of a sentence, before and after a value
# A bare "key" may be that of a row or a cache: its value has to be longer.
_LEAST_HEX = {"secret": 16, "key": 32, "login": 32}
_LEAST_OF_KEY = {"secret": 12, "key": 16, "login": 16}
_LEAST_ALONE = 20  # of a value that its sentence only mentions near a name
_HEX_ENTROPY = 2.5
_MOST_WORDS = 9
_FURTHEST_HEADING = 4_000

_RUN = re.compile(r"\S+")
_ODD = re.compile(r"[0-9!@#$%^&*~]|(?<![^\W\d_])[^\W\d_]{3,20}+(?:[-.][^\W\d_]{3,20}+){3}")
_EDGES = "\"'`*«»“”‘’„"
_OPENED = "([{<" + _EDGES
_CLOSED = ")]}>.,;:" + _EDGES
_SENTENCE_END = re.compile(r"[.!?;]\s|\n")
_INTRODUCED = re.compile(r":\s+(?:```\w*\s+)?(?:[-*>]\s+)?$")
_ASKED = re.compile(r"\?\s+(?=(?:[^\s.!?]+\s+){0,3}$)")
_HEXADECIMAL = re.compile(r"(?:0x)?[0-9a-fA-F]+(?:-[0-9a-fA-F]+)*")
_CODE = re.compile(r"[()\[\]{}<>|\\;]|::|://|^[\w.-]*=|^[./~]|^\w[^\W_]*_\w+$|\w/\w")
_QUOTE = re.compile(r"[\"'`]")
# An address, a path, a checksum, or the name of a thing: `ed25519.Ed25519PublicKey`.
_NAMED = re.compile(
    r"://|^[./~]{1,2}/|/[\w.-]*\.[a-z]\w{1,4}$|^(?:sha|md)\d+[-:]|(?:Key|Token|Secret|Credential)s?$"
)
_FILE = re.compile(r"[\w-]+\.[a-z]\w{0,4}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|@[a-zA-Z.]+")
_ARROWS = (":", "=", ">", "→", " -", "–", "—", "(")
_PAIR = re.compile(
    r"(?:(?::|\b(?:is|are|sind|sont|son|são))\s+\S{1,40}\s*[/:,|]"
    r"|\b(?:with|as|using|mit|als|avec|con|com)\s+\S{1,40}\s*[/|])\s*[\"'`]?$"
)
_USER = re.compile(r"[^:/]*(?::|/(?=[^/]+$))")
# "The passphrase of the deploy key: ..." tells the passphrase.
_OF = re.compile(r"[ ](?:of|for|to|von|für|des|de|du|del|da)[ ](?:[\w'’-]{1,20}[ ]){0,3}")
_STOPS = ".,;:\"'"
_RULES = {"password": "password", "login": "key", "secret": "key", "key": "key"}
_BETWEEN_VALUES = re.compile(r"[\s,;/&+-]*(?:(?:and|or|und|oder|et|y|e)\s+)?[\"'`]?")


def told_secrets(text: str) -> Iterator[ToldSecret]:
    """The secrets told in a text, in order."""
    if not _words().name.search(text):
        return
    last: ToldSecret | None = None
    for run in _RUN.finditer(text):
        if _ODD.search(run[0]):
            found = _secret_at(text, run, last)
            if found:
                last = found
                yield found


def _secret_at(text: str, run: re.Match[str], last: ToldSecret | None) -> ToldSecret | None:
    start = run.end() - len(run[0].lstrip(_OPENED))
    end = max(start, run.start() + len(run[0].rstrip(_CLOSED)))
    value = text[start:end]
    if not _may_be_secret(value) or stands_for(value) or stands_for(run[0].strip(_STOPS)):
        return None
    for mention in _mentions(text, start, end):
        if _fits(value, mention):
            return ToldSecret(start, end, _RULES[mention.kind])
        user = _USER.match(value)
        if user and mention == _Mention("login", _Link.CLOSE) and _is_password(value[user.end() :]):
            return ToldSecret(start + user.end(), end, _RULES["password"])
    if last and _BETWEEN_VALUES.fullmatch(text, last.end, start):
        kind = "password" if last.rule == _RULES["password"] else "secret"
        if _fits(value, _Mention(kind, _Link.CLOSE)):
            return ToldSecret(start, end, last.rule)
    return None


def _may_be_secret(value: str) -> bool:
    """Whether a sentence could tell it. Most words with a digit are none, and to read the sentence
    of each would take ten times as long."""
    user = _USER.match(value)
    return any(_fits(value, _Mention(kind, _Link.CLOSE)) for kind in ("password", "secret")) or (
        user is not None and _is_password(value[user.end() :])
    )


def _mentions(text: str, start: int, end: int) -> Iterator[_Mention]:
    before = _INTRODUCED.sub(": ", text[max(0, start - _LOOKED_AT) : start])
    before = _SENTENCE_END.split(_ASKED.sub(": ", before))[-1]
    names = list(_words().name.finditer(before))
    if names:
        yield from _mentions_before(before, names)
    elif heading := _words().name.search(_heading(text, start)):
        yield _Mention(_kind(heading), _Link.CLOSE)
    after = _SENTENCE_END.split(text[end : end + _LOOKED_AT], maxsplit=1)[0]
    linked = _words().linked_after.match(after) or _words().bracketed_after.match(after)
    if linked:
        yield _Mention(_kind(linked), _Link.CLOSE)
    elif (mentioned := _words().mentioned_after.match(after)) and _kind(mentioned) != "key":
        handed = _words().handed.search(before.rstrip(" " + _EDGES))
        yield _Mention(_kind(mentioned), _Link.CLOSE if handed else _Link.NEAR)


def _heading(text: str, start: int) -> str:
    """The heading of the column, if the value stands in a Markdown table."""
    furthest = max(0, start - _FURTHEST_HEADING)
    line = text.rfind("\n", furthest, start) + 1
    if not text.startswith("|", line):
        return ""
    above = reversed(text[furthest:line].splitlines())
    rows = [*takewhile(lambda row: row.startswith("|"), above)]
    cells = rows[-1].split("|") if rows else []
    column = text.count("|", max(line, furthest), start)
    return cells[column] if column < len(cells) else ""


def _mentions_before(before: str, names: list[re.Match[str]]) -> Iterator[_Mention]:
    """The mention by the last name before the value, judged by the words between."""
    name = names[-1]
    kind, gap = _kind(name), before[name.end() :]
    if len(names) > 1 and _OF.fullmatch(before, names[-2].end(), name.start()):
        kind = _kind(names[-2])
    words = _words()
    if len(gap.split()) > _MOST_WORDS or (
        kind == "key" and words.harmless_key.search(before, 0, name.start())
    ):
        return
    if kind == "login" and _PAIR.search(gap):
        yield _Mention("password", _Link.CLOSE)
    yield _Mention(kind, _Link.CLOSE if _is_close(gap, before) else _Link.NEAR)


def _is_close(gap: str, before: str) -> bool:
    words = _words()
    told = gap.rstrip(" " + _EDGES)
    if words.about.search(gap) or words.about_it.search(before):
        return False
    return bool(
        told.endswith(_ARROWS)
        or not told
        or words.linked.search(told)
        or words.handed.search(told)
        or (words.turned.search(told) and words.changes.search(before))
    )


def _kind(name: re.Match[str]) -> str:
    return name.lastgroup or ""


def _fits(value: str, mention: _Mention) -> bool:
    if _QUOTE.search(value):
        return False
    close = mention.link is _Link.CLOSE
    if mention.kind == "password":
        return close and _is_password(value)
    if _NAMED.search(value) or (is_call(value) and not is_noise(value)):
        return False
    if _HEXADECIMAL.fullmatch(value):
        least = _LEAST_HEX[mention.kind]
        return close and len(value) >= least and entropy(value) >= _HEX_ENTROPY
    least = _LEAST_OF_KEY[mention.kind] if close else _LEAST_ALONE
    return len(value) >= least and (is_made(value) or is_scrambled(value))


def _is_password(value: str) -> bool:
    if is_word_row(value):
        return True
    if _words().technical.fullmatch(value) or is_attribute(value) or _FILE.fullmatch(value):
        return False
    return (is_noise(value) or not _CODE.search(value)) and (is_chosen(value) or is_made(value))


@cache
def _words() -> _Words:
    names, words = secret_data()["told"]["names"], secret_data()["told"]["words"]
    name = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in names.items())
    whole = rf"(?<![^\W_])(?:{name})(?![\w@-])"
    links, still, towards = words["links"], words["still"], words["towards"]
    return _Words(
        name=_compiled(whole),
        harmless_key=_compiled(rf"(?<!\w)(?:{words['harmless_keys']})[ _-]$"),
        about=_compiled(rf"(?<!\w)(?:{words['about']})(?!\w)"),
        about_it=_compiled(
            rf"(?<!\w)(?:(?:{words['about']})[ ](?:of|for|von|des|de|du)"
            r"|(?:commits?|revisions?)[ ](?:that|which|with))[ ]"
        ),
        linked=_compiled(rf"(?<!\w)(?:{links})(?:[ ](?:{still}))?$"),
        handed=_compiled(rf"(?<!\w)(?:{words['handing']})(?:[ ](?:{still}))?$"),
        turned=_compiled(rf"(?<!\w)(?:{towards})$"),
        changes=_compiled(rf"(?<!\w)(?:{words['changes']})(?!\w)"),
        linked_after=_compiled(
            rf"[)\]\"'`*]{{0,3}}[ ](?:{links})[ ](?:[\w'’-]{{1,20}}[ ]){{0,4}}?{whole}"
            rf"(?![ ](?:{words['about']})(?!\w))"
        ),
        bracketed_after=_compiled(
            rf"[\"'`*]{{0,3}}[ ]?\((?:[\w'’-]{{1,20}}[ ]){{0,5}}?{whole}[ ]?\)"
        ),
        mentioned_after=_compiled(rf"[)\]\"'`*]{{0,3}}(?:,?[ ][^\W\d_]{{1,20}}){{1,8}}?[ ]{whole}"),
        technical=_compiled(words["technical"]),
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.IGNORECASE)
