"""``locisimiles library``."""

import hashlib
import sys
from types import SimpleNamespace

import pytest

from locisimiles.cli import main
from locisimiles.corpus.library import Catalogue, Edition, Work, catalogue

VIRGIL = b"<verg. ecl. 1.1>\tTityre, tu patulae recubans sub tegmine fagi.\n"
OTHER_VIRGIL = b"<verg. ecl. 1.1>\tTITYRE, tv patvlae.\n"
HORACE = b"<hor. ars 1>\tHumano capiti ceruicem pictor equinam.\n"

HEADER = ["name", "text", "ids begin", "date", "genre", "edition", ""]
VIRGIL_ROW = ["vergil.eclogues", "Virgil, Eclogae", "verg. ecl.", "38 BC", "verse", "tesserae"]
OTHER_VIRGIL_ROW = ["vergil.eclogues@latin-library", *VIRGIL_ROW[1:5], "latin-library"]
HORACE_ROW = ["horace.ars", "Horace, Ars poetica", "hor. ars.", "AD 8", "verse", "tesserae"]


def work(name, author, title, abbreviation, year):
    return Work(name, author, title, abbreviation, year, "verse", "never", "", ())


def edition(name, source, path, content):
    return Edition(name, source, path, "", len(content), hashlib.sha256(content).hexdigest())


SMALL = Catalogue(
    [
        work("vergil.eclogues", "Virgil", "Eclogae", "verg. ecl.", -38),
        work("horace.ars", "Horace", "Ars poetica", "hor. ars.", 8),
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
def run(monkeypatch, capsys):
    """Run the program as its users do, up to its exit code."""

    def run_program(*arguments):
        monkeypatch.setattr(sys, "argv", ["locisimiles", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=end.value.code, out=out, err=err)

    return run_program


def table(done):
    assert (done.code, done.err) == (0, "")
    return [line.split("\t") for line in done.out.splitlines()]


def test_all_texts_are_listed_in_their_preferred_edition(run):
    assert table(run("library", "list")) == [HEADER, [*VIRGIL_ROW, ""], [*HORACE_ROW, ""]]


def test_all_editions_are_listed_if_wanted(run):
    rows = [HEADER, [*VIRGIL_ROW, ""], [*OTHER_VIRGIL_ROW, ""], [*HORACE_ROW, ""]]
    assert table(run("library", "list", "--editions")) == rows


@pytest.mark.parametrize("name", ["vergil", "Virgil", "verg", "vergil.eclogues"])
def test_the_texts_of_a_name_are_listed(run, name):
    assert table(run("library", "list", name)) == [HEADER, [*VIRGIL_ROW, ""]]


def test_what_is_here_is_marked(run, mirror):
    run("library", "add", "horace", "--from", mirror)
    assert table(run("library", "list")) == [HEADER, [*VIRGIL_ROW, ""], [*HORACE_ROW, "here"]]
    assert table(run("library", "list", "--installed")) == [HEADER, [*HORACE_ROW, "here"]]


def test_another_edition_that_is_here_is_listed_too(run, mirror):
    run("library", "add", "vergil@latin-library", "--from", mirror)
    assert table(run("library", "list", "--installed")) == [HEADER, [*OTHER_VIRGIL_ROW, "here"]]


def test_texts_are_added_from_a_folder(run, root, mirror):
    done = run("library", "add", "vergil", "horace.ars", "--from", mirror)
    assert (done.code, done.out, done.err) == (0, "", f"2 texts (0.0 MB) in {root}\n")
    assert (root / "tesserae" / "vergil.eclogues.tess").read_bytes() == VIRGIL
    assert (root / "tesserae" / "horace.ars.tess").read_bytes() == HORACE


def test_one_text_is_counted_as_one(run, root, mirror):
    done = run("library", "add", "horace", "--from", mirror)
    assert done.err == f"1 text (0.0 MB) in {root}\n"


def test_what_is_here_is_not_fetched_again(run, mirror):
    run("library", "add", "vergil", "--from", mirror)
    assert run("library", "add", "vergil").code == 0


def test_a_text_that_was_added_is_read_by_its_name(run, mirror):
    run("library", "add", "vergil", "--from", mirror)
    done = run("segment", "vergil")
    assert done.out.splitlines()[1].startswith("verg. ecl. 1.1.1\tVirgil\tEclogae\t1.1\tTityre, tu")


def test_the_folder_of_the_library_is_told(run, root):
    done = run("library", "path")
    assert (done.code, done.out) == (0, f"{root}\n")


def test_the_files_of_a_text_are_told(run, root, mirror):
    run("library", "add", "vergil", "--from", mirror)
    done = run("library", "path", "vergil")
    assert done.out == f"{root / 'tesserae' / 'vergil.eclogues.tess'}\n"


def test_a_text_that_is_not_here_can_be_added(run):
    done = run("library", "path", "vergil")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "error: a text called 'vergil' is not on this machine yet (vergil.eclogues); "
        "install it with 'locisimiles library add vergil'\n"
    )


@pytest.mark.parametrize("command", ["list", "add", "path"])
def test_an_unknown_name_gives_suggestions(run, command):
    done = run("library", command, "vergill")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "error: unknown text 'vergill'; did you mean vergil, vergil.eclogues? "
        "'locisimiles library list' shows all names\n"
    )


def test_an_unknown_edition_gives_the_choices(run):
    done = run("library", "add", "vergil@teubner")
    assert done.code == 1
    assert done.err == (
        "error: unknown text 'vergil@teubner'; after '@', give one of "
        "tesserae, perseus, csel, corpus-corporum, latin-library\n"
    )


def test_nothing_is_added_if_one_name_is_unknown(run, root, mirror):
    assert run("library", "add", "vergil", "nobody", "--from", mirror).code == 1
    assert not root.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "horace.ars.tess is neither in {mirror} nor in one of its subfolders"),
        (b"changed", "{mirror}/deep/down/horace.ars.tess is not the version in the"),
    ],
)
def test_a_copy_that_is_missing_or_changed_is_refused(run, root, mirror, content, message):
    copy = mirror / "deep" / "down" / "horace.ars.tess"
    copy.unlink()
    if content:
        copy.write_bytes(content)
    done = run("library", "add", "horace", "--from", mirror)
    assert done.code == 1
    assert done.err.startswith(f"error: {message.format(mirror=mirror)}")
    assert done.err.count("\n") == 1
    assert not root.exists()


def test_a_folder_that_is_not_there_is_refused(run, tmp_path):
    done = run("library", "add", "horace", "--from", tmp_path / "no")
    assert (done.code, done.err) == (1, f"error: there is no folder {tmp_path / 'no'}\n")


def test_a_text_that_cannot_be_fetched_is_told(run):
    done = run("library", "add", "vergil@latin-library")
    assert done.code == 1
    assert done.err == (
        "error: ecl.tess cannot be downloaded from The Latin Library; "
        "install it from a local copy with --from FOLDER\n"
    )


@pytest.mark.parametrize("arguments", [["add"], ["remove", "vergil"], []])
def test_a_command_that_is_not_understood_has_exit_code_2(run, arguments):
    assert run("library", *arguments).code == 2
