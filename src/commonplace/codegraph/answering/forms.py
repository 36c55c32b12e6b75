"""Parses questions in words into trace requests: the relation and the symbol."""

from __future__ import annotations

import re
from dataclasses import replace

from commonplace.codegraph.answering.answer import PlaceRole
from commonplace.codegraph.answering.places import ROLE_BY_RELATION
from commonplace.codegraph.answering.question import LEAD_IN, Intent, Question, read_question
from commonplace.codegraph.answering.trace import Relation, TraceRequest

# One name, path or reference; quotes and brackets around it are removed.
_SYMBOL = r"(?:the )?(?:(?:function|method|class|interface|type|module|file) )?(?P<target>\S+)"
_TO = r"(?P<to>\S+)"
_WHERE = r"(?: (?:in|of|below|under) (?:the )?(?:(?:folder|package|module) )?(?P<target>\S+))?"
_PERSON = r"(?:i|we|you|one|somebody)"
_CHANGES = r"(?:changes?|removes?|renames?|deletes?)"
_INHERIT = r"(?:extends?|inherits?(?: from)?|subclass(?:es)?)"
# Tried in this order; the first that matches the whole question wins.
_FORMS: tuple[tuple[Relation, str], ...] = (
    (Relation.CALLEES, rf"(?:callees of|calls made by|functions called by) {_SYMBOL}"),
    (Relation.CALLEES, rf"what does {_SYMBOL} (?:call|invoke|use)"),
    (
        Relation.SUBCLASSES,
        rf"(?:subclasses|subtypes|children|descendants|derived classes) (?:of|for) {_SYMBOL}",
    ),
    (Relation.SUBCLASSES, rf"(?:who|what|classes|types)(?: that)? {_INHERIT} {_SYMBOL}"),
    (
        Relation.SUPERCLASSES,
        rf"(?:superclasses|supertypes|base classes|bases|parents|ancestors) (?:of|for) {_SYMBOL}",
    ),
    (Relation.SUPERCLASSES, rf"what does {_SYMBOL} (?:extend|inherit(?: from)?|implement)"),
    (
        Relation.IMPLEMENTATIONS,
        rf"(?:implementations|implementors|implementers) (?:of|for) {_SYMBOL}",
    ),
    (Relation.IMPLEMENTATIONS, rf"(?:who|what|classes)(?: that)? implements? {_SYMBOL}"),
    (Relation.OVERRIDES, rf"overrides (?:of|for) {_SYMBOL}"),
    (Relation.OVERRIDES, rf"(?:who|what|methods)(?: that)? overrides? {_SYMBOL}"),
    (
        Relation.IMPACT,
        rf"impact of (?:(?:changing|removing|renaming|deleting|a change (?:of|to)) )?{_SYMBOL}",
    ),
    (Relation.IMPACT, rf"what (?:breaks|happens|is affected) if {_PERSON} {_CHANGES} {_SYMBOL}"),
    (Relation.IMPACT, rf"what (?:depends on|would break without) {_SYMBOL}"),
    (
        Relation.TESTS,
        rf"tests (?:that )?(?:reach|reaching|exercise|exercising|run|running) {_SYMBOL}",
    ),
    (Relation.TESTS, rf"what tests (?:reach|exercise|run) {_SYMBOL}"),
    (
        Relation.ENTRY_POINTS,
        rf"entry points (?:of|to|for|into|that (?:reach|lead to|come to)|reaching) {_SYMBOL}",
    ),
    (Relation.PATH, rf"(?:call )?path from {_SYMBOL} to {_TO}"),
    (Relation.PATH, rf"how does {_SYMBOL} (?:reach|call|get to|come to|lead to) {_TO}"),
    (Relation.OUTLINE, rf"(?:outline|symbols|contents|exports) of {_SYMBOL}"),
    (Relation.OUTLINE, rf"what does {_SYMBOL} (?:offer|export|define|contain)"),
    (Relation.IMPORTERS, rf"(?:importers of|files importing|modules importing) {_SYMBOL}"),
    (Relation.HISTORY, rf"(?:history|commits|last changes?|blame) (?:of|to|for) {_SYMBOL}"),
    (Relation.HISTORY, rf"who (?:last )?(?:changed|wrote|touched|edited) {_SYMBOL}(?: last)?"),
    (Relation.HISTORY, rf"when (?:was|did) {_SYMBOL} (?:last )?changed?(?: last)?"),
    (
        Relation.HISTORY,
        rf"what (?:has )?changed(?: around)? (?:here|in this (?:project|folder))(?: since {_TO})?",
    ),
    (Relation.HISTORY, rf"what (?:has )?changed (?:in|around|about) {_SYMBOL}(?: since {_TO})?"),
    (Relation.HISTORY, rf"what (?:has )?changed since {_TO}(?: (?:in|around) {_SYMBOL})?"),
    (Relation.HISTORY, rf"(?:changes|commits) (?:in|to|around) {_SYMBOL}(?: since {_TO})?"),
    (Relation.UNUSED, rf"(?:unused|dead) (?:symbols|code|functions|classes){_WHERE}"),
    (
        Relation.CYCLES,
        rf"(?:import cycles|module cycles|cycles(?: between modules)?|circular imports){_WHERE}",
    ),
)
_COMPILED = tuple(
    (relation, re.compile(rf"{LEAD_IN}(?:which )?{pattern}", re.IGNORECASE))
    for relation, pattern in _FORMS
)
# The relation for each intent of a code_map question.
_RELATION_BY_INTENT = {
    Intent.DEFINITION: Relation.DEFINITION,
    Intent.REFERENCE: Relation.REFERENCES,
    Intent.CALLER: Relation.CALLERS,
    Intent.IMPORT: Relation.IMPORTERS,
    Intent.EXPORT: Relation.REFERENCES,
    Intent.TEST: Relation.TESTS,
    Intent.DOC: Relation.DOCS,
}
_INTENT_BY_ROLE = {
    PlaceRole.REFERENCE: Intent.REFERENCE,
    PlaceRole.TEST: Intent.TEST,
    PlaceRole.IMPORT: Intent.IMPORT,
    PlaceRole.DEFINITION: Intent.DEFINITION,
}
FORMS = (
    "definition of X", "references to X", "callers of X", "callees of X", "subclasses of X",
    "superclasses of X", "implementations of X", "overrides of X", "impact of X", "tests for X",
    "tests that reach X", "entry points of X", "path from X to Y", "importers of M", "outline of F",
    "unused code in D", "import cycles in D", "history of X", "what changed in X since V",
    "docs for X",
)  # fmt: skip
_MAX_LENGTH = 1_000
_END = re.compile(r"(?<=\S)[?!.]++$")  # the lone dot of "unused code in ." is a folder
MAX_PLACES = 500


