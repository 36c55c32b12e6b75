"""The port for token issuers: the verified claims of a token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Issuer(Protocol):
    def verified(self, token: str) -> Mapping[str, Any]:
        """The token's claims; InvalidToken, or IssuerUnavailable if the keys cannot be fetched."""
        ...
