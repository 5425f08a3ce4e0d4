"""The audit log."""

import json

from locisimiles.app.access import audit
from locisimiles.app.access.audit import Audit


def test_an_event_is_one_line_whatever_it_holds(tmp_path):
    path = tmp_path / "audit.log"
    Audit(path).write("login", user="a\nb\u2028\x1b[2J\ud800", path="x" * 5000)
    (line,) = path.read_bytes().splitlines()
    assert json.loads(line)["user"] == "a\nb\u2028\x1b[2J\ud800"
    assert len(line) < 600
    assert line.isascii()


def test_a_long_log_is_renamed(tmp_path, monkeypatch):
    monkeypatch.setattr(audit, "_LARGEST", 100)
    log = Audit(tmp_path / "audit.log")
    for number in range(5):
        log.write("login", number=number)
    kept = (tmp_path / "audit.log.1").read_text() + (tmp_path / "audit.log").read_text()
    assert '"number": 4' in kept
    assert sorted(one.name for one in tmp_path.iterdir()) == ["audit.log", "audit.log.1"]


def test_a_log_that_cannot_be_written_is_a_warning(tmp_path, caplog):
    Audit(tmp_path / "missing" / "audit.log").write("login")
    assert "audit log cannot be written" in caplog.text
