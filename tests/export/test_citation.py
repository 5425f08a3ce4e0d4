"""BibTeX."""

import re

from hypothesis import given
from hypothesis import strategies as st

from locisimiles.export.citation import cite_run


def fields(entry):
    return dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE))


def test_a_citation_has_what_is_needed_to_reproduce_the_run(judged):
    program, run = cite_run(judged.manifest, references=3).split("\n\n")
    assert program.startswith("@software{locisimiles,\n")
    assert fields(program)["version"] == "0.1.0"
    assert re.match(r"@misc\{locisimiles-run-[0-9a-f]{8},\n", run)
    note = fields(run)["note"]
    assert note == "3 candidates, method bm25, k = 2, 2 query segments, 3 source segments"
    assert "0" * 64 in fields(run)["manifest"]


def test_only_equal_searches_have_equal_keys():
    one, same, other = ({"k": 1, "a": 2}, {"a": 2, "k": 1}, {"k": 2, "a": 2})
    keys = [re.search(r"run-(\w+)", cite_run(manifest))[1] for manifest in (one, same, other)]
    assert keys[0] == keys[1] != keys[2]


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=3))
def test_braces_balance_whatever_the_manifest_says(manifest):
    text = cite_run(manifest)
    depth = 0
    for character in text:  # as BibTeX does, which does not care for backslashes
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    assert len(text.split("\n\n")) == 2
