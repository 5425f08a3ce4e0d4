"""``train default`` and ``train classifier``, and searches that use their weights."""

import json

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.base_rates import BaseRates
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.files.arrays import save_arrays
from locisimiles.learn.predictions import PredictionBook, left_out_sets
from locisimiles.retrieve.combined.weights import CombinedWeights
from locisimiles.retrieve.verses import VerseWeights
from support.small_set import small_document, small_set

WEIGHTS = {"default": CombinedWeights, "classifier": EnsembleWeights}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small_set().save(tmp_path / "small")
    return tmp_path


@pytest.fixture
def run(folder, program):  # noqa: ARG001
    return program


@pytest.mark.parametrize(
    ("command", "use", "part"),
    [
        ("default", ("--set", "weights=weights.json"), "retriever"),
        ("classifier", ("--method", "bm25", "--classifier", "weights.json"), "classifier"),
    ],
)
def test_weights_are_learnt_and_used(run, folder, command, use, part):
    done = run("train", command, "small", "-o", "weights.json")
    assert (done.code, done.out, done.err.splitlines()[-1]) == (0, "", "wrote weights.json")
    learnt = WEIGHTS[command].load(folder / "weights.json")
    assert set(learnt.priors.authors["Jerome"]) == {"Virgil"}

    texts = ("small/query.csv", "small/source.csv", "-k", 1)
    used = run("search", *texts, *use, "-o", "hits.json")
    assert used.code == 0, used.err
    written = json.loads((folder / "hits.json").read_text(encoding="utf-8"))
    assert written["manifest"][part]["weights_sha256"] == learnt.fingerprint()
    hits = {row["query_id"]: row["source_id"] for row in written["references"]}
    assert hits == {f"q{n}": f"s{n}" for n in range(12)}


def test_the_same_set_gives_the_same_bytes(run, folder):
    for name in ("weights.json", "again.json"):
        assert run("train", "default", "small", "-o", name).code == 0
    assert (folder / "again.json").read_bytes() == (folder / "weights.json").read_bytes()


def test_weights_are_learnt_from_cross_encoder_predictions(run, folder):
    ids = [f"q{n}" for n in range(12)], [f"s{n}" for n in range(12)]
    query, source = np.divmod(np.arange(144), 12)
    logits = np.where((query == source)[:, None], [-3, 3, 0], [3, -3, -3])
    record = (query, source, logits.astype(np.float32))
    book = PredictionBook.of_logits(*ids, dict.fromkeys(left_out_sets([0, 1, 2]), record))
    book.save(folder / "predictions.npz")
    command = ("train", "classifier", "small")
    assert run(*command, "-o", "without.json").code == 0
    done = run(*command, "--predictions", "predictions.npz", "-o", "with.json")
    assert done.code == 0, done.err
    assert (folder / "with.json").read_bytes() != (folder / "without.json").read_bytes()


@pytest.mark.parametrize("command", ["default", "classifier"])
def test_an_existing_file_is_replaced_only_with_overwrite(run, folder, command):
    (folder / "weights.json").write_text("mine")
    done = run("train", command, "small", "-o", "weights.json")
    assert (done.code, (folder / "weights.json").read_text()) == (1, "mine")
    assert "already exists" in done.err
    assert run("train", command, "small", "-o", "weights.json", "--overwrite").code == 0
    WEIGHTS[command].load(folder / "weights.json")


@pytest.mark.parametrize(
    ("command", "arguments", "problem"),
    [
        *(
            (command, arguments, problem)
            for command in ("default", "classifier")
            for arguments, problem in (
                (["none", "-o", "w.json"], "none: query.csv is missing"),
                (["small", "-o", "w.csv"], "w.csv"),
                (["small", "-o", "no/w.json"], "there is no folder no"),
            )
        ),
        ("default", ["silent", "-o", "w.json"], "no query has a right candidate"),
        ("classifier", ["silent", "-o", "w.json"], "no query has a right candidate"),
        ("classifier", ["bare", "-o", "w.json"], "the training set has fewer than two folds"),
    ],
)
def test_errors_are_reported_in_one_line(run, folder, command, arguments, problem):
    source = small_document("s", "Virgil", "uenit")
    bare = References.from_columns([0], [3], [1])
    Benchmark(small_document("q", "Jerome", "dixit"), source, bare).save(folder / "bare")
    silent = Document.from_segments(Segment(name, "...", author="Jerome") for name in "ab")
    nothing = References.from_columns([0, 1], [3, 4], [1, 2], fold=[0, 1])
    Benchmark(silent, source, nothing).save(folder / "silent")
    done = run("train", command, *arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert problem in done.err
    assert not (folder / "w.json").exists()


def test_the_default_is_measured_with_and_without_priors(run, folder):
    done = run("benchmark", "run", "small", "--method", "default", "-o", "runs")
    assert done.code == 0, done.err
    done = run("benchmark", "run", "small", "--method", "default", "--no-priors", "-o", "runs")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].startswith("default-no-priors\t")
    manifests = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))
        for path in (folder / "runs" / "retrieval").glob("*/manifest.json")
    }
    priors = {name: own["method"]["parameters"]["priors"] for name, own in manifests.items()}
    assert priors == {"default": True, "default-no-priors": False}
    assert all(own["trained"] for own in manifests.values())


