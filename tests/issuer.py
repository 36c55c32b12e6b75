"""A small issuer of signed tokens that publishes its metadata and keys over HTTP.

It counts the requests for each path, and can be made unavailable.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tests.loopback import http_server

AUDIENCE = "https://knowledge.example.com/mcp"
METADATA = "/.well-known/openid-configuration"
KEYS, TOKEN = "/keys", "/token"


@dataclass(frozen=True)
class SigningKey:
    id: str
    algorithm: str
    private: Any
    public: dict[str, Any]


@cache
def signing_key(id: str, algorithm: str = "RS256", bits: int = 2048) -> SigningKey:
    """A key, created once per process because it takes a while."""
    private: Any
    if algorithm == "RS256":
        private = rsa.generate_private_key(public_exponent=65537, key_size=bits)
        public = RSAAlgorithm.to_jwk(private.public_key(), as_dict=True)
    elif algorithm == "ES256":
        private = ec.generate_private_key(ec.SECP256R1())
        public = ECAlgorithm.to_jwk(private.public_key(), as_dict=True)
    else:
        private = ed25519.Ed25519PrivateKey.generate()
        public = OKPAlgorithm.to_jwk(private.public_key(), as_dict=True)
    return SigningKey(id, algorithm, private, {**public, "kid": id, "use": "sig"})


@dataclass
class LocalIssuer:
    """An issuer that gives a token to every client."""

    url: str
    keys: list[SigningKey] = field(default_factory=lambda: [signing_key("first")])
    asked: Counter[str] = field(default_factory=Counter)
    broken: bool = False

    def claims(self, **changed: Any) -> dict[str, Any]:
        now = int(time.time())
        usual = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "ada",
            "org": "acme",
            "scope": "knowledge:read knowledge:write",
            "iat": now,
            "exp": now + 300,
        }
        return {name: value for name, value in (usual | changed).items() if value is not None}

    def token(self, key: SigningKey | None = None, header: Any = None, **changed: Any) -> str:
        key = key or self.keys[0]
        headers = {"kid": key.id} if header is None else header
        return jwt.encode(self.claims(**changed), key.private, key.algorithm, headers)

    def document(self, path: str) -> dict[str, Any] | None:
        if path == METADATA:
            return {
                "issuer": self.url,
                "jwks_uri": f"{self.url}{KEYS}",
                "token_endpoint": f"{self.url}{TOKEN}",
                "authorization_endpoint": f"{self.url}/authorize",
                "response_types_supported": ["code"],
                "grant_types_supported": ["client_credentials"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                "code_challenge_methods_supported": ["S256"],
            }
        return {"keys": [key.public for key in self.keys]} if path == KEYS else None

    def granted(self, form: dict[str, list[str]]) -> dict[str, Any]:
        """A token whose audience is the requested resource (RFC 8707)."""
        scope = form.get("scope", [""])[0]
        token = self.token(aud=form["resource"][0], scope=scope)
        return {"access_token": token, "token_type": "Bearer", "expires_in": 300, "scope": scope}


@contextmanager
def local_issuer() -> Iterator[LocalIssuer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked[self.path] += 1
            self._answer(None if issuer.broken else issuer.document(self.path))

        def do_POST(self) -> None:
            issuer.asked[self.path] += 1
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            self._answer(issuer.granted(parse_qs(body)) if self.path == TOKEN else None)

        def _answer(self, document: dict[str, Any] | None) -> None:
            body = json.dumps(document or {}).encode()
            self.send_response(200 if document else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name it has
            """Log nothing: tests read `asked`."""

    with http_server(Handler) as server:
        issuer = LocalIssuer(f"http://127.0.0.1:{server.server_port}")
        yield issuer
