import re

import pytest

from locisimiles.corpus.library import Catalogue
from locisimiles.corpus.library.sigla import Siglum, siglum_of, siglum_of_tag, work_names
from locisimiles.files.tables import shipped_rows

ROWS = list(shipped_rows("locisimiles.corpus.library", "sigla.tsv"))


@pytest.mark.parametrize(
    ("author", "work", "printed"),
    [
        ("Vergil", "Aeneid", "Verg. Aen."),
        ("VERGILIUS", "georgica", "Verg. georg."),
        ("Horace", "Odes", "Hor. carm."),
        ("Ovid", "Heroides", "Ov. epist."),
        ("Statius", "Thebaid", "Stat. Theb."),
        ("Cicero", "Pro Archia", "Cic. Arch."),
        ("Cicero", "Lucullus", "Cic. ac."),
        ("Caesar", "De bello Gallico", "Caes. Gall."),
        ("Pliny the Elder", "Naturalis historia", "Plin. nat."),
        ("Pliny the Younger", "Panegyricus", "Plin. paneg."),
        ("Suetonius", "Divus Iulius", "Suet. Iul."),
        ("Tertullian", "Apologeticum", "Tert. apol."),
        ("Firmicus Maternus", "De errore profanarum religionum", "Firm. err."),
        ("Jerome", "Adversus Iovinianum", "Hier. adv. Iovin."),
        ("Jerome", "", "Hier."),
        ("", "", ""),
    ],
)
def test_works_are_cited_as_in_the_thesaurus(author, work, printed):
    assert siglum_of(author, work).printed == printed


def test_an_unknown_work_keeps_its_title_and_an_unknown_author_his_name():
    assert siglum_of("Ovid", "Medea") == Siglum("Ov. Medea")
    assert siglum_of("Petrarca", "Africa") == Siglum("Petrarca, Africa")


def test_the_beginning_of_an_id_is_written_as_it_is_printed():
    assert siglum_of_tag("verg. aen.") == Siglum("Verg. Aen.", 2)
    assert siglum_of_tag("plin. nat.").printed == "Plin. nat."
    assert siglum_of_tag("val. fl.") == Siglum("Val. Fl.", 2)


def test_no_name_means_two_works():
    named: dict[tuple[str, str], set[str]] = {}
    for row in ROWS:
        for name in (row["work"], *row["names"].split("|")):
            if row["work"] not in ("", "-"):
                named.setdefault((row["author"], _plain(name)), set()).add(row["work"])
    assert [name for name, works in named.items() if len(works) > 1] == []


def test_no_name_means_two_authors():
    named: dict[str, set[str]] = {}
    for row in ROWS:
        for name in (row["author"], *row["names"].split("|")):
            if not row["work"]:
                named.setdefault(_plain(name), set()).add(row["author"])
    assert [name for name, authors in named.items() if len(authors) > 1] == []


def test_every_work_belongs_to_an_author_of_the_table():
    authors = {row["author"] for row in ROWS if not row["work"]}
    assert {row["author"] for row in ROWS} == authors


def test_the_catalogue_is_cited_the_same_by_title_and_by_id():
    different = [
        (work.name, by_title, by_id)
        for work in Catalogue.shipped().works.values()
        if work_names(work.author, work.title)
        and (by_title := siglum_of(work.author, work.title).printed)
        != (by_id := siglum_of_tag(work.abbreviation).printed)
    ]
    assert different == []


def _plain(name):
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()
