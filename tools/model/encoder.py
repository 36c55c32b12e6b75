"""The encoder as PyTorch functions over named weights, to teach a smaller one.

The same arithmetic as graph.py's float32 graph. Decides nothing about training.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tools.model.container import Container

torch: Any = importlib.import_module("torch")
functional: Any = importlib.import_module("torch.nn.functional")
Weights = Mapping[str, Any]
# Shared with the full model and not trained: a trained word table memorises texts.
FROZEN = ("word_emb", "pos_emb", "type_emb")
_HIDDEN = -1e4


def weights_of(container: Container, layers: Sequence[int], device: str) -> dict[str, Any]:
    """The weights of an encoder of some layers, renumbered from zero."""
    chosen = {f"l{old}.": f"l{new}." for new, old in enumerate(layers)}
    found = {}
    for name, value in container.tensors.items():
        prefix = name[: name.find(".") + 1]
        if prefix in chosen or not prefix.startswith("l"):
            found[chosen.get(prefix, prefix) + name[len(prefix) :]] = value
    return {
        name: torch.tensor(np.array(value), dtype=torch.float32, device=device)
        for name, value in found.items()
    }


def encode(weights: Weights, arch: Mapping[str, Any], tokens: Any, lengths: Any) -> Any:
    """One normalised vector per row of tokens; only the first `lengths` tokens count."""
    width = tokens.shape[1]
    offset = arch["position_offset"]
    places = weights["pos_emb"][offset : offset + width] + weights["type_emb"][0]
    hidden = functional.embedding(tokens, weights["word_emb"]) + places
    hidden = _normalised(weights, arch, "emb_ln", hidden)
    counted = torch.arange(width, device=tokens.device) < lengths[:, None]
    mask = counted[:, None, None, :]
    last = sum(name.endswith(".qkv.w") for name in weights) - 1
    for layer in range(last):
        hidden = _layer(weights, arch, f"l{layer}.", hidden, hidden, mask)
    first = _layer(weights, arch, f"l{last}.", hidden[:, :1], hidden, mask)
    return functional.normalize(first[:, 0].float(), dim=-1)


def _layer(
    weights: Weights, arch: Mapping[str, Any], prefix: str, asking: Any, hidden: Any, mask: Any
) -> Any:
    size, heads = arch["hidden"], arch["heads"]
    packed, bias = weights[f"{prefix}qkv.w"], weights[f"{prefix}qkv.b"]
    query = functional.linear(asking, packed[:size], bias[:size])
    others = functional.linear(hidden, packed[size:], bias[size:])
    parts = (query, *others.split(size, dim=-1))
    asked, key, value = (
        part.unflatten(-1, (heads, size // heads)).transpose(1, 2) for part in parts
    )
    mixed = _mixed(asked, key, value, mask)
    mixed = _product(weights, f"{prefix}ao", mixed.transpose(1, 2).flatten(2))
    hidden = _normalised(weights, arch, f"{prefix}aln", mixed + asking)
    wide = functional.gelu(_product(weights, f"{prefix}f1", hidden))
    return _normalised(
        weights, arch, f"{prefix}fln", _product(weights, f"{prefix}f2", wide) + hidden
    )


def _mixed(query: Any, key: Any, value: Any, mask: Any) -> Any:
    """On a processor the fused form takes six times as long, most of it for the gradients."""
    if not query.is_cpu:
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    hidden = torch.where(mask, 0.0, _HIDDEN).to(query.dtype).expand(-1, query.shape[1], -1, -1)
    likeness = torch.baddbmm(
        hidden.flatten(0, 1),
        query.flatten(0, 1),
        key.flatten(0, 1).transpose(1, 2),
        alpha=query.shape[-1] ** -0.5,
    )
    mixed = torch.softmax(likeness, -1) @ value.flatten(0, 1)
    return mixed.unflatten(0, query.shape[:2])


def _product(weights: Weights, name: str, hidden: Any) -> Any:
    return functional.linear(hidden, weights[f"{name}.w"], weights[f"{name}.b"])


def _normalised(weights: Weights, arch: Mapping[str, Any], name: str, hidden: Any) -> Any:
    pair = weights[f"{name}.w"], weights[f"{name}.b"]
    return functional.layer_norm(hidden, hidden.shape[-1:], *pair, arch["layer_norm_eps"])
