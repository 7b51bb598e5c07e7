"""Random requests as an impatient person makes them, for the soak test and the soak benchmark."""

from __future__ import annotations

import gc
import random
import sys
from typing import Any

from pe_desktop.core.memory import Remembered
from pe_desktop.core.scheme import REGISTRY, scheme_class
from pe_desktop.core.state import LabState

SENTENCES = (
    "The dog bit the man",
    "",
    "one",
    "a a a b",
    "🙂 👩‍👩‍👧 مرحبا שלום",
    " ".join(f"w{i}" for i in range(40)),
)


def random_request(rng: random.Random, state: LabState) -> dict[str, Any]:
    """One request; some are impossible on purpose."""
    scheme_class("none")  # fills the registry
    kind = rng.randrange(10)
    if kind == 0:
        return {"scheme": rng.choice(list(REGISTRY))}
    if kind == 1:
        return {"dimension": rng.choice([2, 3, 7, 16, 64, 65, 128, 512, rng.randint(-3, 9000)])}
    if kind == 2:
        return {"length": rng.choice([2, 3, 17, 128, 1000, 5000, rng.randint(-3, 2_000_000)])}
    if kind in (3, 4):
        return {rng.choice(["position", "key_position"]): rng.randint(-2, state.length + 2)}
    if kind == 5:
        return {"sentence": rng.choice(SENTENCES), "swap": rng.random() < 0.7}
    if kind == 6:
        return {"swap_words": rng.choice([None, (0, 1), (1, 4), (2, 2), (0, 99), "x"])}
    if kind == 7:
        return {"causal": rng.random() < 0.5, "head": rng.randint(-1, 9), "seed": rng.randint(0, 5)}
    about = state.built.parameters()
    if not about:
        return {"seed": rng.randint(-1, 20)}
    chosen = rng.choice(about)
    values = [
        chosen.default,
        "abc",
        float("nan"),
        float("inf"),
        2,
        33,
        10.5,
        None,
        "1,5",
        *[v for v, _ in chosen.choices],
    ]
    return {"params": {chosen.name: rng.choice(values)}}


def every_scheme() -> list[dict[str, Any]]:
    """Requests that show every scheme, every row of its parameters and a refusal below each once."""
    scheme_class("none")
    requests: list[dict[str, Any]] = []
    for name, scheme in REGISTRY.items():
        requests.append({"scheme": name, "dimension": 64, "length": 128})
        deciding = {about.when[0] for about in scheme.parameters() if about.when is not None}
        choices = {about.name: about.choices for about in scheme.parameters()}
        refused = [{"params": {about.name: "no"}} for about in scheme.parameters()]
        requests += refused
        for decider in deciding:
            for value, _ in choices[decider]:
                requests += [{"params": {decider: value}}, *refused]
    return requests


STORES = ("_LastPictures", "_LastSums", "_LastRows", "_Blocks", "_VectorStore")  # what modules keep of their own


def references_to_none(lab: Any) -> int:
    """References to None that are left when a lab is back at its first state and everything kept is forgotten.

    The stores and the undo stack hold schemes, and a scheme's optional parameters are None: their growth would hide,
    or look like, a binding that keeps (or, as PySide6 6.12.0, takes) references.
    """
    lab.reset()
    lab.flush()
    lab.undo_stack.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("pe_desktop.core"):
            for thing in list(vars(module).values()):
                if isinstance(thing, Remembered):
                    thing._answers.clear()
                elif callable(getattr(thing, "cache_clear", None)):
                    thing.cache_clear()
                elif type(thing).__name__ in STORES:
                    thing.__init__()
    gc.collect()
    return sys.getrefcount(None)
