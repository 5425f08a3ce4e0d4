"""Documents, generators and judges with the interface of the paper's package."""

import warnings

import pytest

from locisimiles import Document as OurDocument
from locisimiles import LocisimilesError, ParameterError
from locisimiles.classify import Ensemble
from locisimiles.compat import (
    BM25CandidateGenerator,
    BM25TwoStagePipeline,
    Candidate,
    CandidateJudge,
    ClassificationJudge,
    Document,
    EmbeddingCandidateGenerator,
    LatinBertRetrievalPipeline,
    LexicalClassifierJudge,
    RuleBasedPipeline,
    TextSegment,
    Word2VecCandidateGenerator,
    Word2VecRetrievalPipeline,
    load_example_ground_truth,
    load_example_query,
    load_example_source,
    models,
    pretty_print,
    results_to_csv,
    training,
)
from locisimiles.compat.pipeline.classes import ClassNames

QUOTED = "hier. epist. 130.5.5.3"


@pytest.fixture(autouse=True)
def said_before(monkeypatch):
    monkeypatch.setattr(models, "_warned", True)


@pytest.fixture
def texts():
    return {"query": load_example_query(), "source": load_example_source()}


def test_one_warning_says_that_models_are_ours(monkeypatch):
    monkeypatch.setattr(models, "_warned", False)
    with pytest.warns(UserWarning, match="come with this program take their place") as caught:
        BM25TwoStagePipeline()
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        EmbeddingCandidateGenerator(embedding_model_name="someone/else")


