"""The published labels, with their texts."""

import pytest

from locisimiles.benchmark.sets.gold import GoldSegment, author_of_id, read_gold
from locisimiles.benchmark.sets.labels import bare_id
from locisimiles.benchmark.sets.references import Label
from locisimiles.errors import InputError, MissingColumnError

HEADER = (
    "pair_id,position_query,position_corpus,text_query,text_corpus,fold_id,ref_type,text_provenance"
)


@pytest.fixture
def labels(tmp_path):
    def labels(*rows, header=HEADER):
        path = tmp_path / "labels.csv"
        path.write_text("\n".join([header, *rows]), "utf-8")
        return path

    return labels


def test_segments_and_pairs(labels):
    gold = read_gold(
        labels(
            "0,<hier. epist. 1.2.3.1>,<verg. aen. 6.847.1>,uox haesit,et  vox haesit: /,1,cit.,x",
            "1,<hier. epist. 1.2.3.1>,<cic. div. in caec. 4.2>,uox haesit,vocem,1,cf.,2026",
            '2,<hier. epist. 1.2.3.1>,<verg. aen. 6.847.1>,uox haesit,"et vox, haesit",1,cf.,2026',
        )
    )
    assert gold.queries == (
        GoldSegment("hier. epist. 1.2.3.1", "Jerome", "hier. epist.", ("uox haesit",)),
    )
    assert gold.sources == (
        GoldSegment("cic. div. in caec. 4.2", "Cicero", "cic. div. in caec.", ("vocem",)),
        GoldSegment(
            "verg. aen. 6.847.1", "Virgil", "verg. aen.", ("et vox haesit:", "et vox, haesit")
        ),
    )
    assert [(p.query_id, p.source_id, p.label, p.fold) for p in gold.pairs] == [
        ("hier. epist. 1.2.3.1", "verg. aen. 6.847.1", Label.CIT, 1),
        ("hier. epist. 1.2.3.1", "cic. div. in caec. 4.2", Label.CF, 1),
    ]


def test_a_work_that_the_catalogue_lacks(labels):
    row = "0,<hier. 28 praefatio in josue 0464a.8>,<verg. aen. 1.1.1>,uox,vox,0,cit.,2026"
    (segment,) = read_gold(labels(row)).queries
    assert (segment.abbreviation, segment.locus) == ("", "0464a")
    assert segment.work == "28 praefatio in josue"


def test_invalid_labels(labels):
    with pytest.raises(
        InputError, match=r"labels.csv, row 2: the author of 'sen. ep. 1' is unknown"
    ):
        read_gold(labels("0,<sen. ep. 1>,<verg. aen. 1.1.1>,uox,vox,0,cit.,2026"))
    with pytest.raises(InputError, match=r"row 2: column 'text_query' is empty"):
        read_gold(labels("0,<hier. epist. 1.1>,<verg. aen. 1.1.1>, ,vox,0,cit.,2026"))
    with pytest.raises(MissingColumnError, match=r"no column 'text_query'"):
        read_gold(labels("q,s", header="position_query,position_corpus"))


def test_ids():
    assert bare_id("< a. 1 >") == "a. 1"
    assert bare_id("a<1>") == "a<1>"
    assert author_of_id("val. fl. 1.1.1") == "Valerius Flaccus"
    assert author_of_id("") == ""
