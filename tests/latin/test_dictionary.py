"""The dictionary finds entries by our lemmas, and prints them as dictionaries do."""

import gzip
import importlib
import runpy
import sys
from importlib import resources
from pathlib import Path

import pytest

from locisimiles.latin import Lemmatizer, tokenize
from locisimiles.latin.dictionary import Dictionary

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="module")
def dictionary():
    return Dictionary.shipped()


@pytest.mark.parametrize(
    ("lemma", "printed"),
    [
        ("uox", "vox, vocis, f."),
        ("filius", "filius, filii, m."),
        ("faux", "faux, faucis, f."),
        ("arma", "arma, armorum, n."),
        ("moenia", "moenia, moenium, n."),
        ("acer", "acer, acris, acre"),
        ("omnis", "omnis, -e"),
        ("felix", "felix, felicis"),
        ("capio", "capio, capere, cepi, captum"),
        ("cano", "cano, canere, cecini, cantum"),
        ("audio", "audio, audire, audivi, auditum"),
        ("fero", "fero, ferre, tuli, latum"),
        ("hortor", "hortor, hortari, hortatus sum"),
        ("gaudeo", "gaudeo, gaudere, gavisus sum"),
        ("memini", "memini, meminisse"),
        ("oportet", "oportet, oportere, oportuit"),
        ("absum", "absum, abesse, afui"),
        ("inquam", "inquam, inquit"),
        ("hic", "hic, haec, hoc, pron."),
        ("quidam", "quidam, quaedam, quoddam, pron."),
        ("tertius", "tertius, -a, -um, num. ord."),
        ("cum", "cum, adv."),
        ("que", "-que, encl."),
        ("sum", "sum, esse, fui, futurus"),
    ],
)
def test_entries_are_printed_as_in_dictionaries(dictionary, lemma, printed):
    first = dictionary.find(lemma)[0]
    assert f"{first.headword}, {first.grammar}" == printed


def test_spelling_does_not_matter(dictionary):
    assert dictionary.find("volo") == dictionary.find("uolo")
    assert dictionary.find("iudico") == dictionary.find("judico")
    assert "affero" in [entry.headword for entry in dictionary.find("adfero")]
    assert dictionary.find("volo1") == dictionary.find("uolo")  # LASLA numbers homographs


def test_the_part_of_speech_decides_what_comes_first(dictionary):
    assert dictionary.find("acer", "NOUN")[0].senses[0] == "maple tree"
    assert dictionary.find("roma", "PROPN")[0].senses == ("Rome",)
    assert dictionary.find("sum", "AUX")[0].headword == "sum"


def test_lemmas_of_another_convention_have_an_entry(dictionary):
    assert dictionary.find("melior")[0].headword == "bonus"
    assert "nescioquid" not in dictionary
    assert dictionary.find("") == []


def test_the_words_of_a_sentence_are_there(dictionary):
    text = "haesit vox faucibus et inter ruborem atque pallorem cogitationes variae mutabantur"
    lemmas = Lemmatizer.shipped().lemmatize([token.text for token in tokenize(text)])
    assert [lemma for lemma in lemmas if lemma not in dictionary] == []


def test_the_file_is_a_clean_table():
    packed = (resources.files("locisimiles.latin") / "data" / "dictionary.tsv.gz").read_bytes()
    assert len(packed) < 2_000_000
    head, *rows = gzip.decompress(packed).decode().removesuffix("\n").split("\n")
    cells = [row.split("\t") for row in rows]
    assert {len(row) for row in cells} == {len(head.split("\t"))}
    assert all(lemmas and headword and senses for lemmas, headword, _, _, senses in cells)
    assert not [row for row in rows if "|" in row or "zzz" in row]


def test_the_tool_reads_lines_of_dictline(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    lines = [
        _line("capi cap caps zzz", "V 8 3 TRANS", "X X X A O", "take hold, seize;"),
        _line("capi cap cep capt", "V 3 1 TRANS", "X X X A O", "take hold, seize;"),
        _line("vox voc", "N 3 1 F T", "X X X A X", "voice, tone (of; a speaker); word;"),
        _line("vox voc", "N 3 1 F T", "X X X B X", "|saying;"),
        _line("arm arm", "N 2 2 N T", "X W X A O", "arms (pl.), weapons;"),
    ]
    source, target = tmp_path / "DICTLINE.GEN", tmp_path / "made.tsv.gz"
    source.write_text("\r\n".join(lines), encoding="ascii")
    try:
        made = runpy.run_path(str(TOOLS / "dictionary.py"))
    finally:
        sys.modules.pop("dictline", None)
        importlib.invalidate_caches()
    entries = made["make_entries"](made["read_dictline"](source))
    made["write"](entries, target)
    written = gzip.decompress(target.read_bytes()).decode()
    assert "capio\tcapio\tcapere, cepi, captum\tVERB\ttake hold, seize\n" in written
    assert "capsi" not in written  # the same senses are said once
    assert "uox\tvox\tvocis, f.\tNOUN\tvoice, tone (of; a speaker)\vword\vsaying\n" in written
    assert "arma armum\tarma\tarmorum, n.\tNOUN\tarms (pl.), weapons\n" in written


def _line(stems, codes, flags, senses):
    columns = "".join(f"{stem:19}" for stem in (stems.split() + [""] * 4)[:4])
    return f"{columns}{codes:24}{flags:10}{senses}"
