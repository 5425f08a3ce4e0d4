"""What a training was begun with."""

import pytest

from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.train.plans import keep_plan


def test_the_same_plan_is_kept(tmp_path):
    plan = {"steps": 3, "files": [{"name": "ā"}], "none": None, "rate": 1e-5}
    keep_plan(tmp_path / "plan.json", plan)
    written = (tmp_path / "plan.json").read_bytes()
    keep_plan(tmp_path / "plan.json", plan)
    assert (tmp_path / "plan.json").read_bytes() == written


def test_another_plan_is_told_by_what_differs(tmp_path):
    keep_plan(tmp_path / "plan.json", {"steps": 3, "seed": 1})
    with pytest.raises(InputError, match=r"other settings \(seed\)"):
        keep_plan(tmp_path / "plan.json", {"steps": 3, "seed": 2})
    with pytest.raises(InputError, match="more of them"):
        keep_plan(tmp_path / "plan.json", {"steps": 3})


def test_files_that_are_no_plans_are_told(tmp_path):
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(MalformedInputError, match="no JSON"):
        keep_plan(tmp_path / "plan.json", {})
    with pytest.raises(OutputError):
        keep_plan(tmp_path / "none" / "plan.json", {})
