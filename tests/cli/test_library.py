"""``locisimiles library``."""

import hashlib
import json
from functools import partial

import pytest

from locisimiles.corpus.library import Catalogue, Edition, Work, catalogue

VIRGIL = b"<verg. ecl. 1.1>\tTityre, tu patulae recubans sub tegmine fagi.\n"
OTHER_VIRGIL = b"<verg. ecl. 1.1>\tTITYRE, tv patvlae.\n"
HORACE = b"<hor. ars 1>\tHumano capiti ceruicem pictor equinam.\n"

HEADER = ["name", "text", "ids begin", "date", "genre", "edition", ""]
VIRGIL_ROW = ["vergil.eclogues", "Virgil, Eclogae", "verg. ecl.", "38 BC", "pastoral", "tesserae"]
OTHER_VIRGIL_ROW = ["vergil.eclogues@latin-library", *VIRGIL_ROW[1:5], "latin-library"]
HORACE_ROW = ["horace.ars", "Horace, Ars poetica", "hor. ars.", "AD 8", "didactic", "tesserae"]


def work(name, author, title, abbreviation, year, *, genre):
    return Work(name, author, title, abbreviation, year, "verse", "never", "", (), genre)


def edition(name, source, path, content):
    return Edition(name, source, path, "", len(content), hashlib.sha256(content).hexdigest())


SHIPPED = catalogue._shipped

SMALL = Catalogue(
    [
        work("vergil.eclogues", "Virgil", "Eclogae", "verg. ecl.", -38, genre="pastoral"),
        work("horace.ars", "Horace", "Ars poetica", "hor. ars.", 8, genre="didactic"),
    ],
    [
        edition("vergil.eclogues", "tesserae", "vergil.eclogues.tess", VIRGIL),
        edition("vergil.eclogues", "latin-library", "verg/ecl.tess", OTHER_VIRGIL),
        edition("horace.ars", "tesserae", "horace.ars.tess", HORACE),
    ],
)


@pytest.fixture(autouse=True)
def small_catalogue(tmp_path, monkeypatch):
    """A catalogue of three editions, an empty library, and no network."""
    monkeypatch.setattr(catalogue, "_shipped", lambda: SMALL)
    monkeypatch.setattr("requests.get", lambda *_, **__: pytest.fail("asked the network"))
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("LOCISIMILES_MIRROR", raising=False)


@pytest.fixture
def root(tmp_path):
    return tmp_path / "data" / "library"


@pytest.fixture
def mirror(tmp_path):
    """A folder with copies of the files."""
    folder = tmp_path / "mirror"
    (folder / "deep" / "down").mkdir(parents=True)
    (folder / "verg").mkdir()
    (folder / "vergil.eclogues.tess").write_bytes(VIRGIL)
    (folder / "verg" / "ecl.tess").write_bytes(OTHER_VIRGIL)
    (folder / "deep" / "down" / "horace.ars.tess").write_bytes(HORACE)
    return folder


@pytest.fixture
def library(program):
    return partial(program, "library")


def table(done):
    assert (done.code, done.err) == (0, "")
    return [line.split("\t") for line in done.out.splitlines()]


def test_all_texts_are_listed(library):
    rows = [HEADER, [*VIRGIL_ROW, ""], [*OTHER_VIRGIL_ROW, ""], [*HORACE_ROW, ""]]
    assert table(library("list")) == rows


def test_works_are_listed_in_their_preferred_edition_on_request(library):
    rows = [HEADER, [*VIRGIL_ROW, ""], [*HORACE_ROW, ""]]
    assert table(library("list", "--preferred")) == rows


@pytest.mark.parametrize("name", ["vergil", "Virgil", "verg", "vergil.eclogues"])
def test_texts_are_listed_by_name(library, name):
    rows = [HEADER, [*VIRGIL_ROW, ""], [*OTHER_VIRGIL_ROW, ""]]
    assert table(library("list", name)) == rows


def test_installed_texts_are_marked(library, mirror):
    library("add", "horace", "--from", mirror)
    rows = [HEADER, [*VIRGIL_ROW, ""], [*OTHER_VIRGIL_ROW, ""], [*HORACE_ROW, "here"]]
    assert table(library("list")) == rows
    assert table(library("list", "--installed")) == [HEADER, [*HORACE_ROW, "here"]]


def test_another_installed_edition_is_listed_too(library, mirror):
    library("add", "vergil@latin-library", "--from", mirror)
    assert table(library("list", "--installed")) == [HEADER, [*OTHER_VIRGIL_ROW, "here"]]


