"""What a file looks like from outside: two versions that look alike link others alike."""

from __future__ import annotations

import hashlib

from commonplace.codegraph.facts import FileFacts


def interface_of(facts: FileFacts) -> str:
    """Everything that linking another file may ask for; no positions, comments or uses."""
    seen = (
        facts.language,
        facts.package,
        [(s.parent, s.kind, s.bases, s.result, s.returns, s.expected) for s in facts.scopes],
        [
            (d.name, d.kind.value, d.path, d.scope, d.opens, d.value, d.written_in, d.exported,
             d.static)
            for d in facts.definitions
        ],
        facts.exports,
    )  # fmt: skip
    return hashlib.sha256(repr(seen).encode(errors="replace")).hexdigest()[:32]
