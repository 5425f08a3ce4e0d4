"""Lemmatizers by name."""

import contextlib
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import MissingDependencyError, ParameterError
from locisimiles.errors import InputError
from locisimiles.latin import Lemmatizer, choose_lemmatizer, lemmatize
from locisimiles.latin import lemmatizers as module
from locisimiles.latin.lemmatizers import choose_analyser, describe_lemmatizer

WORDS = ["Haesit", "vox", "faucibus", "virumque"]
ADDRESS = [
    ("cltk", ["cltk", "cltk.lemmatize", "cltk.lemmatize.lat"], r"CLTK .* pip install 'cltk<1\.6'"),
    ("latincy", ["spacy"], "spacy is not installed; install it with: .*pip install 'spacy>=3"),
    ("latincy:mine", ["spacy"], "spacy is not installed"),
    ("hub:x", ["transformers"], r"transformers .* pip install 'huggingface"),
]


@pytest.fixture(autouse=True)
def _forget():
    """What was loaded in one test is not there in the next."""
    yield
    for loader in (module._cltk, module._latincy, module._hub):
        loader.cache_clear()


def pretend(monkeypatch, name, **content):
    """Let a module seem to be installed."""
    fake = ModuleType(name)
    for key, value in content.items():
        setattr(fake, key, value)
    monkeypatch.setitem(sys.modules, name, fake)
    return fake


def pretend_cltk(monkeypatch, backoff):
    for name in ("cltk", "cltk.lemmatize"):
        pretend(monkeypatch, name)
    pretend(monkeypatch, "cltk.lemmatize.lat", LatinBackoffLemmatizer=backoff)


@pytest.mark.parametrize("mode", ["context", "fast"])
def test_our_lemmatizers_are_named_by_their_mode(mode):
    assert choose_lemmatizer(mode)(WORDS) == lemmatize(WORDS, mode)


def test_the_choice_by_context_is_the_default():
    assert choose_lemmatizer()(WORDS) == lemmatize(WORDS)


def test_a_custom_model_is_named_by_its_file(model, tmp_path):
    path = tmp_path / "mine.npz"
    model.save(path)
    own = choose_lemmatizer(str(path))
    assert own(["Virumque", "xerxen", "haesit"]) == ["uir", "xerxes", "haesit"]
    assert choose_analyser(str(path))(["xerxen"])[0].origin == "fallback"


def test_a_missing_model_is_an_error(tmp_path):
    for choose in (choose_lemmatizer, choose_analyser):
        with pytest.raises(InputError, match=r"no\.npz: the file cannot be read"):
            choose(str(tmp_path / "no.npz"))


@pytest.mark.parametrize("name", ["", "Context", "best", "context:x", "x.npy", "npz", "hubs:x"])
def test_an_unknown_name_is_an_error(name):
    for choose in (choose_lemmatizer, choose_analyser):
        with pytest.raises(
            ParameterError, match=f"unknown lemmatizer '{name}'; choose one of context"
        ):
            choose(name)


@pytest.mark.parametrize("name", ["hub", "hub:", "cltk:x"])
def test_a_name_that_lacks_a_model_or_has_one_too_many_is_an_error(name):
    for choose in (choose_lemmatizer, choose_analyser):
        with pytest.raises(ParameterError, match="model"):
            choose(name)


class Stemmer:
    """A lemmatizer that is no function."""

    def __call__(self, words):
        return (word[:3] for word in words)


@pytest.mark.parametrize("function", [lambda words: [word[:3] for word in words], Stemmer()])
def test_any_callable_is_a_lemmatizer(function):
    assert choose_lemmatizer(function)(["Virum", "cano"]) == ["uir", "can"]


def test_lemmas_of_other_lemmatizers_are_converted_to_our_spelling():
    others = choose_lemmatizer(
        lambda words: ["Intelligo1", "adfero", "", "ex(s)isto"][: len(words)]
    )
    assert others(["a", "b", "Cæsar", "d"]) == ["intellego", "affero", "caesar", "existo"]


@pytest.mark.parametrize("lemmas", [[], ["a"], ["a", "b", "c"]])
def test_a_wrong_number_of_lemmas_is_an_error(lemmas):
    wrong = choose_lemmatizer(lambda _: lemmas)
    with pytest.raises(ParameterError, match=f"returned {len(lemmas)} lemmas for 2 words; it must"):
        wrong(["arma", "uirum"])


def test_a_lemmatizer_is_not_called_without_words():
    assert choose_lemmatizer(lambda _: pytest.fail("it was asked"))([]) == []


@settings(deadline=None)
@given(st.lists(st.text(alphabet=st.characters())))
def test_any_words_may_be_passed_on(words):
    assert len(choose_lemmatizer(lambda given: given)(words)) == len(words)


