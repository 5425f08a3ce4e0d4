"""The published benchmark rebuilt: a small one of invented works, and the whole if we have it."""

import json
from collections import Counter

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.report.paper import paper_rows
from locisimiles.benchmark.report.set_sizes import author_pair_sizes, corpus_sizes, fold_sizes
from locisimiles.benchmark.sets import build
from locisimiles.benchmark.sets.build import build_benchmark
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.benchmark.sets.references import Label
from locisimiles.benchmark.sets.words import folded_words
from locisimiles.errors import DownloadError, InputError
from locisimiles.retrieve.lexical.bm25 import BM25

HEADER = "position_query,position_corpus,text_query,text_corpus,fold_id,ref_type,text_provenance\n"


def work(abbreviation, author, **texts):
    """A work whose lines are called a1 for 1.1, and so on."""
    return build._Work(
        abbreviation,
        author,
        [
            Segment(f"{abbreviation} 1.{name[1:]}.1", text, author, "Title", f"1.{name[1:]}")
            for name, text in texts.items()
        ],
    )


@pytest.fixture
def rebuild(tmp_path, monkeypatch):
    def rebuild(labels, *works, **options):
        path = tmp_path / "labels.csv"
        path.write_text(HEADER + labels, "utf-8")
        monkeypatch.setattr(build, "_read_works", lambda *_: list(works))
        return build_benchmark(path, tmp_path, **options)

    return rebuild


JEROME = {"a1": "ridebunt et dicent: ‘domi nobis ista nascuntur’.", "a2": "Quid tum?"}


def test_a_small_set(rebuild):
    benchmark = rebuild(
        "<hier. epist. 1.1.2>,<verg. aen. 1.2.1>,domi nobis ista nascuntur,ARMA virumque,0,cit.,x\n"
        "<hier. epist. 1.2.1>,<verg. aen. 1.3.1>,Quid tum?,non est usquam hoc,1,cf.,y\n",
        work("hier. epist.", "Jerome", **JEROME),
        work("verg. aen.", "Virgil", a1="Cano.", a2="arma uirumque", a4="Nihil."),
    )
    assert benchmark.query.ids == ("hier. epist. 1.1.1", "hier. epist. 1.1.2", "hier. epist. 1.2.1")
    assert benchmark.query.texts[:2] == ("ridebunt et dicent:", "‘domi nobis ista nascuntur’.")
    # Texts stay as the edition has them; what it lacks comes where it belongs.
    assert benchmark.source.texts == ("Cano.", "arma uirumque", "non est usquam hoc", "Nihil.")
    assert benchmark.source.ids[2] == "verg. aen. 1.3.1"
    assert benchmark.source.works == ("Title",) * 4
    assert benchmark.references.query.tolist() == [1, 2]
    assert benchmark.references.source.tolist() == [1, 2]
    assert benchmark.references.label.tolist() == [Label.CIT, Label.CF]
    assert benchmark.provenance == ("x", "y")
    alignment = benchmark.manifest["alignment"]
    assert alignment["counts"]["query"] == {"exact": 1, "overlap": 1, "inserted": 0, "recut": 1}
    assert alignment["counts"]["source"] == {"exact": 1, "overlap": 0, "inserted": 1, "recut": 0}
    assert alignment["query"][0] == {
        "gold": "hier. epist. 1.1.2",
        "segment": "hier. epist. 1.1.2",
        "how": "overlap",
        "score": 0.7273,
        "recut_score": 1.0,
        "recut": True,
    }


def test_segments_after_an_inserted_text_are_renumbered(rebuild):
    benchmark = rebuild(
        "<hier. epist. 1.2.1>,<verg. aen. 1.1.1>,Quid tum?,non est usquam hoc,0,cit.,x\n",
        work("hier. epist.", "Jerome", **JEROME),
        work("verg. aen.", "Virgil", a1="Cano.", a2="Nihil."),
    )
    assert benchmark.source.ids == ("verg. aen. 1.1.1", "verg. aen. 1.1.2", "verg. aen. 1.2.1")
    assert benchmark.source.texts == ("non est usquam hoc", "Cano.", "Nihil.")
    assert benchmark.references.source.tolist() == [0]


