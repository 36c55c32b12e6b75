"""Imports usearch and its kernels in a way that lets onnxruntime be loaded later; only this does.

usearch bundles a C++ runtime. If it is the first to load one, onnxruntime later crashes on finding
two (usearch 2.26, onnxruntime 1.31), so the system's runtime is loaded first.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

if sys.platform == "linux":
    with suppress(OSError):
        ctypes.CDLL("libstdc++.so.6", mode=ctypes.RTLD_GLOBAL)

import numkong
from usearch.index import Index, MetricKind, ScalarKind
from usearch.index import search as scan

__all__ = ["Index", "MetricKind", "ScalarKind", "distances", "scan"]


def distances(matrix: NDArray[Any], query: NDArray[Any]) -> NDArray[np.float32]:
    """The cosine distance of each row, on this thread: `scan` starts threads for every search, and
    sorts as it goes. Both compute with the same kernel, so the numbers are the same."""
    found = numkong.cdist(matrix, query[np.newaxis], "angular")
    return np.asarray(found).ravel().astype(np.float32)