def test_texts_are_added_from_a_folder(library, root, mirror):
    done = library("add", "vergil", "horace.ars", "--from", mirror)
    assert (done.code, done.out, done.err) == (0, "", f"2 texts (0.0 MB) in {root}\n")
    assert (root / "tesserae" / "vergil.eclogues.tess").read_bytes() == VIRGIL
    assert (root / "tesserae" / "horace.ars.tess").read_bytes() == HORACE


def test_one_text_is_counted_as_one(library, root, mirror):
    done = library("add", "horace", "--from", mirror)
    assert done.err == f"1 text (0.0 MB) in {root}\n"


def test_installed_texts_are_not_downloaded_again(library, mirror):
    library("add", "vergil", "--from", mirror)
    assert library("add", "vergil").code == 0


def test_an_installed_text_is_read_by_its_name(library, program, mirror):
    library("add", "vergil", "--from", mirror)
    done = program("segment", "vergil")
    assert done.out.splitlines()[1].startswith("verg. ecl. 1.1.1\tVirgil\tEclogae\t1.1\tTityre, tu")


def test_the_folder_of_the_library_is_printed(library, root):
    done = library("path")
    assert (done.code, done.out) == (0, f"{root}\n")


def test_the_files_of_a_text_are_printed(library, root, mirror):
    library("add", "vergil", "--from", mirror)
    done = library("path", "vergil")
    assert done.out == f"{root / 'tesserae' / 'vergil.eclogues.tess'}\n"


def test_a_text_that_is_not_installed_can_be_added(library):
    done = library("path", "vergil")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "error: a text called 'vergil' is not on this machine yet (vergil.eclogues); "
        "install it with 'locisimiles library add vergil'\n"
    )


@pytest.mark.parametrize("command", ["list", "add", "path"])
def test_an_unknown_name_gives_suggestions(library, command):
    done = library(command, "vergill")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "error: unknown text 'vergill'; did you mean vergil, vergil.eclogues? "
        "'locisimiles library list' shows all names\n"
    )


def test_the_whole_catalogue_is_listed(monkeypatch, library):
    monkeypatch.setattr(catalogue, "_shipped", SHIPPED)
    listed = table(library("list"))[1:]
    assert len(listed) == len({row[0] for row in listed}) == len(list(Catalogue.shipped()))
    assert len(listed) >= 1000
    assert all(all(row[:6]) for row in listed)


def test_an_unknown_edition_lists_the_choices(library):
    done = library("add", "vergil@teubner")
    assert done.code == 1
    assert done.err == (
        "error: unknown text 'vergil@teubner'; after '@', give one of "
        "tesserae, perseus, csel, corpus-corporum, latin-library\n"
    )


def test_nothing_is_added_if_one_name_is_unknown(library, root, mirror):
    assert library("add", "vergil", "nobody", "--from", mirror).code == 1
    assert not root.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "horace.ars.tess is neither in {mirror} nor in one of its subfolders"),
        (b"changed", "{mirror}/deep/down/horace.ars.tess is not the version in the"),
    ],
)
def test_a_missing_or_changed_copy_is_refused(library, root, mirror, content, message):
    copy = mirror / "deep" / "down" / "horace.ars.tess"
    copy.unlink()
    if content:
        copy.write_bytes(content)
    done = library("add", "horace", "--from", mirror)
    assert done.code == 1
    assert done.err.startswith(f"error: {message.format(mirror=mirror)}")
    assert done.err.count("\n") == 1
    assert not root.exists()


def test_a_missing_folder_is_refused(library, tmp_path):
    done = library("add", "horace", "--from", tmp_path / "no")
    assert (done.code, done.err) == (1, f"error: there is no folder {tmp_path / 'no'}\n")


def test_a_failed_download_is_reported(library):
    done = library("add", "vergil@latin-library")
    assert done.code == 1
    assert done.err == (
        "error: ecl.tess cannot be downloaded from The Latin Library; "
        "install it from a local copy with --from FOLDER\n"
    )


@pytest.mark.parametrize("arguments", [["remove"], ["search"], ["info"], []])
def test_wrong_usage_has_exit_code_2(library, arguments):
    assert library(*arguments).code == 2


def test_texts_are_added_by_author_genre_and_date(library, root, mirror):
    assert library("add", "--author", "vergilius", "--from", mirror).code == 0
    assert [path.name for path in root.rglob("*.tess")] == ["vergil.eclogues.tess"]
    assert library("add", "--genre", "didactic", "--after", -1, "--from", mirror).code == 0
    assert (root / "tesserae" / "horace.ars.tess").exists()


