"""The facts of the lesson: dimension 64, 128 positions, base 10000."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pe_desktop.core.rounding import rounded
from pe_desktop.core.scans import norm_range
from pe_desktop.core.scheme import build
from pe_desktop.core.similarity import gap_curve, row_similarity
from pe_desktop.core.spread import gap_spread
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions

FACTS = read("lesson_facts.json")
LIBRARIES = {
    "interleaved (distilbert)": "interleaved",
    "concatenated (marian)": "concatenated",
    "tensor2tensor/fairseq (m2m_100)": "tensor2tensor",
}
AGAINST_LIBRARY, AGAINST_COMPUTED = 5e-9, 1e-14
# The fairseq frequencies are float32 in the library (its matrix is right to 2e-5); its facts hold to this.
AGAINST_FLOAT32 = 1e-7
GAPS = [1, 2, 5, 10, 25, 50, 100]
THEIRS = versions("lesson_facts.json", "transformers")
COMPUTED = versions("lesson_facts.json", "mpmath", "numpy")


def scheme(layout="interleaved"):
    return build("sinusoidal", {"layout": layout}, FACTS["setup"]["D_MODEL"], FACTS["setup"]["MAXLEN"])


def library(layout):
    names = {ours: theirs for theirs, ours in LIBRARIES.items()}
    return FACTS["from_library_matrix_float32"][names[layout]]


def allowed(layout):
    return AGAINST_FLOAT32 if layout == "tensor2tensor" else AGAINST_LIBRARY


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_wavelengths(layout, golden_record):
    found = answer({"dimension": 64, "params": {"layout": layout}, "what": "wavelength"})["values"]
    computed = FACTS["wavelengths"]["computed_float64"]
    assert set(computed) == {"0", "8", "20", "31"}
    for pair, value in computed.items():
        assert found[int(pair)] == pytest.approx(value, rel=AGAINST_COMPUTED)
        exact = float(FACTS["wavelengths"]["computed_mpmath_30_digits"][pair])
        difference = found[int(pair)] / exact - 1
        assert golden_record("Wavelengths", COMPUTED[:1], difference, AGAINST_COMPUTED, relative=True) <= 1
        library = FACTS["wavelengths"]["from_library_inv_freq_float32"][pair]
        assert found[int(pair)] == pytest.approx(library, rel=5e-7)


@pytest.mark.parametrize("layout", LIBRARIES.values())
def test_row_norms_against_the_libraries(layout, golden_record):
    # The least and largest norm of a float32 matrix are its rounding; the facts are each row's, and the mean.
    norms = np.linalg.norm(scheme(layout).encode(range(128)), axis=1)
    theirs = library(layout)["row_norms"]
    differences = gap([norms[0], norms.mean()], [theirs["row0"], theirs["mean"]])
    assert golden_record("Norms of sinusoidal rows", THEIRS, differences, AGAINST_LIBRARY) <= 1


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_row_norms_against_computed_values(layout):
    norms = np.linalg.norm(scheme(layout).encode(range(128)), axis=1)
    computed = FACTS["computed_float64"]["row_norms"]
    found = {"min": norms.min(), "max": norms.max(), "mean": norms.mean(), "row0": norms[0], "row127": norms[127]}
    assert set(found) == set(computed)
    for name, value in computed.items():
        assert abs(found[name] - value) <= AGAINST_COMPUTED
    assert norm_range(scheme(layout)) == pytest.approx((math.sqrt(32), math.sqrt(32)), abs=AGAINST_COMPUTED)


@pytest.mark.parametrize("layout", LIBRARIES.values())
def test_similarity_to_row_0_against_the_libraries(layout, golden_record):
    theirs = library(layout)["cosine_pos0_vs"]
    assert sorted(map(int, theirs)) == GAPS
    found = row_similarity(scheme(layout), 0, np.array(GAPS, dtype=float))
    differences = gap(found, [theirs[str(offset)] for offset in GAPS])
    assert golden_record("Similarity of sinusoidal rows", THEIRS, differences, allowed(layout)) <= 1


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize("way", ["rows", "gap alone", "values request"])
def test_similarity_to_row_0_against_computed_values(layout, way, golden_record):
    ours = scheme(layout)
    found = {
        "rows": lambda: row_similarity(ours, 0, np.array(GAPS, dtype=float)),
        "gap alone": lambda: gap_curve(ours, 0, 1, 128)[GAPS],
        "values request": lambda: answer(
            {"dimension": 64, "params": {"layout": layout}, "what": "similarity", "positions": GAPS}
        )["values"],
    }[way]()
    for computed in (FACTS["computed_float64"]["cosine_pos0_vs"], FACTS["computed_mpmath_cosine_pos0_vs"]):
        differences = gap(found, [float(computed[str(offset)]) for offset in GAPS])
        name = "Similarity of sinusoidal rows, exact"
        assert golden_record(name, COMPUTED, differences, AGAINST_COMPUTED) <= 1


@pytest.mark.parametrize("layout", LIBRARIES.values())
def test_products_with_row_0(layout):
    rows = scheme(layout).encode([0, *GAPS])
    products = rows[1:] @ rows[0]
    sizes = np.abs(rows[1:]).sum(axis=1) + np.abs(rows[0]).sum()
    theirs = library(layout)["dot_pos0_vs"]
    for offset, value, size in zip(GAPS, products, sizes, strict=True):
        # An entry of the library's matrix is rounded to float32 (half a unit in the last place: 3e-8).
        most = 3e-8 * size if layout != "tensor2tensor" else 32 * AGAINST_FLOAT32
        assert abs(value - theirs[str(offset)]) <= most
        if layout != "tensor2tensor":
            computed = FACTS["computed_float64"]["dot_pos0_vs"][str(offset)]
            assert abs(value - computed) <= AGAINST_COMPUTED * max(1.0, computed)


@pytest.mark.parametrize("layout", LIBRARIES.values())
def test_similarity_at_one_gap_is_the_same_everywhere(layout):
    ours = scheme(layout)
    for text, theirs in library(layout)["similarity_at_offset_p0..79"].items():
        offset = int(text)
        found = np.array([row_similarity(ours, p, np.array([p + offset], dtype=float))[0] for p in range(80)])
        assert abs(found.mean() - theirs["mean"]) <= allowed(layout)
        assert found.std() <= AGAINST_COMPUTED
        if layout != "tensor2tensor":
            computed = FACTS["computed_float64"]["similarity_at_offset_p0..79"][text]
            assert abs(found.mean() - computed["mean"]) <= AGAINST_COMPUTED
            assert abs(found.std() - computed["std_population"]) <= AGAINST_COMPUTED
    assert gap_spread(ours) < 1e-14


@pytest.mark.parametrize("layout", LIBRARIES.values())
def test_every_fact_of_the_libraries_float32_matrix(layout, golden_record):
    """What the rounding of their matrices does is in these facts too; our rows rounded to float32 have it as well."""
    within, within_products = allowed(layout), (AGAINST_LIBRARY if layout != "tensor2tensor" else 1e-6)
    if layout == "tensor2tensor":  # frequencies and angles are float32 too
        fields = {"dimension": 64, "length": 128, "params": {"layout": layout}, "positions": list(range(128))}
        asked = (answer(fields | {"what": what, "arithmetic": "float32"})["values"] for what in ("sin", "cos"))
        rows = np.concatenate(list(asked), axis=1)
    else:
        rows = rounded(scheme(layout).encode(range(128)), "float32")
    norms, theirs = np.linalg.norm(rows, axis=1), library(layout)
    found = {"min": norms.min(), "max": norms.max(), "mean": norms.mean(), "row0": norms[0], "row127": norms[127]}
    assert set(found) == set(theirs["row_norms"])
    products = rows[GAPS] @ rows[0]
    off = {
        "Norms": gap(list(found.values()), [theirs["row_norms"][name] for name in found]),
        "Similarity": gap(products / norms[0] / norms[GAPS], [theirs["cosine_pos0_vs"][str(each)] for each in GAPS]),
    }
    for name, differences in off.items():
        assert golden_record(f"{name} of sinusoidal rows in float32", THEIRS, differences, within) <= 1
    differences = gap(products, [theirs["dot_pos0_vs"][str(each)] for each in GAPS])
    assert golden_record("Products of sinusoidal rows in float32", THEIRS, differences, within_products) <= 1
    for text, fact in theirs["similarity_at_offset_p0..79"].items():
        later = slice(int(text), int(text) + 80)
        each = (rows[:80] * rows[later]).sum(axis=1) / norms[:80] / norms[later]
        differences = gap([each.mean(), each.std()], [fact["mean"], fact["std_population"]])
        name = "Mean and spread of similarity at a gap in float32"
        assert golden_record(name, THEIRS, differences, AGAINST_LIBRARY) <= 1


def test_the_sentence_of_the_lesson():
    """0.629 at 25, 0.490 at 50, 0.559 at 100: it falls with ripples."""
    found = gap_curve(scheme(), 0, 1, 128)
    assert [round(float(found[offset]), 3) for offset in (25, 50, 100)] == [0.629, 0.490, 0.559]
    assert found[0] == 1.0
    assert found[100] > found[50]
