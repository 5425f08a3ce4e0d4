"""GraphML: the network of works or authors, for Gephi, Cytoscape, networkx and igraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from lxml import etree

from locisimiles.export.json_files import compact_json
from locisimiles.networks.matrix import count_citations
from locisimiles.results.characters import for_xml
from locisimiles.results.reader_cells import judged_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from locisimiles.networks.matrix import CitationMatrix, Party
    from locisimiles.results import Results

__all__ = ["GRAPHML_NAMESPACE", "write_citation_graph", "write_graphml"]

GRAPHML_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"

_KEYS = {
    "node": {
        "label": "string",
        "author": "string",
        "work": "string",
        "first_year": "int",
        "last_year": "int",
    },
    "edge": {
        "weight": "double",
        "references": "int",
        "cit": "int",
        "cf": "int",
        "out_of_order": "int",
        "undated": "int",
    },
}


def write_graphml(results: Results, stream: BinaryIO) -> None:
    """Write the network of works, with edges from citing to cited works.

    Pairs that readers accepted count, rejected ones do not. The judgements themselves are an
    attribute of the graph.
    """
    attributes = {"manifest": compact_json(dict(results.manifest))}
    if judged := judged_pairs(results):
        attributes["judgements"] = compact_json(judged)
    _write_graph(count_citations(results, level="work"), attributes, stream)


def write_citation_graph(
    matrix: CitationMatrix, manifest: Mapping[str, object], stream: BinaryIO
) -> None:
    """Write who cites whom as GraphML; unknown years are left out."""
    _write_graph(matrix, {"manifest": compact_json(dict(manifest))}, stream)


def _write_graph(matrix: CitationMatrix, attributes: dict[str, str], stream: BinaryIO) -> None:
    root = etree.Element(f"{{{GRAPHML_NAMESPACE}}}graphml", nsmap={None: GRAPHML_NAMESPACE})  # type: ignore[dict-item]
    keys = {"graph": dict.fromkeys(attributes, "string"), **_KEYS}
    for kind, names in keys.items():
        for name, data_type in names.items():
            named = {"id": f"{kind}_{name}", "for": kind, "attr.name": name}
            _add(root, "key", {**named, "attr.type": data_type})
    graph = _add(root, "graph", {"id": "references", "edgedefault": "directed"})
    _add_data(graph, "graph", attributes)
    nodes: dict[tuple[str, str], str] = {}
    for key, party in _parties(matrix).items():
        nodes[key] = f"n{len(nodes)}"
        values = {"label": party.label, **party._asdict()}
        _add_data(_add(graph, "node", {"id": nodes[key]}), "node", values)
    for number, link in enumerate(matrix.links()):
        ends = {"source": nodes[link.citing[:2]], "target": nodes[link.cited[:2]]}
        edge = _add(graph, "edge", {"id": f"e{number}", **ends})
        _add_data(edge, "edge", {name: getattr(link, name) for name in _KEYS["edge"]})
    etree.indent(root, " ")
    stream.write(etree.tostring(root, encoding="utf-8", xml_declaration=True))
    stream.write(b"\n")


def _parties(matrix: CitationMatrix) -> dict[tuple[str, str], Party]:
    """Return all parties by author and work; one that both cites and is cited is one node."""
    parties: dict[tuple[str, str], Party] = {}
    for party in (*matrix.citing, *matrix.cited):
        same = parties.get(party[:2], party), party
        first = (one.first_year for one in same if one.first_year is not None)
        last = (one.last_year for one in same if one.last_year is not None)
        years = min(first, default=None), max(last, default=None)
        parties[party[:2]] = party._replace(first_year=years[0], last_year=years[1])
    return parties


def _add(parent: _Element, name: str, attributes: dict[str, str]) -> _Element:
    return etree.SubElement(parent, f"{{{GRAPHML_NAMESPACE}}}{name}", attributes)


def _add_data(parent: _Element, kind: str, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        if value not in (None, ""):
            _add(parent, "data", {"key": f"{kind}_{name}"}).text = for_xml(str(value))
