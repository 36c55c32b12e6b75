"""The bundled model behind the address that OpenAI's clients know, for peers that take any model.

python -m benchmarks.peers.endpoint prints its port, and serves until its input ends.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from commonplace.embedding.bundled import BundledEmbedder

MODEL = "commonplace"
DIMENSION = 384


@dataclass(frozen=True, slots=True)
class Endpoint:
    port: int
    pid: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """In a process of its own, so that its time can be told from everybody else's."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "benchmarks.peers.endpoint"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        yield Endpoint(int(process.stdout.readline()), process.pid)
        assert process.stdin is not None
        process.stdin.close()


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    embedder: BundledEmbedder

    def do_GET(self) -> None:
        self._answer({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        given = asked["input"]
        texts = [given] if isinstance(given, str) else given
        vectors = np.vstack([self.embedder.embed_query(text) for text in texts])
        coded = asked.get("encoding_format") == "base64"
        rows = [
            {"object": "embedding", "index": n, "embedding": _coded(row) if coded else row.tolist()}
            for n, row in enumerate(vectors.astype(np.float32))
        ]
        usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        self._answer({"object": "list", "data": rows, "model": MODEL, "usage": usage})

    def _answer(self, document: dict[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Said to nobody."""


def _coded(row: np.ndarray[Any, np.dtype[np.float32]]) -> str:
    return base64.b64encode(row.tobytes()).decode()


def main() -> None:
    _Answering.embedder = BundledEmbedder()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answering)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
