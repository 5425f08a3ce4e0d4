"""The agreement of readers as a table."""

import re

from locisimiles.app.judging.agreement import Agreement, ReaderComparison
from locisimiles.app.ui.agreement_table import agreement_table
from locisimiles.app.ui.translator import Translator

ATTACK = "<img src=x>"
ALL = Agreement(("", ATTACK), 4, 3, 0.5, -0.25, 1.0)
INDEPENDENT = Agreement(("", ATTACK), 0, 0, None)


def cells(html):
    return [
        [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", line)]
        for line in re.findall("<tr>.*?</tr>", html)
    ]


def test_every_two_readers_have_a_line_for_all_and_one_for_independent_verdicts():
    _, every, independent = cells(
        agreement_table([ReaderComparison(ALL, INDEPENDENT)], Translator("en"))
    )
    assert every[1:] == ["all", "4", "3 (75%)", "0.50 (−0.25 to 1.00)"]
    assert independent == ["independent", "0", "0", "–"]


def test_numbers_are_written_as_in_the_language():
    html = agreement_table([ReaderComparison(ALL, INDEPENDENT)], Translator("de"))
    assert "0,50 (−0,25 bis 1,00)" in html


def test_names_of_readers_are_texts():
    html = agreement_table([ReaderComparison(ALL, INDEPENDENT)], Translator("en"))
    assert ATTACK not in html
    assert "without a name – &lt;img src=x&gt;" in html
