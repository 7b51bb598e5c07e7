"""Whole two-dimensional tables of the libraries."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.scheme import build
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions

MATRICES = read("sinusoidal.npz")
FLOAT64, FLOAT32 = 5e-8, 2e-5


@pytest.mark.parametrize(
    ("name", "params", "tolerance", "library"),
    [
        ("mae2d_7x5x64", {"grid_columns": 5}, FLOAT64, "transformers"),
        ("mae2d_cls_4x4x32", {"grid_columns": 4, "class_token": True}, FLOAT64, "transformers"),
        ("pe2d_4x3x16", {"grid_columns": 3, "layout": "pe2d"}, FLOAT32, "positional-encodings"),
    ],
)
def test_matrix_of_the_library(name, params, tolerance, library, golden_record):
    theirs = MATRICES[name].reshape(-1, MATRICES[name].shape[-1])
    rows, dimension = theirs.shape
    kind = "2-D sin-cos matrices" + (", float32 libraries" if tolerance == FLOAT32 else "")
    request = {"scheme": "sincos2d", "params": params, "dimension": dimension, "length": rows, "what": "encoding"}
    for found in (build("sincos2d", params, dimension, rows).encode(range(rows)), answer(request)["values"]):
        assert golden_record(kind, versions("sinusoidal.npz", library), gap(found, theirs), tolerance) <= 1
    for change in ({"layout": "mae" if "layout" in params else "pe2d"}, {"axis_order": "column_first"}):
        other = build("sincos2d", params | change, dimension, rows).encode(range(rows))
        assert np.abs(other - theirs).max() > 0.5
