"""The RoPE configurations of the golden file as requests to the core."""

from __future__ import annotations

from typing import Any

import numpy as np

from pe_desktop.core.scheme import Scheme, build
from pe_desktop.core.values import answer
from tests.core.golden import read

GOLDEN = read("rope.json")
CASES = GOLDEN["cases"]
NAMES = {
    "original_max_position_embeddings": "original_length",
    **{name: name for name in ("factor", "alpha", "beta_fast", "beta_slow", "truncate", "attention_factor")},
    **{name: name for name in ("mscale", "mscale_all_dim", "low_freq_factor", "high_freq_factor")},
    **{name: name for name in ("short_factor", "long_factor")},
}
LAYOUTS = {("half", "half"): "half", ("interleaved", "interleaved"): "interleaved"}
# What the configuration does not say but the model's code does (schemes.md, 3.3).
IN_CODE = {
    "deepseek-v2-lite": {"score_dimension": 192},
    "deepseek-v3": {"score_dimension": 192},
    "ministral-3-3b": {"softmax_correction": False},
}


def params_of(case: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a case; GPT-J has its base hard-wired and no entry."""
    given = dict(case.get("effective_rope_parameters") or {})
    lists = case["config"].get("rope_scaling") or {}
    given |= {name: lists[name] for name in ("short_factor", "long_factor") if name in lists}
    kind = given.get("rope_type", "default")
    params = {"base": float(given.get("rope_theta", 10000.0)), "extension": "none" if kind == "default" else kind}
    params["layout"] = LAYOUTS.get((case["layout_in"], case["layout_out"]), "interleaved_half")
    params["trained_length"] = case["config"].get("max_position_embeddings", 2048)
    if kind == "proportional":
        params["rotary_fraction"] = given["partial_rotary_factor"]
    else:
        params["rotary_dimension"] = case["rotary_dim"]
    if kind != "default":
        params |= {NAMES[name]: value for name, value in given.items() if name in NAMES}
    return params | IN_CODE.get(case["id"], {})


def rope(case: dict[str, Any], length: int = 131072) -> Scheme:
    """The scheme of a case at a sequence length."""
    return build("rope", params_of(case), case["head_dim"], length)


def request(case: dict[str, Any], what: str, length: int = 131072, **more: Any) -> Any:
    """What the command line would answer."""
    fields = {"scheme": "rope", "params": params_of(case), "dimension": case["head_dim"], "length": length}
    return answer(fields | {"what": what, **more})["values"]


def golden_vectors(width: int) -> tuple[Any, Any]:
    """The query and key of the golden file, each (width,)."""
    index = np.arange(width)
    query, key = np.cos(0.7 * index + 0.3), np.sin(0.4 * index + 1.1)
    return query.astype(np.float32).astype(np.float64), key.astype(np.float32).astype(np.float64)
