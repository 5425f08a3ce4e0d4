"""The weights of the ensemble: saved, loaded, and refused if invalid."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.classify.calibration import Calibration
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.ensemble_weights import EnsembleWeights, PairModel
from locisimiles.classify.pair_features import PAIR_FEATURES
from locisimiles.classify.reranking import RERANKING_COLUMNS, Reranking, rerank
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
from locisimiles.errors import MalformedInputError, OutputError
from locisimiles.late import Late
from locisimiles.late.pieces import PieceWeights
from locisimiles.models.identity import model_sha256
from locisimiles.retrieve.combined.priors import AuthorPriors

COLUMNS = {True: 2 * (len(PAIR_FEATURES) + 2) + 2, False: 2 * len(PAIR_FEATURES) + 2}


def model(random, *, priors, cf=0.2, second=True):
    weights = random.normal(size=(2, COLUMNS[priors]))
    calibration, later = (
        Calibration(
            Thresholds(0.3, cf),
            ReferenceThreshold(0.1),
            0.9 + random.random() / 10,
            random.random(),
        )
        for _ in range(2)
    )
    second_weights = random.normal(size=(2, 2 * RERANKING_COLUMNS + 2))
    reranking = Reranking(second_weights, later) if second else None
    return PairModel(weights, calibration, reranking)


def table(seed=1, **options):
    random = np.random.default_rng(seed)
    return EnsembleWeights(
        model(random, priors=True, second=options.get("second", True)),
        model(random, priors=False, **options),
        AuthorPriors({"Jérôme": {"Virgil": 0.5}}, {"Jérôme": {"Virgil: Aeneis": -1.25}}),
        PieceWeights(np.array([3, 0, 12]), 12),
    )


@pytest.fixture
def file(tmp_path):
    return tmp_path / "weights.json"


@pytest.fixture
def content(file):
    """What is in a file that can be read."""
    table().save(file)
    return json.loads(file.read_text(encoding="utf-8"))


def test_saved_weights_can_be_loaded(file):
    saved = table()
    saved.save(file)
    loaded = EnsembleWeights.load(file)
    for priors in (True, False):
        own, read = saved.model(priors=priors), loaded.model(priors=priors)
        for one, two in ((own, read), (own.reranking, read.reranking)):
            np.testing.assert_allclose(two.weights, one.weights, rtol=1e-5)
            assert two.calibration.thresholds == one.calibration.thresholds
            assert two.calibration.detection == one.calibration.detection
            assert two.calibration.coverage == pytest.approx(one.calibration.coverage, abs=1e-5)
            assert two.calibration.spread == pytest.approx(one.calibration.spread, abs=1e-4)
    assert (loaded.priors.authors, loaded.priors.works) == (
        saved.priors.authors,
        saved.priors.works,
    )
    assert loaded.pieces.counts.tolist() == [3, 0, 12]
    assert loaded.pieces.segments == 12


def test_loaded_weights_are_saved_to_the_same_bytes(file):
    saved = table()
    saved.save(file)
    again = file.with_name("again.json")
    EnsembleWeights.load(file).save(again)
    assert again.read_bytes() == file.read_bytes()
    assert EnsembleWeights.load(again).fingerprint() == saved.fingerprint()


def test_infinite_thresholds_are_saved(file):
    table(cf=math.inf).save(file)
    assert EnsembleWeights.load(file).without_priors.calibration.thresholds.cf == math.inf


def test_weights_without_reranking_are_saved(file):
    table(second=False).save(file)
    loaded = EnsembleWeights.load(file)
    assert loaded.with_priors.reranking is loaded.without_priors.reranking is None
    assert not loaded.reranks
    assert table().reranks


def test_other_weights_have_another_fingerprint():
    one = table()
    others = [
        table(seed=2),
        table(cf=0.25),
        table(second=False),
        replace(one, priors=AuthorPriors({}, {})),
        replace(one, pieces=PieceWeights(np.array([3, 0, 12]), 13)),
        replace(one, encoder_sha256="ab"),
        replace(one, cross_encoder_sha256="ab"),
    ]
    assert len({own.fingerprint() for own in (one, *others)}) == 8
    assert table().fingerprint() == one.fingerprint()


def test_each_part_has_its_own_line(file, content):
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(content) + 2


def test_the_shipped_weights_fit_the_columns():
    shipped = EnsembleWeights.shipped()
    assert shipped is EnsembleWeights.shipped()
    for priors in (True, False):
        assert shipped.model(priors=priors).weights.shape == (2, COLUMNS[priors])
        for calibration in (
            shipped.model(priors=priors).calibration,
            shipped.model(priors=priors).reranking.calibration,
        ):
            assert 0 <= calibration.spread < 2
            assert 0.9 < calibration.coverage <= 1
    assert shipped.priors.knows("Jerome")
    assert shipped.encoder_sha256 == model_sha256(Late().encoder())
    assert shipped.cross_encoder_sha256 == model_sha256(CrossEncoderClassifier().network)
    assert shipped.pieces.segments > 10_000


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        table().save(tmp_path / "no" / "weights.json")


def is_refused(file):
    with pytest.raises(MalformedInputError) as caught:
        EnsembleWeights.load(file)
    return str(caught.value) == (
        f"{file}: not a weights file of locisimiles; create one with: locisimiles train classifier"
    )


def test_a_missing_file_is_an_error(file):
    assert is_refused(file)


@pytest.mark.parametrize(
    "text",
    [
        "", "{}", "[]", "null", "3", '"format"', '{"format": 1}', "\0", "\ufeff{}", "{'format': 1}",
        "[" * 100_000, '{"a":' * 100_000, "9" * 5000,
    ],
    ids=range(13),
)  # fmt: skip
def test_other_content_is_refused(file, text):
    file.write_text(text, encoding="utf-8")
    assert is_refused(file)


def test_bytes_that_are_not_text_are_refused(file):
    file.write_bytes(b"\xff\xfe\x00\xd8")
    assert is_refused(file)


def change(content, path, value):
    *parents, last = path
    for name in parents:
        content = content[name]
    content[last] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["format"], 1),
        (["columns"], []),
        (["columns"], None),
        (["columns", 3], "something new"),
        (["with_priors"], None),
        (["with_priors", "weights"], [[1.0]]),
        (["with_priors", "weights"], []),
        (["with_priors", "weights", 0], [0.0]),
        (["without_priors", "weights", 1, 4], math.nan),
        (["without_priors", "weights", 1, 4], math.inf),
        (["without_priors", "weights", 1, 4], 1e300),
        (["without_priors", "weights", 1, 4], "much"),
        (["without_priors", "weights", 1, 4], None),
        (["without_priors", "weights", 1, 4], 10**400),
        (["with_priors", "thresholds"], 0.5),
        (["with_priors", "thresholds", "cit"], math.nan),
        (["with_priors", "thresholds", "cit"], "high"),
        (["with_priors", "spread"], math.nan),
        (["with_priors", "spread"], math.inf),
        (["with_priors", "spread"], -0.5),
        (["with_priors", "spread"], 1e9),
        (["with_priors", "coverage"], -0.1),
        (["with_priors", "coverage"], 1.1),
        (["with_priors", "coverage"], math.nan),
        (["with_priors", "reranking"], {}),
        (["with_priors", "reranking"], 3),
        (["with_priors", "reranking", "weights"], [[1.0]]),
        (["with_priors", "reranking", "weights", 0, 0], math.nan),
        (["without_priors", "reranking", "thresholds", "cf"], None),
        (["without_priors", "reranking", "spread"], -1),
        (["priors"], {}),
        (["priors", "authors"], ["Virgil"]),
        (["priors", "authors"], {"Jerome": {"Virgil": math.nan}}),
        (["priors", "works"], {"Jerome": {"Virgil: Aeneis": math.inf}}),
        (["priors", "works"], {"Jerome": {"Virgil: Aeneis": 1e300}}),
        (["priors", "works"], {"Jerome": 3}),
        (["pieces"], None),
        (["pieces", "counts"], [[1, 2], [3, 4]]),
        (["pieces", "counts"], [-1, 2]),
        (["pieces", "counts"], [10**30]),
        (["pieces", "counts"], [13]),  # of 12 segments
        (["pieces", "counts"], 4),
        (["pieces", "counts"], ["many"]),
        (["pieces", "segments"], -1),
        (["pieces", "segments"], math.inf),
        (["pieces", "segments"], math.nan),
        (["pieces", "segments"], 10**400),
        (["pieces", "segments"], []),
    ],
    ids=lambda value: str(value)[:40],
)
def test_invalid_values_are_refused(file, content, path, value):
    change(content, path, value)
    file.write_text(json.dumps(content), encoding="utf-8")
    assert is_refused(file)


@settings(max_examples=60)
@given(st.data())
def test_truncated_files_are_refused(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("cut") / "weights.json"
    text = table().text()
    file.write_text(text[: data.draw(st.integers(0, len(text) - 3))], encoding="utf-8")
    assert is_refused(file)


GUESSES = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1]])
SECOND = np.array([[0.1, 0.8, 0.1], [np.nan] * 3])


def test_without_a_cross_encoder_the_features_decide():
    own = table().with_priors
    assert own.final(GUESSES, None, 900).tolist() == own.calibration.applied(GUESSES).tolist()
    alone = table(second=False).with_priors
    assert alone.final(GUESSES, SECOND, 900).tolist() == alone.calibration.applied(GUESSES).tolist()


def test_a_cross_encoder_is_weighted_in_and_calibrated():
    own = table().with_priors
    expected = rerank(GUESSES, SECOND, 900, own.reranking.weights)
    found = own.final(GUESSES, SECOND, 900)
    assert found.tolist() == own.reranking.calibration.applied(expected).tolist()
    assert np.abs(found[0] - GUESSES[0]).max() > 0.01