def test_a_dry_run_installs_nothing(library, root, mirror):
    done = library("add", "--before", 1, "--from", mirror, "--dry-run")
    assert done.out.splitlines()[1:] == ["\t".join([*VIRGIL_ROW, ""])]
    assert done.err == "1 text (0.0 MB); none installed\n"
    assert not root.exists()


def test_without_names_or_conditions_nothing_is_added(library):
    done = library("add")
    assert (done.code, done.err) == (
        1,
        "error: no text is named; give names, or --author, --genre, --before or --after\n",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--genre", "epos"], "there is no genre 'epos'; give one of verse, prose, comedy"),
        (["--author", "Plautus"], "no text of the catalogue fits all conditions; leave one out"),
        (["vergil", "--after", "1"], "no text of the catalogue fits all conditions"),
    ],
)
def test_conditions_that_nothing_fits_are_errors(library, arguments, message):
    done = library("add", *arguments)
    assert (done.code, done.err.startswith(f"error: {message}")) == (1, True)


def test_texts_are_removed(library, root, mirror):
    library("add", "vergil", "vergil@latin-library", "horace", "--from", mirror)
    done = library("remove", "vergil@latin-library")
    assert (done.code, done.err) == (0, f"removed 1 text (0.0 MB) from {root}\n")
    library("remove", "vergil", "horace")
    assert [path for path in root.rglob("*") if path.is_file()] == []
    done = library("remove", "vergil")
    assert done.code == 1
    assert done.err == (
        "error: not on this machine: vergil; 'locisimiles library list --installed' shows what is\n"
    )


def test_nothing_is_removed_if_one_text_is_missing(library, root, mirror):
    library("add", "vergil", "--from", mirror)
    assert library("remove", "vergil", "horace").code == 1
    assert (root / "tesserae" / "vergil.eclogues.tess").exists()


def test_works_are_found_by_beginnings_of_words(library):
    assert table(library("search", "ars", "hor")) == [HEADER, [*HORACE_ROW, ""]]
    assert json.loads(library("search", "ecl", "--json").out)[0]["name"] == (
        "vergil.eclogues@tesserae"
    )


def test_facts_of_a_work_are_printed(library, root, mirror):
    library("add", "horace", "--from", mirror)
    lines = dict(line.split("\t") for line in library("info", "horace").out.splitlines())
    assert (lines["title"], lines["year"], lines["  installed"]) == ("Ars poetica", "8", "True")
    (facts,) = json.loads(library("info", "horace", "--json").out)
    (edition,) = facts["editions"]
    assert edition["files"] == str(root / "tesserae" / "horace.ars.tess")
    assert edition["sha256"] == hashlib.sha256(HORACE).hexdigest()


def test_a_folder_of_copies_may_be_a_setting(library, root, mirror, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_MIRROR", str(mirror))
    assert library("add", "vergil@latin-library").code == 0
    assert (root / "latin-library" / "ecl.tess").read_bytes() == OTHER_VIRGIL
    monkeypatch.setenv("LOCISIMILES_MIRROR", str(mirror / "no"))
    done = library("add", "horace")
    assert (done.code, done.err) == (1, f"error: there is no folder {mirror / 'no'}\n")


def test_the_cutting_of_installed_texts_is_reported(library, mirror):
    library("add", "vergil", "--from", mirror)
    header, row = table(library("report"))
    facts = dict(zip(header, row, strict=True))
    assert (facts["text"], facts["segments"], facts["odd"]) == (
        "vergil.eclogues@tesserae",
        "1",
        "0",
    )


def test_odd_segments_are_listed(library, tmp_path):
    path = tmp_path / "odd.tess"
    path.write_text("<a. b. 1>\tQuid? Abeo redeo. uenio\n", encoding="utf-8")
    assert table(library("report", path, "--odd"))[1:] == [
        ["a. b. 1.1", "one word", "question or exclamation", "Quid?"],
        ["a. b. 1.3", "one word", "unexplained", "uenio"],
        ["a. b. 1.3", "no stop at the end", "end of the text", "uenio"],
    ]
    (row,) = json.loads(library("report", path, "--json").out)
    assert (row["odd"], row["unexplained"]) == ("3", "1")


def test_a_vulgate_of_ones_own_is_added(program, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    own = tmp_path / "v.txt"
    own.write_text("Mt 5:3 Beati pauperes spiritu.\nGn 1:1 In principio.\n", encoding="utf-8")
    done = program("library", "add", str(own))
    assert done.code == 0
    assert "2 verses of 2 books" in done.err
    assert "Matth." in program("library", "path", "vulgate.matthew").out
