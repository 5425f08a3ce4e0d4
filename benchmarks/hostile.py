"""Hostile inputs: valid files cut, flipped and repeated, and files made to ask for much.

Every input is a function of its number alone, so all runs have the same.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from hostile_folders import folder_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Hostile", "hostile_inputs"]

_MB = 1000**2
_MISPLACED = (b"\x00", b'"', b"<", b"{", b"[", b"\r", b"\xf0\x9f")
_TEXT = "Arma uirumque cano, Troiae qui primus ab oris. Haesit uox faucibus; obstipui. "


@dataclass(frozen=True)
class Hostile:
    """An input.

    Attributes
    ----------
    name
        What was done to which file.
    file
        The name that it gets, whose suffix says how it is read.
    content
        Makes its bytes.
    """

    name: str
    file: str
    content: Callable[[], bytes]


def hostile_inputs() -> Iterator[Hostile]:
    """Yield all inputs, in a fixed order."""
    for suffix, content in _VALID.items():
        for number in range(_DAMAGED_EACH):
            yield Hostile(
                f"damaged {suffix} {number}",
                f"a{suffix}",
                lambda content=content, number=number: _damaged(content(), number),  # type: ignore[misc]
            )
    for name, text in _TEXTS.items():
        for suffix, write in _AROUND.items():
            yield Hostile(
                f"{name} in {suffix}",
                f"a{suffix}",
                lambda write=write, text=text: write(text).encode("utf-8", "surrogatepass"),  # type: ignore[misc]
            )
    for name, (file, made) in _BOMBS.items():
        yield Hostile(name, file, made)
    for name, file, made in folder_inputs():
        yield Hostile(name, file, made)


def _damaged(content: bytes, number: int) -> bytes:
    """Return a file with damage of one of several kinds."""
    chance = random.Random(number)
    data = bytearray(content)
    kind = number % 6
    place = chance.randrange(max(len(data), 1))
    if kind == 0:
        return bytes(data[:place])
    if kind == 1:
        for _ in range(chance.choice([1, 4, 40])):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == 2:  # noqa: PLR2004 - kinds of damage
        data[place : place + chance.choice([4, 64])] = b"\xff" * chance.choice([4, 64])
    elif kind == 3:  # noqa: PLR2004
        data[place:place] = bytes(data[place : place + 200]) * chance.choice([2, 500])
    elif kind == 4:  # noqa: PLR2004
        del data[place : place + chance.randrange(1, 100)]
    else:
        data[place:place] = (
            chance.choice([b"\x00", b'"', b"<", b"{", b"[", b"\r", b"\xf0\x9f"]) * 50
        )
    return bytes(data)


def _csv() -> bytes:
    rows = "".join(
        f"s{n},{_TEXT[n:]!r},q{n},s{n},0.{n},Virgil\n".replace("'", '"') for n in range(20)
    )
    return f"id,text,query_id,source_id,score,author\n{rows}".encode()


def _jsonl() -> bytes:
    rows = (
        {"id": f"s{n}", "text": _TEXT[n:], "query_id": f"q{n}", "source_id": f"s{n}", "score": n}
        for n in range(20)
    )
    return "\n".join(map(json.dumps, rows)).encode()


def _zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


@cache
def _xlsx() -> bytes:
    from openpyxl import Workbook

    book, stream = Workbook(), io.BytesIO()
    book.active.append(["id", "text", "query_id", "source_id", "score"])  # type: ignore[union-attr]
    for row in range(20):
        book.active.append([f"s{row}", _TEXT[row:], f"q{row}", f"s{row}", row])  # type: ignore[union-attr]
    book.save(stream)
    return stream.getvalue()


@cache
def _parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream, names = io.BytesIO(), [f"s{row}" for row in range(20)]
    columns = {"id": names, "text": [_TEXT] * 20, "query_id": names, "source_id": names}
    pq.write_table(pa.table({**columns, "score": [0.5] * 20}), stream)
    return stream.getvalue()


def _npz() -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, a=np.arange(1000), b=np.ones((20, 30), np.float32))
    return stream.getvalue()


def _tei() -> bytes:
    lines = "".join(f'<l n="{n}">{_TEXT}</l>' for n in range(20))
    return (
        '<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
        f"<titleStmt><title>Aeneis</title></titleStmt></fileDesc></teiHeader><text><body>{lines}"
        "</body></text></TEI>"
    ).encode()


def _docx() -> bytes:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    paragraphs = f"<w:p><w:r><w:t>{_TEXT}</w:t></w:r></w:p>" * 20
    document = f'<w:document xmlns:w="{word}"><w:body>{paragraphs}</w:body></w:document>'
    return _zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": document.encode()})


_VALID: dict[str, Callable[[], bytes]] = {
    ".csv": _csv,
    ".tsv": lambda: _csv().replace(b",", b"\t"),
    ".jsonl": _jsonl,
    ".json": lambda: b"[" + _jsonl().replace(b"\n", b",") + b"]",
    ".xlsx": _xlsx,
    ".parquet": _parquet,
    ".npz": _npz,
    ".txt": (_TEXT * 20).encode,
    ".tess": lambda: "".join(f"<verg. aen. 1.{n}>\t{_TEXT}\n" for n in range(20)).encode(),
    ".xml": _tei,
    ".docx": _docx,
    ".html": ("<html><body>" + f"<p>{_TEXT}</p>" * 20 + "</body></html>").encode,
    ".zip": lambda: _zip({"a.txt": (_TEXT * 9).encode(), "b/c.csv": _csv()}),
}
_DAMAGED_EACH = 36

_TEXTS = {
    "nothing": "",
    "spaces": " \t\u00a0\u2003 ",
    "null bytes": "ar\x00ma",
    "escape sequences": "\x1b[2J\x1b]0;a\x07arma",
    "a lone surrogate": "arma \ud800",
    "text from right to left": "\u202earma\u202c \u200f",
    "marks upon a letter": "a" + "\u0323\u0301" * 20_000,
    "a long word": "a" * 2 * _MB,
    "many words": "arma " * 400_000,
    "many stops": "a. " * 300_000,
    "many colons": "a: " * 300_000,
    "many quotation marks": '"' * 300_000,
    "many brackets": "[" * 300_000 + "]" * 300_000,
    "many angle brackets": "<" * 300_000,
    "many ampersands": "&a;" * 100_000,
    "a formula": "=HYPERLINK(1)",
    "line ends": "\r\n\r\u2028\u0085\x0b" * 50_000,
    "other planes": "\U0001d51e\U0001f600" * 100_000,
    "numerals": "MMXXVI " * 100_000,
    "editorial signs": "uir[um]que <cano> {a} " * 30_000,
    "hyphens": "a-\n" * 100_000,
}
_AROUND: dict[str, Callable[[str], str]] = {
    ".csv": lambda text: f'id,text\n1,"{text}"\n2,{text}\n',
    ".jsonl": lambda text: json.dumps({"id": 1, "text": text}),
    ".txt": lambda text: text,
    ".tess": lambda text: f"<verg. aen. 1.1>\t{text}\n",
    ".xml": lambda text: f"<TEI><text><body><p>{text}</p></body></text></TEI>",
    ".html": lambda text: f"<html><body><p>{text}</p></body></html>",
}


def _table(rows: int, columns: int) -> bytes:
    names = ",".join(f"c{number}" for number in range(columns))
    lines = "".join(f"{row},arma,{row},{row},1\n" for row in range(rows))
    return f"id,text,query_id,source_id,score,{names}\n{lines}".encode()


def _new_keys(rows: int) -> bytes:
    return b"".join(
        b'{"id": %d, "text": "arma", "query_id": 1, "source_id": %d, "k%d": 1}\n' % (n, n, n)
        for n in range(rows)
    )


def _long_after_short(short: int, long: int) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    ids, stream = pa.array([str(row) for row in range(short + long)]), io.BytesIO()
    text = pa.array(["arma"] * short + ["a" * _MB] * long)
    columns = {"id": ids, "query_id": ids, "source_id": ids, "text": text}
    columns["score"] = pa.array([1.0] * len(ids))
    pq.write_table(pa.table(columns), stream, compression="zstd", use_dictionary=False)
    return stream.getvalue()


def _one_text(rows: int, letters: int) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    ids, stream = pa.array([str(row) for row in range(rows)]), io.BytesIO()
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows), pa.array(["a" * letters]))
    columns = {"id": ids, "query_id": ids, "source_id": ids, "score": [1.0] * rows, "text": text}
    pq.write_table(pa.table(columns), stream, compression="zstd")
    return stream.getvalue()


def _pairs(rows: int) -> Iterator[tuple[str, str, str]]:
    """Yield a result for each row, in no order; ids and scores are all different."""
    for row in range(rows):
        number = row * 7919 % rows
        yield f"q{number}", f"s{number}", f"{1 + row / rows:.7f}"


def _results_csv(rows: int, further: int = 0) -> bytes:
    names = "".join(f",c{column}" for column in range(further))
    lines = (
        f"{','.join(pair)}{''.join(f',{column}{pair[0]}' for column in range(further))}\n"
        for pair in _pairs(rows)
    )
    return f"query_id,source_id,score{names}\n{''.join(lines)}".encode()


def _results_jsonl(rows: int) -> bytes:
    lines = (
        f'{{"query_id": "{query}", "source_id": "{source}", "score": {score}}}\n'
        for query, source, score in _pairs(rows)
    )
    return "".join(lines).encode()


def _results_parquet(rows: int, further: int = 0) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    query, source, score = map(list, zip(*_pairs(rows), strict=True))
    columns = {f"c{column}": [f"{column}{name}" for name in query] for column in range(further)}
    stream = io.BytesIO()
    pairs = {"query_id": query, "source_id": source, "score": list(map(float, score))}
    pq.write_table(pa.table({**pairs, **columns}), stream)
    return stream.getvalue()


def _results_xlsx(rows: int) -> bytes:
    """Return a workbook that is quick to write: one sheet, texts within their cells."""
    book = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_xlsx())) as old, zipfile.ZipFile(book, "w") as new:
        for name in old.namelist():
            if name != "xl/worksheets/sheet1.xml":
                new.writestr(name, old.read(name))
        lines = "".join(
            "<row>" + "".join(f'<c t="str"><v>{cell}</v></c>' for cell in pair) + "</row>"
            for pair in [("query_id", "source_id", "score"), *_pairs(rows)]
        )
        main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        sheet = f'<worksheet xmlns="{main}"><sheetData>{lines}</sheetData></worksheet>'
        new.writestr("xl/worksheets/sheet1.xml", sheet, zipfile.ZIP_DEFLATED)
    return book.getvalue()


def _far_cells(rows: int) -> bytes:
    from openpyxl import Workbook

    book, stream = Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet()
    sheet.append(["id", "text", "query_id", "source_id", "score"])
    for row in range(rows):
        sheet.append([row, "arma", row, row, 1, *[None] * 16_000, "x"])
    book.save(stream)
    return stream.getvalue()


def _zeros(count: int) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, a=np.zeros(count, np.uint8))
    return stream.getvalue()


def _nested(opening: str, closing: str, depth: int) -> bytes:
    return (opening * depth + "arma" + closing * depth).encode()


_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
_BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "20,000 columns": ("a.csv", lambda: _table(6000, 20_000)),
    "16,000 columns of short rows": ("a.csv", lambda: _table(980, 16_000)),
    "a million columns": ("a.csv", lambda: _table(20, _MB)),
    "keys that differ": ("a.jsonl", lambda: _new_keys(20_000)),
    "16,000 keys that differ": ("a.jsonl", lambda: _new_keys(16_000)),
    "60 MB of empty lists": ("a.jsonl", lambda: b'{"x": [' + b"[]," * 20 * _MB + b"[]]}"),
    "24 MB of empty lists": ("a.jsonl", lambda: b'{"x": [' + b"[]," * 7_900_000 + b"[]]}"),
    "deep JSON": ("a.json", lambda: _nested("[", "]", _MB)),
    "deep objects": ("a.json", lambda: _nested('{"a":', "}", _MB)),
    "numbers of a million digits": (
        "a.json",
        lambda: b'[{"id": ' + b"1" * _MB + b', "text": "a"}]',
    ),
    "one text in Parquet": ("a.parquet", lambda: _one_text(3000, _MB)),
    "half a gigabyte in Parquet": ("a.parquet", lambda: _one_text(450, _MB)),
    "a quarter of a gigabyte in Parquet": ("a.parquet", lambda: _one_text(245, _MB)),
    "long texts after many short ones": ("a.parquet", lambda: _long_after_short(60_000, 245)),
    "too many long texts after short ones": ("a.parquet", lambda: _long_after_short(60_000, 450)),
    "a million results in Parquet": ("a.parquet", lambda: _results_parquet(990_000)),
    "a million results in CSV": ("a.csv", lambda: _results_csv(990_000)),
    "a million results in JSON Lines": ("a.jsonl", lambda: _results_jsonl(990_000)),
    "a million results of 16 columns in Parquet": (
        "a.parquet",
        lambda: _results_parquet(990_000, 13),
    ),
    "a million results of 16 columns in CSV": ("a.csv", lambda: _results_csv(990_000, 13)),
    "many results in a workbook": ("a.xlsx", lambda: _results_xlsx(50_000)),
    "many rows in Parquet": ("a.parquet", lambda: _one_text(3 * _MB, 1)),
    "far cells": ("a.xlsx", lambda: _far_cells(3000)),
    "fewer far cells": ("a.xlsx", lambda: _far_cells(990)),
    "a gigabyte of zeros": ("a.npz", lambda: _zeros(1000 * _MB)),
    "a header of a petabyte": (
        "a.npz",
        lambda: _zip(
            {
                "a.npy": b"\x93NUMPY\x01\x00\x46\x00"
                + b"{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000000,)}".ljust(70)
            }
        ),
    ),
    "a packed text": ("a.zip", lambda: _zip({"a.txt": b"arma " * 40 * _MB})),
    "packed texts": ("a.zip", lambda: _zip({f"{n}.txt": b"arma " * 190_000 for n in range(300)})),
    "a zip file in a zip file": ("a.zip", lambda: _zip({"a.zip": _zip({"b": b"a" * 30 * _MB})})),
    "many members": ("a.zip", lambda: _zip({f"{n}.txt": b"a" for n in range(30_000)})),
    "a member outside": ("a.zip", lambda: _zip({"../../a.txt": b"arma"})),
    "a packed document": (
        "a.docx",
        lambda: _zip({"word/document.xml": b"<w>" + b"<p>" * 40 * _MB}),
    ),
    "a packed page named as a text": ("a.txt", lambda: gzip.compress(b"a" * 100 * _MB)),
    "a billion laughs": (
        "a.xml",
        f'<!DOCTYPE x [<!ENTITY l0 "ha">{_LAUGHS}]><TEI>&l11;</TEI>'.encode,
    ),
    "an entity from outside": (
        "a.xml",
        lambda: b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><TEI>&a;</TEI>',
    ),
    "an entity used often": (
        "a.xml",
        f'<!DOCTYPE x [<!ENTITY a "{"a" * 900}">]><TEI>{"&a;" * 200_000}</TEI>'.encode,
    ),
    "deep XML": ("a.xml", lambda: _nested("<p>", "</p>", 300_000)),
    "deep pages": ("a.html", lambda: _nested("<div>", "</div>", 100_000)),
    "many attributes": (
        "a.xml",
        lambda: b"<TEI " + b"".join(b'a%d="" ' % n for n in range(200_000)) + b"/>",
    ),
    "endless comments": ("a.xml", lambda: b"<!--" * 500_000),
    "many loci": (
        "a.tess",
        lambda: b"".join(b"<verg. aen. 1.%d> arma\n" % n for n in range(200_000)),
    ),
    "a locus of a million digits": ("a.tess", lambda: b"<a 1." + b"1" * _MB + b"> arma\n"),
    "equal ids": ("a.csv", lambda: b"id,text\n" + b"1,arma\n" * 500_000),
    "empty rows": ("a.csv", lambda: b"id,text\n" + b",\n" * 3 * _MB),
    "scores that are none": (
        "a.csv",
        lambda: b"query_id,source_id,score\na,b,1e999\nc,d,nan\ne,f,-1e39\n",
    ),
}
