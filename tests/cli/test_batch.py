"""pe-desktop values --batch: one request a line in, one result a line out."""

from __future__ import annotations

import io
import json
import subprocess
import sys

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pe_desktop import cli
from tests.cli.helpers import process, refused, run

LINES = [
    ('{"scheme":"rope","dimension":4,"what":"inv_freq"}', [1.0, 0.01]),
    ("this is not JSON", "request"),
    ('{"what":"softmax_scale","dimension":16}', 0.25),
    ('{"what":"bias"}', "what"),
    ('{"scheme":"rope","dimension":65,"what":"cos"}', "dimension"),
    ('{"what":[]}', "what"),
    ("[]", "request"),
    ('{"what":"encoding","params":{"base":NaN}}', "base"),
    ('{"what":"scores","dimension":2,"q":[1' + "0" * 400 + ',1],"k":[1,1]}', "q"),
    ("[" * 3000, "request"),
    ('{"scheme":"alibi","params":{"heads":2},"what":"slopes"}', [0.0625, 0.00390625]),
    ('{"what":"encoding","positions":"0:99999999999999999999999"}', "positions"),
    ('{"scheme":"integer","dimension":2,"what":"encoding","positions":[7]}', [[7.0, 7.0]]),
]


def check(out):
    results = [json.loads(line) for line in out.splitlines()]
    assert len(results) == len(LINES)
    for result, (line, wanted) in zip(results, LINES, strict=True):
        if isinstance(wanted, str):
            assert set(result) == {"error", "field"}, line
            assert result["field"] == wanted
            assert result["error"].endswith(".")
        else:
            assert result["values"] == wanted


def text():
    return "\n".join(line for line, _ in LINES) + "\n"


def test_good_and_bad_lines_in_order(capsys, tmp_path):
    path = tmp_path / "requests.jsonl"
    path.write_text(text(), encoding="utf-8")
    check(run(capsys, "values", "--batch", str(path)))


def test_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(text()))
    check(run(capsys, "values", "--batch", "-"))


def test_as_a_process():
    code, out, err = process("values", "--batch", "-", stdin=text().encode())
    assert (code, err) == (0, "")
    check(out)


def test_blank_lines_and_marks_at_the_start(capsys, tmp_path):
    path = tmp_path / "requests.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"what":"softmax_scale"}\r\n\r\n   \n{"what":"softmax_scale"}')
    out = run(capsys, "values", "--batch", str(path))
    assert [json.loads(line)["values"] for line in out.splitlines()] == [0.125, 0.125]


def test_bytes_that_are_no_text(tmp_path, capsys):
    path = tmp_path / "requests.jsonl"
    path.write_bytes(b'\xff\xfe\x00{"what"\n{"what":"softmax_scale"}\n')
    first, second = run(capsys, "values", "--batch", str(path)).splitlines()
    assert json.loads(first)["field"] == "request"
    assert json.loads(second)["values"] == 0.125
    code, out, err = process("values", "--batch", "-", stdin=path.read_bytes())
    assert (code, out.splitlines(), err) == (0, [first, second], "")


def test_an_empty_batch(capsys, tmp_path):
    path = tmp_path / "requests.jsonl"
    path.touch()
    assert run(capsys, "values", "--batch", str(path)) == ""


def test_a_batch_that_cannot_be_read(capsys, tmp_path):
    missing = tmp_path / "missing.jsonl"
    assert refused(capsys, "values", "--batch", str(missing)) == f"{missing} cannot be read: no such file or directory."
    assert refused(capsys, "values", "--batch", str(tmp_path)).endswith("cannot be read: is a directory.")
    assert "null" in refused(capsys, "values", "--batch", "a\x00b")


def test_a_reader_that_has_seen_enough(tmp_path):
    """Standard output is closed before the batch is through: no error, no traceback."""
    path = tmp_path / "requests.jsonl"
    path.write_text('{"what":"encoding","length":400}\n' * 50, encoding="utf-8")
    worker = subprocess.Popen(
        [sys.executable, "-m", "pe_desktop", "values", "--batch", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert worker.stdout.read(10) == b'{"scheme":'
    worker.stdout.close()
    with worker.stderr:
        assert worker.stderr.read() == b""
    assert worker.wait() == 0


REQUESTS = st.fixed_dictionaries(
    {"what": st.sampled_from(["encoding", "inv_freq", "bias", "similarity", "cos", "rotate", "slopes"]) | st.text()},
    optional={
        "scheme": st.sampled_from(["rope", "alibi", "none", "learned"]) | st.integers(),
        "dimension": st.integers(0, 20) | st.floats() | st.none(),
        "length": st.integers(0, 20) | st.text(max_size=3),
        "params": st.dictionaries(st.sampled_from(["base", "layout", "heads"]), st.floats() | st.text(max_size=3)),
        "positions": st.lists(st.integers() | st.floats(), max_size=3) | st.text("0123:,-", max_size=6),
        "vectors": st.lists(st.floats(), max_size=3),
    },
)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(REQUESTS.map(json.dumps) | st.text(max_size=20), max_size=4))
def test_any_lines(capsys, monkeypatch, lines):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert cli.main(["values", "--batch", "-"]) == 0
    out, err = capsys.readouterr()
    assert err == ""

    def unwelcome(constant):
        raise AssertionError(f"{constant} in the output")

    results = [json.loads(line, parse_constant=unwelcome) for line in out.splitlines()]
    asked = [line for line in io.StringIO("\n".join(lines)) if line.strip()]
    assert len(results) == len(asked)
    assert all(("values" in result) != ("error" in result) for result in results)
