"""Tables of control characters, endless lines and cells that mean something to spreadsheets."""

import json

import pytest

from locisimiles.errors import (
    InputError,
    LocisimilesError,
    UnknownFormatError,
    UnsafeInputError,
)
from locisimiles.files.json_files import parse_json


def test_nul_bytes_at_the_start_are_not_a_table(attack):
    with pytest.raises(UnknownFormatError):
        attack("a.csv", b"id,text\n1,ar\x00ma\n")


@pytest.mark.parametrize("kind", ["csv", "tsv", "txt", "tess"])
def test_nul_bytes_in_a_named_format_are_harmless(attack, kind):
    data = {
        "csv": b"id,text\n1,ar\x00ma\n",
        "tsv": b"id\ttext\n1\tar\x00ma\n",
        "txt": b"ar\x00ma",
        "tess": b"<a 1> ar\x00ma",
    }[kind]
    assert attack("a.dat", data, format=kind).texts == ("ar\x00ma",)


def test_nul_bytes_far_into_a_table_are_harmless(attack):
    data = b"id,text\n" + b"".join(b"%d,arma\n" % n for n in range(1000)) + b"x,ar\x00ma\n"
    assert attack("a.csv", data)["x"].text == "ar\x00ma"


@pytest.mark.parametrize(
    ("name", "before"), [("a.csv", "id,text\na,"), ("a.tess", "<a 1> "), ("a.txt", "")]
)
def test_a_line_of_ten_megabytes_is_read(attack, name, before):
    text = "arma uirumque cano Troiae " * 400_000
    document = attack(name, before + text)
    assert document.texts == (text.strip(),)


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("letter", [",", '"', "\t", "a", "\n", "[", "{", "<", "\x00", "\ufeff"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "txt", "tess", "tei", "xlsx"])
def test_a_megabyte_of_one_character_is_read_or_refused(attack, kind, letter):
    try:
        document = attack("a.dat", letter * 1_000_000, format=kind)
    except LocisimilesError:
        document = None
    assert document is None or "".join(document.texts) == letter * 1_000_000


def test_two_thousand_columns_are_metadata(attack):
    names = [f"c{n}" for n in range(2000)]
    document = attack("a.csv", f"id,text,{','.join(names)}\na,arma,{','.join(names)}\n")
    assert document["a"].meta == {name: name for name in names}


ESCAPES = "\x1b[2J\x1b]0;evil\x07arma\x08\x7f\x9b31m"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", f"id,text\na,x{ESCAPES}x\n"),
        ("a.jsonl", '{"id": "a", "text": "x' + ESCAPES.encode("unicode_escape").decode()
         .replace("\\x", "\\u00") + 'x"}'),
        ("a.tess", f"<a 1> x{ESCAPES}x"),
        ("a.txt", f"x{ESCAPES}x"),
    ],
)  # fmt: skip
def test_control_characters_are_kept_as_text(attack, name, data):
    assert attack(name, data).texts == (f"x{ESCAPES}x",)


@pytest.mark.parametrize(
    "data",
    [
        f"id,text\n{ESCAPES},arma\n{ESCAPES},uirum\n",
        f"{ESCAPES},text\na,arma\n",
        f"id,text,{ESCAPES},{ESCAPES}\na,arma,1,2\n",
    ],
)
def test_control_characters_in_ids_and_headers_are_shown_harmlessly(attack, data):
    with pytest.raises(LocisimilesError) as caught:
        attack("a.csv", data)
    assert not any(letter < " " or "\x7f" <= letter <= "\x9f" for letter in str(caught.value))


@pytest.mark.parametrize("text", ["=cmd|'/c calc'!A1", "@SUM(1)", "+1", "-1+1", "=HYPERLINK(1)"])
def test_formulas_are_only_text(attack, text):
    assert attack("a.jsonl", f'{{"id": "a", "text": "{text}"}}').texts == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "arma \u202eonac\u202c uirum",
        "\u200farma\u200e",
        "a" + "\u0301" * 30,
        "uo\u0304x fau\u0306cibus",
        "שלום arma عربي",
        "arma\u200b\u2060uirum",
        "𝔞𝔯𝔪𝔞 \U0001f600",
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "a.tess", "a.txt", "a.xml"])
def test_unusual_characters_are_kept(attack, name, text):
    data = {
        "a.csv": f"id,text\na,{text}\n",
        "a.tess": f"<a 1> {text}\n",
        "a.txt": text,
        "a.xml": f"<TEI><text><body><p>{text}</p></body></text></TEI>",
    }[name]
    assert attack(name, data).texts == (text,)


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("suffix", ["jsonl", "json"])
@pytest.mark.parametrize(("opening", "closing"), ["[]", ('{"a":[', "]}")])
@pytest.mark.parametrize("depth", [100, 900, 5000, 1_000_000])
def test_deeply_nested_json_is_refused(attack, suffix, depth, opening, closing):
    data = f'{{"id": "a", "text": "arma", "x": {opening * depth}1{closing * depth}}}'
    with pytest.raises(UnsafeInputError, match=r"nested more than 100 deep.*LIMITS=depth="):
        attack(f"a.{suffix}", data)


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("text", ["[" * 500, '\\"' + "[{" * 300, "]" * 300, "\\\\"])
def test_nested_json_is_read_and_brackets_in_texts_are_no_depth(attack, text):
    depth = 99
    cell = json.dumps(text)
    data = f'{{"id": "a", "text": {cell}, "x": {"[" * depth}{cell}{"]" * depth}}}'
    assert attack("a.jsonl", data).texts == (text,)
    # Brackets that close in a text do not hide others.
    hidden = f'{{"id": "a", "text": {cell}, "x": {f"[{cell}," * 100}1{"]" * 100}}}'
    with pytest.raises(UnsafeInputError, match="nested more than"):
        attack("b.jsonl", hidden)


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("unit", ['\\"', '"', '"[', "\\", '{"', "[]"])
def test_looking_for_depth_takes_little_time(unit):
    for before in ("[" * 101, "[" * 101 + '"'):
        with pytest.raises(InputError):
            parse_json(before + unit * 500_000, "a.json")


def test_many_shallow_lists_are_not_deep():
    assert parse_json("[" + ",".join(["[{}]"] * 500) + "]", "a.json") == [[{}]] * 500
    assert parse_json("[" + "[[]]," * 300 + "[]]", "a.json")[-1] == []


@pytest.mark.usefixtures("must_end")
def test_a_header_of_very_many_columns_is_refused_fast(attack):
    names = ",".join(f"c{n}" for n in range(100_000))
    with pytest.raises(UnsafeInputError, match="more than 16,384 columns"):
        attack("a.csv", f"id,text,{names}\na,arma\n")


@pytest.mark.usefixtures("must_end")
def test_objects_without_common_keys_are_read_or_refused_fast(attack):
    lines = (f'{{"id": {n}, "text": "arma", "k{n}": 1}}' for n in range(20_000))
    try:
        document = attack("a.jsonl", "\n".join(lines))
    except LocisimilesError:
        document = None
    assert document is None or len(document) == 20_000
