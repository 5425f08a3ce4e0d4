"""How many processes a search uses unless told otherwise."""

import os

import pytest

from locisimiles.cli.search_options import processes as chosen
from locisimiles.jobs import processes


@pytest.fixture
def cpus(tmp_path, monkeypatch):
    """Four threads of two cores, of which this process may use three."""
    for number, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        topology = tmp_path / f"cpu{number}" / "topology"
        topology.mkdir(parents=True)
        (topology / "thread_siblings_list").write_text(f"{siblings}\n", encoding="ascii")
    monkeypatch.setattr(processes, "_CPUS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    return tmp_path


@pytest.mark.usefixtures("cpus")
def test_threads_of_one_core_count_once(monkeypatch):
    assert processes.physical_cores() == 2
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 3})
    assert processes.physical_cores() == 1


def test_where_nothing_is_known_of_cores_each_thread_counts(cpus):
    (cpus / "cpu1" / "topology" / "thread_siblings_list").unlink()
    assert processes.physical_cores() == 3


def test_other_systems_say_only_how_many_there_are(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert processes.physical_cores() == 6


@pytest.mark.usefixtures("cpus")
def test_a_search_uses_every_core_by_default():
    assert (chosen(None), chosen(5)) == (2, 5)
