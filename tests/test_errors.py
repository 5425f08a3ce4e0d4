"""The exceptions: one tree, messages that say where and what to do."""

import pickle

import pytest

from locisimiles import errors
from locisimiles.errors import InputError, LocisimilesError, ParameterError


def drawn_tree():
    """Read the tree in the module's docstring: each error and the one it hangs from."""
    parents = {}
    above = ["LocisimilesError"]
    for line in errors.__doc__.splitlines():
        for branch in ("├── ", "└── "):
            before, found, after = line.partition(branch)
            if found:
                depth = (len(before) - len("    ")) // 4 + 1
                name = after.split()[0]
                parents[name] = above[depth - 1]
                above[depth:] = [name]
    return parents


def real_tree():
    tree = {name: getattr(errors, name).__bases__[0].__name__ for name in errors.__all__}
    assert tree.pop("LocisimilesError") == "Exception"
    return tree


def test_the_tree_in_the_docstring_is_the_real_one():
    assert drawn_tree() == real_tree()


def test_every_error_class_of_the_module_is_listed():
    classes = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and value.__module__ == errors.__name__
    ]
    assert sorted(classes) == errors.__all__


@pytest.mark.parametrize("name", errors.__all__)
def test_one_except_catches_every_error(name):
    with pytest.raises(LocisimilesError, match="it broke"):
        raise getattr(errors, name)("it broke")


def test_a_wrong_parameter_is_also_a_value_error():
    assert issubclass(ParameterError, ValueError)


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({}, "{problem}"),
        ({"file": "q.csv"}, "q.csv: {problem}"),
        ({"row": 3}, "row 3: {problem}"),
        ({"file": "q.csv", "row": 3}, "q.csv, row 3: {problem}"),
        ({"file": "q.csv", "row": 0}, "q.csv, row 0: {problem}"),
    ],
)
def test_an_input_error_says_where_what_and_what_to_do(details, message):
    problem = 'not a JSON object; objects look like {"name": "value", …}'
    assert str(InputError("files.not_json_object", **details)) == message.format(problem=problem)


def test_an_input_error_knows_its_place():
    error = InputError("it is empty", file="q.csv", row=3)
    assert (str(error.message), error.file, error.row) == ("it is empty", "q.csv", 3)


def test_an_error_can_be_sent_from_one_process_to_another():
    error = pickle.loads(pickle.dumps(InputError("files.not_found", file="q.csv", row=3)))
    assert str(error) == "q.csv, row 3: file not found"
