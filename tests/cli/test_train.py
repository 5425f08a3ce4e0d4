"""``locisimiles train``."""

import lzma
import os
import subprocess
import sys

import pytest

from locisimiles.latin import Frequencies
from locisimiles.models.vectors import WordVectors

TREEBANK = """# work Prima
magnus\tmagnus\tADJ
canis\tcanis\tNOUN
latrat\tlatro\tVERB

tu\ttu\tPRON
bene\tbene\tADV
canis\tcano\tVERB

niger\tniger\tADJ
canis\tcanis\tNOUN
dormit\tdormio\tVERB

puellam\tpuella\tNOUN
siluam\tsilua\tNOUN
amat\tamo\tVERB
terram\tterra\tNOUN
portat\tporto\tVERB
# work Altera
rosam\trosa\tNOUN
curat\tcuro\tVERB
"""
CORPUS = "agricolam uocat\nagricolam uocat nauta\nagricolam laudat\n"
SENTENCES = "Arma virumque cano.\narma cano\narmis et viro\nuox\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Simplemma needs half a minute to be read.
    monkeypatch.setitem(sys.modules, "simplemma.strategies", None)
    (tmp_path / "bank.tsv").write_text(TREEBANK, encoding="utf-8")
    (tmp_path / "corpus.txt").write_text(CORPUS, encoding="utf-8")
    (tmp_path / "text.csv").write_text("id,text\na,tu bene canis agricolam\n", encoding="utf-8")
    (tmp_path / "sentences.txt").write_text(SENTENCES, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(folder, program):  # noqa: ARG001
    return program


def lemmas(done):
    return [line.split("\t")[1] for line in done.out.splitlines()[1:]]


def test_a_lemmatizer_is_trained_and_used(run):
    done = run("train", "lemmatizer", "bank.tsv", "-o", "mine.npz")
    assert (done.code, done.out) == (0, "")
    assert done.err == "wrote mine.npz: 14 forms from 2 texts (16 words)\n"
    used = run("lemmatize", "text.csv", "--lemmatizer", "mine.npz")
    assert (used.code, lemmas(used)) == (0, ["tu", "bene", "cano", "agricola"])
    assert [line.split("\t")[3] for line in used.out.splitlines()[1:]] == [
        *["lexicon"] * 3,
        "rule",
    ]


def test_a_corpus_enlarges_the_lexicon(run):
    done = run("train", "lemmatizer", "bank.tsv", "-o", "mine.npz", "--corpus", "corpus.txt")
    assert done.err == "wrote mine.npz: 15 forms from 2 texts (16 words)\n"


@pytest.mark.parametrize(
    ("held_out", "said"),
    [
        (["Altera"], "12 forms from 1 texts (14 words)"),
        (["Al"], "12 forms from 1 texts (14 words)"),
        (["Altera", "bank"], "12 forms from 1 texts (14 words)"),
    ],
)
def test_texts_can_be_held_out(run, folder, held_out, said):
    (folder / "bank.conllu").write_text("1\taqua\taqua\tNOUN" + "\t_" * 6 + "\n")
    treebanks = ["bank.tsv", "bank.conllu"] if "bank" in held_out else ["bank.tsv"]
    options = [word for name in held_out for word in ("--hold-out", name)]
    done = run("train", "lemmatizer", *treebanks, "-o", "mine.npz", *options)
    assert (done.code, done.err) == (0, f"wrote mine.npz: {said}\n")


def test_training_gives_the_same_bytes_on_every_machine(folder):
    """Dictionaries and sets of other processes have other orders."""
    program = (
        "import sys; sys.modules['simplemma.strategies'] = None; "
        "from locisimiles.cli import main; main()"
    )
    for seed in ("1", "2"):
        subprocess.run(
            [
                *(sys.executable, "-c", program, "train", "lemmatizer", "bank.tsv"),
                *("-o", f"{seed}.npz", "--corpus", "corpus.txt", "--seed", "7"),
            ],
            check=True,
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
    assert (folder / "1.npz").read_bytes() == (folder / "2.npz").read_bytes()


def test_the_seed_makes_a_difference(run, folder):
    for seed in "12":
        run("train", "lemmatizer", "bank.tsv", "-o", f"{seed}.npz", "--seed", seed)
    assert (folder / "1.npz").read_bytes() != (folder / "2.npz").read_bytes()


def test_frequencies_are_counted_and_used(run, folder):
    done = run("train", "frequencies", "sentences.txt", "-o", "counts.npz", "--fewest", "2")
    assert (done.code, done.out) == (0, "")
    # arma, uir and cano; arma + uir and arma + cano
    assert done.err == "wrote counts.npz: 3 lemmas and 2 pairs from 4 sentences\n"
    counted = Frequencies.load(folder / "counts.npz")
    assert [counted.count(lemma) for lemma in ("arma", "uir", "cano", "uox")] == [3, 2, 2, 0]
    assert counted.pair_count("uir", "arma") == 2
    assert counted.pair_count("uir", "cano") == 0


def test_compressed_files_give_the_same_counts(run, folder):
    (folder / "packed.txt.xz").write_bytes(lzma.compress(SENTENCES.encode()))
    for name, output in (("sentences.txt", "a.npz"), ("packed.txt.xz", "b.npz")):
        run("train", "frequencies", name, "-o", output, "--fewest", "1")
    assert (folder / "a.npz").read_bytes() == (folder / "b.npz").read_bytes()


def test_vectors_are_not_written_over_a_file(run, folder):
    (folder / "v.npz").write_bytes(b"mine")
    assert run("train", "vectors", "corpus.txt", "-o", "v.npz").code == 1
    assert (folder / "v.npz").read_bytes() == b"mine"


def test_without_gensim_no_vectors_are_written(run, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "gensim", None)
    done = run("train", "vectors", "corpus.txt", "-o", "v.npz")
    assert (done.code, "gensim is not installed" in done.err) == (1, True)
    assert not (folder / "v.npz").exists()


@pytest.mark.parametrize("option", ["--dimensions", "--epochs", "--fewest", "--context-words"])
def test_numbers_below_one_are_refused(run, option):
    assert run("train", "vectors", "corpus.txt", "-o", "v.npz", option, 0).code == 2


@pytest.mark.train
@pytest.mark.parametrize("options", [[], ["--subwords", "--buckets", "50"], ["--exact"]], ids=str)
def test_vectors_are_written_and_can_be_read(run, folder, options):
    lines = "vox faucibus haesit\narma virumque cano\n" * 5
    (folder / "words.txt").write_text(lines, encoding="utf-8")
    small = ("--dimensions", 8, "--fewest", 1)
    done = run("train", "vectors", "words.txt", "-o", "v.npz", *small, *options)
    assert (done.code, "wrote" in done.err) == (0, True)
    vectors = WordVectors.load(folder / "v.npz")
    assert {"uox", "faux", "haereo", "uir"} <= set(vectors.words)
    assert vectors.dimensions == 8
    assert (vectors.subwords is not None) == ("--subwords" in options)
    assert (vectors.rows.scales is None) == ("--exact" in options)


@pytest.mark.parametrize("arguments", [["lemmatizer", "bank.tsv"], ["frequencies", "corpus.txt"]])
def test_an_existing_file_is_replaced_only_with_overwrite(run, folder, arguments):
    (folder / "a.npz").write_text("mine")
    done = run("train", *arguments, "-o", "a.npz")
    assert (done.code, done.err.split(";")[0]) == (1, "error: a.npz already exists")
    assert (folder / "a.npz").read_text() == "mine"
    assert run("train", *arguments, "-o", "a.npz", "--overwrite").code == 0
    assert (folder / "a.npz").read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lemmatizer", "no.conllu"], "no.conllu: the file cannot be read: No such file"),
        (["lemmatizer", "corpus.txt"], "corpus.txt, row 1: 1 column instead of 3"),
        (["lemmatizer", "empty.tsv"], "empty.tsv: the treebank has no sentence"),
        (
            ["lemmatizer", "bank.tsv", "--corpus", "no.txt"],
            "no.txt: the file cannot be read: No such file",
        ),
        (["lemmatizer", "bank.tsv", "--hold-out", "Ovid"], "no text begins with 'Ovid', so it"),
        (["frequencies", "no.txt"], "no.txt: the file cannot be read: No such file"),
        (["frequencies", "empty.tsv"], "empty.tsv: the corpus has no text"),
    ],
)
def test_errors_are_reported_in_one_line(run, folder, arguments, message):
    (folder / "empty.tsv").write_text("\n")
    done = run("train", *arguments, "-o", "a.npz")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"error: {message}")
    assert done.err.count("\n") == 1
    assert not (folder / "a.npz").exists()


@pytest.mark.parametrize("command", ["lemmatizer", "frequencies", "vectors"])
@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("a.npy", "a.npy has an unknown suffix; use one of .npz"),
        ("no/a.npz", "there is no folder no; create it first"),
    ],
)
def test_a_wrong_output_is_reported_before_training(run, command, output, message):
    done = run("train", command, "no.txt", "-o", output)
    assert (done.code, done.err) == (1, f"error: {message}\n")


def test_holding_out_everything_is_an_error_not_a_traceback(run):
    done = run("train", "lemmatizer", "bank.tsv", "-o", "a.npz", "--hold-out", "")
    assert done.code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["lemmatizer"],
        ["lemmatizer", "bank.tsv"],
        ["frequencies", "corpus.txt"],
        ["frequencies", "corpus.txt", "-o", "a.npz", "--fewest", "0"],
    ],
)
def test_wrong_usage_has_exit_code_2(run, arguments):
    assert run("train", *arguments).code == 2
