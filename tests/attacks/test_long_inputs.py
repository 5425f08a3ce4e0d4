"""Inputs that cost by their length: marks, windows, wide tables, chains, long pairs."""

import random

import numpy as np
import pytest

from locisimiles import BM25, Pipeline
from locisimiles.candidates import Candidates
from locisimiles.corpus import Document, LocusMark, Segment
from locisimiles.corpus.loci import numeric_range
from locisimiles.corpus.windows import cut_windows
from locisimiles.errors import ParameterError
from locisimiles.export import read_results, write_results
from locisimiles.latin.orthography import fold, fold_text
from locisimiles.networks import find_chains
from locisimiles.networks.places import Places, overlap
from locisimiles.results import Results

pytestmark = pytest.mark.usefixtures("must_end")

MARKS = "\u0323\u0301" * 160_000


def segments(letter, author, count, locus="1.{}"):
    return Document.from_segments(
        Segment(f"{letter}{n}", "arma uirum", author=author, work="Opus", locus=locus.format(n))
        for n in range(count)
    )


def found(query, source, pairs):
    rows, columns = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    scores = np.ones(len(rows), np.float32)
    return Results(query, source, Candidates(query=rows, source=columns, score=scores), {})


def test_marks_upon_a_letter_are_folded_in_linear_time():
    assert fold("carme" + MARKS) == "carme"
    assert fold_text("a" + MARKS + "b").spans == (
        (0, 1 + len(MARKS)),
        (1 + len(MARKS), len(MARKS) + 2),
    )
    assert fold("λ" + MARKS) == "λ" + MARKS


def test_windows_of_a_poem_without_stops_are_cut_in_linear_time():
    verses = 30_000
    marks = tuple(LocusMark(f"1.{n}", 14 * n) for n in range(verses))
    poem = Segment("a", "arma / uirum " * verses, locus="1.0", loci=marks)
    windows = cut_windows(Document.from_segments([poem]), 8, 4)
    assert len(windows) == 14_999
    assert windows["a~1"].loci[:2] == (LocusMark("1.0", 0), LocusMark("1.1", 14))
    assert windows["a~14999"].locus.startswith("1.27")


def test_results_of_many_columns_are_read_and_written_in_linear_time(tmp_path):
    names = [f"c{number}" for number in range(4000)]
    lines = [["query_id", "source_id", "score", *names]]
    lines += [["q", f"s{row}", "1", *names] for row in range(40)]
    (tmp_path / "a.csv").write_text("\n".join(",".join(line) for line in lines))
    results = read_results(tmp_path / "a.csv")
    write_results(results, tmp_path / "b.csv")
    assert len(read_results(tmp_path / "b.csv").further) == 4000


def test_chains_by_loci_are_found_in_linear_time():
    count = 3000
    late, middle, same, early = (
        segments(letter, author, count)
        for letter, author in (("a", "A"), ("b", "B"), ("x", "B"), ("c", "C"))
    )
    pairs = [(n, n) for n in range(count)]
    chains = find_chains([found(late, middle, pairs), found(same, early, pairs)])
    assert len(chains) == count
    assert chains[7].ids == ("a7", "b7", "c7")


def test_chains_through_one_verse_are_counted_not_kept():
    late, verse, early = segments("a", "A", 800), segments("b", "B", 1), segments("c", "C", 800)
    to_verse = found(late, verse, [(n, 0) for n in range(800)])
    from_verse = found(verse, early, [(0, n) for n in range(800)])
    with pytest.raises(ParameterError, match="more than 200,000 chains; count fewer"):
        find_chains([to_verse, from_verse], best=800)


def test_places_are_those_that_overlap():
    chance = random.Random(5)

    def any_segment(number):
        first = chance.randrange(30)
        locus = chance.choice(
            [f"1.{first}", f"1.{first}-1.{first + chance.randrange(9)}", "x", "2"]
        )
        work = chance.choice(["Opus", "Alia", ""])
        return Segment(str(number % 50), "", author="A", work=work, locus=locus)

    many = [any_segment(number) for number in range(60)]
    places = Places(many)
    for one in map(any_segment, range(100)):
        expected = [n for n, other in enumerate(many) if overlap(one, other)]
        assert sorted({*places.same(one), *places.overlapping(one)}) == expected
        assert (one in places) == bool(expected)


def test_a_locus_of_ten_thousand_digits_is_no_number():
    assert numeric_range("1" * 10_000) is None
    assert numeric_range(".".join("1" * 10_000)) is None


def test_long_pairs_are_explained_in_linear_time():
    chance = random.Random(1)
    syllables = [a + b for a in "bcdfglmnprst" for b in ("a", "er", "us", "am", "is")]
    words = ["".join(chance.choices(syllables, k=3)) for _ in range(5000)]
    one, other = (" ".join(chance.choices(words, k=4000)) for _ in range(2))
    query = Document.from_segments([Segment("a", one)])
    source = Document.from_segments([Segment("b", one), Segment("c", other)])
    explained = Pipeline(BM25()).run(query=query, source=source).explain(0)
    assert explained.shared
