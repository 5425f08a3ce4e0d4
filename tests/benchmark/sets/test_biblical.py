"""The benchmark of the Bible in the Fathers, built from small tables."""

import lzma
from collections import Counter

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.runs.loading import Runs
from locisimiles.benchmark.sets.biblical import (
    FEWEST_NOTES,
    PASSAGE,
    author_folds,
    build_biblical,
    draw_passages,
    noted_verses,
)
from locisimiles.benchmark.sets.dataset import Benchmark, changed_files
from locisimiles.errors import InputError, ParameterError

AUTHORS = ("Ambrosius", "Fulgentius", "Prosper", "Rufinus", "Tertullianus")
NOTES = FEWEST_NOTES + 5
SENTENCES = 150


def rare(number, word):
    """Return a word that occurs in one verse only."""
    return "".join("bcdfglmnpr"[int(digit)] + "aeiou"[word] for digit in f"{number:03}") + "x"


@pytest.fixture(scope="module")
def tables():
    verses = [" ".join(rare(n, word) for word in range(5)) for n in range(300)]
    vulgate = ["seg_id,author,work,locus,text"]
    vulgate += [f"vulg. mt. 1.{n + 1},Vulgata,Mt,1.{n + 1},{text}" for n, text in enumerate(verses)]
    fathers, notes = ["seg_id,author,work,locus,text"], ["query_id,source_id,at"]
    for number, author in enumerate((*AUTHORS, "Silens")):
        for work in ("a", "b"):
            for n in range(SENTENCES):
                quotes = work == "a" and n < NOTES and author != "Silens"
                text = verses[number * NOTES + n] if quotes else f"sententia {author} numero {n}"
                fathers.append(f"{author}.{work}.{n},{author},{work},{n},{text}")
                if quotes:
                    notes.append(f"{author}.a.{n},vulg. mt. 1.{number * NOTES + n + 1},0.9")
    notes.append("Silens.a.3,vulg. mt. 1.1,0.9")
    return {"fathers": fathers, "vulgate": vulgate, "references": notes}


@pytest.fixture
def folder(tables, tmp_path):
    for name, lines in tables.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def test_a_set_is_built(folder):
    built = build_biblical(folder, sentences=SENTENCES)
    assert len(built.references) == len(AUTHORS) * NOTES
    assert built.manifest["corrections"]["rules"]["kept"] == len(AUTHORS) * NOTES
    assert built.manifest["left_out"]["authors_with_few_notes"] == ["Silens"]
    assert built.manifest["left_out"]["works_without_notes"] == len(AUTHORS) + 1
    assert set(built.query.works) == {"a"}
    assert Counter(built.query.authors) == dict.fromkeys(AUTHORS, SENTENCES)
    assert built.source[0].work == "Matth."
    for query, source in zip(built.references.query, built.references.source, strict=True):
        assert built.query.texts[query] == built.source.texts[source]


def test_folds_are_disjoint_by_author(folder):
    built = build_biblical(folder)
    of_author = {}
    for query, fold in zip(built.references.query, built.references.fold, strict=True):
        of_author.setdefault(built.query.authors[query], set()).add(int(fold))
    assert all(len(folds) == 1 for folds in of_author.values())
    assert set.union(*of_author.values()) == {0, 1, 2, 3, 4}


def test_packed_tables_give_the_same_set(folder, tmp_path):
    packed = tmp_path / "packed"
    packed.mkdir()
    for path in folder.glob("*.csv"):
        (packed / f"{path.name}.xz").write_bytes(lzma.compress(path.read_bytes()))
    build_biblical(folder).save(tmp_path / "one")
    build_biblical(packed).save(tmp_path / "two")
    names = ("query.csv", "source.csv", "labels.csv", "parallels.csv", "manifest.json")
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_parallels_are_saved_and_measured(folder, tmp_path):
    build_biblical(folder, sentences=100).save(tmp_path / "set")
    loaded = Benchmark.load(tmp_path / "set")
    assert loaded.parallels is not None
    run_benchmark(loaded, ["bm25"], ["retrieval"], tmp_path / "runs")
    row = Runs.read(tmp_path / "runs").row("bm25", "retrieval", "pooled", "lenient R@1")
    assert row is not None
    assert row.mean == 1.0
    (tmp_path / "set" / "parallels.csv").write_text(
        "one,other\nvulg. mt. 1.1,vulg. mt. 1.2\n", "utf-8"
    )
    assert changed_files(tmp_path / "set") == ["parallels.csv"]


def test_parallels_of_unknown_segments_are_an_error(folder, tmp_path):
    build_biblical(folder, sentences=100).save(tmp_path / "set")
    (tmp_path / "set" / "parallels.csv").write_text("one,other\nvulg. mt. 1.1,nil\n", "utf-8")
    with pytest.raises(InputError, match=r"parallels\.csv.*nil"):
        Benchmark.load(tmp_path / "set")


@pytest.mark.parametrize("name", ["fathers", "vulgate", "references"])
def test_a_missing_table_is_named(folder, name):
    (folder / f"{name}.csv").unlink()
    with pytest.raises(InputError, match=name):
        build_biblical(folder)


@pytest.mark.parametrize("content", [b"", b"no xz", lzma.compress(b"seg_id,text\n" * 99)[:40]])
def test_a_damaged_packed_table_is_an_error(folder, content):
    (folder / "fathers.csv").unlink()
    (folder / "fathers.csv.xz").write_bytes(content)
    with pytest.raises(InputError, match="fathers"):
        build_biblical(folder)


def test_notes_on_unknown_sentences_are_an_error(folder):
    (folder / "references.csv").write_text("query_id,source_id\nnil,vulg. mt. 1.1\n", "utf-8")
    with pytest.raises(InputError, match=r"references\.csv.*nil"):
        build_biblical(folder)


def test_too_few_sentences_are_an_error(folder):
    with pytest.raises(ParameterError, match="sentences"):
        build_biblical(folder, sentences=PASSAGE - 1)


def test_passages_are_runs_of_one_work():
    document = Document.from_segments(
        Segment(f"{work}{n}", "text", "Author", work) for work in "ab" for n in range(120)
    )
    eligible = np.ones(240, np.bool_)
    eligible[30] = False
    drawn = draw_passages(document, eligible, 130)
    assert len(drawn) == len(set(drawn.tolist())) == 130
    assert 30 not in drawn
    assert draw_passages(document, eligible, 1000).tolist() == np.flatnonzero(eligible).tolist()
    assert draw_passages(document, eligible, 130, seed=1).tolist() != drawn.tolist()


def test_author_folds_are_about_as_large():
    authors = [name for name, count in zip("abcdef", (9, 5, 4, 4, 3, 2), strict=True)
               for _ in range(count)]  # fmt: skip
    sizes = Counter(author_folds(authors, 3).tolist())
    assert max(sizes.values()) - min(sizes.values()) <= 2


def test_notes_are_counted_by_author(folder):
    counted = noted_verses(folder)
    assert counted["Silens"] == {("Matth.", "1.1"): 1}
    assert counted["Ambrosius"] == {("Matth.", f"1.{n + 1}"): 1 for n in range(NOTES)}
    assert set(counted) == {*AUTHORS, "Silens"}
