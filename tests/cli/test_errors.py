"""Mistakes: one line on standard error, exit code 2, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pe_desktop import cli
from tests.cli.helpers import process, refused, run

V = ("values", "--what", "encoding")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["values"], "--what is missing; it must be one of encoding"),
        (["values", "--what", "x"], "is 'x'; it must be one of"),
        ([*V, "--scheme", "x"], "no scheme 'x'; the schemes are none, integer"),
        ([*V, "--dimension", "1"], "Model dimension is 1; it must lie between 2 and 8,192"),
        ([*V, "--dimension", "abc"], "'abc', which is not a whole number"),
        ([*V, "--dimension", ""], "'', which is not a whole number"),
        ([*V, "--length", "10,000"], "leave the comma out"),
        ([*V, "--position", "-5"], "-5"),
        ([*V, "--position", "1e300"], "far out of range"),
        ([*V, "--position", "128"], "the sequence has 128 positions"),
        ([*V, "--swap", "1"], "two word numbers"),
        ([*V, "--swap", "1,1"], "itself"),
        ([*V, "--swap", "1,99"], "Word 99 does not exist"),
        ([*V, "--swap=-1,2"], "Word -1 does not exist"),
        ([*V, "--set", "base"], "write NAME=VALUE"),
        ([*V, "--set", "=5"], "write NAME=VALUE"),
        ([*V, "--set", "theta=5"], "no parameter 'theta'"),
        ([*V, "--set", "base=abc"], "Base is 'abc', which is not a number"),
        ([*V, "--set", "base=NaN"], "finite"),
        ([*V, "--set", "base=[1]"], "not a number"),
        ([*V, "--set", "base=1e16"], "must lie between 1.001"),
        ([*V, "--set", "layout=half"], "must be one of interleaved"),
        ([*V, "--scheme", "rope", "--dimension", "65"], "64 and 66"),
        ([*V, "--positions", "a"], "write whole numbers"),
        ([*V, "--positions", "5:1"], "empty range"),
        ([*V, "--positions", ""], "write whole numbers"),
        ([*V, "--json", "--csv"], "not allowed with"),
        ([*V, "--sentence", "\udcff"], "surrogate"),
        ([*V, "--bogus"], "Unrecognized arguments: --bogus"),
        ([*V, "--dim", "4"], "Unrecognized arguments"),
        ([*V, "--dimension"], "expected one argument"),
        (["values", "--what", "scores", "--q", "x"], "must be a JSON list"),
        (["values", "--what", "scores", "--q", "[" * 5000], "must be a JSON list"),
        (["values", "--what", "scores", "--q", "[1]", "--k", "[1]"], "have 1 numbers; the dimension is 64"),
        (["values", "--what", "scores"], "needs 'q'"),
        (["values", "--what", "scores", "--dimension", "2", "--q", "[1e308,1]", "--k", "[1e308,1]"], "too large"),
        ([*V, "--out", "a\x00.npy"], "cannot be written"),
        (["readouts", "--session", "/nowhere.pelab"], "/nowhere.pelab cannot be read: no such file or directory"),
        (["readouts", "--session", "/"], "cannot be read: is a directory"),
        (["readouts", "--session", "a\x00b"], "not a file name"),
        (["render"], "--out"),
        (["render", "--out", "x.gif"], "must end in .png, .svg or .pdf"),
        (["render", "--out", "x.png", "--size", "10"], "write width x height"),
        (["render", "--out", "x.png", "--size", "10x10"], "200 to 8192"),
        (["render", "--out", "x.png", "--size", "²x²"], "write width x height"),
        (["render", "--out", "x.png", "--view", "moon"], "invalid choice"),
        (["render", "--out", "x.png", "--theme", "pink"], "invalid choice"),
        (["doctor", "--bogus"], "Unrecognized arguments"),
        (["nonsense.pelab"], "nonsense.pelab cannot be read"),
        (["a.pelab", "--session", "b.pelab"], "give one of them"),
        (["--theme", "pink"], "invalid choice"),
        (["a", "b"], "Unrecognized arguments: b"),
    ],
)
def test_refusals(capsys, arguments, words):
    assert words in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is not JSON"),
        (b"{}", 'the entry "format" must read'),
        (b"\xff\xfe", "is not text: byte 0"),
        (b"[" * 50_000, "it is not JSON"),
        (b'{"format": "pe-desktop session", "version": 9}', "version 9"),
        (b'{"format": "pe-desktop session", "version": 1, "length": 1}', "Sequence length is 1"),
        (b" " * ((1 << 20) + 1), "too large"),
    ],
)
def test_sessions_that_cannot_be_opened(capsys, tmp_path, content, words):
    path = tmp_path / "broken.pelab"
    path.write_bytes(content)
    for arguments in (["readouts", "--session", str(path)], [str(path)]):
        message = refused(capsys, *arguments)
        assert words in message
        assert str(path) in message


@pytest.mark.parametrize("arguments", [["--help"], ["values", "--help"], ["render", "--help"], ["doctor", "-h"]])
def test_help(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 0
    assert "usage: pe-desktop" in capsys.readouterr().out


def test_version(capsys):
    from pe_desktop import __version__

    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"pe-desktop {__version__}\n")


def test_a_full_disk():
    if not os.path.exists("/dev/full"):
        assert sys.platform != "linux"
        return
    for arguments in (V, (*V, "--json"), ("readouts",), ("values", "--batch", "-")):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "pe_desktop", *arguments],
                input=b'{"what":"softmax_scale"}\n',
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.stderr == b"pe-desktop: error: Writing failed: no space left on device.\n"
        assert done.returncode == 2


def test_a_window_without_a_display():
    code, out, err = process(QT_QPA_PLATFORM="", DISPLAY="", WAYLAND_DISPLAY="")
    if sys.platform == "linux":
        assert (code, out) == (2, "")
        assert "There is no display" in err
        assert "pe-desktop render --out window.png" in err
        assert err.count("\n") == 1


OPTIONS = ("scheme", "dimension", "length", "position", "key-position", "head", "seed", "sentence", "set", "what")
OPTIONS += ("positions", "key-positions", "q", "k", "vectors", "swap", "session")
PIECES = st.one_of(
    st.sampled_from([f"--{name}" for name in OPTIONS] + ["--json", "--csv", "--causal", "--swap", "--", "-"]),
    st.sampled_from(["rope", "alibi", "none", "encoding", "inv_freq", "bias", "slopes", "0,1", "1:9:2", "base=5"]),
    st.sampled_from(["[1, 2]", "2", "3", "64", "1e3", "1,5", "heads=3", "layout=half", "NaN", "[[1,2],[3,4]]"]),
    st.text(max_size=8),
)
KNOWN = st.sampled_from(OPTIONS[:-1]).flatmap(lambda name: st.tuples(st.just(f"--{name}"), PIECES))


def outcome(capsys, arguments):
    try:
        code = cli.main(arguments)
    except SystemExit as ended:  # --help
        code = ended.code
    out, err = capsys.readouterr()
    assert code in (0, 2)
    if code == 2:
        assert out == ""
        assert err.startswith("pe-desktop: error: ")
        assert err.count("\n") == 1
    else:
        assert err == ""
    return code, out


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["values", "readouts"]), st.lists(PIECES, max_size=8))
def test_any_arguments(capsys, verb, pieces):
    outcome(capsys, [verb, *pieces])


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["encoding", "cos", "similarity", "bias", "scores", "rotate"]), st.lists(KNOWN, max_size=5))
def test_any_values_for_known_options(capsys, what, options):
    arguments = ["values", "--what", what, "--json", *(piece for option in options for piece in option)]
    code, out = outcome(capsys, arguments)
    if code == 0 and out.startswith("{"):
        json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in the output"))


def test_the_helpers_would_notice_a_failure(capsys):
    with pytest.raises(AssertionError):
        run(capsys, "values")
    with pytest.raises(AssertionError):
        refused(capsys, *V)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["values", "--scheme", "alibi", "--what", "bias", "--head", "2"], "--head plays no part in values"),
        (["values", "--what", "cos", "--precision", "positions=bfloat16"], "--precision plays no part in values"),
        (["values", "--what", "inv_freq", "--causal"], "--causal plays no part in values"),
        (["values", "--batch", "-", "--scheme", "alibi"], "--scheme plays no part in values --batch"),
        (["values", "--batch", "-", "--csv"], "--csv plays no part in values --batch"),
        (["values", "--batch", "-", "--out", "x.npy"], "--out plays no part in values --batch"),
        (["frobnicate"], "neither a verb nor a file; the verbs are values,"),
        (["compare", "mrope:sections=16,24,24", "mrope"], "sections=[16,24,24]"),
    ],
)
def test_what_would_have_no_effect_is_refused(capsys, arguments, words):
    assert words in refused(capsys, *arguments)