def test_texts_of_unknown_works_are_searched_in_all_works_of_the_author(rebuild):
    labels = (
        "<hier. praef. 1.1>,<verg. aen. 1.1.1>,Quid tum?,Cano.,0,cit.,x\n"
        "<hier. praef. 1.2>,<verg. aen. 1.1.1>,nusquam inuenitur hoc,Cano.,0,cit.,x\n"
    )
    benchmark = rebuild(
        labels,
        work("hier. adv. helv.", "Jerome", a1="Alia omnia."),
        work("hier. epist.", "Jerome", **JEROME),
        work("verg. aen.", "Virgil", a1="Cano."),
    )
    found = {row["gold"]: row["segment"] for row in benchmark.manifest["alignment"]["query"]}
    assert found == {
        "hier. praef. 1.1": "hier. epist. 1.2.1",
        "hier. praef. 1.2": "hier. praef. 1.2",
    }
    assert benchmark.query["hier. praef. 1.2"].work == "praef."
    assert benchmark.query["hier. praef. 1.2"].author == "Jerome"


def test_works_that_the_benchmark_leaves_out(rebuild):
    benchmark = rebuild(
        "<hier. epist. 1.2.1>,<stat. silv. 1.1.1>,Quid tum?,somne quid merui,0,cit.,x\n"
        "<hier. epist. 1.2.1>,<verg. aen. 1.1.2>,Quid tum?,nusquam primum hoc,0,cit.,x\n"
        "<hier. epist. 1.2.1>,<verg. aen. 1.1.3>,Quid tum?,alterum deinde illud,0,cit.,x\n",
        work("hier. epist.", "Jerome", **JEROME),
        work("verg. aen.", "Virgil", a1="Cano."),
    )
    assert benchmark.source.ids == (
        *(f"verg. aen. 1.1.{n}" for n in (1, 2, 3)),
        "stat. silv. 1.1.1",
    )
    assert benchmark.source.texts[:2] == ("nusquam primum hoc", "alterum deinde illud")


def test_distinct_references_stay_distinct(rebuild):
    labels = "".join(
        f"<hier. epist. 1.{n}.1>,<verg. aen. 1.1.1>,Quid tum?,Cano.,0,cit.,x\n" for n in (1, 2)
    )
    benchmark = rebuild(
        labels,
        work("hier. epist.", "Jerome", **JEROME),
        work("verg. aen.", "Virgil", a1="Cano."),
    )
    assert len(benchmark.references) == 2
    assert Counter(row["how"] for row in benchmark.manifest["alignment"]["query"]) == {
        "exact": 1,
        "inserted": 1,
    }


def test_progress_is_reported_for_both_sides(rebuild):
    calls = []
    rebuild(
        "<hier. epist. 1.2.1>,<verg. aen. 1.1.1>,Quid tum?,Cano.,0,cit.,x\n",
        work("hier. epist.", "Jerome", **JEROME),
        work("verg. aen.", "Virgil", a1="Cano."),
        progress=lambda *call: calls.append(call),
    )
    assert calls == [
        ("aligning queries", 0, 1),
        ("aligning queries", 1, 1),
        ("aligning sources", 0, 1),
        ("aligning sources", 1, 1),
    ]


def test_authors_on_the_wrong_side(rebuild):
    with pytest.raises(
        InputError, match=r"'verg. aen. 1.1.1' is by Virgil, who is not an author of this side"
    ):
        rebuild("<verg. aen. 1.1.1>,<verg. aen. 1.1.1>,Cano.,Cano.,0,cit.,x\n")


