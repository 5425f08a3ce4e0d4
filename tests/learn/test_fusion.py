"""Fusion whose weights are learnt on the training folds."""

from locisimiles import BM25
from locisimiles.index import PreparedDocument
from locisimiles.learn.fusion import LearnedFusion
from locisimiles.retrieve import Fusion


def test_weights_are_learnt(tiny):

    class Counting:
        def parameters(self):
            return BM25().parameters()

        def index(self, source, **options):
            return BM25().index(source, **options)

    learner = LearnedFusion(depth=5, retrievers=(Counting(), BM25(terms="surface")))
    fitted = learner.fit(tiny, PreparedDocument(tiny.source))
    assert isinstance(fitted, Fusion)
    assert len(fitted.weights) == 2
    assert fitted.weights != (0.3, 0.3)  # with which it begins
    assert fitted.index(tiny.source).search(tiny.query, 3).source.size


def test_parameters_name_the_method():
    assert LearnedFusion().parameters()["name"] == "fusion-learned"
