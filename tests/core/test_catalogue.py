"""The table of schemes says all that their metadata hold."""

from __future__ import annotations

import json

import pytest

from pe_desktop.core import catalogue
from pe_desktop.core.errors import FieldError
from pe_desktop.core.scheme import REGISTRY, build


def test_every_scheme_stands_in_one_group():
    groups = catalogue.grouped()
    every = [scheme for group in groups.values() for scheme in group]
    assert sorted(scheme.id for scheme in every) == sorted(REGISTRY)
    assert all(scheme.acts is acts for acts, group in groups.items() for scheme in group)
    assert set(groups) <= set(catalogue.WHERE)


def test_the_table_holds_every_parameter_and_is_json():
    found = catalogue.table()
    assert json.loads(json.dumps(found, allow_nan=False)) == json.loads(json.dumps(found))
    for scheme in found:
        names = [about["name"] for about in scheme["parameters"]]
        assert names == [about.name for about in REGISTRY[scheme["id"]].parameters()]
        for about in scheme["parameters"]:
            assert about["help"]
            assert about["source"]
            assert (about["default"] is None) <= ("derived" in about)


@pytest.mark.parametrize("name", REGISTRY)
def test_the_defaults_of_the_table_make_the_scheme(name):
    (scheme,) = catalogue.table(name)
    given = {about["name"]: about["default"] for about in scheme["parameters"] if about["default"] is not None}
    assert build(name, given, 64, 128) == build(name, {}, 64, 128)


def test_details_of_rope():
    (rope,) = catalogue.table("rope")
    about = {each["name"]: each for each in rope["parameters"]}
    assert (about["base"]["kind"], about["base"]["default"]) == ("number", 10000.0)
    assert about["short_factor"]["kind"] == "list of numbers"
    assert about["short_factor"]["only_with"] == {"extension": ["longrope"]}
    assert set(about["layout"]["choices"]) >= {"half", "interleaved"}
    text = catalogue.text([rope], detailed=True)
    assert "Source: Su et al. 2021, arXiv 2104.09864" in text
    assert "default: 10000\n" in text
    assert "rotary_dimension: whole number from 2 to 8,192 dimensions; default: the model dimension" in text
    assert "Only with extension longrope" in text
    assert "truncate: true or false; default: true" in text


def test_the_short_text_names_every_scheme_and_parameter():
    text = catalogue.text(catalogue.table(), detailed=False)
    assert max(map(len, text.splitlines())) <= 120
    for name, scheme in REGISTRY.items():
        assert any(line.startswith(f"{name} ") and scheme.title in line for line in text.splitlines())
        assert all(about.name in text for about in scheme.parameters())


def test_an_unknown_scheme_is_refused():
    with pytest.raises(FieldError, match="There is no scheme 'rop'"):
        catalogue.table("rop")