def test_what_needs_no_model_warns_of_nothing(monkeypatch, texts):
    monkeypatch.setattr(models, "_warned", False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = RuleBasedPipeline(min_shared_words=2).run(**texts)
    assert "verg. aen. 2.774.1" in [one.segment.id for one in found[QUOTED]]


@pytest.mark.parametrize("make", [LatinBertRetrievalPipeline, Word2VecRetrievalPipeline])
def test_other_searches_find_it_too(make, texts):
    pipeline = make(top_k=2)
    found = pipeline.run(**texts, top_k=3)[QUOTED]
    assert [one.judgment_score for one in found] == [1.0, 1.0, 1.0]  # top_k is told to both
    candidates = pipeline.generate_candidates(**texts, top_k=4)
    found = pipeline.judge_candidates(query=texts["query"], candidates=candidates)[QUOTED]
    assert [one.judgment_score for one in found] == [1.0, 1.0, 0.0, 0.0]
    assert "verg. aen. 2.774.1" in [one.segment.id for one in found]


def test_scores_of_meaning_are_between_0_and_1(texts):
    found = EmbeddingCandidateGenerator().generate(**texts, top_k=5)
    scores = [one.score for listed in found.values() for one in listed]
    assert 0 < min(scores) < max(scores) <= 1
    same = EmbeddingCandidateGenerator().generate(
        query=texts["source"], source=texts["source"], top_k=1
    )
    assert all(listed[0].segment.id == query_id for query_id, listed in same.items())
    assert min(listed[0].score for listed in same.values()) > 0.5


def test_sources_are_indexed_once_until_they_change(texts):
    generator = BM25CandidateGenerator()
    first = generator.generate(**texts, top_k=1)
    index = generator._indexed
    assert generator.generate(**texts, top_k=1) == first
    assert generator._indexed is index
    texts["source"].remove_segment(first[QUOTED][0].segment.id)
    assert generator.generate(**texts, top_k=1)[QUOTED] != first[QUOTED]


def test_every_query_has_a_list_and_an_empty_document_none(texts):
    nothing = Document("nothing")
    assert BM25CandidateGenerator().generate(query=nothing, source=texts["source"]) == {}
    found = BM25CandidateGenerator().generate(query=texts["query"], source=nothing)
    assert set(map(len, found.values())) == {0}
    assert len(found) == len(texts["query"])
    judged = ClassificationJudge().judge(query=texts["query"], candidates=found)
    assert set(map(len, judged.values())) == {0}


def test_candidates_of_others_are_judged(texts):
    query, source = texts["query"], texts["source"]
    right, wrong = source["verg. aen. 2.774.1"], source["verg. aen. 1.52.1"]
    judge = ClassificationJudge(label_names={0: "no_match", 1: "cf.", 2: "cit."})
    found = judge.judge(
        query=query, candidates={QUOTED: [Candidate(wrong, 0.9), Candidate(right, 0.1)]}
    )[QUOTED]
    assert [one.segment for one in found] == [wrong, right]  # the order stays
    assert found[1].judgment_score > 0.5 > found[0].judgment_score
    assert found[1].predicted_label == "cit."
    assert found[1].predicted_class_id == 2


def test_ids_may_be_numbers():
    query, source = Document("query"), Document("source")
    query.add_segment("o decus Italiae uirgo", 0)
    source.add_segment("o decus Italiae uirgo, quas dicere grates", 1)
    source.add_segment("arma uirumque cano", "1")
    found = BM25TwoStagePipeline().run(query=query, source=source)
    assert found[0][0].segment is source[1]


@pytest.mark.parametrize(
    ("labels", "options", "score"),
    [
        (None, {}, 0.7),
        (None, {"pos_class_idx": 1}, 0.7),
        (["match", "no_match"], {}, 0.7),
        (["no_match", "cit", "cf"], {}, 0.7),
        (["no_match", "cit", "cf"], {"positive_labels": ["cit."]}, 0.5),
        (["no_match", "cf", "cit"], {"positive_labels": ["cit"]}, 0.5),
        (["no_match", "cit", "cf"], {"negative_labels": ["cf"]}, 0.5),
        (["no_match", "cit", "cf"], {"positive_class_ids": [2]}, 0.2),
        ({1: "cit", 0: "no_match", 2: "cf"}, {"positive_class_ids": [1, 2]}, 0.7),
    ],
)
def test_classes_have_the_names_that_users_give(labels, options, score):
    usual = {
        "pos_class_idx": 1,
        "positive_class_ids": None,
        "positive_labels": None,
        "negative_labels": None,
        "emit": None,
    }
    names = ClassNames.of(labels, **{**usual, **options})
    judged = names.judged(TextSegment("arma", "a"), 1.0, [0.3, 0.5, 0.2])
    assert judged.judgment_score == pytest.approx(score)
    assert (judged.predicted_label is None) == (labels is None)


def test_four_classes_are_an_error():
    with pytest.raises(LocisimilesError, match="4 classes"):
        ClassificationJudge(label_names=list("abcd"))


def test_pickles_are_refused_and_weights_read(tmp_path):
    with pytest.raises(LocisimilesError, match="pickles"):
        LexicalClassifierJudge(artifact_path=tmp_path / "model.joblib")
    (tmp_path / "vectors.model").write_bytes(b"\x80\x04.")
    with pytest.raises(LocisimilesError):
        Word2VecCandidateGenerator(model_path=tmp_path / "vectors.model")
    assert isinstance(ClassificationJudge().classifier, Ensemble)


@pytest.mark.parametrize("name", ["ClassificationTrainer", "Word2VecTrainer", "TrainingData"])
def test_trainers_say_what_trains_here(name):
    with pytest.raises(LocisimilesError, match="locisimiles train"):
        getattr(training, name)
    assert not hasattr(training, "nothing")


def test_a_document_is_changed_in_place(tmp_path):
    document = Document(tmp_path / "none.csv", author="Vergil")
    document.add_segment("“Arma”  uirumque — cano. Troiae", "a", meta={"book": 1})
    document.add_segment("qui primus. Vale.", "b")
    with pytest.raises(ValueError, match="there is a segment a already"):
        document.add_segment("again", "a")
    assert document.clean()["a"].text == '"Arma" uirumque - cano. Troiae'
    assert document.sentencize().ids() == ["a.1", "a.2", "b.1"]
    assert document.get_text("a.2") == "Troiae qui primus."
    assert document["a.2"].meta == {"book": 1, "original_seg_id": "a", "sentence_index": 2}
    assert document.statistics()["num_segments"] == 3
    again = Document.from_dict(document.to_dict())
    assert again.to_dict() == document.to_dict()
    assert Document.from_dataframe(document.to_dataframe()).ids() == document.ids()
    assert Document(document.save_csv(tmp_path / "x" / "new.csv")).ids() == document.ids()
    plain = Document(document.save_plain(tmp_path / "new.txt"))
    assert plain.ids() == [0, 1, 2]
    assert [one.text for one in plain.head(1)] == [document.get_text("a.1")]
    document.remove_segment("a.1")
    assert len(document) == 2


def test_a_splitter_must_return_what_is_there():
    document = Document("none")
    document.add_segment("arma", "a")
    with pytest.raises(LocisimilesError, match="not in the text"):
        document.sentencize(splitter=lambda text: [text.upper()])


@pytest.mark.parametrize("content", [b"id,words\n1,arma\n", b"text\narma\n"])
def test_a_table_without_its_columns_is_an_error(tmp_path, content):
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(ValueError, match="seg_id and text"):
        Document(tmp_path / "x.csv")


def test_a_file_that_is_no_text_is_an_error(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LocisimilesError, match="cannot be read"):
        Document(tmp_path / "x.txt")


def test_results_of_older_releases_are_written(tmp_path, capsys):
    segment = TextSegment("arma", "s")
    old = {"q": [(segment, 0.5, 0.9)], "r": [CandidateJudge(segment, None, 1.0)]}
    results_to_csv(old, tmp_path / "x.csv")
    rows = (tmp_path / "x.csv").read_text().splitlines()[1:]
    assert rows == ["q,s,arma,0.5,0.9", "r,s,arma,,1.0"]
    pretty_print(old)
    assert "candidate=N/A" in capsys.readouterr().out


def test_there_must_be_results_to_save(tmp_path):
    with pytest.raises(ValueError, match="call run"):
        RuleBasedPipeline().to_csv(tmp_path / "x.csv")


def test_examples_are_ours():
    assert len(load_example_ground_truth()) > 20
    assert load_example_query().author == "Hieronymus"


@pytest.mark.parametrize("wrong", [["arma"], OurDocument.from_texts(["arma"]), None])
def test_documents_of_another_kind_are_refused(texts, wrong):
    for given in ({**texts, "query": wrong}, {**texts, "source": wrong}):
        with pytest.raises(ParameterError, match=r"must be documents of locisimiles\.compat"):
            BM25CandidateGenerator().generate(**given)
