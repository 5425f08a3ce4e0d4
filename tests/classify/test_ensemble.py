"""The shipped classifier: what its probabilities depend on."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import Document, ParameterError, Segment
from locisimiles.classify import Ensemble, Pairs
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.ensemble_weights import EnsembleWeights, PairModel
from locisimiles.classify.pair_features import PAIR_FEATURES, PairFeatures, expanded
from locisimiles.classify.reranking import RERANK_FROM, RERANKING_COLUMNS, Reranking
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
from locisimiles.late.pieces import PieceWeights
from locisimiles.late.search import Late
from locisimiles.retrieve.combined.priors import AuthorPriors


def document(*texts, prefix="s", authors=(), **facts):
    names = [*authors, *[""] * len(texts)]
    return Document.from_segments(
        Segment(f"{prefix}{n}", text, author=names[n], **facts) for n, text in enumerate(texts)
    )


TEXTS = "uox haesit faucibus", "arma cano", "et uox"
QUERY = document(*TEXTS, prefix="q", authors=("Jerome", "Ambrose", ""))
SOURCE = document(
    "et vox faucibus haesit", "arma uirumque", "uox", "amor", authors=["Virgil", "Ovid"] * 2
)
PAIRS = Pairs.every(QUERY, SOURCE)
PRIORS = AuthorPriors({"Jerome": {"Virgil": 2.0, "Ovid": -1.0}}, {"Jerome": {}})


def model(seed, columns):
    weights = np.random.default_rng(seed).normal(scale=0.3, size=(2, 2 * columns + 2))
    return PairModel(weights, calibration(0.1 * seed, 0.5 * seed))


def calibration(cit, spread, coverage=1.0):
    return Calibration(Thresholds(cit, 0.2), ReferenceThreshold(0.3), coverage, spread)


def reranking(table):
    """Return weights by which a cross-encoder counts for cit., and 90 % is noted."""
    weights = np.zeros((2, 2 * RERANKING_COLUMNS + 2))
    weights[0, [0, 2]] = weights[1, 1] = 1.0
    second = Reranking(weights, calibration(0.7, 2.5, coverage=0.9))
    return EnsembleWeights(
        replace(table.with_priors, reranking=second),
        replace(table.without_priors, reranking=second),
        table.priors,
        table.pieces,
    )


class CrossEncoder:
    """Takes every second source for a quotation, and notes what it read."""

    calibration = Calibration()

    def __init__(self):
        self.read = []

    def parameters(self):
        return {"classifier": "a cross-encoder"}

    def probabilities(self, pairs, *, progress):
        progress("reading", 0, 1)
        self.read += zip(pairs.query_rows.tolist(), pairs.source_rows.tolist(), strict=True)
        sure, none = [0.2, 0.6, 0.2], [0.6, 0.2, 0.2]
        return np.array([sure if at % 2 else none for at in pairs.source_rows], np.float32)


@pytest.fixture(scope="module")
def table():
    """Weights that were drawn, so that every column counts."""
    return EnsembleWeights(
        model(1, len(PAIR_FEATURES) + 2),
        model(2, len(PAIR_FEATURES)),
        PRIORS,
        PieceWeights(np.array([2, 1]), 4),
    )


@pytest.fixture(scope="module")
def small(table, tiny_latin):
    """An ensemble with a small encoder."""
    return Ensemble(weights=table, late=Late(tiny_latin, cache=None, exact=True))


@pytest.fixture(scope="module")
def judged(small):
    return small.probabilities(PAIRS)


def test_rows_add_up_to_one(judged):
    assert (judged.shape, judged.dtype) == ((12, 3), np.float32)
    assert judged.sum(axis=1) == pytest.approx(np.ones(12), abs=1e-6)
    assert (judged >= 0).all()


def test_probabilities_are_those_of_the_weights_by_hand(small, table, judged):
    columns = PairFeatures(table.pieces, small.late).columns(PAIRS)
    rows = zip(PAIRS.query_rows, PAIRS.source_rows, strict=True)
    for row, (query, source) in enumerate(rows):
        own = columns.values[row].astype(float).tolist()
        known = query == 0  # Jerome
        if known:
            own += [2.0 if source % 2 == 0 else -1.0, 0.0]
        (wide,) = expanded(np.array([own]), 4)
        scores = table.model(priors=bool(known)).weights @ [*wide, 1.0]
        raised = np.exp([0.0, *scores])
        assert judged[row] == pytest.approx(raised / raised.sum(), abs=1e-5)


def test_an_unknown_author_is_judged_without_priors(small, judged):
    plain = replace(small, priors=False)
    found = plain.probabilities(PAIRS)
    assert found[4:].tolist() == judged[4:].tolist()
    assert np.abs(found[:4] - judged[:4]).max() > 1e-3


def test_authors_do_not_matter_without_priors(small):
    plain = replace(small, priors=False)
    nameless = document(*TEXTS, prefix="q")
    expected = small.probabilities(Pairs.every(nameless, SOURCE)).tolist()
    assert plain.probabilities(PAIRS).tolist() == expected


@settings(max_examples=10)
@given(st.permutations(range(12)))
def test_the_order_of_pairs_does_not_matter(small, judged, order):
    found = small.probabilities(PAIRS.select(np.array(order)))
    np.testing.assert_allclose(found, judged[order], atol=1e-6)


def test_the_same_query_elsewhere_does_not_matter(small, judged):
    more = Document.from_segments([*QUERY, Segment("copy", TEXTS[0]), Segment("more", "amor")])
    found = small.probabilities(Pairs.every(more, SOURCE))
    np.testing.assert_allclose(found[:12], judged, atol=1e-6)


def test_the_number_of_sources_matters(small, judged):
    many = Document.from_segments([*SOURCE, *(Segment(f"m{n}", "amor") for n in range(700))])
    found = small.probabilities(Pairs(QUERY, many, PAIRS.query_rows, PAIRS.source_rows))
    assert np.abs(found - judged).max() > 1e-3


@pytest.mark.parametrize(
    ("query", "source"), [(QUERY, SOURCE), (QUERY[:0], SOURCE), (QUERY, SOURCE[:0])]
)
def test_no_pairs_have_no_probabilities(small, query, source):
    assert small.probabilities(Pairs(query, source, [], [])).shape == (0, 3)


def test_calibration_depends_on_priors(small):
    assert small.calibration == calibration(0.1, 0.5)
    assert replace(small, priors=False).calibration == calibration(0.2, 1.0)


def test_a_cross_encoder_judges_likely_pairs(small, table, judged):
    cross_encoder = CrossEncoder()
    asked = replace(small, weights=reranking(table), cross_encoder=cross_encoder)
    found = asked.probabilities(PAIRS)
    likely = 1 - judged[:, 0] >= RERANK_FROM
    pairs = PAIRS.select(likely)
    rows = zip(pairs.query_rows.tolist(), pairs.source_rows.tolist(), strict=True)
    assert cross_encoder.read == list(rows)
    for row, (first, second) in enumerate(zip(judged, found, strict=True)):
        times = 1.0 if not likely[row] else (3.0 if row % 4 % 2 else 1 / 3)
        raised = np.array([first[0], times * first[1], first[2]])
        expected = 0.9 * raised / raised.sum() + [0.1, 0, 0]
        assert second == pytest.approx(expected, abs=1e-4)


def test_a_cross_encoder_without_a_learnt_weight_is_not_used(small):
    cross_encoder = CrossEncoder()
    plain = replace(small, cross_encoder=cross_encoder)
    plain.probabilities(PAIRS)
    assert cross_encoder.read == []
    assert plain.parameters()["cross_encoder"] is None


def test_the_cross_encoder_can_be_disabled(small, table, judged):
    alone = replace(small, weights=reranking(table), cross_encoder=None)
    found = alone.probabilities(PAIRS)
    assert found.tolist() == judged.tolist()
    assert alone.calibration == calibration(0.1, 0.5)
    assert alone.parameters()["cross_encoder"] is None


def test_calibration_depends_on_the_cross_encoder(small, table):
    asked = replace(small, weights=reranking(table), cross_encoder=CrossEncoder())
    assert asked.calibration == calibration(0.7, 2.5, 0.9)
    assert asked.parameters()["cross_encoder"] == {"classifier": "a cross-encoder"}


def test_the_shipped_cross_encoder_is_the_default_and_loaded_once():
    shipped = Ensemble()
    told = shipped.parameters()["cross_encoder"]
    assert told["classifier"] == "cross-encoder"
    one, two = (own._reranker(own.loaded_weights()) for own in (shipped, Ensemble(priors=False)))
    assert one is two


@pytest.mark.parametrize("learnt", ["encoder_sha256", "cross_encoder_sha256"])
def test_weights_fit_only_the_models_they_were_learnt_with(small, table, learnt):
    what = learnt.removesuffix("_sha256").replace("_", "-")
    other = replace(small, weights=replace(reranking(table), **{learnt: "0" * 64}))
    message = rf"learnt with another {what} \(0{{12}}…, not [0-9a-f]{{12}}…\); .*train classifier"
    for use in (
        other.parameters,
        lambda: other.probabilities(Pairs(QUERY, SOURCE, [0], [0])),
    ):
        with pytest.raises(ParameterError, match=message):
            use()


def test_a_weights_file_is_read_once_per_call(small, table, tmp_path, monkeypatch):
    file = tmp_path / "weights.json"
    table.save(file)
    loaded = []
    load = EnsembleWeights.load
    monkeypatch.setattr(EnsembleWeights, "load", lambda path: loaded.append(path) or load(path))
    from_file = replace(small, weights=str(file))
    found = from_file.probabilities(PAIRS)
    assert loaded == [file]
    expected = small.probabilities(PAIRS)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert from_file.parameters()["weights_sha256"] == table.fingerprint()


def test_parameters_describe_the_ensemble(small, table):
    told = small.parameters()
    assert (told["classifier"], told["priors"]) == ("ensemble", True)
    assert told["weights_sha256"] == table.fingerprint()
    assert told["late"]["name"] == "late"
    assert json.loads(json.dumps(told)) == told
    assert replace(small, priors=False).parameters() != told


@settings(max_examples=15)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=4))
def test_any_text_has_probabilities(small, texts):
    own = document(*texts)
    found = small.probabilities(Pairs.every(own, own))
    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(len(found)), abs=1e-5)


@pytest.mark.parametrize(
    "text",
    ["uox faucibus haesit " * 50_000, "a" * 1_000_000, "\0" * 1_000_000],
    ids=["words", "one long word", "no word"],
)
def test_a_megabyte_of_text_has_probabilities(small, text):
    own = document(text, "uox haesit", "")
    found = small.probabilities(Pairs(own, own, [0, 1, 2], [0, 0, 0]))
    assert np.isfinite(found).all()


def test_the_shipped_ensemble_finds_a_quotation():
    source = document(
        "obstipui, steteruntque comae et vox faucibus haesit", "arma uirumque cano", "\0", ""
    )
    query = document("Haesit uox faucibus eius.", prefix="q")
    found = Ensemble().probabilities(Pairs.every(query, source))
    assert found[0, 1] > 0.5
    assert found[1:, 1:].sum() < 0.1


def test_the_shipped_ensemble_has_priors_of_jerome():
    source = document("stat sonipes ac frena ferox", "miles uenit", authors=["Virgil", "Ovid"])
    texts = ["frena ferox", "pax et bellum"]
    jerome, unnamed = (
        document(*texts, prefix="q", authors=names) for names in (["Jerome"] * 2, [])
    )
    known, unknown = (
        Ensemble().probabilities(Pairs.every(query, source)) for query in (jerome, unnamed)
    )
    assert np.abs(known - unknown).max() > 1e-4
