"""Tables of labelled pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, Segment
from locisimiles.benchmark.sets.labels import (
    NO_FOLD,
    LabelledPair,
    distinct_pairs,
    read_pairs,
    references_between,
)
from locisimiles.benchmark.sets.references import Label
from locisimiles.errors import InputError, MissingColumnError
from locisimiles.files.cells import TableWriter

HEADER = ("query_id", "source_id", "label", "fold", "grade", "provenance")


def table(*rows, header=HEADER):
    writer = TableWriter(header)
    for number, row in enumerate(rows, start=2):
        writer.add(number, header[: len(row)], row)
    return writer.table("labels.csv")


def document(*ids):
    return Document.from_segments(Segment(segment_id, "verba") for segment_id in ids)


def test_all_columns():
    (pair,) = read_pairs(table(("q", "s", "cf", "3", "0.5", "a commentary")))
    assert pair == LabelledPair("q", "s", Label.CF, 3, 0.5, "a commentary", row=2)


def test_only_the_ids_are_required():
    (pair,) = read_pairs(table(("q", "s"), header=("query_id", "source_id")))
    assert (pair.label, pair.fold, pair.grade) == (Label.CIT, NO_FOLD, 1)
    with pytest.raises(MissingColumnError, match=r"no column 'source_id'"):
        read_pairs(table(("q", "s"), header=("query_id", "target")))


def test_published_column_names_are_known():
    header = ("position_query", "position_corpus", "ref_type", "fold_id", "text_provenance")
    (pair,) = read_pairs(table(("<q>", "<s>", "cf.", "0.0", "2026"), header=header))
    assert pair == LabelledPair("<q>", "<s>", Label.CF, 0, 1.0, "2026", row=2)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("", "s", "cit", "0", "1"), "row 2: column 'query_id' is empty"),
        (("q", "", "cit", "0", "1"), "row 2: column 'source_id' is empty"),
        (("q", "s", "quote", "0", "1"), "row 2: unknown label 'quote'; write 'cit' or 'cf'"),
        (("q", "s", "", "0", "1"), "row 2: unknown label ''"),
        (("q", "s", "cit", "one", "1"), "row 2: 'one' is not the number of a fold"),
        (("q", "s", "cit", "-1", "1"), "row 2: '-1' is not the number of a fold"),
        (("q", "s", "cit", "0.5", "1"), "row 2: '0.5' is not the number of a fold"),
        (("q", "s", "cit", "128", "1"), "row 2: '128' is not the number of a fold"),
        (("q", "s", "cit", "inf", "1"), "row 2: 'inf' is not the number of a fold"),
        (("q", "s", "cit", "0", "0"), "row 2: '0' is not a valid grade"),
        (("q", "s", "cit", "0", "nan"), "row 2: 'nan' is not a valid grade"),
        (("q", "s", "cit", "0", ""), "row 2: '' is not a valid grade"),
    ],
)
def test_invalid_rows_are_named(row, message):
    with pytest.raises(InputError, match=f"labels.csv, {message}"):
        read_pairs(table(row))


def test_repeated_pairs_are_merged():
    pairs = read_pairs(
        table(
            ("q", "s", "cf", "1", "1", "Zissos"),
            ("q", "t", "cit", "1", "1", ""),
            ("q", "s", "cit", "1", "3", "Kleywegt"),
            ("q", "s", "cit", "1", "2", "Zissos"),
        )
    )
    assert pairs == [
        LabelledPair("q", "s", Label.CF, 1, 3.0, "Zissos | Kleywegt", row=2),
        LabelledPair("q", "t", Label.CIT, 1, 1.0, "", row=3),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [("q", "s", "cit", "0"), ("q", "t", "cit", "1")],
            "row 3: the query 'q' is in fold 1 here",
        ),
        ([("q", "s", "cit", "0"), ("q", "s", "cit", "1")], "fold 0 in row 2"),
        ([("q", "s", "cit", "0"), ("r", "t", "cit", "")], "row 3: the pair has no fold, .* row 2"),
        ([("q", "s", "cit", ""), ("r", "t", "cit", "1")], "row 2: the pair has no fold, .* row 3"),
    ],
)
def test_contradictory_folds(rows, message):
    with pytest.raises(InputError, match=message):
        read_pairs(table(*rows, header=HEADER[:4]))


def test_unknown_ids_are_named():
    pairs = [LabelledPair("q", "s", row=2), LabelledPair("q", "x", row=3)]
    with pytest.raises(InputError, match=r"labels.csv, row 3: unknown source segment 'x'"):
        references_between(pairs, document("q"), document("s"), file="labels.csv")
    with pytest.raises(InputError, match=r"labels.csv, row 2: unknown query segment 'q'"):
        references_between(pairs, document("r"), document("s"), file="labels.csv")


ids = st.sampled_from("abcde")
pairs = st.lists(
    st.builds(LabelledPair, ids, ids, st.sampled_from([Label.CIT, Label.CF])),
    min_size=1,
    unique_by=lambda pair: (pair.query_id, pair.source_id),
)


@given(pairs, st.randoms())
def test_the_order_of_rows_does_not_matter(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    side = document(*"edcba")
    first, _ = references_between(distinct_pairs(pairs, file=""), side, side, file="")
    second, _ = references_between(distinct_pairs(shuffled, file=""), side, side, file="")
    for column in ("query", "source", "label", "fold", "grade"):
        assert getattr(first, column).tolist() == getattr(second, column).tolist()
    assert first.query.tolist() == sorted(first.query.tolist())
