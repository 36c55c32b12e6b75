"""Which arguments each mode of `record_entry` needs and accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

NOTEBOOK, RECORD = "agent_knowledge", "valdr_record_materialized"
MODES = ("create", "update", "delete", "append")
_WRITTEN = ("title", "body", "trustTier", "rankingWeight", "metadata")
_IDENTITY = ("recordType", "recordId", "recordVersion")
# Entry type and mode -> required and optional arguments.
_TAKES: dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {
    (NOTEBOOK, "append"): (("agentHandle", "body"), _WRITTEN),
    (NOTEBOOK, "delete"): (("entryId",), ("noteId", "agentHandle")),
    (RECORD, "create"): (_IDENTITY, _WRITTEN),
    (RECORD, "update"): (("entryId",), (*_WRITTEN, *_IDENTITY)),
    (RECORD, "delete"): (("entryId",), _IDENTITY),
}
_ALWAYS = ("mode", "entryType", "scope", "projectId")
_REQUIRED = ("entryType", "scope")
_KNOWN = {*_ALWAYS}.union(*(needed + more for needed, more in _TAKES.values()))

PresentArguments = Mapping[str, Any]


def mode_wanted(present: PresentArguments) -> str:
    """The message for a missing mode, which also names what else is required."""
    kind = str(present.get("entryType"))
    needs = [f"{mode} needs {', '.join(takes[0])}" for (of, mode), takes in _TAKES.items()
             if of == kind]  # fmt: skip
    missing = [name for name in _REQUIRED if name not in present]
    also = [f"{', '.join(missing)}: required"] if missing else []
    return "; ".join([f"mode must be one of {', '.join(MODES)}", *needs, *also]) + "."


def faults_of(present: PresentArguments) -> Iterator[tuple[str, str]]:
    """The problems that only a combination of arguments shows, each with its argument."""
    kind, mode = str(present.get("entryType")), present["mode"]
    modes = [one for of, one in _TAKES if of == kind]
    if not modes or mode not in MODES:
        return
    if mode not in modes:
        yield "mode", f"{kind} takes {' and '.join(modes)}, not {mode}"
        return
    needed, optional = _TAKES[kind, mode]
    for name in needed:
        if name not in present:
            yield name, f"{mode} of {kind} needs it"
    for name in present:
        if name in _KNOWN and name not in (*_ALWAYS, *needed, *optional):
            yield name, f"{mode} of {kind} does not take it"
    if mode == "update" and not any(name in present for name in _WRITTEN):
        yield "mode", f"update needs at least one of {', '.join(_WRITTEN)}"
