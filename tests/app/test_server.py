"""The server, before it serves."""

import socket

import pytest

from locisimiles.app.context import AppContext
from locisimiles.app.server import check_address, serve
from locisimiles.errors import ParameterError


def test_other_machines_are_not_let_in_without_tokens(tmp_path):
    with pytest.raises(ParameterError, match="lets other machines in"):
        serve(AppContext(tmp_path), host="0.0.0.0")


def test_an_address_that_is_used_is_told():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(ParameterError, match="cannot listen on 127"):
            check_address("127.0.0.1", other.getsockname()[1])


def test_an_address_of_another_machine_is_told():
    with pytest.raises(ParameterError, match="cannot listen"):
        check_address("192.0.2.1", 8765)
