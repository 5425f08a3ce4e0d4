"""Large corpora."""

import lzma
import re
from collections import Counter

import pytest

from locisimiles.errors import EmptyInputError, InputError
from locisimiles.latin import fold_word
from locisimiles.train.common import corpora
from locisimiles.train.common.corpora import count_forms, read_sentences

LINES = ["Arma virumque cano.", "Troiae qui primus", "arma, ARMA! 12"]
TEXT = "\n".join(["", LINES[0], "  ", f"  {LINES[1]}\t", "", LINES[2]])


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_lines_are_sentences(write, line_end):
    data = TEXT.replace("\n", line_end).encode()
    assert list(read_sentences(write("a.txt", data))) == [LINES]
    assert list(read_sentences(str(write("a.txt.xz", lzma.compress(data))))) == [LINES]


@pytest.mark.parametrize(("size", "batches"), [(1, [1, 1, 1]), (2, [2, 1]), (3, [3]), (4, [3])])
def test_sentences_come_in_batches(write, monkeypatch, size, batches):
    monkeypatch.setattr(corpora, "_BATCH", size)
    found = list(read_sentences(write("a.txt", TEXT + "\n\n")))
    assert [len(batch) for batch in found] == batches
    assert [line for batch in found for line in batch] == LINES


@pytest.mark.parametrize("data", ["", "\n \n\t\n"])
def test_an_empty_corpus_is_an_error(write, data):
    with pytest.raises(EmptyInputError, match=r"a\.txt: the corpus has no text"):
        list(read_sentences(write("a.txt", data)))


def test_a_missing_corpus_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"no\.txt: the file cannot be read"):
        list(read_sentences(tmp_path / "no.txt"))


def test_forms_are_counted_with_their_enclitics(write):
    once = ["uirumque", "cano", "troiae", "qui", "primus", "12"]
    assert count_forms([write("a.txt", TEXT)]) == {"arma": 3, **dict.fromkeys(once, 1)}


def test_forms_of_several_files_are_counted_together(write, monkeypatch):
    monkeypatch.setattr(corpora, "_BATCH", 2)
    lines = ["Adfero vōcem, affero", "uocem", "Vocem adfero ad rem", "rem M. Tulli"]
    paths = [write("a.txt", "\n".join(lines[:3])), write("b.txt", "\n".join(lines[3:] * 5))]
    words = re.findall(r"\w+", " ".join(lines[:3] + lines[3:] * 5))
    assert count_forms(paths) == Counter(map(fold_word, words))


def test_progress_is_reported_file_by_file(write):
    reports = []
    path = write("a.txt", TEXT)
    count_forms([path, path], progress=lambda *report: reports.append(report))
    assert reports == [("counting words", done, 2) for done in range(3)]


def test_no_files_have_no_forms():
    assert count_forms([]) == {}
