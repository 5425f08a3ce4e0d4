"""``locisimiles job``."""

from pathlib import Path

import pytest

from locisimiles.examples import example_path

QUERY, SOURCE = example_path("query.csv"), example_path("source.csv")


@pytest.fixture
def folder(program, tmp_path):
    """Return the folder of a job of nine blocks."""
    folder = tmp_path / "job"
    planned = program("job", "plan", folder, QUERY, SOURCE, "--method", "bm25", "--block", 5)
    assert planned.code == 0
    assert "42 query segments in 204 source segments, 0 of 9 blocks done (0 %)" in planned.err
    return folder


def test_a_job_is_run_in_parts_and_merged(program, folder, tmp_path):
    first = program("job", "run", folder, "--blocks", "2/3", "--jobs", 1)
    assert "3 blocks done" in first.err
    status = program("job", "status", folder)
    assert status.out.splitlines()[0] == "block 1\tsegments 1-5\tmissing"
    assert "3 of 9 blocks done (33 %)" in status.err
    early = program("job", "merge", folder, "-o", tmp_path / "early.csv")
    assert early.code == 1
    assert "6 of 9 blocks" in early.err
    assert not (tmp_path / "early.csv").exists()
    assert "6 blocks done" in program("job", "run", folder, "--jobs", 2).err
    assert program("job", "merge", folder, "-o", tmp_path / "job.csv", "-k", 3).code == 0
    program("search", QUERY, folder / "index", "--method", "bm25", "-k", 3, "-o",
            tmp_path / "search.csv")  # fmt: skip
    assert (tmp_path / "job.csv").read_bytes() == (tmp_path / "search.csv").read_bytes()


def test_damage_is_found(program, folder):
    program("job", "run", folder, "--jobs", 1)
    damaged = min(Path(folder, "blocks").iterdir())
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert "9 of 9" in program("job", "status", folder).err
    checked = program("job", "status", folder, "--check")
    assert checked.out.endswith("damaged\n")
    assert "8 of 9" in checked.err


def test_the_script_of_an_array_is_written(program, folder, tmp_path):
    shown = program("job", "script", folder, "--parts", 4)
    assert "#SBATCH --array=1-4\n" in shown.out
    written = program("job", "script", folder, "--parts", 4, "-o", tmp_path / "array.sh")
    assert written.err == f"wrote {tmp_path / 'array.sh'}\n"
    assert (tmp_path / "array.sh").read_text() == shown.out
    assert program("job", "script", folder, "-o", tmp_path / "array.sh").code == 1
    assert program("job", "script", folder, "-o", tmp_path / "array.txt").code == 1


def test_processes_and_a_cluster_exclude_one_another(program, folder):
    both = program("job", "run", folder, "--jobs", 2, "--cluster", "local:2")
    assert both.code == 1
    assert "cannot be given together" in both.err
    assert "'moon' is no cluster" in program("job", "run", folder, "--cluster", "moon").err
