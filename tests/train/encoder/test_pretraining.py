"""The encoder learns to guess masked pieces, and resumes after an interruption."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.errors import InputError, ParameterError  # noqa: E402
from locisimiles.train.encoder.network import (  # noqa: E402
    EncoderConfig,
    LatinEncoder,
    MaskedLanguageModel,
)
from locisimiles.train.encoder.pretraining import Pretraining, PretrainSettings  # noqa: E402
from locisimiles.train.encoder.project import EncoderProject  # noqa: E402

CONFIG = EncoderConfig(vocabulary=60, width=16, layers=2, heads=2, inner=32)
SETTINGS = PretrainSettings(steps=40, batch=8, length=16, warm_up=5, rate=3e-3)
PATTERN = np.tile(np.arange(5, 25, dtype=np.uint16), 400)  # each piece tells the next


def training(**changes):
    return Pretraining(PATTERN, CONFIG, replace(SETTINGS, **changes))


def weights(pretraining):
    return torch.cat([tensor.flatten() for tensor in pretraining.model.state_dict().values()])


def test_a_regular_text_is_learnt():
    pretraining = training(steps=600, rate=1e-2, warm_up=60)
    before = pretraining.evaluate()
    pretraining.run(3600)
    after = pretraining.evaluate()
    assert pretraining.step == 600
    assert before.loss > math.log(20)
    # Better than knowing which twenty pieces there are: their order was learnt.
    assert after.loss < math.log(20) - 0.5


def test_an_interrupted_training_ends_with_the_same_weights(tmp_path):
    whole = training()
    whole.run(3600)
    first = training()
    while first.step < 17:
        first._learn()
        first.step += 1
    first.save(tmp_path)
    second = training()
    second.resume(tmp_path)
    assert second.step == 17
    second.run(3600)
    torch.testing.assert_close(weights(second), weights(whole))


def test_without_time_nothing_is_learnt():
    pretraining = training()
    before = weights(pretraining)
    pretraining.run(0)
    assert pretraining.step == 0
    assert torch.equal(before, weights(pretraining))


def test_padding_does_not_change_vectors():
    torch.manual_seed(0)
    encoder = LatinEncoder(CONFIG).eval()
    numbers = torch.tensor([[2, 7, 8, 9, 3]])
    padded = torch.tensor([[2, 7, 8, 9, 3, 0, 0]])
    with torch.no_grad():
        alone = encoder(numbers)
        beside = encoder(padded, padded != 0)[:, :5]
    torch.testing.assert_close(alone, beside)


def test_the_order_of_words_matters():
    torch.manual_seed(0)
    encoder = LatinEncoder(CONFIG).eval()
    with torch.no_grad():
        for weight in encoder.parameters():  # as if it had learnt something
            weight.mul_(10)
        one = encoder(torch.tensor([[2, 7, 8, 3]]))[0, 1]
        other = encoder(torch.tensor([[2, 8, 7, 3]]))[0, 2]
    assert not torch.allclose(one, other, atol=1e-4)


def test_logits_cover_the_vocabulary():
    model = MaskedLanguageModel(CONFIG)
    assert model.logits(torch.zeros(3, CONFIG.width)).shape == (3, CONFIG.vocabulary)


@pytest.fixture
def corpus(tmp_path):
    words = (
        "arma uirum que cano troia qui primus ab oris italia fato profugus lauinia uenit".split()
    )
    lines = [" ".join(words[i:] + words[:i]) for i in range(len(words))] * 1
    lines += [" ".join(words[i::2] + words[:3]) + " litora" for i in range(6)]
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(lines * 3) + "\n", encoding="utf-8")
    return path


def test_a_project_resumes_and_ends_with_an_encoder(tmp_path, corpus):
    project = EncoderProject(tmp_path / "p")
    assert project.prepare([corpus], vocabulary=300) > 50
    config = EncoderConfig(project.vocabulary_size(), width=16, layers=1, heads=2, inner=32)
    settings = PretrainSettings(steps=3, batch=2, length=8, warm_up=1)
    assert project.train(config, settings, seconds=0)[0] == 0
    steps, found = EncoderProject(tmp_path / "p").train(config, settings, seconds=3600)
    assert (steps, found.loss > 0) == (3, True)
    written = json.loads((tmp_path / "p" / "encoder" / "config.json").read_text())
    assert (written["width"], written["steps"]) == (16, 3)
    vocabularies = [tmp_path / "p" / name for name in ("tokenizer.json", "encoder/tokenizer.json")]
    assert vocabularies[0].read_bytes() == vocabularies[1].read_bytes()
    with pytest.raises(InputError, match=r"different settings \(settings\)"):
        project.train(config, PretrainSettings(steps=4), seconds=0)


def test_without_text_there_is_nothing_to_train(tmp_path):
    with pytest.raises(ParameterError, match="no text to train on"):
        EncoderProject(tmp_path).prepare([])
