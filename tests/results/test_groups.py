"""Parallel sources are one finding: in results, tables, reports and TEI."""

import io
from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from locisimiles import Document, ParameterError, Pipeline, Results, Segment
from locisimiles.display import pretty_print
from locisimiles.export import read_results, write_results
from locisimiles.export.apparatus import build_apparatus
from locisimiles.networks.references import reference_rows
from locisimiles.results import PairJudgement
from locisimiles.results.groups import grouped_references

MATTHEW = "Beati pauperes spiritu, quoniam ipsorum est regnum caelorum."
MARK = "Beati pauperes spiritu: ipsorum est regnum caelorum!"
TEXTS = {
    "Matth. 5.3": MATTHEW,
    "Marc. 5.3": MARK,
    "Aen. 1.1": "arma uirumque cano, Troiae qui primus ab oris regnum",
}


def searched(**options):
    query = [Segment("q", f"{MATTHEW} arma canit"), Segment("r", "regnum"), Segment("s", MARK)]
    source = [Segment(name, text) for name, text in TEXTS.items()]
    documents = Document.from_segments(query), Document.from_segments(source)
    return Pipeline("bm25", k=4, **{"group": True, **options}).run(*documents)


@pytest.fixture(scope="module")
def results():
    return searched()


def names(results):
    return [(one.query.id, one.source.id) for one in results]


def test_a_search_groups_parallel_sources_if_told_so(results):
    assert results.best is not None
    assert names(searched(group=False)) == names(results)
    assert searched(group=False).best is None
    assert searched(group=False).counts.all()
    assert searched(group=False).manifest == {
        name: value for name, value in results.manifest.items() if name != "group"
    }
    assert (searched(group=False).grouped().best == results.best).all()


def test_the_best_of_a_group_counts(results):
    counted = names(results.select(results.counts))
    assert counted == names(results.distinct())
    for query in "qrs":
        assert len({("q", "Matth. 5.3"), ("q", "Marc. 5.3")} & set(counted)) == 1
        assert query in {one for one, _ in counted}


def test_the_first_one_left_stands_for_its_group(results):
    without = results.select(~results.counts)
    assert len(without) == 3
    assert without.counts.all()
    assert results.filter(rank=1).counts.all()
    assert results[:0].best.tolist() == []


def test_blocks_are_joined_with_their_groups():
    query = Document.from_segments([Segment(name, MATTHEW) for name in "abcde"])
    source = Document.from_segments([Segment(name, text) for name, text in TEXTS.items()])
    searcher = Pipeline("bm25", k=4, group=True).prepare(source)
    whole = searcher.run(query)
    for size in (1, 2, 5):
        assert (Results.join(searcher.blocks(query, size)).best == whole.best).all()


def test_groups_must_have_a_row_for_each_pair(results):
    with pytest.raises(ParameterError, match="equal length"):
        Results(results.query, results.source, results.candidates, {}, best=np.zeros(1, np.int64))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".parquet"])
def test_tables_keep_groups(results, tmp_path, suffix):
    path = tmp_path / f"hits{suffix}"
    write_results(results, path)
    again = read_results(path)
    assert names(again) == names(results)
    assert (again.best == results.best).all()
    assert not again.further


def test_a_table_without_the_best_of_a_group_can_be_read(results, tmp_path):
    path = tmp_path / "hits.csv"
    write_results(results, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not (line.startswith("q,") and ",1," in line)]
    assert len(kept) < len(lines)
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    again = read_results(path)
    assert again.counts[0]
    assert (again.best[again.best] == again.best).all()


def test_tables_without_groups_have_no_column_for_them(tmp_path):
    path = tmp_path / "hits.csv"
    write_results(searched(group=False), path)
    assert "parallel_to" not in path.read_text(encoding="utf-8")
    assert read_results(path).best is None


def test_groups_are_read_best_first(results):
    groups = list(grouped_references(results))
    assert [one.reference.source.id for one in groups] == [s for _, s in names(results.distinct())]
    assert sum(1 + len(one.parallels) for one in groups) == len(results)
    assert all(p.rank > one.reference.rank for one in groups for p in one.parallels)


def test_a_report_has_a_row_for_a_group(results, tmp_path):
    path = tmp_path / "hits.html"
    write_results(results, path)
    page = path.read_text(encoding="utf-8")
    assert page.count("<tr data-least") == int(results.counts.sum())
    assert page.count("also in") == 3
    assert page.count("Marc. 5.3") + page.count("Matth. 5.3") >= 6


def test_tei_has_one_annotation_for_a_group(results, tmp_path):
    path = tmp_path / "hits.xml"
    write_results(results, path)
    root = etree.parse(path).getroot()
    tei = "{http://www.tei-c.org/ns/1.0}"
    assert len(list(root.iter(f"{tei}annotation"))) == int(results.counts.sum())
    ids = {block.get("{http://www.w3.org/XML/1998/namespace}id") for block in root.iter(f"{tei}ab")}
    pointed = [one.get("target") for one in root.iter(f"{tei}ptr") if one.get("type") == "parallel"]
    assert len(pointed) == 3
    assert {target.removeprefix("#") for target in pointed} <= ids


def test_a_group_is_one_reference_of_a_network(results):
    assert set(reference_rows(results, best=9)) == set(np.flatnonzero(results.counts))


def test_a_terminal_shows_the_others_beneath(results):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    screen = Terminal()
    pretty_print(results, file=screen)
    assert screen.getvalue().count("also in") == 3
    plain = io.StringIO()
    pretty_print(results, file=plain)
    header, *rows = plain.getvalue().splitlines()
    assert header.endswith("parallel_to")
    assert len(rows) == len(results)
    assert sum(not row.endswith("\t") for row in rows) == 3


def judged(results, *verdicts):
    said = tuple(verdict and PairJudgement(verdict) for verdict in verdicts)
    return replace(results, judgements=said + (None,) * (len(results) - len(said)))


def test_an_apparatus_adds_accepted_parallels_to_the_entry(results):
    rows = [row for row, one in enumerate(results) if one.query.id == "s"]
    said = [None] * len(results)
    for row in rows:
        if "5.3" in results[row].source.id:
            said[row] = "cit."
    apparatus = build_apparatus(judged(results, *said), text=False)
    (entry,) = apparatus.sections[0].passages[0].entries
    assert [one.mark for one in entry.citations] == ["", "cf. also"]
    assert {one.source_ids for one in entry.citations} == {("Matth. 5.3",), ("Marc. 5.3",)}
    assert (apparatus.verbatim, apparatus.allusions) == (1, 0)


def test_an_accepted_parallel_stands_alone_if_the_best_was_not_accepted(results):
    row = int(np.flatnonzero(~results.counts)[0])
    said = [None] * row + ["cf."]
    apparatus = build_apparatus(judged(results, *said), text=False)
    (entry,) = apparatus.sections[0].passages[0].entries
    assert [one.mark for one in entry.citations] == ["cf."]


def test_expected_references_count_a_group_once():
    query = Document.from_segments([Segment("q", MATTHEW)])
    source = Document.from_segments([Segment(name, text) for name, text in TEXTS.items()])
    found = Pipeline(k=3, group=True).run(query, source)
    expected = found.manifest["references"]
    assert expected["pairs"] == int(found.counts.sum()) < len(found)
    assert expected["expected"] == round(float(found.candidates.score[found.counts].sum()), 1)
