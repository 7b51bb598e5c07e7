"""Claims as they are shown."""

from __future__ import annotations

from pe_desktop.lessons.checks_box import Check, readable
from pe_desktop.lessons.expression import Verdict, parse_expectation


def test_a_claim_is_shown_with_the_number_there_is():
    claim = parse_expectation("input_gap == 0.000")
    says = "input_gap is 1.2e-16, expected to equal 0.000"
    assert Check.of(claim, Verdict(True, says)) == Check("input gap = 0.000", True, "now 1.2·10⁻¹⁶")
    failing = Verdict(False, "input_gap is 0.00051, expected to equal 0.000")
    assert Check.of(claim, failing) == Check("input gap = 0.000", False, "now 0.00051")
    both = parse_expectation("position < 20 and largest_value <= 1")
    says = "position is 12, expected to be less than 20; largest_value is 1, expected to be at most 1"
    assert Check.of(both, Verdict(True, says)).now == "position is 12; largest value is 1"
    missing = Verdict(False, "The scheme None has no base.", missing=True)
    assert Check.of(claim, missing).now == "The scheme None has no base."
    assert readable("similarity(25) >= 2 * norm(3)") == "similarity(25) ≥ 2 · norm(3)"
