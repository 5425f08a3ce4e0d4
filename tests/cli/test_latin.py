"""``locisimiles lemmatize`` and ``locisimiles normalize``."""

import csv
import sys

import pytest
from typer.testing import CliRunner

from locisimiles import Document
from locisimiles.cli import app
from locisimiles.latin import lemmatize

TEXTS = 'id,text\na,"Arma virumque cano, M. Tulli"\nb,"Adfer vīnum, XII"\n'
LEMMAS = [
    ["token", "lemma", "pos", "provenance", "seg_id", "start", "end"],
    ["Arma", "arma", "NOUN", "lexicon", "a", "0", "4"],
    ["virum", "uir", "NOUN", "lexicon", "a", "5", "10"],
    ["que", "que", "CCONJ", "lexicon", "a", "10", "13"],
    ["cano", "cano", "VERB", "lexicon", "a", "14", "18"],
    ["M.", "marcus", "PROPN", "lexicon", "a", "20", "22"],
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(TEXTS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(folder, program):  # noqa: ARG001
    return program


def rows(text):
    return [line.split("\t") for line in text.splitlines()]


def test_words_are_shown_with_their_lemmas(run):
    done = run("lemmatize", "a.csv")
    assert (done.code, done.err) == (0, "")
    assert rows(done.out)[:6] == LEMMAS
    assert [row[0] for row in rows(done.out)[6:]] == ["Tulli", "Adfer", "vīnum", "XII"]


def test_offsets_are_those_in_the_text(run, folder):
    texts = dict(zip(Document("a.csv").ids, Document("a.csv").texts, strict=True))
    for token, *_, segment, start, end in rows(run("lemmatize", "a.csv").out)[1:]:
        assert texts[segment][int(start) : int(end)] == token
    assert folder.joinpath("a.csv").read_text(encoding="utf-8") == TEXTS


def test_words_are_written_to_a_table(run, folder):
    shown = run("lemmatize", "a.csv").out
    done = run("lemmatize", "a.csv", "-o", "b.tsv")
    assert (done.code, done.out, done.err) == (0, "", "wrote b.tsv\n")
    assert (folder / "b.tsv").read_text(encoding="utf-8") == shown


def test_all_analyses_are_shown_with_their_probabilities(run):
    done = run("lemmatize", "a.csv", "--candidates")
    header, first, *others = rows(done.out)
    assert header == [*LEMMAS[0], "candidates"]
    assert first[-1] == "arma/NOUN=1.00"
    for row in others:
        chances = [float(reading.split("=")[1]) for reading in row[-1].split(" ")]
        assert row[-1].startswith(f"{row[1]}/{row[2]}=")
        assert sum(chances) == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("mode", ["context", "fast"])
def test_the_lemmatizer_can_be_chosen(run, mode):
    done = run("lemmatize", "a.csv", "--lemmatizer", mode)
    words = ["Arma", "virum", "que", "cano", "M.", "Tulli"]
    assert [row[1] for row in rows(done.out)[1:7]] == lemmatize(words, mode)


def test_standard_input_can_be_lemmatized():
    done = CliRunner().invoke(app, ["lemmatize", "-"], input="arma virumque cano")
    assert done.exit_code == 0
    assert [row[1] for row in rows(done.stdout)] == ["lemma", "arma", "uir", "que", "cano"]


def test_texts_are_normalized(run):
    done = run("normalize", "a.csv")
    assert (done.code, done.err) == (0, "")
    assert rows(done.out) == [
        ["seg_id", "text"],
        ["a", "arma uirumque cano, m. tulli"],
        ["b", "affer uinum, xii"],
    ]


def test_words_can_keep_their_spelling(run):
    assert rows(run("normalize", "a.csv", "--letters").out)[2] == ["b", "adfer uinum, xii"]


def test_normalized_texts_are_written_to_a_readable_table(run, folder):
    (folder / "a.csv").write_text('id,text\na,"Cæsar\t""vicit"""\n', encoding="utf-8")
    done = run("normalize", "a.csv", "-o", "b.tsv")
    assert (done.code, done.out, done.err) == (0, "", "wrote b.tsv\n")
    with (folder / "b.tsv").open(encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream, delimiter="\t")) == [
            ["seg_id", "text"],
            ["a", 'caesar\t"uicit"'],
        ]
    document = Document(folder / "b.tsv")
    assert (document.ids, document.texts) == (("a",), ('caesar\t"uicit"',))


def test_normalizing_twice_changes_nothing(run, folder):
    run("normalize", "a.csv", "-o", "b.tsv")
    run("normalize", "b.tsv", "-o", "c.tsv")
    assert (folder / "b.tsv").read_bytes() == (folder / "c.tsv").read_bytes()


@pytest.mark.parametrize("command", ["lemmatize", "normalize"])
def test_an_existing_file_is_replaced_only_with_overwrite(run, folder, command):
    (folder / "b.tsv").write_text("corrected by hand")
    done = run(command, "a.csv", "-o", "b.tsv")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: b.tsv already exists")
    assert (folder / "b.tsv").read_text() == "corrected by hand"
    assert run(command, "a.csv", "-o", "b.tsv", "--overwrite").code == 0
    assert "arma" in (folder / "b.tsv").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["lemmatize", "normalize"])
def test_an_input_is_never_replaced(run, folder, command):
    (folder / "a.tsv").write_text("id\ttext\na\tArma\n")
    done = run(command, "a.tsv", "-o", "a.tsv", "--overwrite")
    assert (done.code, done.err) == (1, "error: a.tsv is one of the inputs; choose another name\n")
    assert (folder / "a.tsv").read_text() == "id\ttext\na\tArma\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lemmatize", "no.csv"], "no.csv: neither a file nor a text"),
        (["normalize", "no.csv"], "no.csv: neither a file nor a text"),
        (
            ["lemmatize", "a.csv", "-o", "b.csv"],
            "b.csv has an unknown suffix; use one",
        ),
        (["lemmatize", "a.csv", "-o", "no/b.tsv"], "there is no folder no; create it first"),
        (["lemmatize", "a.csv", "--lemmatizer", "best"], "unknown lemmatizer 'best'; choose"),
        (
            ["lemmatize", "a.csv", "--lemmatizer", "no.npz"],
            "no.npz: the file cannot be read: No such",
        ),
        (["lemmatize", "a.csv", "--lemmatizer", "a.npz"], "a.npz: not an array file"),
        (["lemmatize", "a.csv", "--lemmatizer", "cltk"], "CLTK is not installed; install it with"),
        (["lemmatize", "a.csv", "--lemmatizer", "latincy"], "spacy is not installed; install"),
        (["lemmatize", "a.csv", "--lemmatizer", "hub:x"], "transformers is not installed; install"),
    ],
)
def test_errors_are_reported_in_one_line(run, folder, monkeypatch, arguments, message):
    for absent in ("cltk", "cltk.lemmatize.lat", "spacy", "transformers"):
        monkeypatch.setitem(sys.modules, absent, None)
    (folder / "a.npz").write_text("no model")
    done = run(*arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"error: {message}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["lemmatize"], ["normalize"], ["normalize", "a.csv", "--nonsense"]]
)
def test_wrong_usage_has_exit_code_2(run, arguments):
    assert run(*arguments).code == 2


@pytest.mark.parametrize("command", ["lemmatize", "normalize"])
def test_a_lone_surrogate_is_an_error_not_a_traceback(run, folder, command):
    (folder / "half.jsonl").write_text('{"id": "a", "text": "arma \\ud800"}\n')
    assert run(command, "half.jsonl", "-o", "b.tsv").code in (0, 1)
