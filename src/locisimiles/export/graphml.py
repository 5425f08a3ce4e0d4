"""GraphML: the network of works or authors, for Gephi, Cytoscape, networkx and igraph."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO

from locisimiles.export.characters import for_xml
from locisimiles.networks.matrix import count_citations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from locisimiles.networks.matrix import CitationMatrix, Party
    from locisimiles.results import Results

__all__ = ["GRAPHML_NAMESPACE", "write_citation_graph", "write_graphml"]

GRAPHML_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"

_KEYS = {
    "graph": {"manifest": "string"},
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
    """Write the network of works: an edge from each that cites to each that is cited."""
    write_citation_graph(count_citations(results, level="work"), results.manifest, stream)


def write_citation_graph(
    matrix: CitationMatrix, manifest: Mapping[str, object], stream: BinaryIO
) -> None:
    """Write who cites whom as GraphML. Years that are unknown are left out."""
    from lxml import etree

    root = etree.Element(f"{{{GRAPHML_NAMESPACE}}}graphml", nsmap={None: GRAPHML_NAMESPACE})  # type: ignore[dict-item]
    for kind, names in _KEYS.items():
        for name, of_type in names.items():
            attributes = {"id": f"{kind}_{name}", "for": kind, "attr.name": name}
            _add(root, "key", {**attributes, "attr.type": of_type})
    graph = _add(root, "graph", {"id": "references", "edgedefault": "directed"})
    _add_data(graph, "graph", {"manifest": json.dumps(dict(manifest), ensure_ascii=False)})
    nodes = {key: f"n{number}" for number, key in enumerate(_parties(matrix))}
    for key, party in _parties(matrix).items():
        node = _add(graph, "node", {"id": nodes[key]})
        values = {"label": party.label, **party._asdict()}
        _add_data(node, "node", {name: value for name, value in values.items() if value != ""})
    for number, link in enumerate(matrix.links()):
        ends = {"source": nodes[link.citing[:2]], "target": nodes[link.cited[:2]]}
        edge = _add(graph, "edge", {"id": f"e{number}", **ends})
        values = link._asdict()
        _add_data(edge, "edge", {name: values[name] for name in _KEYS["edge"]})
    etree.indent(root, " ")
    stream.write(etree.tostring(root, encoding="utf-8", xml_declaration=True))
    stream.write(b"\n")


def _parties(matrix: CitationMatrix) -> dict[tuple[str, str], Party]:
    """Return all parties by author and work; one that cites and is cited is one node."""
    parties: dict[tuple[str, str], Party] = {}
    for party in (*matrix.citing, *matrix.cited):
        before = parties.get(party[:2], party)
        first = [year for year in (before.first_year, party.first_year) if year is not None]
        last = [year for year in (before.last_year, party.last_year) if year is not None]
        parties[party[:2]] = party._replace(
            first_year=min(first, default=None), last_year=max(last, default=None)
        )
    return parties


def _add(parent: _Element, name: str, attributes: dict[str, str]) -> _Element:
    from lxml import etree

    return etree.SubElement(parent, f"{{{GRAPHML_NAMESPACE}}}{name}", attributes)


def _add_data(parent: _Element, kind: str, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        if value is not None:
            _add(parent, "data", {"key": f"{kind}_{name}"}).text = for_xml(str(value))