def read_form(question: str) -> TraceRequest | None:
    """Parse a question beyond the intents of code_map; None if it has none of these forms."""
    text = _END.sub("", " ".join(question[:_MAX_LENGTH].split()))
    for relation, pattern in _COMPILED:
        if found := pattern.fullmatch(text):
            groups = found.groupdict()
            target, to = _bare(groups.get("target") or "."), _bare(groups.get("to") or "")
            return TraceRequest(target, relation, to, limit=MAX_PLACES)
    return None


def read_map_form(question: str) -> TraceRequest | None:
    """Parse a question like `read_form`, but only for relations that code_map can show."""
    form = read_form(question)
    return form if form is not None and form.relation in ROLE_BY_RELATION else None


def map_question(form: TraceRequest) -> Question:
    """The code_map question whose group shows the answer; without such a group, all are shown."""
    intent = _INTENT_BY_ROLE.get(ROLE_BY_RELATION[form.relation], Intent.UNKNOWN)
    return Question(intent, form.symbol)


def read_trace(question: str) -> TraceRequest | None:
    """Parse any question in words; None if it is not understood."""
    form = read_form(question)
    if form is not None:
        return replace(form, limit=TraceRequest("").limit)
    read = read_question(question)
    if read.target is None:
        return None
    return TraceRequest(read.target, _RELATION_BY_INTENT[read.intent])


def _bare(target: str) -> str:
    return target.strip("`'\"‘’“”«»").removesuffix("()").strip("`'\"")
