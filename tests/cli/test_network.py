"""``locisimiles network``."""

import csv
from functools import partial

import networkx as nx
import pytest

HEADER = (
    "query_id,source_id,rank,score,query_author,query_work,source_author,source_work,source_locus"
)
HITS = [
    "hier. 1,verg. 1,1,3,Jerome,Epistulae,Virgil,Aeneis,1.1",
    "hier. 1,verg. 2,2,2,Jerome,Epistulae,Virgil,Aeneis,1.2",
    "hier. 2,x 1,1,1,Jerome,Epistulae,,,",
]
MORE = ["verg. 1,naev. 1,1,1,Virgil,Aeneis,Naevius,Bellum Punicum,"]


@pytest.fixture
def command(tmp_path, monkeypatch, program):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hits.csv").write_text("\n".join([HEADER, *HITS, ""]), encoding="utf-8")
    (tmp_path / "more.csv").write_text("\n".join([HEADER, *MORE, ""]), encoding="utf-8")
    return partial(program, "network")


def rows(text, delimiter="\t"):
    return list(csv.DictReader(text.splitlines(), delimiter=delimiter))


def test_links_of_works_are_shown(command):
    first, second = rows(command("hits.csv").out)
    assert (first["citing_work"], first["cited_work"]) == ("Epistulae", "Aeneis")
    assert (first["citing_year"], first["cited_year"], first["references"]) == ("419", "-19", "1")
    assert (second["cited_author"], second["cited_year"], second["undated"]) == ("", "unknown", "1")


def test_links_of_authors_may_count_several_candidates(command):
    first = rows(command("hits.csv", "--level", "author", "--top", "2").out)[0]
    assert (first["citing_work"], first["references"]) == ("", "2")


def test_links_are_written_as_a_network_or_a_table(command, tmp_path):
    assert command("hits.csv", "-o", "net.graphml").code == 0
    graph = nx.read_graphml(tmp_path / "net.graphml")
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (3, 2)
    assert command("hits.csv", "-o", "net.csv").code == 0
    assert len(rows((tmp_path / "net.csv").read_text(encoding="utf-8"), ",")) == 2
    assert command("hits.csv", "-o", "net.tsv").code == 0
    tabs = rows((tmp_path / "net.tsv").read_text(encoding="utf-8"))
    assert tabs == rows((tmp_path / "net.csv").read_text(encoding="utf-8"), ",")


def test_density_is_shown(command):
    found = rows(command("hits.csv", "--what", "density").out)
    assert [(row["first_id"], row["references"]) for row in found] == [
        ("hier. 1", "1"), ("hier. 2", "1")
    ]  # fmt: skip


def test_neighbouring_places_are_merged(command):
    first = rows(command("hits.csv", "--what", "places", "--top", "2").out)[0]
    assert first["source_ids"] == "verg. 1 | verg. 2"


def test_chains_span_files(command, tmp_path):
    assert command("hits.csv", "more.csv", "--what", "chains", "-o", "chains.csv").code == 0
    (row,) = rows((tmp_path / "chains.csv").read_text(encoding="utf-8"), ",")
    assert list(row.values()) == ["hier. 1", "verg. 1", "naev. 1", "no", "unknown"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hits.csv", "more.csv"], "links need one file of results (got 2)"),
        (["hits.csv", "--what", "density", "-o", "net.graphml"], "use one of .csv"),
        (["hits.csv", "--what", "density", "--chronological"], "does not apply to density"),
        (["hits.csv", "--what", "places", "--chronological"], "does not apply to places"),
        (["nothing.csv"], "file not found"),
        (["hits.csv", "-o", "hits.csv", "--overwrite"], "is one of the inputs"),
    ],
)
def test_errors_are_reported(command, arguments, message):
    done = command(*arguments)
    assert done.code == 1
    assert message in done.err