@pytest.mark.parametrize(("name", "modules", "message"), ADDRESS)
def test_a_missing_library_is_an_error_that_says_what_to_install(
    monkeypatch, name, modules, message
):
    for absent in modules:
        monkeypatch.setitem(sys.modules, absent, None)
    for choose in (choose_lemmatizer, choose_analyser):
        with pytest.raises(MissingDependencyError, match=message):
            choose(name)


def test_torch_is_needed_for_the_hub(monkeypatch):
    pretend(monkeypatch, "transformers")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingDependencyError, match=r"torch .* pip install 'huggingface"):
        choose_lemmatizer("hub:x")


class Backoff:
    """Stands in for CLTK's lemmatizer."""

    made = 0

    def __init__(self):
        type(self).made += 1

    def lemmatize(self, words):
        assert isinstance(words, list)
        return [(word, f"{word.lower()}1") for word in words]


def test_cltk_is_asked_where_it_is_installed(monkeypatch):
    pretend_cltk(monkeypatch, Backoff)
    monkeypatch.setattr(Backoff, "made", 0)
    assert choose_lemmatizer("cltk")(("Virum", "adfero")) == ["uirum", "affero"]
    assert choose_lemmatizer("cltk")(()) == []
    assert Backoff.made == 1


@pytest.mark.parametrize("error", [FileNotFoundError("no model"), LookupError("no model")])
def test_missing_models_of_cltk_are_an_error(monkeypatch, error):
    def broken():
        raise error

    pretend_cltk(monkeypatch, broken)
    with pytest.raises(MissingDependencyError, match=r"models of CLTK are missing: .*no model"):
        choose_lemmatizer("cltk")


def pretend_spacy(monkeypatch, installed=("la_core_web_lg",)):
    """Stands in for spaCy with a pipeline that takes the first two letters for the lemma."""
    asked = []

    class Doc(list):
        def __init__(self, vocab, words):
            assert vocab == "vocabulary"
            super().__init__(SimpleNamespace(text=word, lemma_="") for word in words)

    def lemma(doc):
        for token in doc:
            token.lemma_ = token.text[:2]
        return doc

    def load(name):
        asked.append(name)
        if name not in installed:
            raise OSError("[E050] Can't find model")
        return SimpleNamespace(vocab="vocabulary", pipeline=[("lemmatizer", lemma)])

    pretend(monkeypatch, "spacy", load=load, tokens=SimpleNamespace(Doc=Doc))
    return asked


def test_latincy_is_asked_where_it_is_installed(monkeypatch):
    asked = pretend_spacy(monkeypatch)
    assert choose_lemmatizer("latincy")(["Virum", "adfero"]) == ["ui", "ad"]
    assert asked == ["la_core_web_lg"]


def test_the_model_of_latincy_can_be_named(monkeypatch):
    asked = pretend_spacy(monkeypatch, installed=["/models/mine:1"])
    assert choose_lemmatizer("latincy:/models/mine:1")(["Virum"]) == ["ui"]
    assert asked == ["/models/mine:1"]


def test_a_missing_model_of_latincy_is_an_error(monkeypatch):
    pretend_spacy(monkeypatch, installed=[])
    with pytest.raises(MissingDependencyError, match="model 'la_core_web_lg' is not installed"):
        choose_lemmatizer("latincy")


LABELS = ["0|", "2|us", "uir", "9|x", "a|b"]


