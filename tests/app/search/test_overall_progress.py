"""One progress over all phases of a search."""

import pytest

from locisimiles.app.search.overall_progress import OverallProgress, plan_search


def simulate(plan, seconds, queries=20, finished=0, step=0.5):
    """Run a search whose phases take `seconds`; return time, progress and time really left."""
    progress, now, told = OverallProgress(dict(plan), began=0.0), 0.0, []
    end = sum(seconds.values()) - seconds["searching"] * finished / queries
    for phase, whole in seconds.items():
        done, total = (finished, queries) if phase == "searching" else (0, 100)
        length = whole * (total - done) / total
        began, first = now, done
        while now < began + length - 1e-9:
            share = (now - began) / length
            progress.report(phase, first + int(share * (total - first)), total, now=now)
            told.append((now, progress.at(now), end - now))
            now += step
        now = began + length
    return told


PHASES = ("preparing", "indexing", "encoding source", "preparing evidence", "searching")
SPEEDS = {
    "as planned": (1, 4, 20, 1, 30),
    "slow": (3, 16, 80, 4, 120),
    "fast": (1, 1, 5, 0.5, 8),
    "a slow encoder": (1, 4, 100, 1, 30),
    "a slow search": (1, 4, 20, 1, 200),
}


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("finished", [0, 10])
def test_the_progress_never_falls_and_ends_near_the_end(speed, finished):
    plan = dict(zip(PHASES, (1.0, 4.0, 20.0, 1.0, 30.0), strict=True))
    told = simulate(plan, dict(zip(PHASES, SPEEDS[speed], strict=True)), finished=finished)
    shares = [progressed.share for _, progressed, _ in told]
    assert shares == sorted(shares)
    assert shares[0] < 0.1
    assert 0.9 < shares[-1] < 1.0


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_time_left_is_right_once_the_search_itself_is_measured(speed):
    seconds = dict(zip(PHASES, SPEEDS[speed], strict=True))
    plan = dict(zip(PHASES, (1.0, 4.0, 20.0, 1.0, 30.0), strict=True))
    searching = sum(seconds.values()) - 0.8 * seconds["searching"]
    for now, progressed, left in simulate(plan, seconds):
        if now > searching:
            assert progressed.seconds_left == pytest.approx(left, rel=0.3, abs=4)


def test_a_uniformly_slow_machine_is_noticed_while_it_encodes():
    plan = dict(zip(PHASES, (1.0, 4.0, 20.0, 1.0, 30.0), strict=True))
    for now, progressed, left in simulate(plan, dict(zip(PHASES, SPEEDS["slow"], strict=True))):
        if now > 40:
            assert progressed.seconds_left == pytest.approx(left, rel=0.25)


def test_no_time_is_promised_before_anything_is_measured():
    progress = OverallProgress(plan_search(100, 1000, encodes=True), began=0.0)
    assert progress.at(0.5).seconds_left is None
    progress.report("preparing", 0, 0, now=0.5)
    assert progress.at(10.0).seconds_left is None
    progress.report("indexing", 0, 1000, now=10.0)
    assert progress.at(10.0).seconds_left is not None


def test_parts_of_a_phase_do_not_disturb_it():
    progress = OverallProgress({"searching": 10.0}, began=0.0)
    progress.report("searching", 5, 10, now=0.0)
    progress.report("encoding query", 0, 4, now=3.0)
    progress.report("searching", 6, 10, now=5.0)
    share, left = progress.at(5.0)
    assert left == pytest.approx(20.0)
    assert share == pytest.approx(0.6)


def test_a_method_without_an_encoder_is_planned_without_one():
    lexical, encoding = (plan_search(100, 5000, encodes=encodes) for encodes in (False, True))
    assert lexical["encoding source"] == 0
    assert lexical["searching"] < encoding["searching"]


def test_indexed_sources_are_neither_indexed_nor_encoded_again():
    plan = plan_search(100, 10_000, encodes=True, indexed=True)
    assert plan["indexing"] == plan["encoding source"] == 0
    assert plan["searching"] == plan_search(100, 10_000, encodes=True)["searching"]
