"""The published layout, from a folder or by way of huggingface_hub."""

import builtins
import json
import sys
from types import ModuleType

import pytest

from locisimiles.benchmark.sets.hub import load_hub_dataset
from locisimiles.benchmark.sets.references import Label
from locisimiles.errors import DownloadError, InputError, SegmentIdError

LABELS = (
    "pair_id,position_query,position_corpus,text_query,text_corpus,fold_id,ref_type\n"
    "0,<hier. epist. 1.1.1>,<verg. aen. 6.847.1>,uox,vox,1,cit.\n"
    "1,<hier. epist. 1.1.1>,<cic. off. 1.1.1>,uox,arma,1,cf.\n"
)


@pytest.fixture
def copy(tmp_path):
    """Write files into a folder that stands for a downloaded dataset."""

    def copy(files, name="loci-similes"):
        for file, content in files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        return str(tmp_path / name)

    return copy


@pytest.fixture
def published():
    """The published layout: references with texts, and the two corpora in tables of their own."""
    return {
        "README.md": "# Loci Similes",
        "ground_truth.csv": LABELS,
        "data/hieronymus.csv": "seg_id,text\n<hier. epist. 1.1.1>,uox\n<hier. epist. 1.2.1>,tu\n",
        "data/vergil.jsonl": json.dumps({"position": "<verg. aen. 6.847.1>", "text": "vox"}) + "\n",
        "data/cicero.tsv": "id\ttext\twork\n<cic. off. 1.1.1>\tarma\tDe officiis\n",
        "data/tibullus.csv": "seg_id,text\n<tib. 1.1.1.1>,divitias\n",
        "data/licences.csv": "source,licence\nPerseus,CC BY-SA\n",
    }


def test_tables_are_recognised_by_their_content(copy, published):
    benchmark = load_hub_dataset(copy(published))
    assert benchmark.query.ids == ("hier. epist. 1.1.1", "hier. epist. 1.2.1")
    assert set(benchmark.source.ids) == {"cic. off. 1.1.1", "tib. 1.1.1.1", "verg. aen. 6.847.1"}
    assert benchmark.source["cic. off. 1.1.1"].work == "De officiis"
    assert benchmark.source["tib. 1.1.1.1"].author == "Tibullus"
    assert benchmark.folds == (1,)
    labels = {
        (benchmark.query.ids[q], benchmark.source.ids[s]): Label(label)
        for q, s, label in zip(
            benchmark.references.query,
            benchmark.references.source,
            benchmark.references.label,
            strict=True,
        )
    }
    assert labels == {
        ("hier. epist. 1.1.1", "verg. aen. 6.847.1"): Label.CIT,
        ("hier. epist. 1.1.1", "cic. off. 1.1.1"): Label.CF,
    }
    assert benchmark.name == "loci-similes"
    assert benchmark.manifest == {"hub": {"datasets": ["loci-similes"], "revision": ""}}


def test_several_datasets_make_one_benchmark(copy, published):
    corpora = {name: content for name, content in published.items() if "data/" in name}
    references = {"train.csv": LABELS, "test.csv": LABELS.replace("\n1,", "\n2,")}
    benchmark = load_hub_dataset([copy(references, "references"), copy(corpora, "corpora")])
    assert len(benchmark.references) == 2
    assert benchmark.manifest["hub"]["datasets"] == ["references", "corpora"]


def test_our_own_layout_is_loaded(copy):
    benchmark = load_hub_dataset(
        copy(
            {
                "query.csv": "seg_id,text\n1,uox\n",
                "source.csv": "seg_id,text\n1,vox\n",
                "labels.csv": "query_id,source_id,label\n1,1,cit\n",
            }
        )
    )
    assert (benchmark.query.texts, benchmark.source.texts) == (("uox",), ("vox",))


@pytest.mark.parametrize(
    ("without", "message"),
    [
        ("ground_truth", "no table of references"),
        ("hieronymus", "no table of query segments"),
        ("vergil", r"ground_truth.csv, row 2: unknown source segment 'verg. aen. 6.847.1'"),
    ],
)
def test_missing_tables_and_segments_are_named(copy, published, without, message):
    files = {name: content for name, content in published.items() if without not in name}
    with pytest.raises(InputError, match=message):
        load_hub_dataset(copy(files))


def test_segments_of_an_unknown_side(copy, published):
    folder = copy(published | {"data/more.csv": "seg_id,text\n1,unde\n"})
    with pytest.raises(InputError, match=r"more.csv: these could be query or source"):
        load_hub_dataset(folder)


@pytest.mark.parametrize(
    ("rows", "message"),
    [("<tib. 1.1.1.1>,aliter\n", "row 2: two segments have the id 'tib. 1.1.1.1'"),
     (",sine nomine\n<tib. 2>,a\n", "row 2: the id is empty")],
)  # fmt: skip
def test_repeated_and_empty_ids(copy, published, rows, message):
    with pytest.raises(SegmentIdError, match=message):
        load_hub_dataset(copy(published | {"data/tibullus2.csv": f"seg_id,text\n{rows}"}))


def test_shards_may_repeat_a_segment(copy, published):
    again = {"data/tibullus2.csv": published["data/tibullus.csv"]}
    assert len(load_hub_dataset(copy(published | again)).source) == 3


def test_queries_in_two_folds_over_several_tables(copy, published):
    other = LABELS.replace(",1,c", ",2,c")
    with pytest.raises(InputError, match=r"the query 'hier. epist. 1.1.1' is in fold"):
        load_hub_dataset(copy(published | {"more.csv": other}))


def hub_that(answer):
    module = ModuleType("huggingface_hub")
    module.snapshot_download = answer
    return module


def test_only_tables_of_a_revision_are_fetched(copy, published, monkeypatch):
    folder = copy(published)
    asked = {}

    def answer(name, **options):
        asked.update(options, name=name)
        return folder

    monkeypatch.setitem(sys.modules, "huggingface_hub", hub_that(answer))
    benchmark = load_hub_dataset("owner/loci-similes", "v1")
    assert benchmark.name == "owner/loci-similes"
    assert benchmark.manifest == {"hub": {"datasets": ["owner/loci-similes"], "revision": "v1"}}
    assert asked == {
        "name": "owner/loci-similes",
        "repo_type": "dataset",
        "revision": "v1",
        "allow_patterns": ["*.csv", "*.tsv", "*.jsonl", "*.parquet"],
    }


@pytest.mark.parametrize("error", [ConnectionError("no route\nto host"), ValueError("bad name")])
def test_without_network(monkeypatch, error):
    def answer(*_, **__):
        raise error

    monkeypatch.setitem(sys.modules, "huggingface_hub", hub_that(answer))
    with pytest.raises(
        DownloadError, match=r"owner/set could not be fetched \((no route|bad name)\)"
    ):
        load_hub_dataset("owner/set")


def test_without_huggingface_hub(monkeypatch):
    real_import = builtins.__import__

    def without_hub(name, *args, **kwargs):
        if name == "huggingface_hub":
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_hub)
    with pytest.raises(DownloadError, match=r"pip install .huggingface.hub.*, or name a folder"):
        load_hub_dataset("owner/set")
