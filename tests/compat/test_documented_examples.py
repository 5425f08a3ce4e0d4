"""What the paper's package documents runs unchanged after one import line."""

import csv
import json
import subprocess
import sys
import warnings

import pytest

from compat.documented_examples import EXAMPLES

QUERY = {
    "hier. adv. iovin. 1.41": "O decus Italiae, uirgo!",
    "hier. adv. pelag. 3.11": "Numquam hodie effugies, ueniam quocumque uocaris.",
    "query-id": "Coniugium uocat, hoc praetexit nomine culpam. Vale.",
}
SOURCE = {
    "verg. aen. 1.1": "Arma uirumque cano, Troiae qui primus ab oris",
    "verg. aen. 4.172": "coniugium uocat, hoc praetexit nomine culpam.",
    "verg. aen. 11.508": "o decus Italiae uirgo, quas dicere grates quasue referre parem?",
    "verg. ecl. 3.49": "Numquam hodie effugies; ueniam quocumque uocaris.",
}
KNOWN = {
    ("hier. adv. iovin. 1.41", "verg. aen. 11.508"): 1,
    ("hier. adv. pelag. 3.11", "verg. ecl. 3.49"): 1,
    ("query-id", "verg. aen. 4.172"): 1,
}
QUERIES = ["query.csv", "hieronymus.csv", "mixed.csv", "../data/hieronymus_samples.csv"]
SOURCES = ["source.csv", "vergil.csv", "vergil_samples.csv", "../data/vergil_samples.csv"]
# What an example takes from those before it.
GIVEN = """
import warnings
warnings.simplefilter("ignore")
query_doc, source_doc = Document("query.csv"), Document("source.csv")
pipeline = BM25RetrievalPipeline()
candidates = pipeline.generate_candidates(query=query_doc, source=source_doc)
positives, negatives = GroundTruth("labels.csv"), GroundTruth()
"""


def write(path, header, rows):
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("paper") / "here"
    place.mkdir()
    for name in QUERIES:
        write(place / name, ["seg_id", "text"], QUERY.items())
    for name in SOURCES:
        write(place / name, ["seg_id", "text"], SOURCE.items())
    for name in ("labels.csv", "ground_truth.csv"):
        rows = [[*pair, label] for pair, label in KNOWN.items()]
        write(place / name, ["query_id", "source_id", "label"], rows)
    (place / "my_stopwords.txt").write_text("et\nin\n")
    return place


@pytest.fixture(scope="module")
def ran(folder):
    """Run all examples as they stand, each in names of its own, after one import line."""
    program = [
        "import locisimiles.compat.unchanged",
        "import json, sys",
        "for name, code in json.load(sys.stdin).items():",
        "    names = {'__name__': '__main__'}",
        "    exec('from locisimiles import *', names)",
        "    exec(" + repr(GIVEN) + ", names)",
        "    exec(compile(code, name, 'exec'), names)",
        "    kinds = {key: type(value).__module__ for key, value in names.items()}",
        "    print('done', json.dumps([name, kinds]))",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(program)],
        input=json.dumps(EXAMPLES),
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("done ")]
    return dict(json.loads(line.removeprefix("done ")) for line in lines), done.stdout


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs_on_our_engine(ran, name):
    kinds = ran[0][name]
    theirs = {module for module in kinds.values() if module.startswith("locisimiles")}
    assert theirs
    assert {module for module in theirs if not module.startswith("locisimiles.compat")} == set()


def test_it_prints_what_it_should(ran):
    output = ran[1]
    assert "12 candidate pairs" in output
    assert "▶ Query segment 'hier. adv. iovin. 1.41':" in output
    assert "hier. adv. iovin. 1.41 → verg. aen. 11.508" in output
    assert "Best F1 at threshold" in output


WITHOUT_IMPORTS = ["README, basic usage", "README, multiclass", "Document.sentencize"]


@pytest.mark.parametrize("name", WITHOUT_IMPORTS)
def test_it_runs_after_a_star_import_too(name, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec("from locisimiles.compat import *" + GIVEN + EXAMPLES[name], names)
    if name == "README, multiclass":
        first = names["first"]
        assert first.predicted_label in {"cit", "cf"}
        assert first.segment.id == "verg. aen. 4.172"
        assert set(first.class_probabilities) == {"no_match", "cit", "cf"}
        assert sum(first.class_probabilities.values()) == pytest.approx(1)
        wanted = first.class_probabilities["cit"] + first.class_probabilities["cf"]
        assert first.judgment_score == pytest.approx(wanted)
        assert str(first.judgment_score) in capsys.readouterr().out
    if name == "README, basic usage":
        with (folder / "results.csv").open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert list(rows[0]) == [
            "query_id", "source_id", "source_text", "candidate_score", "judgment_score",
        ]  # fmt: skip
        best = {}
        for row in sorted(rows, key=lambda row: float(row["judgment_score"])):
            best[row["query_id"]] = row["source_id"]
        assert best == dict(KNOWN.keys())
        assert json.loads((folder / "results.json").read_text())["query-id"]
