"""Texts that users give."""

import pytest

from locisimiles import InputError, LibraryError, ParameterError, ReadOptions
from locisimiles.app.projects import inputs
from locisimiles.app.projects.facts import TextFacts, facts_of
from locisimiles.app.projects.inputs import (
    add_file,
    add_library_texts,
    paste_text,
    reading_options,
    remove_input,
    set_facts,
    set_reading_options,
    use_example,
)
from locisimiles.app.results import ResultTable
from locisimiles.app.search.status import search_status
from locisimiles.corpus.library import Library
from locisimiles.examples import load_example_source

TEXT = b"haesit uox faucibus.\nomnia tuta timeo.\n"


def test_a_file_has_the_segments_of_a_document(project):
    use_example(project)
    assert project.document("source") == load_example_source()
    assert [one.name for one in project.texts.inputs("query")] == ["example-query.csv"]


def test_a_file_of_the_same_name_replaces_the_first(project):
    add_file(project, "query", "a.txt", TEXT)
    add_file(project, "query", "a.txt", b"arma uirumque cano.\n")
    assert [segment.text for segment in project.texts.segments("query")] == ["arma uirumque cano."]


def test_several_files_are_read_together_and_can_be_removed(project):
    add_file(project, "query", "a.txt", TEXT)
    add_file(project, "query", "b.txt", b"arma uirumque cano.\n")
    assert project.texts.count("query") == 3
    remove_input(project, "query", "a.txt")
    remove_input(project, "query", "b.txt")
    assert (project.texts.inputs("query"), project.texts.count("query")) == ([], 0)


def test_remarks_name_no_folder_of_the_server(project):
    add_file(project, "query", "a.csv", b"id,text\n1,arma\n2,\n")
    (remark,) = project.texts.remarks("query")
    assert str(remark) == "a.csv: 1 row skipped, the text is empty (row 3)"
    assert remark.text("fr") == "a.csv : 1 ligne ignorée, le texte est vide (ligne 3)"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"id,text\n1,arma\n1,uirum\n"),
        ("a.csv", b"nothing,here\n1,2\n"),
        ("a.xml", b"<TEI><text>"),
        ("a.zip", b"PK\x03\x04broken"),
        ("a.txt", b""),
        ("a.pdf", b"%PDF-1.4"),
        ("a.jsonl", b'{"id": "1", "text": "\\ud800"}\n'),
    ],
)
def test_an_unreadable_file_is_named_and_changes_nothing(project, name, content, tmp_path):
    add_file(project, "query", "first.txt", TEXT)
    with pytest.raises(InputError) as raised:
        add_file(project, "query", name, content)
    assert "/" not in str(raised.value).replace(str(tmp_path), "/")
    (kept,) = project.texts.inputs("query", contents=False)
    assert (kept.name, kept.content) == ("first.txt", b"")
    assert project.texts.inputs("query")[0].content
    assert project.texts.count("query") == 2


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\texts\\a.txt", "a.txt"),
        ("a\nb.txt", "ab.txt"),
        ("x" * 400 + ".txt", "x" * 130 + ".txt"),
    ],
)
def test_names_are_the_last_part_only(project, sent, kept):
    add_file(project, "query", sent, TEXT)
    assert [one.name for one in project.texts.inputs("query")] == [kept]


@pytest.mark.parametrize("name", ["", "..", ".bashrc", "/"])
def test_files_without_a_usable_name_are_refused(project, name):
    with pytest.raises(ParameterError, match="name of the file cannot be used"):
        add_file(project, "query", name, TEXT)


def test_large_files_are_refused(project, monkeypatch):
    monkeypatch.setattr(inputs, "LARGEST_FILE", 10)
    with pytest.raises(InputError, match="the file is too large"):
        add_file(project, "query", "a.txt", TEXT)


def test_many_large_files_are_refused(project, monkeypatch):
    monkeypatch.setattr(inputs, "LARGEST_SIDE", len(TEXT) + 3)
    add_file(project, "query", "a.txt", TEXT)
    with pytest.raises(InputError, match="all files together"):
        add_file(project, "query", "b.txt", TEXT)


def test_texts_can_be_cut_in_another_way(project):
    add_file(project, "query", "a.txt", b"haesit uox\nfaucibus. omnia\ntuta timeo.\n")
    set_reading_options(project, ReadOptions(segmentation="lines"))
    by_lines = [segment.text for segment in project.texts.segments("query")]
    set_reading_options(project, ReadOptions(segmentation="sentences"))
    by_sentences = [segment.text for segment in project.texts.segments("query")]
    assert by_lines == ["haesit uox", "faucibus. omnia", "tuta timeo."]
    assert by_sentences == ["haesit uox faucibus.", "omnia tuta timeo."]


