"""Tables of weights: how they are kept, and what is none."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles import MalformedInputError, OutputError
from locisimiles.candidates import Features
from locisimiles.retrieve.combined.priors import PRIOR_COLUMNS, AuthorPriors
from locisimiles.retrieve.combined.ranker import Ranker
from locisimiles.retrieve.combined.weights import (
    CHANNELS,
    SECOND_STAGE,
    CombinedWeights,
    StageWeights,
)


def stages(priors, seed):
    rng = np.random.default_rng(seed)
    names = (*SECOND_STAGE, *priors)
    shapes = [(len(names),), (len(names), 2), (2,), (2,)]
    network = [rng.normal(size=shape).round(4).astype(np.float32) for shape in shapes]
    first = {
        name: float(value)
        for name, value in zip((*CHANNELS, *priors), rng.normal(size=9), strict=False)
    }
    return StageWeights(first, Ranker(names, *network))


@pytest.fixture(scope="module")
def table():
    known = {"Jerome": {"Virgil": 1.5, "": -0.25}, "": {"Virgil": 0.5}}
    return CombinedWeights(
        stages(PRIOR_COLUMNS, 1), stages((), 2), AuthorPriors(known, {"": {"ō: Ὀ": 2.0}})
    )


def test_a_table_comes_back_as_it_was(table, tmp_path):
    table.save(tmp_path / "w.json")
    back = CombinedWeights.load(tmp_path / "w.json")
    assert back.fingerprint() == table.fingerprint()
    assert back.priors == table.priors
    for priors in (True, False):
        assert back.stages(priors=priors).first == table.stages(priors=priors).first
        one, other = (own.stages(priors=priors).second for own in (back, table))
        assert one.names == other.names
        values = np.random.default_rng(0).normal(size=(5, len(one.names))).astype(np.float32)
        rows = Features(one.names, values)
        assert one.scores(rows).tolist() == other.scores(rows).tolist()


def test_another_table_has_another_fingerprint(table):
    others = [
        CombinedWeights(stages(PRIOR_COLUMNS, 3), table.without_priors, table.priors),
        CombinedWeights(table.with_priors, stages((), 3), table.priors),
        CombinedWeights(table.with_priors, table.without_priors, AuthorPriors({}, {})),
        replace(table, encoder_sha256="ab"),
    ]
    assert len({own.fingerprint() for own in (table, *others)}) == 5


def test_the_shipped_table_has_all_columns():
    shipped = CombinedWeights.shipped()
    assert shipped is CombinedWeights.shipped()
    assert shipped.with_priors.second.names == (*SECOND_STAGE, *PRIOR_COLUMNS)
    assert shipped.without_priors.second.names == SECOND_STAGE
    assert tuple(shipped.with_priors.first) == (*CHANNELS, *PRIOR_COLUMNS)
    assert shipped.priors.knows("Jerome")


def test_a_table_that_cannot_be_written_is_told(table, tmp_path):
    with pytest.raises(OutputError, match="cannot be written: No such file"):
        table.save(tmp_path / "none" / "w.json")


def refused(path):
    with pytest.raises(MalformedInputError) as caught:
        CombinedWeights.load(path)
    return str(caught.value) == (
        f"{path}: not a weights file of locisimiles; create one with: locisimiles train default"
    )


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"3", b"null", b"\xff\xfe", b'"format"', b"[" * 50_000, b'{"format": 1}'],
    ids=lambda content: repr(content[:10]),
)
def test_what_is_no_table_is_told_with_a_hint(tmp_path, content):
    (tmp_path / "w.json").write_bytes(content)
    assert refused(tmp_path / "w.json")


def test_no_file_or_a_folder_is_told_with_a_hint(tmp_path):
    assert refused(tmp_path / "w.json")
    assert refused(tmp_path)


def places(content, path=()):
    """Return where the values of a JSON object are, those in lists left out."""
    if isinstance(content, dict):
        for name, value in content.items():
            yield (*path, name)
            yield from places(value, (*path, name))


@pytest.mark.parametrize(
    "value",
    [None, "much", [], [[]], {"a": 1}, math.nan, math.inf, 10**400],
    ids=lambda value: repr(value)[:9],
)
def test_a_table_with_anything_else_somewhere_is_refused(table, tmp_path, value):
    path = tmp_path / "w.json"
    written = table._text()
    for place in places(json.loads(written)):
        # No priors at all, or of people called otherwise, are priors too.
        if place[0] == "priors" and len(place) < 4 and isinstance(value, dict):
            continue
        if place == ("encoder_sha256",):  # another name is a name
            continue
        content = json.loads(written)
        inner = content
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = value
        path.write_text(json.dumps(content), encoding="utf-8")
        assert refused(path), place


def test_a_table_without_anything_is_refused(table, tmp_path):
    path = tmp_path / "w.json"
    written = table._text()
    for place in places(json.loads(written)):
        if place[0] == "priors" and len(place) > 2:
            continue
        content = json.loads(written)
        inner = content
        for name in place[:-1]:
            inner = inner[name]
        del inner[place[-1]]
        path.write_text(json.dumps(content), encoding="utf-8")
        assert refused(path), place


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_table_that_is_cut_off_is_refused(table, tmp_path, data):
    written = table._text().encode()
    end = data.draw(st.integers(0, len(written) - 3))
    (tmp_path / "w.json").write_bytes(written[:end])
    assert refused(tmp_path / "w.json")
