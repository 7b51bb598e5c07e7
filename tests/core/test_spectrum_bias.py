"""The spectrum of a bias: slopes, buckets, or the bias against distance."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from pe_desktop.core import spectrum_bias
from pe_desktop.core.part_spectrum import spectrum_is_quick, spectrum_part
from pe_desktop.core.parts import Viewport
from pe_desktop.core.scheme import build
from pe_desktop.core.spectrum_bias import bias_part, spread
from pe_desktop.core.state import LabState
from tests.core.spectra import SHOWN, line, part_of


class TestBiases:
    def test_slopes(self):
        part = part_of(scheme="alibi", head=3)
        assert part.kind == "slopes"
        assert 10 ** line(part).y == pytest.approx(2.0 ** -np.arange(1, 9))
        assert [level.at for level in part.levels] == [3.0]
        assert part.sentence == (
            "Head 3 loses 0.0625 per position: a weight falls to 1/e in 16 positions; over the 8 heads in 2 to 256."
        )

    def test_buckets_of_t5(self):
        scheme = build("t5", {"bidirectional": False}, 64, 1024)
        part = bias_part(scheme, 0)
        assert part.kind == "buckets"
        # Causal T5 (32 buckets to 128): 0 … 15 each, the last from 113 on (ln(113/16)/ln(8) · 16 = 15.04).
        assert part.sentence.startswith(
            "Distances up to 15 have a bucket each, then they share; from 113 on all are in bucket 31"
        )
        steps = line(part)
        for distance in (1, 20, 64, 100, 700):
            at = int(np.searchsorted(steps.x, math.log10(distance) + 1e-9)) - 1
            assert steps.y[at] == scheme.bucket_of(np.array([-float(distance)]))[0]

    @pytest.mark.parametrize("params", [{}, {"size": 16, "range": 40}, {"size": 4, "range": 1024}, {"variant": "v1"}])
    @pytest.mark.parametrize("length", [600, 2000, 100_000])
    def test_buckets_of_deberta_are_the_rows_that_are_read(self, params, length):
        scheme = build("deberta", params, 64, length)
        part = bias_part(scheme, 0)
        ends = [end for each in part.series for end in (each.y.min(), each.y.max())]
        assert min(ends) >= -scheme.rows_each_way
        assert max(ends) <= scheme.rows_each_way - 1
        found = re.search(r"; from ([0-9,]+) on all are in bucket (\S+)", part.sentence)
        start, bucket = int(found[1].replace(",", "")), int(found[2].replace("\u2212", "-"))
        side = -1.0 if bucket < 0 else 1.0
        beyond = scheme.at_offsets(side * np.arange(start, length, max(1, length // 999)))
        before = scheme.at_offsets(np.array([side * (start - 1)]))
        assert (beyond == beyond[:, :1]).all()
        assert (before != beyond[:, :1]).any()
        assert scheme.looked_up(np.array([side * (length - 1)])).tolist() == [bucket]

    def test_only_deberta_numbers_more_buckets_than_its_table_has_rows(self):
        offsets = np.arange(-5000.0, 5001.0)
        for name in ("t5", "shaw"):
            scheme = build(name, {}, 64, 5001)
            assert np.array_equal(scheme.looked_up(offsets), scheme.bucket_of(offsets))
            assert scheme.bucket_unit == "bucket"
        scheme = build("deberta", {}, 64, 5001)
        assert np.array_equal(scheme.looked_up(offsets), np.clip(scheme.bucket_of(offsets), -256, 255))
        assert scheme.bucket_of(offsets).max() > 255
        assert scheme.bucket_unit == "bucket, before the clamp to the table's -256 to 255"
        assert build("alibi", {}, 64, 100).looked_up(offsets) is None

    @pytest.mark.parametrize("first_look", [1, 4096])
    def test_a_clip(self, monkeypatch, first_look):
        monkeypatch.setattr(spectrum_bias, "FIRST_LOOK", first_look)
        part = bias_part(build("shaw", {"left": 900, "right": 3}, 64, 100_000), 0)
        assert part.sentence.startswith("Distances up to 899 have a bucket each, then they share; from 900 on")

    def test_the_bias_itself(self):
        scheme = build("kerple", {}, 64, 1000)
        part = bias_part(scheme, 2)
        distances = 10 ** line(part).x
        assert distances[0] == 1
        assert distances[-1] == pytest.approx(999)
        assert line(part).y == pytest.approx(scheme.bias([999], 999 - distances)[2, 0])

    def test_a_bias_that_takes_long_is_coarser_first(self):
        state = LabState().change({"scheme": "transformer_xl", "dimension": 2048, "length": 5000})
        viewport = Viewport(shown=SHOWN)
        assert not spectrum_is_quick(state, viewport)
        quick, full = (spectrum_part(state, viewport, full) for full in (False, True))
        assert (quick.exact, full.exact) == (False, True)
        few, all_of_them = line(quick), line(full)
        assert len(few.x) < 30 < len(all_of_them.x)
        assert few.x[[0, -1]].tolist() == all_of_them.x[[0, -1]].tolist()
        assert few.y == pytest.approx(all_of_them.y[np.isin(all_of_them.x, few.x)], abs=1e-9)
        assert quick.point.endswith("computing more…")

    @pytest.mark.parametrize("name", ["alibi", "t5", "kerple", "shaw", "fire", "deberta"])
    def test_a_sequence_of_two(self, name):
        part = bias_part(build(name, {}, 64, 2), 0)
        assert part.sentence.endswith(".")
        assert part.x.low < part.x.high
        assert all(np.isfinite(each.x).all() for each in part.series)

    @pytest.mark.parametrize("length", [2, 3, 65, 66, 1_048_576])
    def test_distances(self, length):
        distances = spread(length)
        assert distances[0] == 1
        assert distances[-1] == max(length - 1, 1)
        assert (np.diff(distances) > 0).all()
        assert len(distances) < 320