def test_a_project_of_an_earlier_version_keeps_its_segmentation(project):
    project.set_setting("reading", '{"encoding": null, "cut": "lines", "colon": "never"}')
    assert reading_options(project) == ReadOptions(segmentation="lines", colon="never")


def test_other_texts_keep_the_results(searched):
    before = ResultTable(searched.database).page(limit=1000, texts=True)
    add_file(searched, "query", "a.txt", TEXT)
    assert before.total > 0
    assert ResultTable(searched.database).page(limit=1000, texts=True) == before
    assert search_status(searched).state == "done"


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """Put two works of the library on this machine, one of them in two editions."""
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    library = Library()
    names = ["lucan@tesserae", "lucan@perseus", "vergil.eclogues@tesserae"]
    for name in names:
        (text,) = library.catalogue.find(name)
        for edition in text.files:
            path = library.path_of(edition)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"<luc. phars. 1.1>\tbella per Emathios plus quam civilia campos.\n")
            path.rename(path.with_suffix(".tess"))
    monkeypatch.setattr(
        Library,
        "path_of",
        lambda self, e: (self.root / e.source / e.file_name).with_suffix(".tess"),
    )
    for check in ("_has", "_is_whole"):
        monkeypatch.setattr(Library, check, lambda self, edition: self.path_of(edition).is_file())


@pytest.fixture
def readings(monkeypatch):
    """Count how often a side is read."""
    read, counted = inputs._read, []
    monkeypatch.setattr(inputs, "_read", lambda *given: (counted.append(1), read(*given))[1])
    return counted


@pytest.mark.usefixtures("shelf")
def test_texts_of_the_library_are_added_together_and_the_side_is_read_once(project, readings):
    add_file(project, "source", "a.txt", TEXT)
    names = ["lucan@tesserae", "vergil.eclogues@tesserae"]
    assert add_library_texts(project, "source", names) == 2
    assert [(one.kind, one.name) for one in project.texts.inputs("source")] == [
        ("file", "a.txt"),
        ("library", "lucan.bellum_civile@tesserae"),
        ("library", "vergil.eclogues@tesserae"),
    ]
    assert len(readings) == 2
    assert project.texts.segments("source")[2].text.startswith("bella per Emathios")


@pytest.mark.usefixtures("shelf")
def test_a_name_of_several_texts_becomes_each_of_them_once(project, readings):
    project.set_texts("source", [inputs.Input("library", "lucan@tesserae")], None)
    assert add_library_texts(project, "source", ["lucan@tesserae", "lucan@perseus"]) == 1
    assert [one.name for one in project.texts.inputs("source")] == [
        "lucan@tesserae", "lucan.bellum_civile@perseus",
    ]  # fmt: skip
    assert add_library_texts(project, "source", ["lucan@perseus"]) == 0
    assert len(readings) == 1


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("name", ["horace", "nonsense", "../../etc/passwd"])
def test_texts_that_are_not_installed_are_reported(project, name):
    with pytest.raises(LibraryError):
        add_library_texts(project, "source", ["lucan@tesserae", name])
    assert project.texts.inputs("source") == []


def test_nothing_is_read_again_if_nothing_changes(project, readings):
    paste_text(project, "query", "haesit uox faucibus.", TextFacts("Jerome"), "Pasted")
    revision = project.texts.revision("query")
    set_facts(project, "query", "Jerome.txt", TextFacts(" Jerome "))
    remove_input(project, "query", "other.txt")
    add_file(project, "query", "Jerome.txt", b"haesit uox faucibus.")
    assert (len(readings), project.texts.revision("query")) == (1, revision)
    set_facts(project, "query", "Jerome.txt", TextFacts("Jerome", "Epistulae"))
    assert facts_of(project, "query")["Jerome.txt"].work == "Epistulae"
    assert len(readings) == 2


def test_what_somebody_else_adds_meanwhile_is_kept(project, monkeypatch):
    read = inputs._read

    def interrupted(*given):
        monkeypatch.setattr(inputs, "_read", read)
        add_file(project, "query", "b.txt", b"arma uirumque cano.\n")
        return read(*given)

    monkeypatch.setattr(inputs, "_read", interrupted)
    add_file(project, "query", "a.txt", TEXT)
    assert [one.name for one in project.texts.inputs("query")] == ["b.txt", "a.txt"]
    assert project.texts.count("query") == 3