def test_missing_corpora(tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text(HEADER + "<hier. epist. 1.1>,<verg. aen. 1.1>,Quid,Cano,0,cit.,x\n", "utf-8")
    with pytest.raises(DownloadError, match="there is no folder"):
        build_benchmark(labels, tmp_path / "nowhere")


@pytest.mark.slow
class TestThePublishedSet:
    def test_its_references(self, rebuilt):
        counts = rebuilt.counts()
        assert counts["query_segments_with_references"] == 706
        assert counts["references"] == 1470
        assert (counts["cit"], counts["cf"]) == (849, 621)
        assert list(counts["references_per_fold"].values()) == [277, 270, 331, 312, 280]

    def test_its_author_pairs(self, rebuilt):
        sizes = author_pair_sizes(rebuilt)
        assert len(sizes) == 14
        assert all(ours == paper for ours, paper in sizes)

    def test_its_folds(self, rebuilt):
        assert all(ours == paper for ours, paper in fold_sizes(rebuilt))

    def test_its_corpora(self, rebuilt):
        assert len(rebuilt.source) == pytest.approx(90_546, rel=0.05)
        assert len(rebuilt.query) == pytest.approx(85_254, rel=0.10)
        for ours, paper in corpus_sizes(rebuilt):
            assert ours.segments == pytest.approx(paper.segments, rel=0.06)

    def test_its_labelled_texts_are_found(self, rebuilt):
        counts = rebuilt.manifest["alignment"]["counts"]
        sources = counts["source"]
        assert sources["exact"] + sources["overlap"] >= 0.96 * 1239
        # Also if only those count that needed no new cut.
        assert sources["exact"] + sources["overlap"] - sources["recut"] >= 0.96 * 1239
        assert counts["query"]["inserted"] <= 2

    def test_no_labelled_text_occurs_twice(self, rebuilt):
        for side, document in (("query", rebuilt.query), ("source", rebuilt.source)):
            aligned = rebuilt.manifest["alignment"][side]
            assert len({row["segment"] for row in aligned}) == len(aligned)
            inserted = [row["segment"] for row in aligned if row["how"] == "inserted"]
            known = Counter(map(folded_words, document.texts)) if inserted else Counter()
            assert all(known[folded_words(document[name].text)] == 1 for name in inserted)

    def test_every_work_is_complete(self, rebuilt, shared):
        edition = Document(
            shared / "corpora" / "tei" / "perseus" / "vergil" / "phi0690.phi003.perseus-lat2.xml"
        )
        ours = [
            t
            for t, w in zip(rebuilt.source.texts, rebuilt.source.works, strict=True)
            if w == "Aeneis"
        ]
        assert [word for text in ours for word in folded_words(text)] == [
            word for text in edition.texts for word in folded_words(text)
        ]

    def test_its_fold_documents(self, rebuilt):
        for row in paper_rows("fold_sizes"):
            if row["fold"] in ("Total", "Mean"):
                continue
            pool = fold_pool(rebuilt, int(row["fold"]))
            assert len(pool.query) == row["citing"] + row["query_distractors"]
            assert len(pool.source) == row["cited"] + row["source_distractors"]
            assert len(pool.references) == row["positive"]

    def test_saved_twice_it_is_the_same(self, rebuilt, shared, tmp_path):
        rebuilt.save(tmp_path / "a")
        again = build_benchmark(shared / "benchmark" / "labels.csv", shared / "corpora")
        again.save(tmp_path / "b")
        for name in ("query.csv", "source.csv", "labels.csv", "manifest.json"):
            assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        json.loads((tmp_path / "a" / "manifest.json").read_text("utf-8"))

    @pytest.mark.parametrize(
        ("group", "paper"),
        [("cit", (67.70, 75.64, 87.01)), ("cf", (12.22, 28.40, 50.29))],
    )
    def test_bm25_has_the_papers_recall(self, rebuilt, group, paper):
        references = rebuilt.references.select(rebuilt.references.label == Label[group.upper()])
        queries = references.queries
        found = (
            BM25(terms="surface")
            .index(rebuilt.source)
            .search(rebuilt.query.select(queries.tolist()), 1000)
        )
        ranks = dict(
            zip(zip(queries[found.query], found.source, strict=True), found.rank, strict=True)
        )
        rank = np.array(
            [
                ranks.get(pair, np.inf)
                for pair in zip(references.query, references.source, strict=True)
            ]
        )
        for k, expected in zip((10, 100, 1000), paper, strict=True):
            per_fold = [
                np.mean([np.mean(rank[references.query == query] <= k) for query in in_fold])
                for fold in rebuilt.folds
                if len(in_fold := np.unique(references.query[references.fold == fold]))
            ]
            assert 100 * np.mean(per_fold) == pytest.approx(expected, abs=2.5)
