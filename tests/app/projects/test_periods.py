"""Periods as users write them."""

import pytest

from locisimiles import ParameterError
from locisimiles.app.projects.periods import Period, read_period


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("", None, None),
        ("before 100", None, 99),
        ("vor dem 4. Jh.", None, 300),
        ("prima del 14", None, 13),
        ("avant 100 av. J.-C.", None, -101),
        ("until 100", None, 100),
        ("bis zum", "bad", ""),
        ("fino al 14", None, 14),
        ("after AD 14", 15, None),
        ("nach 14 n. Chr.", 15, None),
        ("since the 4th century", 301, None),
        ("ab 19 v. Chr.", -19, None),
        ("19 BC", -19, -19),
        ("-50", -50, -50),
        ("50 BC – AD 14", -50, 14),
        ("100–50 BC", -100, -50),
        ("-100 - -50", -100, -50),
        ("100 av. J.-C. – 50 av. J.-C.", -100, -50),
        ("from 100 to 200", 100, 200),
        ("zwischen 50 v. Chr. und 20 n. Chr.", -50, 20),
        ("dal 100 al 200", 100, 200),
        ("de 100 à 200", 100, 200),
        ("4th century", 301, 400),
        ("1. Jahrhundert v. Chr.", -100, -1),
        ("IV secolo", 301, 400),
        ("IVe siècle", 301, 400),
        ("200–100", "bad", ""),
        ("99th century", "bad", ""),
        ("before", "bad", ""),
        ("Augustan", "bad", ""),
        ("x" * 5000, "bad", ""),
    ],
)
def test_periods_are_read_in_four_languages(text, first, last):
    if first == "bad":
        with pytest.raises(ParameterError, match="is no period"):
            read_period(text)
    else:
        assert read_period(text) == Period(first, last)


def test_a_period_includes_both_years():
    assert [Period(-19, 14).has(year) for year in (-20, -19, 14, 15)] == [False, True, True, False]
    assert Period().has(-800)
