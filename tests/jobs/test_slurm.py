"""Arrays of SLURM, whose tasks are killed and requeued."""

import time
from dataclasses import replace

import pytest

from locisimiles import Document, Index, load_example_query
from locisimiles.errors import ParameterError
from locisimiles.export import write_blocks
from locisimiles.jobs import (
    SearchSettings,
    array_script,
    merged_blocks,
    merging_pipeline,
    plan_job,
    present_blocks,
    run_blocks,
    slice_of,
)
from support.sbatch import options_of, submit


def merged(job, path):
    return [file.read_bytes() for file in write_blocks(
        merged_blocks(job, merging_pipeline(job)), path)]  # fmt: skip


def test_a_script_names_all_that_a_task_needs(planned, tmp_path):
    planned = replace(planned, folder=tmp_path / "Jerome's letters")
    (tmp_path / "job").rename(planned.folder)
    script = tmp_path / "array.sh"
    script.write_text(array_script(planned, 4), encoding="utf-8")
    options = options_of(script)
    assert options["array"] == "1-4"
    assert options["job-name"] == "locisimiles-Jerome-s-letters"
    task = submit(script, "3")[3]
    assert task.wait(60) == 0, task.stderr.read()
    task.stderr.close()
    assert present_blocks(planned) == slice_of(planned, "3/4") == [2, 6]


def test_a_small_job_has_as_many_tasks_as_blocks(planned):
    assert "--array=1-9\n" in array_script(planned)
    with pytest.raises(ParameterError, match="parts"):
        array_script(planned, 0)


def test_no_path_adds_lines_to_a_script(planned, tmp_path):
    (tmp_path / "job").rename(tmp_path / "a\nrm")
    with pytest.raises(ParameterError, match="has a line break"):
        array_script(replace(planned, folder=tmp_path / "a\nrm"))


@pytest.mark.slow  # a dozen processes
def test_tasks_that_are_killed_and_requeued_give_the_same_bytes(sources, tmp_path):
    example = load_example_query()
    query = Document.from_segments(
        replace(segment, id=f"{segment.id}.{number}") for number in range(20) for segment in example
    )
    index, settings = Index.open(sources), SearchSettings("bm25")
    once = plan_job(tmp_path / "once", query, index, settings, block_size=10)
    run_blocks(once)
    job = plan_job(tmp_path / "array", query, index, settings, block_size=10)
    script = tmp_path / "array.sh"
    script.write_text(array_script(job, 8), encoding="utf-8")
    tasks = submit(script, seed=3)
    killed = {5, 2, 7}
    for number in killed:
        own, task = slice_of(job, f"{number}/8"), tasks[number]
        while task.poll() is None and not any(job.block_path(one).exists() for one in own):
            time.sleep(0.005)
        task.kill()
    codes = {number: task.wait(120) for number, task in tasks.items()}
    assert {number for number, code in codes.items() if code == -9} == killed
    assert not any(code for number, code in codes.items() if number not in killed)
    for number in killed:  # each was in the middle of its part
        own = slice_of(job, f"{number}/8")
        assert 0 < sum(job.block_path(one).exists() for one in own) < len(own)
    again = submit(script, array=",".join(map(str, sorted(killed))), seed=4)
    assert [task.wait(120) for task in again.values()] == [0, 0, 0]
    for task in (*tasks.values(), *again.values()):
        task.stderr.close()
    assert merged(job, tmp_path / "array.csv") == merged(once, tmp_path / "once.csv")
