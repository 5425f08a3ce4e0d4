import re
from itertools import islice
from pathlib import PurePosixPath

import pytest

from locisimiles.corpus import CtsUrn
from locisimiles.corpus.library import Catalogue, Edition, Work
from locisimiles.corpus.library.authors import AUTHORITIES
from locisimiles.corpus.library.catalogue import SOURCES
from locisimiles.corpus.library.names import _author_names, _titles
from locisimiles.corpus.library.works import GENRES
from locisimiles.errors import UnknownTextError

SHIPPED = Catalogue.shipped()
TEXTS = list(SHIPPED)
EDITIONS = [edition for text in TEXTS for edition in text.files]


def _names(name):
    return [text.work.name for text in SHIPPED.find(name)]


def _work(name, abbreviation, *known_as, urn=""):
    author = name.partition(".")[0].title()
    return Work(name, author, name, abbreviation, 0, "verse", "never", urn, known_as)


def test_the_shipped_catalogue_is_loaded_once():
    assert Catalogue.shipped() is SHIPPED


def test_every_edition_is_of_a_known_work_and_source():
    assert {edition.work for edition in EDITIONS} == set(SHIPPED.works)
    assert {edition.source for edition in EDITIONS} <= set(SOURCES)


def test_every_edition_has_a_size_and_a_hash():
    assert all(edition.size > 0 for edition in EDITIONS)
    assert all(re.fullmatch(r"[0-9a-f]{64}", edition.sha256) for edition in EDITIONS)


def test_no_two_files_have_one_name():
    kept = [(edition.source, edition.file_name) for edition in EDITIONS]
    stems = [PurePosixPath(edition.path).stem for edition in EDITIONS]
    assert len(set(kept)) == len(kept)
    assert len(set(stems)) == len(stems)


def test_no_path_leads_out_of_its_source():
    paths = [PurePosixPath(edition.path) for edition in EDITIONS]
    assert not any(path.is_absolute() or ".." in path.parts for path in paths)


def test_every_address_is_of_the_web_and_encrypted():
    addresses = [edition.address for edition in EDITIONS]
    assert all(address == "" or address.startswith("https://") for address in addresses)


def test_every_work_has_a_name_an_author_and_an_abbreviation():
    for work in SHIPPED.works.values():
        assert re.fullmatch(r"[a-z_]+\.[a-z0-9_]+", work.name)
        assert work.author
        assert work.title
        assert work.abbreviation == work.abbreviation.lower()


def test_no_two_works_have_one_urn():
    urns = [work.urn for work in SHIPPED.works.values() if work.urn]
    assert len(set(urns)) == len(urns)


@pytest.mark.parametrize(
    "name",
    ["vergil", "Virgil", "VERG", "vergilius", " vergil ", "vergil@perseus", "virgil@tesserae"],
)
def test_an_author_stands_for_all_works(name):
    assert _names(name) == ["vergil.eclogues", "vergil.georgics", "vergil.aeneid"]


ALIASES = {
    "jerome": ["hieronymus", "hier"], "ovid": ["ov"], "horace": ["horatius"],
    "valerius_flaccus": ["valerius", "val_fl"], "cicero": ["tullius"],
}  # fmt: skip


@pytest.mark.parametrize("author", ALIASES)
def test_authors_have_latin_english_and_short_names(author):
    for name in ALIASES[author]:
        assert _names(name) == _names(author)


@pytest.mark.parametrize("name", ["vergil.aeneid", "virgil.aeneid", "Verg.Aeneid"])
def test_a_work_stands_for_itself(name):
    assert _names(name) == ["vergil.aeneid"]


@pytest.mark.parametrize("name", sorted(SHIPPED.works))
def test_the_name_of_a_work_in_the_library_means_no_other(name):
    # The Lucullus is the second book of the Academica, and cited like the first.
    assert _names(name) == [name]


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("Aeneid", "vergil.aeneid"), ("Äneis", "vergil.aeneid"), ("Verg. Aen.", "vergil.aeneid"),
        ("VIRGILE, ÉNÉIDE", "vergil.aeneid"), ("Odes", "horace.odes"),
        ("Horace Carmina", "horace.odes"), ("Catull. carmina", "catullus.carmina"),
        ("Pharsalia", "lucan.bellum_civile"), ("hor. od.", "horace.odes"),
        ("Cicéron, De officiis", "cicero.de_officiis"), ("Hier. epist.", "jerome.epistulae"),
    ],
)  # fmt: skip
def test_works_have_the_names_that_scholars_use(name, work):
    assert _names(name) == [work]


def test_a_search_takes_the_beginnings_of_words_in_any_order():
    def found(text):
        return [text.work.name for text in SHIPPED.search(text)]

    assert found("aen virg") == ["vergil.aeneid"]
    assert found("carmina")[:4] == ["catullus.carmina", "horace.odes", "tibullus.elegies",
                                    "propertius.elegies"]  # fmt: skip
    assert set(found("ovid")) == set(_names("ovid"))
    assert len(found("")) == len(SHIPPED.works)
    assert found("qqqq") == []


