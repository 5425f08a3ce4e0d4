"""Compare two checkouts byte by byte: searches, exports, measurements, learnt weights, the app.

    python benchmarks/same_results.py OLD NEW [--set SET] [--keep FOLDER] [--only WORD ...]

OLD and NEW are checkouts; this Python runs the code of both. Every job is a command line that runs
in its own folder with both checkouts; all files it writes, and what it prints, must be the same.
SET is a benchmark folder, as ``locisimiles benchmark build`` writes it; a small part of it is used
to measure and to learn from. Expected differences (such as the version of a weights file) are
listed in ``EXPECTED``, with the reason, and removed on both sides before the comparison.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from harness import parser, running_app

EXPECTED: dict[str, str] = {
    r"weights_sha256.{0,16}[0-9a-f]{64}": "weights name their encoder, and priors by that name",
    r"urn:uuid:[0-9a-f-]{36}": "ids of annotations are hashes of the manifest",
    r'(?<=[";>])(cut|selection)(?=["&<])': "which pairs are kept is called a selection",
    r'(?<="terms": ")(readings|analyses)': "the lemmas a form may have are called analyses",
    r'\s*"((cross_)?encoder_sha256": "[0-9a-f]*|format": [0-9]+)"?,': "weights name their encoder",
    r'(?<=")(habits|priors|noted|coverage|final|second|reranking)(?=":)': "entries of weights",
}
"""Regular expressions of expected differences, with the reason; removed before comparing."""

FORMATS = ("csv", "tsv", "json", "jsonl", "xlsx", "parquet", "html", "xml", "jsonld", "graphml")
METHODS = (
    "default", "fusion", "bm25", "bm25-surface", "bm25-bigrams", "bm25-skipgrams",
    "bm25-characters", "tfidf-lemma", "tfidf-lemma-bigrams", "tfidf-surface", "ngrams",
    "ngrams-surface", "word2vec", "contextual", "late", "dense",
)  # fmt: skip
MEASURED = (
    "default", "default-no-priors", "fusion-learned", "bm25", "ngrams", "word2vec", "ensemble",
    "ensemble-no-priors", "shared-lemmas", "logreg", "gbdt",
)  # fmt: skip


@dataclass(frozen=True)
class Job:
    """A command line; `new` is that of the new checkout, if it has changed."""

    name: str
    arguments: str
    new: str | None = None


JOBS = (
    *(
        Job(f"export-{f}", f"search query.csv source.csv -k 5 --explain -o hits.{f}")
        for f in FORMATS
    ),
    *(
        Job(
            f"search-{m}", f"search query.csv source.csv --method {m} --classifier none -o hits.csv"
        )
        for m in METHODS
    ),
    Job(
        "search-analyses",
        "search query.csv source.csv --method bm25-readings -o hits.jsonl",
        "search query.csv source.csv --method bm25-analyses -o hits.jsonl",
    ),
    Job("budget", "search query.csv source.csv --budget 30 -o hits.csv"),
    Job("precision", "search query.csv source.csv --precision 0.8 -o hits.csv"),
    Job("threshold", "search query.csv source.csv --threshold 0.5 -o hits.csv"),
    Job("no-priors", "search query.csv source.csv --no-priors -o hits.csv"),
    Job("cross-encoder", "search query.csv source.csv --classifier cross-encoder -o hits.csv"),
    Job("judged-bm25", "search query.csv source.csv --method bm25 --budget 9 -o hits.jsonl"),
    Job("shown", "search query.csv source.csv -k 2"),
    Job("segments", "segment source.csv -o segments.csv"),
    Job("lemmas", "lemmatize source.csv -o lemmas.tsv"),
    Job("fast-lemmas", "lemmatize source.csv --lemmatizer fast --candidates -o lemmas.tsv"),
    Job("spelling", "normalize source.csv -o spelling.tsv"),
    Job("evidence", "explain {pair} --query query.csv --source source.csv --json"),
    Job("network", "network known.csv --level author -o network.graphml"),
    Job("density", "network known.csv --what density -o density.csv"),
    Job("places", "network known.csv --what places -o places.csv"),
)
SET_JOBS = (
    *(Job(f"measure-{m}", f"benchmark run set --method {m} -o runs") for m in MEASURED),
    Job("statistics", "benchmark stats set"),
    Job("beir", "benchmark export set --layout beir -o beir"),
    Job("weights", "train default set -o weights.json"),
    Job("ensemble", "train classifier set -o weights.json"),
)


@dataclass
class Checkout:
    """A checkout, and the folder that its jobs write to."""

    name: str
    path: Path
    folder: Path
    seconds: dict[str, float] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """Return an environment in which the code of this checkout is the one that runs."""
        cache = {"LOCISIMILES_CACHE": str(self.folder / "cache")}
        return {**os.environ, **cache, "PYTHONPATH": str(self.path / "src"), "COLUMNS": "100"}

    def run(self, job: Job, inputs: Path) -> dict[str, bytes]:
        """Run a job in a copy of the inputs; return everything it wrote."""
        folder = self.folder / job.name
        shutil.copytree(inputs, folder)
        before = set(folder.rglob("*"))
        pair = "'hier. epist. 130.5.5.3' 'verg. aen. 2.774.1'"
        words = (job.new if self.name == "new" and job.new else job.arguments).format(pair=pair)
        began = time.perf_counter()
        command = f"{sys.executable} -m locisimiles {words}"
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=self.environment(),
            capture_output=True,
            check=False,
        )
        self.seconds[job.name] = time.perf_counter() - began
        written = {
            str(path.relative_to(folder)): _canonical(path)
            for path in sorted(set(folder.rglob("*")) - before)
            if path.is_file() and "folds" not in path.parts
        }
        return {**written, "exit": str(done.returncode).encode(), "stdout": _cleaned(done.stdout)}


def _canonical(path: Path) -> bytes:
    """Return the content of a file without expected differences."""
    if path.suffix in (".xlsx", ".npz"):
        with zipfile.ZipFile(path) as archive:
            return b"".join(_cleaned(archive.read(name)) for name in sorted(archive.namelist()))
    if path.suffix == ".parquet":
        from pyarrow import parquet

        return _cleaned(json.dumps(parquet.read_table(path).to_pydict()).encode())
    return _cleaned(path.read_bytes())


def _cleaned(content: bytes) -> bytes:
    text = content.decode("utf-8", "surrogateescape")
    for pattern in EXPECTED:
        text = re.sub(pattern, "", text)
    return text.encode("utf-8", "surrogateescape")


def app_exports(checkout: Checkout, formats: tuple[str, ...]) -> dict[str, bytes]:
    """Search in the example project of the app, and export the results."""
    folder = checkout.folder / "app"
    folder.mkdir(parents=True)
    with running_app(folder, checkout.environment()) as (address, _, _):

        def request(method: str, path: str, body: object = None) -> bytes:
            content = None if body is None else json.dumps(body).encode()
            headers = {"Content-Type": "application/json"}
            sent = urllib.request.Request(
                f"{address}/api/v1{path}", content, headers, method=method
            )
            with urllib.request.urlopen(sent) as response:
                return bytes(response.read())

        project = json.loads(request("POST", "/projects", {"title": "same", "example": True}))["id"]
        request("POST", f"/projects/{project}/search", {"method": "default", "budget": 60})
        while json.loads(request("GET", f"/projects/{project}/search"))["state"] != "done":
            time.sleep(0.5)
        found = {f: request("GET", f"/projects/{project}/export/{f}") for f in formats}
    written = {}
    for name, content in found.items():
        path = folder / f"export.{name}"
        path.write_bytes(content)
        written[path.name] = _canonical(path)
    return written


def small_set(benchmark: Path, target: Path, *, queries: int = 30, sources: int = 2500) -> None:
    """Write a small part of a benchmark: some queries of three folds, their sources and others."""

    def rows(name: str) -> tuple[list[str], list[dict[str, str]]]:
        table = csv.DictReader(io.StringIO((benchmark / name).read_text("utf-8")))
        return list(table.fieldnames or ()), list(table)

    target.mkdir()
    names, labels = rows("labels.csv")
    chosen: list[str] = []
    for fold in ("0", "1", "2"):
        ids = sorted({row["query_id"] for row in labels if row["fold"] == fold}, key=_draw)
        chosen += ids[:queries]
    labels = [row for row in labels if row["query_id"] in set(chosen)]
    wanted = {row["source_id"] for row in labels}
    tables = {"labels.csv": (names, labels)}
    for name, kept, most in (("query.csv", set(chosen), 1200), ("source.csv", wanted, sources)):
        columns, every = rows(name)
        drawn = sorted((row["seg_id"] for row in every), key=_draw)[:most]
        keep = kept | set(drawn)
        tables[name] = columns, [row for row in every if row["seg_id"] in keep]
    for name, (columns, table) in tables.items():
        with (target / name).open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(table)


def _draw(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def main() -> int:
    options = parser(__doc__)
    options.add_argument("old", type=Path)
    options.add_argument("new", type=Path)
    options.add_argument("--set", type=Path, dest="benchmark")
    options.add_argument("--keep", type=Path, help="keep what the jobs write in this folder")
    options.add_argument("--only", nargs="*", default=[], help="jobs whose name has one of these")
    given = options.parse_args()
    root = given.keep or Path(tempfile.mkdtemp())
    inputs = root / "inputs"
    shutil.copytree(given.old / "src" / "locisimiles" / "examples" / "data", inputs)
    shutil.copy(given.old / "tests" / "export" / "golden" / "hits.csv", inputs / "known.csv")
    jobs = list(JOBS)
    if given.benchmark:
        small_set(given.benchmark, inputs / "set")
        jobs += SET_JOBS
    checkouts = [
        Checkout(name, path.resolve(), root / name)
        for name, path in (("old", given.old), ("new", given.new))
    ]
    different = 0
    for job in jobs:
        if not given.only or any(word in job.name for word in given.only):
            different += report(job.name, *(own.run(job, inputs) for own in checkouts))
    if not given.only or "app" in given.only:
        different += report("app", *(app_exports(own, FORMATS) for own in checkouts))
    print(f"{different} jobs differ" if different else "all the same")
    return different


def report(name: str, old: dict[str, bytes], new: dict[str, bytes]) -> bool:
    """Print whether the results of a job are the same; return whether they differ."""
    wrong = [file for file in sorted({*old, *new}) if old.get(file) != new.get(file)]
    failed = old.get("exit", b"0") != b"0"
    print(f"{'DIFFERS' if wrong else 'FAILED' if failed else 'same':8} {name}: "
          f"{', '.join(wrong) or f'{len(old)} outputs'}", flush=True)  # fmt: skip
    return bool(wrong or failed)


if __name__ == "__main__":
    sys.exit(main())
