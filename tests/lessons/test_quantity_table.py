"""The table of quantities, as documents show it."""

from pe_desktop.lessons.quantity_table import QUANTITIES, known_names, parameter_sorts, table


def test_the_table_names_all():
    text = table()
    for each in QUANTITIES.values():
        assert f"| `{each.written}` | {each.about} |" in text
    assert "similarity(gap) or similarity(p, q)" in text


def test_no_parameter_hides_behind_a_call():
    for name in parameter_sorts():
        assert name not in QUANTITIES or not QUANTITIES[name].is_call
    assert "base" in known_names()
    assert "layout" not in known_names()