def test_no_author_of_the_catalogue_is_called_like_another():
    for work in SHIPPED.works.values():
        assert {one.author for one in SHIPPED.names.find(work.author)} == {work.author}


def test_the_preferred_edition_is_taken_unless_another_is_named():
    assert SHIPPED.find("vergil.aeneid")[0].source == "perseus"
    assert SHIPPED.find("vergil.aeneid@tesserae")[0].source == "tesserae"


def test_the_name_of_an_edition_stands_for_no_other():
    assert [SHIPPED.find(text.name) for text in TEXTS] == [[text] for text in TEXTS]


def test_a_work_may_have_several_files():
    [text] = SHIPPED.find("cicero.de_legibus@latin-library")
    assert [edition.locus_prefix for edition in text.files] == ["1", "2", "3"]
    assert text.size == sum(edition.size for edition in text.files)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        (
            "vergli",
            (
                "did you mean vergil, vergil_pseudo, vergil.aeneid? "
                "'locisimiles library list' shows all names"
            ),
        ),
        (
            "epistul",
            (
                "did you mean horace.epistles, horace.ars_poetica, ovid.heroides, ovid.ex_ponto, "
                "cicero.epistulae_ad_familiares? "
                "'locisimiles library list' shows all names"
            ),
        ),
        ("qqqq", "'locisimiles library list' shows all names"),
        ("", "'locisimiles library list' shows all names"),
        (
            "vergil@gutenberg",
            "after '@', give one of tesserae, perseus, csel, corpus-corporum, latin-library",
        ),
    ],
)
def test_an_unknown_name_is_an_error_with_a_hint(name, hint):
    with pytest.raises(UnknownTextError) as caught:
        SHIPPED.find(name)
    assert str(caught.value) == f"unknown text {name!r}; {hint}"


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("Satires", "horace.satires, persius.satires, juvenal.satires"),
        ("pliny", "pliny_the_elder, pliny_the_younger"),
        ("metamorphoses@perseus", "ovid.metamorphoses, apuleius.metamorphoses"),
    ],
)
def test_an_ambiguous_name_is_an_error_with_its_candidates(name, candidates):
    with pytest.raises(UnknownTextError) as caught:
        SHIPPED.find(name)
    assert str(caught.value) == f"the name {name!r} is ambiguous; give one of {candidates}"
    for one in candidates.split(", "):
        assert SHIPPED.find(one)


def test_every_text_has_two_names():
    lacking = []
    for text in TEXTS:
        authors, titles = _author_names(text.work), _titles(text.work)
        names = (f"{author} {title}@{text.label}" for author in authors for title in titles)
        found = (name for name in names if SHIPPED.find(name) == [text])
        if len(list(islice(found, 2))) < 2:
            lacking.append(text.name)
    assert lacking == []


def test_latin_and_english_names_mean_the_same():
    for name in ("Augustinus, De civitate Dei", "Augustine, City of God", "aug. civ."):
        assert _names(name) == ["augustine.de_civitate_dei"]
    for name in ("Plautus, Miles gloriosus", "The Braggart Soldier", "plaut. mil."):
        assert _names(name) == ["plautus.miles_gloriosus"]


def test_there_are_a_thousand_texts():
    assert len(TEXTS) >= 1000


def test_addresses_name_the_commit():
    pinned = [edition for edition in EDITIONS if edition.source in ("tesserae", "perseus")]
    assert all(re.search(r"/[0-9a-f]{40}/", edition.address) for edition in pinned)


def test_authors_have_dates_that_can_be_checked():
    for author in {work.by for work in SHIPPED.works.values()}:
        assert author.first <= author.last
        assert author.source in AUTHORITIES


def test_works_were_written_while_their_authors_lived():
    years = [(work, work.year) for work in SHIPPED.works.values() if work.year is not None]
    outside = [work.name for work, year in years if not work.by.first <= year <= work.by.last]
    assert outside == []


def test_the_work_in_an_urn_is_that_of_its_file():
    urns = [
        (text.work.urn, edition.file_name)
        for text in SHIPPED
        for edition in text.files
        if text.source == "perseus" and edition.path.startswith("data/")
    ]
    assert len(urns) > 400
    assert [name for urn, name in urns if not name.startswith(f"{urn}.")] == []
    shape = r"(phi|stoa)\d{4}\.(phi|stoa|abo)\d{3,5}[a-z]{0,2}"
    assert [work.urn for work in SHIPPED.works.values() if work.urn
            and not re.fullmatch(shape, work.urn)] == []  # fmt: skip


