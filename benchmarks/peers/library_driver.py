"""One vector library behind a pipe, run by the Python of its own environment: no import of ours.

python library_driver.py NAME FOLDER; it answers lines of JSON as `speaking.py` asks them.
"""

from __future__ import annotations

import base64
import json
import sys
from array import array
from collections.abc import Callable
from importlib import import_module
from typing import Any

DIMENSION = 384


def chroma(folder: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    chromadb = import_module("chromadb")

    client = chromadb.PersistentClient(folder, chromadb.Settings(anonymized_telemetry=False))
    kept = client.create_collection("kept", metadata={"hnsw:space": "cosine"})

    def add(ids: list[str], texts: list[str], vectors: list[list[float]]) -> None:
        kept.add(ids=ids, documents=texts, embeddings=vectors)

    def search(vector: list[float], limit: int) -> list[str]:
        return list(kept.query(query_embeddings=[vector], n_results=limit)["ids"][0])

    return add, search


def lancedb(folder: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    lance, pa = import_module("lancedb"), import_module("pyarrow")

    database = lance.connect(folder)
    fields = [
        pa.field("id", pa.string()),
        pa.field("text", pa.string()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
    kept = database.create_table("kept", schema=pa.schema(fields))

    def add(ids: list[str], texts: list[str], vectors: list[list[float]]) -> None:
        rows = zip(ids, texts, vectors, strict=True)
        kept.add([{"id": id, "text": text, "vector": vector} for id, text, vector in rows])

    def search(vector: list[float], limit: int) -> list[str]:
        found = kept.search(vector).distance_type("cosine").limit(limit).to_list()
        return [row["id"] for row in found]

    return add, search


def qdrant(folder: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    client_of = import_module("qdrant_client")
    models = client_of.models

    client = client_of.QdrantClient(path=folder)
    shape = models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)
    client.create_collection("kept", vectors_config=shape)
    numbers: dict[str, int] = {}

    def add(ids: list[str], texts: list[str], vectors: list[list[float]]) -> None:
        points = []
        for id, text, vector in zip(ids, texts, vectors, strict=True):
            number = numbers.setdefault(id, len(numbers))
            payload = {"id": id, "text": text}
            points.append(models.PointStruct(id=number, vector=vector, payload=payload))
        client.upsert("kept", points)

    def search(vector: list[float], limit: int) -> list[str]:
        found = client.query_points("kept", query=vector, limit=limit, with_payload=True)
        return [point.payload["id"] for point in found.points]

    return add, search


def main(name: str, folder: str) -> None:
    add, search = {"chroma": chroma, "lancedb": lancedb, "qdrant": qdrant}[name](folder)
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        params, result = asked["params"], {}
        if asked["method"] == "add":
            add(params["ids"], params["texts"], [_read(one) for one in params["vectors"]])
        elif asked["method"] == "search":
            result = {"ids": search(_read(params["vector"]), params["limit"])}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)


def _read(coded: str) -> list[float]:
    return array("f", base64.b64decode(coded)).tolist()


if __name__ == "__main__":
    main(*sys.argv[1:])
