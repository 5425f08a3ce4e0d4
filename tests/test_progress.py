"""Long-running work reports progress."""

import pytest

from locisimiles import Document, Pipeline, Segment, make_retriever
from locisimiles.progress import duration, silent


def reports(queries, sources):
    """Return what a search reports."""
    reported = []
    Pipeline(make_retriever("bm25-surface")).run(
        query=Document.from_segments(Segment(f"q{n}", "arma") for n in range(queries)),
        source=Document.from_segments(Segment(f"s{n}", "arma") for n in range(sources)),
        progress=lambda task, done, total: reported.append((task, done, total)),
    )
    return reported


def test_silent_work_reports_nothing(capsys):
    silent("indexing", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_the_start_and_end_of_each_task_are_reported():
    assert reports(2, 3) == [
        ("indexing", 0, 3),
        ("indexing", 3, 3),
        ("searching", 0, 2),
        ("searching", 2, 2),
    ]


def test_long_work_reports_at_intervals():
    assert reports(600, 9000) == [
        ("indexing", 0, 9000),
        ("indexing", 8192, 9000),
        ("indexing", 9000, 9000),
        ("searching", 0, 600),
        ("searching", 128, 600),
        ("searching", 256, 600),
        ("searching", 384, 600),
        ("searching", 512, 600),
        ("searching", 600, 600),
    ]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "5 s"), (5.1, "10 s"), (90, "90 s"), (91, "2 min"), (3540, "59 min"), (3541, "1 h 0 min")],
)
def test_a_time_left_is_no_more_exact_than_it_can_be(seconds, said):
    assert duration(seconds) == said
