"""``locisimiles segment``."""

import csv
import io
from functools import partial

import pytest
from typer.testing import CliRunner

from locisimiles import Document
from locisimiles.cli import app

TESS = (
    "<verg. aen. 1.1>\tArma virumque cano, Troiae qui primus ab oris\n"
    "<verg. aen. 1.2>\tItaliam. fato profugus Laviniaque venit.\n"
)
SEGMENTED = (
    "seg_id\tauthor\twork\tlocus\ttext\n"
    "verg. aen. 1.1.1\tVirgil\tAeneis\t1.1-1.2\t"
    "Arma virumque cano, Troiae qui primus ab oris / Italiam.\n"
    "verg. aen. 1.2.1\tVirgil\tAeneis\t1.2\tfato profugus Laviniaque venit.\n"
)


def csv_quotes_returns():
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(["\r"])
    return stream.getvalue() == '"\r"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vergil.tess").write_text(TESS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def segment(folder, program):  # noqa: ARG001
    return partial(program, "segment")


def read(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, strict=True))


def test_segments_are_printed(segment):
    done = segment("vergil.tess")
    assert (done.code, done.out, done.err) == (0, SEGMENTED, "")


def test_segments_are_written_to_a_table(segment, folder):
    done = segment("vergil.tess", "-o", "vergil.csv")
    assert (done.code, done.out, done.err) == (0, "", "wrote vergil.csv (2 segments)\n")
    assert read(folder / "vergil.csv") == [line.split("\t") for line in SEGMENTED.splitlines()]


def test_the_table_can_be_searched_instead_of_the_text(segment, folder):
    segment("vergil.tess", "-o", "vergil.csv")
    table, text = Document(folder / "vergil.csv"), Document(folder / "vergil.tess")
    assert (table.ids, table.texts, table.loci) == (text.ids, text.texts, text.loci)
    assert table.fingerprint() == text.fingerprint()


def test_a_lone_return_does_not_break_the_table(segment, folder):
    (folder / "a.csv").write_bytes(b'seg_id,text\na,"arma\ruirum"\n')
    segment("a.csv", "-o", "b.csv")
    assert read(folder / "b.csv")[1:] == [["a", "", "", "", "arma\ruirum"]]


def test_segments_are_cut_into_windows(segment):
    done = segment("vergil.tess", "--window", "4")
    assert [line.split("\t")[0::4] for line in done.out.splitlines()[1:]] == [
        ["verg. aen. 1.1.1~1", "Arma virumque cano, Troiae"],
        ["verg. aen. 1.1.1~2", "cano, Troiae qui primus"],
        ["verg. aen. 1.1.1~3", "qui primus ab oris"],
        ["verg. aen. 1.1.1~4", "ab oris / Italiam."],
        ["verg. aen. 1.2.1~1", "fato profugus Laviniaque venit."],
    ]


def test_standard_input_can_be_segmented():
    done = CliRunner().invoke(
        app, ["segment", "-", "--segmentation", "sentences"], input="Arma. Cano."
    )
    assert done.exit_code == 0
    assert [line.split("\t")[-1] for line in done.stdout.splitlines()] == ["text", "Arma.", "Cano."]


@pytest.mark.parametrize(
    ("colon", "texts"), [("always", ["arma:", "uirum."]), ("never", ["arma: uirum."])]
)
def test_a_colon_ends_a_segment_on_request(folder, colon, texts):
    (folder / "a.txt").write_text("arma: uirum.")
    done = CliRunner().invoke(
        app, ["segment", "a.txt", "--segmentation", "sentences", "--colon", colon]
    )
    assert [line.split("\t")[-1] for line in done.stdout.splitlines()[1:]] == texts


def test_an_existing_table_is_not_replaced(segment, folder):
    (folder / "vergil.csv").write_text("corrected by hand")
    done = segment("vergil.tess", "-o", "vergil.csv")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert done.err.startswith("error: vergil.csv already exists")
    assert (folder / "vergil.csv").read_text() == "corrected by hand"


def test_an_existing_table_is_replaced_with_overwrite(segment, folder):
    (folder / "vergil.csv").write_text("corrected by hand")
    assert segment("vergil.tess", "-o", "vergil.csv", "--overwrite").code == 0
    assert len(read(folder / "vergil.csv")) == 3


def test_an_input_is_never_replaced(segment, folder):
    (folder / "a.csv").write_text("seg_id,text,note\na,arma,mine\n")
    assert segment("a.csv", "-o", "a.csv", "--overwrite").code == 1
    assert (folder / "a.csv").read_text() == "seg_id,text,note\na,arma,mine\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.tess"], "no.tess: neither a file nor a text"),
        (
            ["vergil.tess", "-o", "a.tsv"],
            "a.tsv has an unknown suffix; use one of .csv",
        ),
        (["vergil.tess", "-o", "no/a.csv"], "there is no folder no; create it first"),
    ],
)
def test_errors_are_reported_in_one_line(segment, arguments, message):
    done = segment(*arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"error: {message}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["vergil.tess", "--window", "0"]])
def test_wrong_usage_has_exit_code_2(segment, arguments):
    assert segment(*arguments).code == 2