def test_the_shipped_default_is_measured(run, folder):
    done = run("benchmark", "run", "small", "--method", "default", "--no-train", "-o", "runs")
    assert done.code == 0, done.err
    path = folder / "runs" / "retrieval" / "default" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    shipped = CombinedWeights.shipped().fingerprint()
    assert manifest["trained"] is False
    assert manifest["method"]["parameters"]["weights_sha256"] == shipped


def test_base_rates_are_learnt_from_judged_texts(run, folder):
    random = np.random.default_rng(1)
    (folder / "judged").mkdir()
    for number, part in enumerate(("fathers", "fathers", "vulgate", "loci")):
        true = random.normal(-3.0, 2.0, 500)
        told = 1 / (1 + np.exp(-(true + 2)))
        right = (random.random(500) < 1 / (1 + np.exp(-true))) & (part != "vulgate")
        save_arrays(
            folder / "judged" / f"{number}.npz",
            {
                "query": np.arange(500), "chances": np.column_stack([1 - told, told, 0 * told]),
                "right": right, "counts": np.ones(500, bool),
                "part": np.array(part), "name": np.array(f"author{number}"),
            },
        )  # fmt: skip
    for _ in range(2):
        done = run("train", "base-rates", "judged", "-o", "rates.json", "--overwrite")
        assert (done.code, done.err) == (0, "wrote rates.json\n")
        rates = BaseRates.load(folder / "rates.json")
    assert rates.others.constant < -1
    assert rates.own.rate > 0
    others = [f"judged/{number}.npz" for number in range(3)]
    done = run("train", "base-rates", *others, "--keep-own", "-o", "kept.json")
    assert done.code == 0
    kept = BaseRates.load(folder / "kept.json")
    assert (kept.own, kept.others) == (BaseRates.shipped().own, rates.others)
    failed = run("train", "base-rates", "judged/0.npz", "-o", "other.json")
    assert failed.code != 0
    assert "fewer than two" in failed.err or "no judged text" in failed.err


def test_verses_are_learnt_and_used(run, folder):
    words = "arma uirumque cano Troiae primus oris litora fato profugus multum".split()
    verses = [
        f"vulg. mt. 5.{n + 1},Vulgata,Mt,5.{n + 1},{word} dixit" for n, word in enumerate(words)
    ]
    fathers, notes = ["seg_id,author,work,locus,text"], ["query_id,source_id,at"]
    for author in ("Ambrosius", "Hilarius"):
        for n in range(60):
            fathers.append(f"{author}.{n},{author},a,{n},{words[n % 10]} dixit")
            if n < 25:
                notes.append(f"{author}.{n},vulg. mt. 5.{n % 10 + 1},0.9")
    tables = {"vulgate": ["seg_id,author,work,locus,text", *verses], "fathers": fathers}
    (folder / "references").mkdir()
    for name, lines in {**tables, "references": notes}.items():
        (folder / "references" / f"{name}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    assert run("benchmark", "build", "--references", "references", "-o", "bible").code == 0
    done = run("train", "verses", "bible", "references", "-o", "verses.json")
    assert (done.code, done.err.splitlines()[-1]) == (0, "wrote verses.json")
    learnt = VerseWeights.load(folder / "verses.json")
    assert sum(learnt.counts["Matth."][5]) == 50
    assert learnt.authors == ("Ambrosius", "Hilarius")

    texts = ("bible/query.csv", "bible/source.csv", "-k", 1)
    used = run("search", *texts, "--set", "verse_weights=verses.json", "-o", "hits.json")
    assert used.code == 0, used.err
    written = json.loads((folder / "hits.json").read_text(encoding="utf-8"))
    assert written["manifest"]["retriever"]["verses"] == learnt.fingerprint()
