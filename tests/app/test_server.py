"""The server, before it serves."""

import logging
import socket
import sys

import pytest

from locisimiles.app.context import AppContext
from locisimiles.app.server import _OneSentence, check_address, serve
from locisimiles.errors import DatabaseError, ParameterError


def test_other_machines_are_not_let_in_without_tokens(tmp_path):
    with pytest.raises(ParameterError, match="admits other machines"):
        serve(AppContext(tmp_path), host="0.0.0.0")


def test_an_address_in_use_is_reported():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(ParameterError, match=r"cannot listen on 127.*another port with --port"):
            check_address("127.0.0.1", other.getsockname()[1])


def test_an_address_of_another_machine_is_reported():
    with pytest.raises(ParameterError, match="cannot listen"):
        check_address("192.0.2.1", 8765)


def test_a_missing_database_is_logged_once_and_other_errors_in_full():
    def record(error):
        try:
            raise error
        except type(error):
            return logging.LogRecord("nicegui", 40, "", 0, "failed", (), sys.exc_info())

    log = _OneSentence()
    away = DatabaseError("app.database_lost")
    lost = [record(away) for _ in range(3)]
    assert [log.filter(one) for one in lost] == [True, False, False]
    assert (lost[0].getMessage(), lost[0].exc_info) == (str(away), None)
    lost[2].created += 100
    lost[2].exc_info = record(away).exc_info
    assert log.filter(lost[2])
    other = record(KeyError("x"))
    assert log.filter(other)
    assert other.exc_info is not None
