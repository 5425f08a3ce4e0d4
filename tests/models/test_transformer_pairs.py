"""Transformers of others as cross-encoders; small ones are made here."""

import json
import shutil

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.classify.base import Pairs
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.errors import InputError, ParameterError
from locisimiles.models.pair_pieces import PairTemplate
from locisimiles.models.transformer_pairs import load_pair_transformer

pytestmark = pytest.mark.train

QUERIES = ["arma uirumque cano", "uox faucibus haesit", "", "uox " * 60]
SOURCES = ["uox", "o tempora", "haesit uox arma"]
PAIRS = tuple(axis.ravel() for axis in np.meshgrid(np.arange(4), np.arange(3)))


@pytest.fixture(scope="session")
def tiny_roberta(tmp_path_factory):
    """Return the folder of a small RoBERTa whose tokenizer knows bytes and nothing of pairs."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("roberta")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz")]
    vocabulary = {piece: number for number, piece in enumerate([*special, *letters])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>",
        pad_token="<pad>", mask_token="<mask>", cls_token="<s>", sep_token="</s>",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(2)
    config = transformers.RobertaConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_attention_heads=2, num_hidden_layers=1,
        intermediate_size=48, max_position_embeddings=66, type_vocab_size=1, pad_token_id=1,
        bos_token_id=0, eos_token_id=2, initializer_range=0.2,
    )  # fmt: skip
    transformers.RobertaModel(config).save_pretrained(folder, safe_serialization=True)
    return folder


@pytest.fixture(scope="session")
def tiny_modern(tiny_roberta, tmp_path_factory):
    """Return the folder of a small ModernBERT whose tokenizer, as mmBERT's, has no [CLS]."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("modern")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_roberta)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer.backend_tokenizer, bos_token="<s>", eos_token="</s>",
        unk_token="<unk>", pad_token="<pad>",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(2)
    config = transformers.ModernBertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_attention_heads=2, num_hidden_layers=2,
        intermediate_size=48, max_position_embeddings=64, pad_token_id=1, bos_token_id=0,
        eos_token_id=2, cls_token_id=0, sep_token_id=2, initializer_range=0.2,
        local_attention=16, global_attn_every_n_layers=2,
    )  # fmt: skip
    transformers.ModernBertModel(config).save_pretrained(folder, safe_serialization=True)
    return folder


def alone(pairs, numbers, types=None):
    """Return what the model itself makes of one row."""
    import torch

    inputs = {"input_ids": torch.tensor([numbers])}
    if types is not None:
        inputs["token_type_ids"] = torch.tensor([types])
    with torch.no_grad():
        return pairs.model(**inputs).logits[0].numpy()


def test_a_bert_reads_pairs_as_its_own_tokenizer_writes_them(tiny_encoder):
    pairs = load_pair_transformer(tiny_encoder, untrained=True)
    found = pairs.logits(QUERIES, SOURCES, *PAIRS)
    half = (64 - 3) // 2
    for row, (query, source) in enumerate(zip(*PAIRS, strict=True)):
        one, two = (
            pairs.tokenizer(text, add_special_tokens=False)["input_ids"][:half]
            for text in (QUERIES[query], SOURCES[source])
        )
        if query != 3:  # which is cut off
            written = pairs.tokenizer(QUERIES[query], SOURCES[source])
            assert written["input_ids"] == [2, *one, 3, *two, 3]
            assert written["token_type_ids"] == [0] * (len(one) + 2) + [1] * (len(two) + 1)
        types = [0] * (len(one) + 2) + [1] * (len(two) + 1)
        expected = alone(pairs, [2, *one, 3, *two, 3], types)
        np.testing.assert_allclose(found[row], expected, atol=1e-5)


def test_the_roberta_family_gets_two_separators(tiny_roberta):
    pairs = load_pair_transformer(tiny_roberta, untrained=True)
    assert (pairs.template.before, pairs.template.between) == ((0,), (2, 2))
    assert pairs.template.padding == 1
    found = pairs.logits(QUERIES, SOURCES, *PAIRS)
    one, two = (
        pairs.tokenizer(text, add_special_tokens=False)["input_ids"]
        for text in (QUERIES[1], SOURCES[2])
    )
    row = int(np.flatnonzero((PAIRS[0] == 1) & (PAIRS[1] == 2))[0])
    expected = alone(pairs, [0, *one, 2, 2, *two, 2])
    np.testing.assert_allclose(found[row], expected, atol=1e-5)
    assert np.abs(found[row] - alone(pairs, [0, *one, 2, *two, 2])).max() > 1e-4


def test_a_modern_bert_gets_what_begins_and_ends_its_texts(tiny_modern):
    pairs = load_pair_transformer(tiny_modern, untrained=True)
    assert pairs.template == PairTemplate((0,), (2,), (2,), 1)
    found = pairs.logits(QUERIES[:2], SOURCES, np.array([1]), np.array([2]))
    one, two = (
        pairs.tokenizer(text, add_special_tokens=False)["input_ids"]
        for text in (QUERIES[1], SOURCES[2])
    )
    np.testing.assert_allclose(found[0], alone(pairs, [0, *one, 2, *two, 2]), atol=1e-5)


