"""Encoders by name."""

import pytest

from locisimiles import ParameterError
from locisimiles.models.families import (
    CROSS_ENCODER_BASES,
    FAMILIES,
    NO_PROMPTS,
    PAPER_PROMPTS,
    Prompts,
    check_pooling,
    choose_prompts,
    family_of,
    hub_name,
)


@pytest.mark.parametrize(
    ("name", "pooling", "prompts"),
    [
        ("e5-small", "mean", Prompts("query: ", "passage: ")),
        ("e5-large", "mean", Prompts("query: ", "passage: ")),
        ("granite-107m", "cls", NO_PROMPTS),
        ("granite-278m", "cls", NO_PROMPTS),
        ("bge-m3", "cls", NO_PROMPTS),
        ("sphilberta", "mean", NO_PROMPTS),
    ],
)
def test_the_encoders_of_the_paper_have_known_pooling_and_prompts(name, pooling, prompts):
    family = family_of(hub_name(name))
    assert (family.pooling, family.prompts) == (pooling, prompts)


def test_every_short_name_leads_to_its_own_family():
    for family in FAMILIES:
        for short, full in family.models:
            assert hub_name(short.upper()) == full
            assert family_of(full) is family


@pytest.mark.parametrize("name", ["me/multilingual-thing", "e5/other", "", "/models/e5-base/tuned"])
def test_other_names_belong_to_no_family(name):
    assert family_of(name) is None


def test_a_folder_is_known_by_its_last_part():
    assert family_of("/models/multilingual-e5-base/").name == "E5"
    assert family_of("C:\\models\\bge-m3").name == "BGE-M3"


def test_the_prompts_of_the_paper_are_known_by_name():
    assert choose_prompts("paper") is PAPER_PROMPTS
    assert (PAPER_PROMPTS.before("query"), PAPER_PROMPTS.before("source")) == (
        "Query: ",
        "Candidate: ",
    )
    assert choose_prompts(Prompts("a", "b")) == Prompts("a", "b")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: choose_prompts("E6"),
        lambda: check_pooling("max"),
        lambda: NO_PROMPTS.before("passage"),
    ],
)
def test_unknown_names_are_reported(wrong):
    with pytest.raises(ParameterError, match=r"choose one of|query or source"):
        wrong()


def test_the_bases_of_the_papers_cross_encoders_are_known_by_name():
    assert len(CROSS_ENCODER_BASES) == 11
    for short, full in CROSS_ENCODER_BASES.items():
        assert hub_name(short) == hub_name(short.upper()) == full
        assert full.count("/") == 1
