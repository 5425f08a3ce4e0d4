"""A search has the same rows from the command line, from Python, in the app, and as a job."""

import csv
from pathlib import Path

import pytest

from locisimiles import Document, Pipeline
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import add_file
from locisimiles.app.results.exporting import stored_results
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import request_search
from locisimiles.app.search.worker import SearchRun
from locisimiles.classify.selection import Selection
from locisimiles.examples import load_example_query, load_example_source
from locisimiles.export import write_results
from locisimiles.retrieve.methods import MethodOptions
from support.commands import program

__all__ = ["program"]

JOBS = {
    "lexical": (
        ["--method", "bm25", "--classifier", "none", "-k", "4"],
        lambda: Pipeline("bm25", k=4, classifier=None, group=True),
        SearchParameters(method="bm25", k=4),
    ),
    "settings": (
        ["--method", "bm25", "--classifier", "none", "-k", "3", "--set", "k1=0.4"],
        lambda: Pipeline("bm25", k=3, classifier=None, settings={"k1": "0.4"}, group=True),
        SearchParameters(method="bm25", k=3, settings={"k1": "0.4"}),
    ),
    "default": (["-k", "3"], lambda: Pipeline(k=3, group=True), SearchParameters(k=3)),
    "no priors": (
        ["-k", "2", "--no-priors"],
        lambda: Pipeline(k=2, options=MethodOptions(priors=False), group=True),
        SearchParameters(k=2, priors=False),
    ),
    "budget": (
        ["-k", "5", "--budget", "9"],
        lambda: Pipeline(k=5, selection=Selection(budget=9), group=True),
        SearchParameters(k=5, budget=9),
    ),
    "precision": (
        ["-k", "5", "--precision", "60%"],
        lambda: Pipeline(k=5, selection=Selection(precision=0.6), group=True),
        SearchParameters(k=5, precision=0.6),
    ),
    "threshold": (
        ["-k", "5", "--threshold", "20%"],
        lambda: Pipeline(k=5, selection=Selection(threshold=0.2), group=True),
        SearchParameters(k=5, threshold=0.2),
    ),
}
QUICK = {"lexical", "budget"}
NEEDED = {
    "query_id",
    "source_id",
    "rank",
    "score",
    "shared",
    "query_text",
    "source_text",
    "parallel_to",
}
JUDGED = {"type", "probability", "probability_cit", "probability_cf"}


def table(document):
    rows = [
        ["id", "text", "author", "work", "locus"],
        *([one.id, one.text, one.author, one.work, one.locus] for one in document),
    ]
    with Path("table.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return Path("table.csv").read_bytes()


def rows(path):
    with Path(path).open(encoding="utf-8", newline="") as stream:
        return [*csv.DictReader(stream)]


@pytest.mark.parametrize(
    "name", [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in JOBS]
)
def test_the_same_rows_from_everywhere(program, tmp_path, monkeypatch, name):
    options, pipeline, parameters = JOBS[name]
    monkeypatch.chdir(tmp_path)
    texts = {"query.csv": load_example_query()[:12], "source.csv": load_example_source()}
    for file, document in texts.items():
        Path(file).write_bytes(table(document))

    done = program("search", "query.csv", "source.csv", *options, "-o", "cli.csv")
    assert done.code == 0, done.err

    results = pipeline().run(query=Document("query.csv"), source=Document("source.csv"))
    write_results(results, tmp_path / "python.csv")

    project = ProjectCollection(tmp_path / "projects").create("Same")
    for side in ("query", "source"):
        add_file(project, side, f"{side}.csv", Path(f"{side}.csv").read_bytes())
    SearchRun(project, request_search(project, parameters)).run()
    write_results(stored_results(project), tmp_path / "app.csv")

    found = {each: rows(f"{each}.csv") for each in ("cli", "python", "app")}
    assert len(found["cli"]) > 0
    shared = found["cli"][0].keys() & found["python"][0].keys() & found["app"][0].keys()
    assert shared >= (NEEDED if parameters.method == "bm25" else NEEDED | JUDGED), sorted(shared)
    cli, python, app = (
        [{column: row[column] for column in sorted(shared)} for row in some]
        for some in found.values()
    )
    assert cli == python
    assert app == python
