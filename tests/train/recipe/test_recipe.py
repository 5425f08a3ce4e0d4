"""Recipes: stages that are run once, resumed, compared and described."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from locisimiles.errors import InputError, MalformedInputError, ParameterError
from locisimiles.train.recipe import Recipe, RecipeRun, compare_runs, model_card
from locisimiles.train.recipe.run import State
from locisimiles.train.recipe.stages import PACKAGE

RECIPE = """
[[stage]]
name = "words"
command = ["train", "words", "{data}/text.txt", "-o", "{run}/words.txt"]
outputs = [{ file = "words.txt", shipped = "data/words.txt" }]

[[stage]]
name = "network"
gpu = true
command = ["train", "network", "{run}/words.txt", "--texts", "{data}/more", "-o", "{run}/net"]
uses = ["py.typed"]
outputs = [{ file = "net/weights" }, { file = "net/sizes" }]
figures = [{ name = "loss", pattern = 'loss ([0-9.,]+)', tolerance = 0.1 }]
"""


class Program:
    """Stands in for locisimiles: writes what a stage should, and prints a loss."""

    def __init__(self, folder, loss="2.50", *, weights="w", finished=True):
        self.folder, self.loss, self.weights, self.finished = folder, loss, weights, finished
        self.calls = []

    def __call__(self, arguments):
        self.calls.append(arguments[1])
        if arguments[1] == "words":
            text = Path(arguments[2]).read_text(encoding="utf-8")
            (self.folder / "words.txt").write_text(text.upper(), encoding="utf-8")
            return ["wrote words.txt"]
        (self.folder / "net").mkdir(exist_ok=True)
        (self.folder / "net" / "weights").write_text(self.weights, encoding="utf-8")
        if self.finished:
            (self.folder / "net" / "sizes").write_text("3", encoding="utf-8")
        return ["step 10: loss 9.10", f"held out: loss {self.loss}, accuracy 50%"]


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    (folder / "more").mkdir(parents=True)
    (folder / "text.txt").write_text("arma uirumque", encoding="utf-8")
    (folder / "more" / "one.txt").write_text("cano", encoding="utf-8")
    return folder


@pytest.fixture
def recipe(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return Recipe.read(path)


def run_all(recipe, data, folder, program=None):
    run = RecipeRun(recipe, data, folder)
    program = program or Program(folder)
    for stage in recipe.stages:
        if run.state(stage) is not State.DONE:
            run.run_stage(stage, program=program)
    return program


def states(recipe, data, folder):
    run = RecipeRun(recipe, data, folder)
    return [run.state(stage) for stage in recipe.stages]


def test_the_inputs_of_a_stage_follow_from_its_arguments(recipe):
    words, network = recipe.stages
    assert words.inputs == ("{data}/text.txt",)
    assert network.inputs == ("{run}/words.txt", "{data}/more")  # and not {run}/net


def test_stages_run_once(recipe, data, tmp_path):
    folder = tmp_path / "run"
    assert states(recipe, data, folder) == [State.TO_DO, State.TO_DO]
    assert run_all(recipe, data, folder).calls == ["words", "network"]
    assert states(recipe, data, folder) == [State.DONE, State.DONE]
    assert run_all(recipe, data, folder).calls == []


def test_the_manifest_names_what_was_read_written_and_measured_but_no_folder(
    recipe, data, tmp_path
):
    folder = tmp_path / "run"
    run_all(recipe, data, folder)
    content = (folder / "manifest.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in content
    stages = json.loads(content)["stages"]
    assert set(stages["network"]["inputs"]) == {"{run}/words.txt", "{data}/more"}
    assert stages["network"]["inputs"]["{run}/words.txt"] == stages["words"]["outputs"]["words.txt"]
    assert stages["network"]["figures"] == {"loss": 2.5}  # the last one printed
    assert len(stages["network"]["uses"]["py.typed"]) == 64
    assert stages["words"]["gpu"] is None
    assert "numpy" in stages["words"]["versions"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda data, _: (data / "text.txt").write_text("other"), ["outdated", "done"]),
        (lambda data, _: (data / "more" / "two.txt").write_text("x"), ["done", "outdated"]),
        (lambda _, run: (run / "words.txt").write_text("tampered"), ["outdated", "outdated"]),
        (lambda _, run: (run / "net" / "sizes").unlink(), ["done", "outdated"]),
        (lambda _, run: (run / "words.txt").unlink(), ["outdated", "outdated"]),
    ],
    ids=["text", "folder", "output", "lost", "input lost"],
)
def test_a_change_makes_a_stage_outdated(recipe, data, tmp_path, change, expected):
    folder = tmp_path / "run"
    run_all(recipe, data, folder)
    change(data, folder)
    assert [state.value for state in states(recipe, data, folder)] == expected


def test_another_command_makes_a_stage_outdated(recipe, data, tmp_path):
    folder = tmp_path / "run"
    run_all(recipe, data, folder)
    words, network = recipe.stages
    other = replace(recipe, stages=(replace(words, command=(*words.command, "--seed=1")), network))
    assert states(other, data, folder) == [State.OUTDATED, State.DONE]


def test_a_stage_that_wrote_only_a_part_is_resumed(recipe, data, tmp_path):
    folder = tmp_path / "run"
    run = RecipeRun(recipe, data, folder)
    words, network = recipe.stages
    run.run_stage(words, program=Program(folder))
    assert not run.run_stage(network, program=Program(folder, finished=False))
    assert states(recipe, data, folder) == [State.DONE, State.TO_DO]
    assert run_all(recipe, data, folder).calls == ["network"]


def test_a_missing_input_is_named(recipe, data, tmp_path):
    (data / "text.txt").unlink()
    with pytest.raises(InputError, match=r"text\.txt"):
        RecipeRun(recipe, data, tmp_path / "run").run_stage(recipe.stages[0], program=lambda _: [])


def test_models_are_installed_where_they_differ(recipe, data, tmp_path):
    folder, package = tmp_path / "run", tmp_path / "package"
    run_all(recipe, data, folder)
    run = RecipeRun(recipe, data, folder)
    assert run.install(recipe.stages[0], package) == ["data/words.txt"]
    assert (package / "data" / "words.txt").read_text(encoding="utf-8") == "ARMA UIRUMQUE"
    assert run.install(recipe.stages[0], package) == []
    assert run.install(recipe.stages[1], package) == []  # nothing of it ships


@pytest.mark.parametrize(("loss", "agrees"), [("2.50", True), ("2.55", True), ("2.65", False)])
def test_runs_agree_within_the_tolerance(recipe, data, tmp_path, loss, agrees):
    one, other = tmp_path / "one", tmp_path / "other"
    run_all(recipe, data, one)
    run_all(recipe, data, other, Program(other, loss, weights=loss))
    rows = {row.what: row for row in compare_runs(recipe, one, other)}
    assert rows["words.txt"].agrees
    assert rows["net/weights"].agrees  # a stage with figures is judged by them
    assert rows["loss"].agrees is agrees


def test_a_stage_without_figures_must_have_the_same_bytes(recipe, data, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    run_all(recipe, data, one)
    (data / "text.txt").write_text("arma uirum", encoding="utf-8")
    run_all(recipe, data, other)
    assert {row.what: row.agrees for row in compare_runs(recipe, one, other)}["words.txt"] is False


def test_a_stage_of_one_run_only_does_not_agree(recipe, data, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    run_all(recipe, data, one)
    RecipeRun(recipe, data, other).run_stage(recipe.stages[0], program=Program(other))
    rows = {row.what: row for row in compare_runs(recipe, one, other)}
    assert rows["words.txt"].agrees
    assert not rows["net/weights"].agrees
    assert (rows["loss"].second, rows["loss"].agrees) == (None, False)


def test_the_card_has_commands_hashes_and_figures(recipe, data, tmp_path):
    folder = tmp_path / "run"
    run_all(recipe, data, folder)
    card = model_card(recipe, folder)
    sha256 = RecipeRun(recipe, data, folder).records["network"].outputs["net/weights"]
    assert "locisimiles train network {run}/words.txt" in card
    assert sha256 in card
    assert "| loss | 2.5 |" in card
    assert str(tmp_path) not in card


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("stage = 3", "not iterable"),
        ("[[stage]]\nname = 'a'", "command"),
        (RECIPE.replace("uses", "use"), "unknown entries: use"),
        (RECIPE.replace('{run}/words.txt", "--texts', '{run}/late.txt", "--texts'), "late.txt"),
        (RECIPE.replace('"network"\ngpu', '"words"\ngpu'), "two stages are called words"),
        ("not toml", "Expected"),
    ],
)
def test_a_broken_recipe_is_refused(tmp_path, text, reason):
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MalformedInputError, match=reason):
        Recipe.read(path)


@pytest.mark.parametrize(
    "content", ['{"format": 9}', '{"format": 1}', '{"format": 1, "stages": 2}']
)
def test_a_foreign_manifest_is_refused(recipe, data, tmp_path, content):
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(MalformedInputError, match="manifest"):
        RecipeRun(recipe, data, tmp_path)


def test_an_unknown_stage_lists_those_there_are(recipe):
    with pytest.raises(ParameterError, match="words, network"):
        recipe.stage("late")


def test_the_shipped_recipe_makes_every_shipped_model():
    shipped = {one.shipped for stage in Recipe.shipped().stages for one in stage.outputs} - {None}
    data = PACKAGE.rglob("data/**/*")
    models = {
        path.relative_to(PACKAGE).as_posix()
        for path in data
        if path.suffix in {".npz", ".npy", ".onnx"}
        or path.name in {"default.json", "ensemble.json"}
    }
    assert models <= shipped
    assert all((PACKAGE / name).exists() for name in shipped)


def test_models_that_the_shipped_recipe_uses_exist():
    for stage in Recipe.shipped().stages:
        assert all((PACKAGE / name).exists() for name in stage.uses), stage.name
