import pytest

from locisimiles.app.results import ResultTable
from locisimiles.app.results.passages import copied, with_citations
from locisimiles.errors import InputError


def test_rows_are_cited_as_printed(searched):
    row = with_citations(ResultTable(searched.database).page(limit=1, texts=True).rows[0])
    assert row["query_citation"] == "Hier. epist. 130.5.5"
    assert row["source_citation"].startswith("Verg. Aen. 2.774")


def test_a_passage_is_copied_as_text_and_bibtex(searched):
    row = ResultTable(searched.database).page(limit=1, texts=True).rows[0]
    text = copied(searched.texts, "source", row["source"], "text")
    assert text == f"{with_citations(row)['source_citation']}: {row['source_text']}"
    assert copied(searched.texts, "source", row["source"], "bibtex").startswith(
        "@misc{verg-aen-2-774"
    )


def test_a_passage_without_a_urn_says_so(searched):
    with searched.database.writing() as connection:
        connection.execute("UPDATE segment SET author = 'Petrarca', work = 'Africa', meta = '{}'")
    with pytest.raises(InputError, match="no known CTS URN"):
        copied(searched.texts, "source", 0, "urn")
