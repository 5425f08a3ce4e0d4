"""Write the golden files again: ``python tests/export/make_golden.py``.

Look at what changed (``git diff tests/export/golden``) before you commit it: programs that read
these formats rely on it. The report has placeholders for its style sheet and its script.
"""

from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np

from locisimiles import Candidates, Document, Results, Segment, write_results
from locisimiles.corpus import LocusMark
from locisimiles.export import EXPORT_SUFFIXES
from locisimiles.results import PairJudgement, ReaderJudgement

GOLDEN = Path(__file__).parent / "golden"
ASSETS = ("report.css", "report.js")
_DATE = "2026-11-18T09:30:0{}.250000+00:00"
MANIFEST = {
    "locisimiles": "0.1.0",
    "libraries": {"numpy": "2.0.0"},
    "retriever": {"name": "bm25", "terms": "lemma"},
    "k": 2,
    "query": {"segments": 2, "sha256": "0" * 64},
    "source": {"segments": 3, "sha256": "1" * 64},
}


def golden_results():
    """Return a few references, judged, one of them in verse with lines and a URN."""
    query = Document.from_segments(
        [
            Segment(
                "hier. epist. 130.5.5.3",
                "haesit uox faucibus et inter ruborem atque pallorem.",
                author="Jerome",
                work="Epistulae",
                locus="130.5.5",
            ),
            Segment("anon. 1", "arma, inquit, <uirum> & \"arma\" cano", author="Anonymus"),
        ]
    )  # fmt: skip
    urn = "urn:cts:latinLit:phi0690.phi003.perseus-lat2"
    aeneid = {"author": "Virgil", "work": "Aeneis"}
    source = Document.from_segments(
        [
            Segment(
                "verg. aen. 3.47.1",
                "Tum uero ancipiti mentem formidine pressus / obstipui, steteruntque comae et "
                "uox faucibus haesit.",
                locus="3.47-3.48",
                loci=(LocusMark("3.47", 0), LocusMark("3.48", 45)),
                meta={"urn": f"{urn}:3.47-3.48", "year": "-19"},
                **aeneid,
            ),
            Segment(
                "verg. aen. 2.774.1",
                "Obstipui, steteruntque comae et uox faucibus haesit.",
                locus="2.774",
                loci=(LocusMark("2.774", 0),),
                meta={"urn": f"{urn}:2.774", "year": "-19"},
                **aeneid,
            ),
            Segment("=fabula", "arma uirumque cano", author="Nemo", work="Fabula", locus="i.1"),
        ]
    )
    return Results(
        query,
        source,
        Candidates(
            query=np.array([0, 0, 1], np.int32),
            source=np.array([1, 0, 2], np.int32),
            score=np.array([0.96875, 0.75, 0.5], np.float32),
        ),
        MANIFEST,
        np.array([[0.03125, 0.875, 0.09375], [0.25, 0.5, 0.25], [0.5, 0.125, 0.375]], np.float32),
    )


def read_results():
    """Return the same, judged by readers: overruled, adjudicated, disagreed on."""
    ann = ReaderJudgement("cf.", 'cf. Hagendahl 1958,\n"ad loc." <p. 12>', "Ann", _DATE.format(1))
    bob = ReaderJudgement("reject", "=not +here", "Bob", _DATE.format(2))
    eve = ReaderJudgement("cit.", "both are right", "Eve", _DATE.format(3), adjudicated=True)
    unsure = ReaderJudgement("unsure", "", "", _DATE.format(4))
    judgements = (
        PairJudgement.of([ann], reader="Ann"),
        PairJudgement.of([ann, bob, eve], reader="Ann"),
        PairJudgement.of([bob, unsure], reader="Ann"),
    )
    return replace(golden_results(), judgements=judgements)


def with_placeholders(content):
    """Replace the style sheet and the script of a report; each must be there once."""
    for name in ASSETS:
        asset = (resources.files("locisimiles.export") / "data" / name).read_bytes()
        assert content.count(asset) == 1
        content = content.replace(asset, f"[{name}]".encode())
    return content


def write_golden(folder):
    """Write a file of each format."""
    for name, results in (("hits", golden_results()), ("read", read_results())):
        for suffix in EXPORT_SUFFIXES:
            path = write_results(results, folder / f"{name}{suffix}", overwrite=True)[0]
            if suffix == ".html":
                path.write_bytes(with_placeholders(path.read_bytes()))


if __name__ == "__main__":
    write_golden(GOLDEN)
