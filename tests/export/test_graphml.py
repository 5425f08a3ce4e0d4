"""GraphML, read with networkx."""

import json

import networkx as nx
import numpy as np
import pytest

from locisimiles import write_results
from locisimiles.export.graphml import write_citation_graph
from locisimiles.networks import CitationMatrix, Party, count_citations


@pytest.fixture
def graph(tmp_path, judged):
    (path,) = write_results(judged, tmp_path / "hits.graphml")
    return nx.read_graphml(path)


def labelled(graph):
    names = nx.get_node_attributes(graph, "label")
    return {(names[one], names[other]): data for one, other, data in graph.edges(data=True)}


def test_edges_point_from_citing_to_cited_works(graph):
    edges = labelled(graph)
    assert set(edges) == {
        ("Jerome, Epistulae", "Virgil, Aeneis"), ("Anonymus", "Nemo, Fabula")
    }  # fmt: skip
    edge = edges["Jerome, Epistulae", "Virgil, Aeneis"]
    assert (edge["references"], edge["cit"], edge["cf"], edge["undated"]) == (2, 2, 0, 0)
    assert edge["weight"] == pytest.approx(0.96875 + 0.75, abs=1e-4)


def test_known_years_are_written(graph):
    nodes = {data["label"]: data for _, data in graph.nodes(data=True)}
    assert nodes["Virgil, Aeneis"]["first_year"] == -19
    assert "first_year" not in nodes["Nemo, Fabula"]
    assert labelled(graph)["Anonymus", "Nemo, Fabula"]["undated"] == 1


def test_the_graph_is_directed_and_has_the_manifest(graph, judged):
    assert graph.is_directed()
    assert json.loads(graph.graph["manifest"]) == judged.manifest


def test_a_work_that_cites_and_is_cited_is_one_node(tmp_path, found):
    matrix = count_citations(found, level="author", best=3)
    cites_itself = type(matrix)(
        matrix.citing, matrix.citing, *(
            getattr(matrix, name)[:, : len(matrix.citing)]
            for name in ("references", "weight", "cit", "cf", "out_of_order", "undated")
        )
    )  # fmt: skip
    path = tmp_path / "authors.graphml"
    with path.open("wb") as stream:
        write_citation_graph(cites_itself, {}, stream)
    assert nx.read_graphml(path).number_of_nodes() == len(matrix.citing)


def test_a_node_that_cites_and_is_cited_has_all_its_years(tmp_path):
    matrix = CitationMatrix(
        (Party("Jerome", "", 393, 410),), (Party("Jerome", "", 380, 400),),
        *(np.ones((1, 1), kind) for kind in (int, float, int, int, int, int)),
    )  # fmt: skip
    path = tmp_path / "authors.graphml"
    with path.open("wb") as stream:
        write_citation_graph(matrix, {}, stream)
    ((_, node),) = nx.read_graphml(path).nodes(data=True)
    assert (node["first_year"], node["last_year"]) == (380, 410)
