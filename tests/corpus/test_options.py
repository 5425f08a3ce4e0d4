import pytest

from locisimiles.corpus import ReadOptions
from locisimiles.corpus.sentences import StopRules
from locisimiles.errors import LocisimilesError, ParameterError


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (
            {"segmentation": "paragraphs"},
            "unknown segmentation 'paragraphs'; choose one of auto, lines, sentences, verse",
        ),
        (
            {"colon": "sometimes"},
            "unknown colon 'sometimes'; choose one of auto, never, line-end, always",
        ),
        (
            {"semicolon": ""},
            "unknown semicolon ''; choose one of auto, never, line-end, always",
        ),
    ],
)
def test_an_unknown_choice_is_refused_with_the_known_ones(choice, message):
    with pytest.raises(ParameterError) as caught:
        ReadOptions(**choice)
    assert str(caught.value) == message


def test_a_wrong_option_is_one_of_our_errors_and_a_value_error():
    assert issubclass(ParameterError, LocisimilesError)
    assert issubclass(ParameterError, ValueError)


@pytest.mark.parametrize(
    ("chosen", "catalogue", "settled"),
    [
        ("auto", "never", "never"),
        ("auto", "line-end", "line-end"),
        ("never", "line-end", "never"),
        ("always", "never", "always"),
        ("line-end", "never", "line-end"),
    ],
)
def test_the_users_choice_about_colons_wins_over_the_catalogue(chosen, catalogue, settled):
    assert ReadOptions(colon=chosen).stop_rules(colon=catalogue) == StopRules(settled, "never")


@pytest.mark.parametrize(
    ("chosen", "settled"), [("auto", "never"), ("always", "always"), ("line-end", "line-end")]
)
def test_semicolons_do_not_end_segments_by_default(chosen, settled):
    rules = ReadOptions(semicolon=chosen).stop_rules(colon="line-end")
    assert rules == StopRules("line-end", settled)


def test_options_cannot_be_changed():
    with pytest.raises(AttributeError):
        ReadOptions().segmentation = "verse"