class Encoding(dict):
    """Each word is two pieces, between two marks; what is too long is cut off."""

    def __init__(self, words, longest):
        pieces = [label for word in words for label in (int(word[-1]), 0)][: longest - 2]
        super().__init__(input_ids=[0, *pieces, 0])
        self._words = [None, *(place // 2 for place in range(len(pieces))), None]

    def word_ids(self, row):
        assert row == 0
        return self._words


def pretend_hub(monkeypatch, *, longest=512, error=None):
    """Stands in for transformers: the label of a word is the number it ends in."""
    calls = []

    def load(what):
        def from_pretrained(name, **options):
            calls.append((what, name, options))
            if error is not None:
                raise error
            return tokenizer if what == "tokenizer" else classifier

        return SimpleNamespace(from_pretrained=from_pretrained)

    def tokenizer(words, *, is_split_into_words, truncation, return_tensors):
        assert (is_split_into_words, truncation, return_tensors) == (True, True, "pt")
        return Encoding(words, longest)

    class Classifier:
        config = SimpleNamespace(id2label=dict(enumerate(LABELS)))

        def eval(self):
            return self

        def __call__(self, input_ids):
            return SimpleNamespace(logits=np.eye(len(LABELS))[input_ids][None])

    classifier = Classifier()
    pretend(
        monkeypatch,
        "transformers",
        AutoTokenizer=load("tokenizer"),
        AutoModelForTokenClassification=load("model"),
    )
    pretend(monkeypatch, "torch", no_grad=contextlib.nullcontext)
    return calls


def test_the_labels_of_a_hub_model_are_rules_or_lemmas(monkeypatch):
    pretend_hub(monkeypatch)
    words = ["amor0", "domini1", "x2", "et3", "y4"]
    assert module._hub("x")(words) == ["amor0", "dominus", "uir", "x", "a|b"]
    assert choose_lemmatizer("hub:x")(words) == ["amor", "dominus", "uir", "x", "ab"]


def test_words_beyond_the_length_of_a_hub_model_are_unchanged(monkeypatch):
    pretend_hub(monkeypatch, longest=4)
    assert module._hub("x")(["domini1", "domino1"]) == ["dominus", "domino1"]


def test_nothing_of_a_hub_model_is_executed(monkeypatch):
    calls = pretend_hub(monkeypatch)
    choose_lemmatizer("hub:someone/model:v1")
    assert [(what, name) for what, name, _ in calls] == [
        ("tokenizer", "someone/model:v1"),
        ("model", "someone/model:v1"),
    ]
    assert calls[1][2] == {"use_safetensors": True, "trust_remote_code": False}
    assert not calls[0][2].get("trust_remote_code")


@pytest.mark.parametrize("error", [OSError("x is no folder\nand so on"), ValueError("x is no f")])
def test_a_hub_model_that_cannot_be_loaded_is_an_error_of_one_line(monkeypatch, error):
    pretend_hub(monkeypatch, error=error)
    with pytest.raises(
        MissingDependencyError, match="the model 'x' cannot be loaded: x is no f"
    ) as e:
        choose_lemmatizer("hub:x")
    assert "\n" not in str(e.value)


def test_a_hub_model_that_fails_without_a_reason_is_an_error(monkeypatch):
    pretend_hub(monkeypatch, error=OSError())
    with pytest.raises(MissingDependencyError, match="the model 'x' cannot be loaded"):
        choose_lemmatizer("hub:x")


@pytest.mark.train
def test_a_model_in_a_folder_is_a_hub_model(tmp_path):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "amor", "domin", "##um", "##is"]
    (tmp_path / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(str(tmp_path / "vocab.txt"))
    tokenizer.save_pretrained(tmp_path)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=len(vocabulary),
        num_attention_heads=1,
        num_hidden_layers=1,
        intermediate_size=4,
        id2label={0: "0|", 1: "2|us"},
        label2id={"0|": 0, "2|us": 1},
    )
    classifier = transformers.BertForTokenClassification(config)
    with torch.no_grad():
        # Words are what they are, whatever stands beside them; *domin-* is cut, *amor* is not.
        for parameter in classifier.parameters():
            parameter.zero_()
        classifier.bert.embeddings.word_embeddings.weight.copy_(torch.eye(len(vocabulary)))
        for name, parameter in classifier.named_parameters():
            if name.endswith("LayerNorm.weight"):
                parameter.fill_(1.0)
        classifier.classifier.weight[1, vocabulary.index("domin")] = 1.0
        classifier.classifier.bias.copy_(torch.tensor([0.5, 0.0]))
    classifier.save_pretrained(tmp_path, safe_serialization=True)
    assert (tmp_path / "model.safetensors").exists()
    chosen = choose_lemmatizer(f"hub:{tmp_path}")
    assert chosen(["amor", "dominum", "amor", "dominis"]) == ["amor", "dominus", "amor", "dominus"]
    assert [a.origin for a in choose_analyser(f"hub:{tmp_path}")(["dominis"])] == [
        f"hub:{tmp_path}"
    ]


@pytest.mark.train
def test_a_folder_without_a_model_is_an_error(tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    with pytest.raises(MissingDependencyError, match="cannot be loaded"):
        choose_lemmatizer(f"hub:{tmp_path}")


@pytest.mark.parametrize("mode", ["context", "fast"])
def test_our_analyses_come_with_their_origin(mode):
    assert choose_analyser(mode)(WORDS) == Lemmatizer.shipped().analyse(WORDS, mode)


def test_other_lemmatizers_give_one_analysis_and_their_name(monkeypatch):
    pretend_cltk(monkeypatch, Backoff)
    (analysis,) = choose_analyser("cltk")(["Virum"])
    assert (analysis.token, analysis.analyses) == ("Virum", (("uirum", "", 1.0),))
    assert analysis.origin == "cltk"


def test_a_manifest_identifies_the_model():
    assert describe_lemmatizer("fast") == {
        "lemmatizer": "fast",
        "lemmatizer_sha256": Lemmatizer.shipped_fingerprint(),
    }
    assert describe_lemmatizer("cltk") == {"lemmatizer": "cltk"}
    assert "Stemmer" in describe_lemmatizer(Stemmer())["lemmatizer"]
