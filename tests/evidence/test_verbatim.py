import pytest

from locisimiles.evidence.alignment import align
from locisimiles.evidence.verbatim import verbatim_runs


@pytest.mark.parametrize(
    ("query", "source", "runs"),
    [
        ("haesit uox faucibus", "vox faucibus haesit", ("uox faucibus",)),
        ("uox, faucibus haesit", "vox faucibus haesit", ("uox faucibus haesit",)),
        ("faucibus uox", "vox faucibus", ()),
        ("uox mea faucibus", "vox faucibus", ()),
        ("uocem faucibus", "vox faucibus", ()),
        ("arma", "Italiam", ()),
    ],
)
def test_neighbouring_words_in_the_same_form_and_order_are_verbatim(query, source, runs):
    assert verbatim_runs(align(query, source), query, source) == runs