def test_works_have_titles_in_two_languages_unless_they_are_names():
    # Titles that are the same in English, or have no English name.
    one = {
        "vergil_pseudo.ciris", "vergil_pseudo.lydia", "seneca.octavia", "minucius_felix.octavius",
        "ausonius.parentalia", "cyprian_pseudo.genesis", "dracontius.romulea", "polignac.epia",
    }  # fmt: skip
    alone = {work.name for work in SHIPPED.works.values() if len(_titles(work)) < 2}
    assert alone <= one


def test_names_that_two_works_share_are_listed_where_they_are_asked_for():
    shared = {}
    for work in SHIPPED.works.values():
        for title in _titles(work):
            shared.setdefault(title, set()).add(work.name)
    several = [title for title, works in shared.items() if len(works) > 1]
    assert len(several) > 50
    for title in several:
        named = {work.name for work in SHIPPED.names.find(title)}  # an author, or a name that fits
        assert named or set(SHIPPED.names.candidates(title)) == shared[title]


@pytest.mark.parametrize(
    ("author", "title", "work"),
    [
        ("Cicero, Marcus Tullius", "Pro P. Sestio", "cicero.pro_sestio"),
        ("P. Vergilius Maro (Virgil)", "Aeneid", "vergil.aeneid"),
        ("Statius, P. Papinius (Publius Papinius)", "Silvae", "statius.silvae"),
        ("Ausonius, Decimus Magnus", "De Bissula", "ausonius.de_bissula"),
        ("Suetonius", "Divus Julius", "suetonius.divus_iulius"),
        ("Minucius Felix, Marcus", "Octavius", "minucius_felix.octavius"),
    ],
)
def test_authors_and_titles_as_catalogues_of_libraries_write_them(author, title, work):
    assert SHIPPED.names.work_of(author, title).name == work
    assert work in {one.name for one in SHIPPED.names.find(author)}
    assert work in {one.name for one in SHIPPED.names.by_author(author)}


def test_a_preface_does_not_hide_the_work_it_belongs_to():
    for tag in ("aug. de_trinitate. praef.", "aug. de_trinitate."):
        assert SHIPPED.work_tagged(tag).name == "augustine.de_trinitate"
    assert SHIPPED.work_tagged("aus.") is None


def test_genres_are_of_the_list():
    assert {work.genre for work in SHIPPED.works.values()} == set(GENRES)


def test_a_second_edition_of_a_source_has_a_name_of_its_own():
    first, second = (
        SHIPPED.find(f"sallust.catilina@{of}")[0] for of in ("perseus", "perseus-lat3")
    )
    assert (first.label, second.label) == ("perseus", "perseus-lat3")
    assert first.files != second.files


def test_an_edition_that_a_work_does_not_have_is_an_error():
    with pytest.raises(UnknownTextError, match="unknown text 'vergil@csel'"):
        SHIPPED.find("vergil@csel")


def test_files_are_known_by_their_stems():
    assert SHIPPED.file_called("vergil.aeneid").work == "vergil.aeneid"
    assert SHIPPED.file_called("nemo") is None


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("verg. aen.", "vergil.aeneid"),
        ("VERG. G.", "vergil.georgics"),
        ("HieStr.ConVig", "jerome.contra_vigilantium"),
        ("cic. orat.", "cicero.orator"),
    ],
)
def test_works_are_known_by_their_tags(tag, name):
    assert SHIPPED.work_tagged(tag).name == name


@pytest.mark.parametrize("tag", ["cic. ac.", "", "nemo"])
def test_a_tag_of_several_works_or_none_is_not_guessed(tag):
    assert SHIPPED.work_tagged(tag) is None


def test_an_abbreviation_of_ours_wins_over_a_tag_of_others():
    catalogue = Catalogue([_work("a.b", "x."), _work("a.c", "y.", "x.")], [])
    assert catalogue.work_tagged("x.").name == "a.b"


def test_a_tag_of_two_works_is_ambiguous():
    catalogue = Catalogue([_work("a.b", "x.", "z."), _work("a.c", "y.", "z.")], [])
    assert catalogue.work_tagged("z.") is None


def test_works_are_known_by_their_urn_whatever_the_edition():
    urn = CtsUrn.parse("urn:cts:latinLit:phi0690.phi003.perseus-lat9:1.1")
    assert SHIPPED.work_with_urn(urn).name == "vergil.aeneid"
    assert SHIPPED.work_with_urn(CtsUrn("latinLit", "")) is None


def test_verse_is_a_genre():
    assert SHIPPED.works["vergil.aeneid"].verse
    assert not SHIPPED.works["cicero.orator"].verse


def test_the_address_continues_that_of_the_source():
    edition = Edition("a.b", "tesserae", "x/y.tess", "", 1, "")
    assert edition.address == f"{SOURCES['tesserae'].base}x/y.tess"
    assert edition.file_name == "y.tess"
    assert Edition("a.b", "latin-library", "y.txt", "", 1, "").address == ""
