"""Verification of signed tokens (JWT): signature, algorithm, issuer, audience and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.errors import InvalidToken
from commonplace.issuers.key_set import ALGORITHMS, KeySet

LONGEST_TOKEN = 16_000
_CLOCKS_DIFFER_SECONDS = 30
_LONGEST_KEY_ID = 500


@dataclass(frozen=True, slots=True)
class SignedTokens:
    """Implements port.Issuer."""

    issuer: str
    audiences: Sequence[str]
    keys: KeySet

    def verified(self, token: str) -> Mapping[str, Any]:
        import jwt

        if len(token) > LONGEST_TOKEN or token.count(".") != 2:
            raise InvalidToken
        try:
            header = jwt.get_unverified_header(token)
            algorithm, id = header.get("alg"), header.get("kid")
            if str(algorithm) not in ALGORITHMS or not _is_key_id(id):
                raise InvalidToken("The token's signature algorithm is not accepted.")
            key = self.keys.key(id)
            if key.algorithm_name != algorithm:
                raise InvalidToken("The token's key does not match its algorithm.")
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                issuer=self.issuer,
                audience=list(self.audiences),
                leeway=_CLOCKS_DIFFER_SECONDS,
                options={"require": ["exp", "iss", "aud"]},
            )
        except jwt.ExpiredSignatureError:
            raise InvalidToken("The token has expired.") from None
        except jwt.InvalidAudienceError:
            raise InvalidToken("The token was issued for another server.") from None
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
            raise InvalidToken from None
        return claims


def _is_key_id(id: object) -> bool:
    return id is None or (isinstance(id, str) and 0 < len(id) <= _LONGEST_KEY_ID)
