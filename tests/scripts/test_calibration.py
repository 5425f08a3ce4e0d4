"""What the benchmark of probabilities counts as right, and as expected."""

from dataclasses import replace

import numpy as np
import pytest

import calibration
from calibration import (
    Judged,
    LaterSources,
    Truth,
    measured,
    passages,
    totals,
    verse_weights,
)
from locisimiles import Document, Segment
from locisimiles.benchmark.sets.parallels import Parallels
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates
from locisimiles.learn.base_rates import JudgedText
from locisimiles.retrieve.verses import VerseWeights


def judged_of(probability, right, *, part="fathers", noted=2, sentences=10):
    chances = np.column_stack([1 - np.array(probability), probability, 0 * np.array(probability)])
    rows = np.arange(len(probability))
    return Judged(
        part, "text", sentences, 50, noted, rows, rows, chances.astype(np.float32),
        np.array(right, bool), np.ones(len(rows), bool),
    )  # fmt: skip


def test_a_parallel_source_is_right_once():
    found = Candidates(
        np.array([0, 0, 0], np.int32), np.array([4, 5, 7], np.int32), np.zeros(3, np.float32)
    )
    truth = Truth(References.from_columns([0], [5], [1]), Parallels.from_pairs([4], [5]))
    right, counts = truth.of(found)
    assert right.tolist() == [True, False, False]
    assert counts.tolist() == [True, False, True]


def test_without_parallels_only_the_noted_source_is_right():
    found = Candidates(np.array([0, 0], np.int32), np.array([4, 5], np.int32), np.zeros(2, "f4"))
    right, counts = Truth(References.from_columns([0], [5], [1])).of(found)
    assert right.tolist() == [False, True]
    assert counts.all()


def test_null_texts_are_counted_by_sentences():
    row = measured(judged_of([0.6, 0.4], [0, 0], part="vulgate"), np.array([0.6, 0.4]), spread=0.0)
    assert row["expected in 100"] == pytest.approx(10)
    assert row["above .5 in 1,000"] == pytest.approx(100)
    assert totals("vulgate", [row, row])["expected in 100"] == pytest.approx(10)


def test_expected_references_are_compared_with_noted_ones():
    probability = np.array([0.9, 0.6])
    row = measured(judged_of(probability, [1, 0], noted=3), probability, spread=0.0)
    assert row["expected/noted"] == pytest.approx(0.5)
    assert row["listed"] == 1  # more would make less than four of five
    assert row["noted of these"] == 1
    assert row["intervals held"] == 5


def test_parallel_sources_count_once():
    judged = judged_of([0.9, 0.6, 0.5], [1, 0, 0])
    judged = replace(judged, query=np.zeros(3, np.int64))
    quoted = "Beati pauperes spiritu, quoniam ipsorum est regnum caelorum"
    once = judged.once([quoted, f"{quoted}.", "arma uirumque cano"], judged.probability)
    assert once.tolist() == [True, False, True]
    hardly = judged.once([quoted] * 3, np.array([0.9, 0.9, 1e-4]))
    assert hardly.tolist() == [True, False, True]
    row = measured(judged, judged.probability, 0.0, once)
    assert row["expected"] == pytest.approx(1.4)
    assert row["above .5"] == 1


def test_an_interval_that_misses_is_not_held():
    probability = np.full(40, 0.9)
    row = measured(judged_of(probability, [0] * 40), probability, spread=0.0)
    assert row["intervals held"] == 0


def test_passages_come_from_the_whole_text():
    rows = passages(np.arange(1000, 1420), 150)
    assert len(rows) == 150
    assert rows[0] == 1000
    assert rows[-1] == 1399
    assert passages(np.arange(7), 150) == list(range(7))


def test_null_texts_meet_later_sources_of_others_only():
    works = [("Virgil", "Aeneis"), ("Lucan", "Bellum civile"), ("Lucretius", "De rerum natura")]
    source = Document.from_segments(
        [Segment(f"s{n}", "arma", author=a, work=w) for n, (a, w) in enumerate(works)]
    )
    assert LaterSources(-55, "Lucretius", source).excluded.tolist() == [False, False, True]
    assert LaterSources(-19, "Ovid", source).excluded.tolist() == [True, False, True]


def test_judged_texts_are_kept(tmp_path):
    judged = judged_of([0.5, 0.25], [1, 0])
    judged.save(tmp_path / "one.npz")
    read = Judged.load(tmp_path / "one.npz")
    assert (read.key, read.sentences, read.noted) == ("fathers text", 10, 2)
    assert read.probability.tolist() == judged.probability.tolist()
    assert JudgedText.load(tmp_path / "one.npz").author == judged.text().author == "text"


def test_the_notes_of_an_author_do_not_count_for_their_own_texts(monkeypatch, tmp_path):
    noted = {"Prosper-Aquitanus": {("Matth.", "5.3"): 1}, "Nestorius": {("Matth.", "5.4"): 1}}
    monkeypatch.setattr(calibration, "noted_verses", lambda _: noted)
    found = verse_weights(tmp_path, ["Nestorius"])
    assert found["Nestorius"].counts == {"Matth.": {5: [0, 0, 1]}}
    assert found["Nestorius"].often == VerseWeights.shipped().often
    with pytest.raises(SystemExit, match=r"notes of Nestorius are counted.*--references"):
        verse_weights(None, ["Nestorius", "Hieronymus"])
    assert verse_weights(None, ["Hieronymus"]) == {"Hieronymus": VerseWeights.shipped()}
