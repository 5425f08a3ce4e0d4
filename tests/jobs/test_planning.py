"""Plans, and what their blocks depend on."""

import json

import pytest

from locisimiles import Index, Pipeline, load_example_query, load_example_source
from locisimiles.errors import InputError, OutputError, ParameterError
from locisimiles.jobs import Job, SearchSettings, plan_job, run_blocks


def test_a_plan_can_be_made_again_but_not_changed(planned, sources):
    index, query = Index.open(sources), load_example_query()
    again = plan_job(planned.folder, query, index, SearchSettings("bm25"), block_size=5)
    assert again == planned == Job.open(planned.folder)
    for other in ({"settings": SearchSettings("bm25", k=3)}, {"block_size": 7}):
        settings = other.pop("settings", SearchSettings("bm25"))
        with pytest.raises(OutputError, match="another job already"):
            plan_job(planned.folder, query, index, settings, **other)
    assert Job.open(planned.folder) == planned
    assert planned.query() == query


def test_blocks_that_two_plans_share_stay_done(planned, sources):
    assert run_blocks(planned) == 9
    query = load_example_query()
    shorter = plan_job(
        planned.folder,
        query[:28],
        Index.open(sources),
        SearchSettings("bm25"),
        block_size=5,
        overwrite=True,
    )
    assert shorter.blocks[:5] == planned.blocks[:5]
    assert shorter.blocks[5] not in planned.blocks
    assert {path.stem for path in planned.blocks_folder.iterdir()} == set(planned.blocks[:5])
    assert run_blocks(shorter) == 1


@pytest.mark.parametrize(
    "settings",
    [SearchSettings("bm25-surface"), SearchSettings("bm25", settings=(("k1", "1.2"),)),
     SearchSettings("bm25", k=11), SearchSettings("bm25", exclude=("same-author",))],
)  # fmt: skip
def test_blocks_depend_on_the_settings(planned, sources, settings, tmp_path):
    index, query = Index.open(sources), load_example_query()
    other = plan_job(tmp_path / "other", query, index, settings, block_size=5)
    assert not set(other.blocks) & set(planned.blocks)


def test_blocks_depend_on_the_sources(planned, tmp_path):
    index = Index.build(tmp_path / "fewer", load_example_source()[1:])
    query = load_example_query()
    other = plan_job(tmp_path / "other", query, index, SearchSettings("bm25"), block_size=5)
    assert not set(other.blocks) & set(planned.blocks)


def test_an_index_that_was_changed_is_not_searched(tmp_path):
    index = Index.build(tmp_path / "index", load_example_source())
    job = plan_job(tmp_path / "job", load_example_query(), index, SearchSettings("bm25"))
    index.remove(index.manifest.parts[0].name)
    with pytest.raises(InputError, match=r"was changed after the job .* was planned"):
        run_blocks(job)


def test_texts_are_indexed_in_the_folder(tmp_path):
    query, source = load_example_query(), load_example_source()
    job = plan_job(tmp_path / "job", query, source, SearchSettings("bm25"))
    assert job.index == "index"
    # The folder can be moved to another machine.
    (tmp_path / "job").rename(tmp_path / "moved")
    moved = Job.open(tmp_path / "moved")
    assert run_blocks(moved) == 1
    assert plan_job(moved.folder, query, source, SearchSettings("bm25")) == moved
    with pytest.raises(OutputError, match="another job already"):
        plan_job(moved.folder, query, source[1:], SearchSettings("bm25"))


def test_a_method_with_vectors_needs_them_in_the_index(sources, tmp_path):
    with pytest.raises(ParameterError, match="no vectors of the encoder"):
        plan_job(tmp_path / "job", load_example_query(), Index.open(sources), SearchSettings())


def test_folders_of_others_are_left_alone(tmp_path, sources):
    (tmp_path / "letter.txt").touch()
    with pytest.raises(OutputError, match="holds other files"):
        plan_job(tmp_path, load_example_query(), Index.open(sources), SearchSettings("bm25"))
    with pytest.raises(InputError, match="holds no job"):
        Job.open(tmp_path)


def test_other_versions_are_not_mixed(planned):
    path = planned.folder / "plan.json"
    plan = json.loads(path.read_text())
    plan["search"]["libraries"]["numpy"] = "1.0"
    path.write_text(json.dumps(plan))
    with pytest.raises(ParameterError, match=r"other versions or models \(libraries differ\)"):
        run_blocks(Job.open(planned.folder))


def test_a_plan_of_another_version_is_refused(planned):
    path = planned.folder / "plan.json"
    plan = json.loads(path.read_text())
    path.write_text(json.dumps({**plan, "format": 0}))
    with pytest.raises(InputError, match="format of another version"):
        Job.open(planned.folder)


@pytest.mark.parametrize("name", ["../../letter", "", "A" * 32, 7, None])
def test_no_block_of_a_plan_leads_out_of_its_folder(planned, name):
    path = planned.folder / "plan.json"
    plan = json.loads(path.read_text())
    path.write_text(json.dumps({**plan, "blocks": [name]}))
    with pytest.raises(InputError, match="damaged"):
        Job.open(planned.folder)


def test_settings_hold_for_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.vec").write_text("2 2\nuox 1 0\nfaux 0 1\n")
    assert SearchSettings("word2vec", vectors="mine.vec").resolved().vectors == str(
        tmp_path / "mine.vec"
    )
    assert SearchSettings(model="latin").resolved().model == "latin"


def test_all_judged_candidates_are_kept_for_later():
    assert Pipeline().k == 10
    assert SearchSettings().wide_pipeline().k == 100
    assert SearchSettings(k=3).wide_pipeline().k == 3
    assert SearchSettings("bm25").wide_pipeline().k == 10
