"""ALiBi's conventions, T5, KERPLE, FIRE: what their formulas promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pe_desktop.core.attention import softmax
from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import Window
from pe_desktop.core.sampling import bias_cost, picture
from pe_desktop.core.schemes.fire import SAMPLES
from pe_desktop.core.schemes.kerple import CornerSums, curve_of
from pe_desktop.core.schemes.t5 import distance_buckets, first_distances, float32_differences, t5_buckets
from tests.core.strategies import (
    LAST,
    conventions,
    fires,
    kerples,
    plain,
    positions,
    t5s,
)

some = st.lists(positions, min_size=1, max_size=4)


class TestAlibi:
    @given(conventions(), st.integers(0, 600))
    def test_a_causal_row_is_the_same_after_softmax(self, scheme, query):
        keys = np.arange(query + 1.0)
        found = scheme.bias([query], keys)[:, 0]
        expected = -scheme.steps()[:, None] * (query - keys)
        assert np.abs(softmax(found) - softmax(expected)).max() < 1e-9
        if scheme.convention in ("distance", "signed"):
            assert np.array_equal(found, expected + 0.0)

    @given(conventions())
    def test_slopes_and_steps(self, scheme):
        exact = plain("alibi", heads=scheme.heads).slopes()
        off = np.abs(scheme.slopes() / exact - 1)
        assert off.max() <= (2.0**-8 if scheme.slope_precision == "bfloat16" else 0.0)
        root = math.sqrt(scheme.dimension) if scheme.before_scaling else 1.0
        assert np.allclose(scheme.steps() * root, scheme.slopes(), rtol=1e-14)

    @given(conventions(), positions, positions)
    def test_signs(self, scheme, query, key):
        value = scheme.bias([query], [key])[:, 0, 0]
        sign = {
            "distance": -abs(query - key),
            "signed": key - query,
            "last_row": key - (scheme.length - 1),
            "key_index": key,
        }[scheme.convention]
        assert np.array_equal(np.sign(value), np.full(scheme.heads, np.sign(sign)))

    def test_without_mask_the_conventions_differ(self):
        rows = {
            name: plain("alibi", heads=8, convention=name).bias([5], range(12))[0]
            for name in ("distance", "signed", "last_row", "key_index")
        }
        weights = {name: softmax(row) for name, row in rows.items()}
        for name in ("last_row", "key_index"):
            assert np.abs(weights[name] - weights["signed"]).max() < 1e-12
        assert np.abs(weights["signed"] - weights["distance"]).max() > 0.1

    @given(conventions(), st.data())
    def test_means(self, scheme, data):
        head = data.draw(st.integers(0, scheme.heads - 1))
        a, b = (data.draw(st.integers(0, LAST - 50)) for _ in range(2))
        p, q = (data.draw(st.integers(1, 30)) for _ in range(2))
        found = scheme.block_bias(head, [a], [p], [b], [q])[0, 0]
        expected = scheme.bias(range(a, a + p), range(b, b + q), [head]).mean()
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)

    def test_notes_name_what_is_unusual(self):
        assert plain("alibi").notes() == ()
        falcon = plain("alibi", convention="key_index", slope_precision="bfloat16", before_scaling=True, heads=12)
        text = " ".join(falcon.notes())
        assert "Under the causal mask the weights are those of −slope × distance" in text
        assert "rounded to bfloat16" in text
        assert f"{falcon.slopes()[0]:.4g}/√64 = {falcon.slopes()[0] / 8:.4g}" in text
        assert "whatever the query" in falcon.describe(3, 0)


class TestT5:
    @given(t5s())
    def test_buckets_lie_in_range_and_rise_with_the_distance(self, scheme):
        distances = np.arange(700.0)
        before, after = scheme.bucket_of(-distances), scheme.bucket_of(distances)
        for found in (before, after):
            assert found.dtype == np.int64
            assert found.min() >= 0
            assert found.max() < scheme.buckets
            assert (np.diff(found[1:]) >= 0).all()
        assert np.array_equal(before[: scheme.side // 2], np.arange(scheme.side // 2))
        if scheme.bidirectional:
            assert np.array_equal(after[1:], before[1:] + scheme.side)
        else:
            assert not after.any()
        assert before[min(scheme.max_distance, 699)] == scheme.side - 1 or scheme.max_distance > 699

    @given(st.integers(2, 128), st.integers(2, LAST + 1))
    def test_exact_edges(self, side, farthest):
        near = side // 2
        if farthest <= near:
            return
        edges = first_distances(side, farthest)
        assert len(edges) == side
        assert edges[:near] == tuple(range(near))
        for k, edge in enumerate(edges[near:]):
            share = math.log(farthest / near)
            assert math.log(edge / near) * (side - near) >= k * share - 1e-9
            assert edge == near or math.log((edge - 1) / near) * (side - near) < k * share + 1e-9

    @given(st.integers(2, 60), st.integers(40, 3000))
    def test_where_float32_differs_is_everywhere_it_does(self, side, farthest):
        edges = np.array(first_distances(side, farthest))
        distances = np.arange(farthest + 50.0)
        exact = np.minimum(np.searchsorted(edges, distances, side="right") - 1, side - 1)
        found = distance_buckets(distances, side, farthest)
        wrong = [(int(x), int(found[x]), int(exact[x])) for x in np.flatnonzero(found != exact)]
        assert wrong == list(float32_differences(side, farthest))

    def test_a_case_that_differs_is_noted(self):
        scheme = plain("t5", buckets=128, bidirectional=False, max_distance=1 << 20)
        distance, library, exact = scheme.differences()[0]
        assert abs(library - exact) == 1
        assert any(
            f"distance {distance:,} is in bucket {library}, in exact arithmetic in {exact}" in n for n in scheme.notes()
        )
        assert not any("float32" in note for note in plain("t5").notes())

    @given(t5s(), some, some)
    def test_the_bias_is_the_entry_of_the_bucket(self, scheme, queries, keys):
        found = scheme.bias(queries, keys)
        for i, j in np.ndindex(len(queries), len(keys)):
            bucket = scheme.bucket_of(np.array([float(keys[j] - queries[i])]))[0]
            assert np.array_equal(found[:, i, j], scheme.table()[:, bucket])

    @given(t5s())
    def test_from_the_distance_it_names_all_share_the_last_bucket(self, scheme):
        first = scheme.shared_from
        found = distance_buckets(np.array([first - 1.0, float(first)]), scheme.side, scheme.max_distance)
        assert found[1] == scheme.side - 1
        assert found[0] < scheme.side - 1
        assert f"from {first:,} on all share the last" in scheme.describe(0, 0)

    @pytest.mark.parametrize(
        ("params", "field", "fix"),
        [
            ({"buckets": 33}, "buckets", {"buckets": 32}),
            ({"buckets": 2}, "buckets", {"buckets": 4}),
            ({"max_distance": 8}, "max_distance", {"max_distance": 9}),
            ({"buckets": 64, "bidirectional": False, "max_distance": 20}, "max_distance", {"max_distance": 33}),
        ],
    )
    def test_refusals_offer_what_is_possible(self, params, field, fix):
        with pytest.raises(FieldError) as refused:
            plain("t5", **params)
        assert refused.value.field == field
        assert refused.value.fixes[0].changes == {"params": fix}
        assert plain("t5", **(params | fix))

    def test_no_root(self):
        assert plain("t5").softmax_scale == 1.0
        assert t5_buckets(np.array([-3.0, 3.0]), 32, 128, True).tolist() == [3, 19]


class TestKerple:
    @given(kerples(), some, some)
    def test_the_formula(self, scheme, queries, keys):
        found = scheme.bias(queries, keys)
        distances = np.abs(np.subtract.outer(queries, keys)).astype(float)
        curve = np.log(1 + scheme.r2 * distances) if scheme.variant == "log" else distances**scheme.r2
        for head in range(scheme.heads):
            assert np.allclose(found[head], -scheme.r1 / 2**head * curve, rtol=1e-9, atol=1e-13)
        assert not np.signbit(found[:, distances == 0]).any()

    @given(st.integers(1, 12), some, some)
    def test_the_power_1_is_alibi(self, heads, queries, keys):
        scheme = plain("kerple", variant="power", r1=0.5, r2=1.0, heads=heads)
        alibi = plain("alibi", heads=8)
        both = min(heads, 8)
        assert np.array_equal(scheme.bias(queries, keys)[:both], alibi.bias(queries, keys)[:both])
        assert np.array_equal(scheme.slopes()[:both], alibi.slopes()[:both])
        assert "ALiBi" in scheme.notes()[1]
        assert plain("kerple").slopes() is None

    @settings(max_examples=60)
    @given(kerples(st.just(LAST + 1)), st.data())
    def test_means_from_sums_at_the_corners(self, scheme, data):
        """Blocks of any size near the diagonal, whose cells are added up one by one."""
        step = data.draw(st.integers(1, 60))
        first, other = (data.draw(st.integers(0, 3000)) for _ in range(2))
        rows, columns = (np.r_[start + step * np.arange(12.0), start + 12.0 * step] for start in (first, other))
        sizes = [np.full(13, float(step)) for _ in range(2)]
        sizes[0][-1] = max(1, step - 1)
        found = scheme.block_bias(1 % scheme.heads, rows, sizes[0], columns, sizes[1])
        for i, j in ((0, 0), (12, 5), (7, 12)):
            queries, keys = rows[i] + np.arange(sizes[0][i]), columns[j] + np.arange(sizes[1][j])
            expected = scheme.bias(queries, keys, [1 % scheme.heads]).mean()
            assert found[i, j] == pytest.approx(expected, rel=1e-8, abs=1e-9 * scheme.r1)

    @given(kerples(), st.integers(1, LAST))
    def test_the_second_difference_of_the_corner_sums_is_the_curve(self, scheme, offset):
        sums = CornerSums(scheme.variant, scheme.r2)
        before, here, after = sums(np.array([offset - 1.0, offset, offset + 1.0]))
        expected = curve_of(scheme.variant, scheme.r2, np.array([float(offset)]))[0]
        assert after - 2 * here + before == pytest.approx(expected, abs=1e-9 * expected + 1e-14 * abs(here))
        assert sums(np.array([-float(offset)]))[0] == here

    def test_a_picture_of_the_longest_sequence_costs_its_cells(self):
        short, long = (plain("kerple", 64, length) for length in (1 << 12, 1 << 20))
        costs = [bias_cost(each, Window((0, each.length), (0, each.length), 256, 256)) for each in (short, long)]
        assert costs[0] == costs[1] == 2 * 256 * 256

    def test_powers_beyond_2_are_refused(self):
        with pytest.raises(FieldError, match="at most 2") as refused:
            plain("kerple", variant="power", r2=2.5)
        assert refused.value.field == "r2"
        assert plain("kerple", variant="log", r2=2.5)


class TestFire:
    @given(fires(), some, some)
    def test_ratios_lie_between_0_and_1(self, scheme, queries, keys):
        ratios = scheme.ratio(queries, keys)
        assert (ratios >= 0).all()
        assert (ratios <= 1).all()
        later = np.subtract.outer(queries, keys) <= 0
        assert not ratios[later].any()
        assert (ratios[~later] > 0).all()

    @given(fires(), st.lists(st.floats(-2, 3), min_size=1, max_size=20))
    def test_the_bent_line_is_the_network(self, scheme, ratios):
        each = scheme.networks()[0]
        inside = np.clip(ratios, 0, 1)
        size = max(1.0, float(np.abs(each.exact(inside)).max()))
        assert np.abs(each.at(inside) - each.exact(inside)).max() <= 1e-9 * size
        outside = np.array([*ratios, 1.5])
        assert np.array_equal(each.at(outside), each.exact(outside))

    @given(fires(), some, some)
    def test_the_bias_is_the_network_of_the_ratio(self, scheme, queries, keys):
        found = scheme.bias(queries, keys)
        for head, each in enumerate(scheme.networks()):
            assert np.array_equal(found[head], each.at(scheme.ratio(queries, keys)))
            assert np.abs(found[head]).max() <= scheme.bound() * (1 + 1e-12)

    @given(fires(), st.integers(0, 300), st.integers(0, 300), st.integers(0, 100))
    def test_before_the_threshold_the_offset_alone_counts(self, scheme, first, second, gap):
        assume(gap + max(first, second) + 1 <= scheme.threshold)
        values = [scheme.bias([gap + start], [start])[:, 0, 0] for start in (first, second)]
        assert np.array_equal(*values)

    @given(fires(), st.data())
    def test_the_largest_bias_is_about_the_largest_of_all(self, scheme, data):
        every = np.abs(scheme.bias(range(scheme.length), range(scheme.length)))
        assert every.max() <= scheme.largest() * (1 + 1e-12)
        assert scheme.largest() <= scheme.bound() * (1 + 1e-12)

    @pytest.mark.parametrize("length", [600, 3000])
    def test_samples_of_a_picture_are_near_the_means(self, length):
        scheme = plain("fire", length=length, c=1.0, threshold=64.0)
        made = picture(scheme, Window((0, length), (0, length), 40, 30), 2)
        p, q = made.rows.step, made.columns.step
        assert made.seen == scheme.cells_seen(p, q) == SAMPLES**2
        every = scheme.bias(range(length), range(length), [2])[0]
        means = [
            [every[int(a) : int(a + p), int(b) : int(b + q)].mean() for b in made.columns.starts]
            for a in made.rows.starts
        ]
        assert np.abs(made.values - means).max() <= 0.02 * scheme.largest([2])

    @given(fires(), st.integers(1, SAMPLES), st.integers(1, SAMPLES))
    def test_small_blocks_are_exact_means(self, scheme, p, q):
        pixels = -(-scheme.length // p), -(-scheme.length // q)
        made = picture(scheme, Window((0, scheme.length), (0, scheme.length), *pixels), 0)
        assert made.seen is None
        every = scheme.bias(range(scheme.length), range(scheme.length), [0])[0]
        i, j = made.values.shape[0] - 1, made.values.shape[1] // 2
        cells = np.arange(scheme.length)
        blocks = made.rows.edges[i : i + 2], made.columns.edges[j : j + 2]
        shares = [np.clip(np.minimum(cells + 1, end) - np.maximum(cells, start), 0.0, 1.0) for start, end in blocks]
        mean = shares[0] @ every @ shares[1] / (shares[0].sum() * shares[1].sum())
        assert made.values[i, j] == pytest.approx(mean, rel=1e-5, abs=1e-6)

    def test_notes(self):
        assert any("depends on the distance alone" in note for note in plain("fire").notes())
        assert not any("distance alone" in note for note in plain("fire", length=513).notes())


@pytest.mark.parametrize("name", ["t5", "kerple", "fire", "shaw", "transformer_xl", "deberta"])
@pytest.mark.parametrize("dimension", [2, 64, 200])
def test_terms_are_of_one_size_at_any_dimension(name, dimension):
    """Scaled as the model scales them, so that pictures of narrow and wide heads can be compared."""
    values = plain(name, dimension, heads=8).bias([300], range(301))
    assert 0.05 < values.std() < 5
