"""Coordinates instead of positions, and what they may be asked for."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.errors import FieldError
from pe_desktop.core.scheme import build
from pe_desktop.core.values import answer

PATCHES = [[8, 9, 12], [8, 9, 12.5], [1000, 0, 3]]


def ask(what, scheme="mrope", **more):
    return answer({"scheme": scheme, "dimension": 16, "what": what, **more})["values"]


def test_angles_are_coordinates_times_frequencies():
    scheme = build("mrope", {}, 16, 128)
    expected = np.array(PATCHES)[:, scheme.pair_axis()] * scheme.inv_freq()
    assert np.allclose(ask("angles", coordinates=PATCHES), expected, rtol=1e-15)
    assert np.allclose(ask("cos", coordinates=PATCHES), np.cos(expected), atol=1e-15)
    assert np.allclose(ask("sin", coordinates=PATCHES), np.sin(expected), atol=1e-15)


@pytest.mark.parametrize("scheme", ["mrope", "axial", "sincos2d"])
def test_positions_and_their_coordinates_are_the_same(scheme):
    positions = [0, 7, 8, 30, 71, 72, 100]
    coordinates = ask("coordinates", scheme, positions=positions)
    for what in ("angles", "cos", "sin"):
        by_position = ask(what, scheme, positions=positions)
        assert np.array_equal(by_position, ask(what, scheme, coordinates=coordinates.tolist()))
    assert ask("axis", scheme).shape == (8,)


def test_vectors_turn_to_coordinates():
    vectors = np.sin(np.arange(32)).reshape(2, 16).tolist()
    coordinates = ask("coordinates", positions=[20, 90]).tolist()
    assert np.array_equal(
        ask("rotate", vectors=vectors, coordinates=coordinates), ask("rotate", vectors=vectors, positions=[20, 90])
    )


def test_the_role_matters_where_keys_are_scaled():
    vectors = np.ones(16).tolist()
    scheme = build("xpos", {}, 16, 128)
    for role, key in (("query", False), ("key", True)):
        found = ask("rotate", "xpos", vectors=vectors, positions=[100], role=role)
        assert np.array_equal(found, scheme.rotate(np.ones((1, 16)), [100], key=key))
    assert not np.array_equal(found, ask("rotate", "xpos", vectors=vectors, positions=[100]))


@pytest.mark.parametrize(
    ("what", "more", "field", "words"),
    [
        ("angles", {"coordinates": [[1, 2]]}, "coordinates", r"a list of \[t, h, w\]"),
        ("angles", {"coordinates": [1, 2, 3]}, "coordinates", r"a list of \[t, h, w\]"),
        ("angles", {"coordinates": []}, "coordinates", "one for each vector"),
        ("angles", {"coordinates": [[1, 2, "x"]]}, "coordinates", "is 'x'"),
        ("angles", {"coordinates": [[1, 2, 1e300]]}, "coordinates", "beyond 2"),
        ("angles", {"coordinates": PATCHES, "positions": [1]}, "coordinates", "both coordinates and positions"),
        ("similarity", {"coordinates": PATCHES}, "coordinates", "'similarity' takes positions"),
        ("coordinates", {"coordinates": PATCHES}, "coordinates", "takes positions"),
        ("angles", {"coordinates": PATCHES, "scheme": "rope"}, "coordinates", "'rope' knows positions only"),
        ("rotate", {"vectors": [1.0] * 16, "role": "value"}, "role", "must be query or key"),
        ("coordinates", {"scheme": "rope"}, "what", "no coordinates but the position"),
        ("axis", {"scheme": "rope"}, "what", "one axis, the position"),
        ("permutation", {"scheme": "sincos2d"}, "what", "no pairs that a layout could place"),
        ("rope_delta", {"scheme": "axial"}, "what", "go on with the number of tokens"),
    ],
)
def test_refusals(what, more, field, words):
    with pytest.raises(FieldError, match=words) as refused:
        ask(what, **more)
    assert refused.value.field == field
