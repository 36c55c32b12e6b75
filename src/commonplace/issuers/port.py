"""What access asks of whoever issues signed tokens: the claims of one, if they may be believed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Issuer(Protocol):
    def verified(self, token: str) -> Mapping[str, Any]:
        """The claims; InvalidToken, or IssuerUnavailable while its keys cannot be had."""
        ...