@pytest.mark.parametrize("model", ["tiny_encoder", "tiny_roberta", "tiny_modern"])
def test_only_the_head_is_new(model, request):
    from locisimiles.train.crossencoder.network import TransformerNetwork

    folder = request.getfixturevalue(model)
    network = TransformerNetwork(load_pair_transformer(folder, untrained=True))
    new = {id(parameter) for parameter in network.new_parameters()}
    names = {name for name, own in network.model.named_parameters() if id(own) in new}
    assert names
    assert all(name.startswith(("classifier", "head")) for name in names)


def test_the_budget_is_what_the_model_allows_and_is_kept_with_it(tiny_roberta, tmp_path):
    assert load_pair_transformer(tiny_roberta, untrained=True).budget == 64  # two of 66 are shifted
    pairs = load_pair_transformer(tiny_roberta, untrained=True, budget=20)
    pairs.save(tmp_path / "saved")
    again = load_pair_transformer(tmp_path / "saved")
    assert again.budget == 20
    np.testing.assert_allclose(
        again.logits(QUERIES, SOURCES, *PAIRS), pairs.logits(QUERIES, SOURCES, *PAIRS), atol=1e-6
    )
    with pytest.raises(ParameterError, match="no room"):
        load_pair_transformer(tiny_roberta, untrained=True, budget=5)


def test_a_saved_model_is_a_classifier(tiny_encoder, tmp_path):
    load_pair_transformer(tiny_encoder, untrained=True).save(tmp_path / "saved")
    config = json.loads((tmp_path / "saved" / "config.json").read_text())
    assert config["id2label"] == {"0": "none", "1": "cit", "2": "cf"}
    documents = [
        Document.from_segments(Segment(str(row), text or ",") for row, text in enumerate(texts))
        for texts in (QUERIES, SOURCES)
    ]
    classifier = CrossEncoderClassifier(tmp_path / "saved", device="cpu")
    found = classifier.probabilities(Pairs(*documents, *PAIRS))
    assert found.shape == (12, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    assert classifier.parameters()["model_sha256"]


def test_an_encoder_without_a_head_is_no_classifier(tiny_encoder):
    with pytest.raises(InputError, match="lacks 2 weights, among them classifier"):
        load_pair_transformer(tiny_encoder)


def test_other_classes_than_three_are_refused(tiny_encoder, tmp_path):
    transformers = pytest.importorskip("transformers")
    folder = shutil.copytree(tiny_encoder, tmp_path / "copy")
    config = transformers.BertConfig.from_pretrained(folder, num_labels=2)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    with pytest.raises(InputError, match="2 classes, not 3"):
        load_pair_transformer(folder)


def test_no_pairs_need_no_texts(tiny_encoder):
    nothing = np.empty(0, np.int32)
    pairs = load_pair_transformer(tiny_encoder, untrained=True)
    assert pairs.logits([], [], nothing, nothing).shape == (0, 3)


@pytest.fixture
def latin_bert(tiny_encoder, tmp_path):
    folder = shutil.copytree(tiny_encoder, tmp_path / "tiny-latin-bert")
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        (folder / name).unlink(missing_ok=True)
    return folder


def test_latin_bert_is_read_with_its_own_subwords(latin_bert, tmp_path):
    subwords = ["uox_", "haesit_", *"abcdefghilmnopqrstuxyz_\\;0123456789"]
    written = "".join(f"'{subword}'\n" for subword in subwords)
    (latin_bert / "latin.subword.encoder").write_text(written)
    pairs = load_pair_transformer(latin_bert, untrained=True)
    found = pairs.logits(["Uox"], ["haesit"], np.array([0]), np.array([0]))
    expected = alone(pairs, [2, 5, 3, 6, 3], [0, 0, 0, 1, 1])
    np.testing.assert_allclose(found[0], expected, atol=1e-5)
    pairs.save(tmp_path / "saved")
    again = load_pair_transformer(tmp_path / "saved")
    np.testing.assert_allclose(
        again.logits(["Uox"], ["haesit"], np.array([0]), np.array([0])), found, atol=1e-6
    )


def test_latin_bert_without_its_subwords_is_refused(latin_bert):
    with pytest.raises(InputError, match="needs the subword encoder"):
        load_pair_transformer(latin_bert, untrained=True)


def test_subwords_of_another_model_are_refused(latin_bert):
    written = "".join(f"'{number}_'\n" for number in range(500))
    (latin_bert / "latin.subword.encoder").write_text(written)
    with pytest.raises(InputError, match="knows pieces that the model does not"):
        load_pair_transformer(latin_bert, untrained=True)
