"""Find, judge and measure intertextual references in Latin literature.

`corpus` reads texts and cuts them into segments, `latin` finds words and lemmas, `retrieve` finds
candidates, `classify` estimates how probable references are, `evidence` explains them, and `export`
writes `Results` to files.

>>> from locisimiles import Pipeline, load_example_query, load_example_source
>>> results = Pipeline().run(query=load_example_query(), source=load_example_source())
>>> found = [candidate.source.id for candidate in results.for_query("hier. epist. 130.5.5.3")]
>>> "verg. aen. 2.774.1" in found[:4]
True
"""

from locisimiles.classify import Classifier, Ensemble, Pairs, Selection
from locisimiles.corpus import CtsUrn, Document, ReadOptions, ReadReport, Segment
from locisimiles.display import pretty_print
from locisimiles.errors import (
    DatabaseError,
    DecodingError,
    DownloadError,
    EmptyInputError,
    InputError,
    LibraryError,
    LocisimilesError,
    MalformedInputError,
    MissingColumnError,
    MissingDependencyError,
    OutputError,
    ParameterError,
    SegmentIdError,
    TextNotInstalledError,
    UnknownFormatError,
    UnknownTextError,
    UnsafeInputError,
)
from locisimiles.evidence import Evidence, EvidenceFinder
from locisimiles.examples import (
    KnownReference,
    load_example_ground_truth,
    load_example_query,
    load_example_source,
)
from locisimiles.export import Judgement, read_judgements, read_results, write_results
from locisimiles.index import Index
from locisimiles.installation import VERSION
from locisimiles.late import IndexEncoder
from locisimiles.pipeline import ClassificationPipeline, Pipeline, Searcher
from locisimiles.results import Reference, Results
from locisimiles.retrieve import BM25, Candidates, Retriever, TfIdf, make_retriever

__version__ = VERSION

__all__ = [
    "BM25",
    "Candidates",
    "ClassificationPipeline",
    "Classifier",
    "CtsUrn",
    "DatabaseError",
    "DecodingError",
    "Document",
    "DownloadError",
    "EmptyInputError",
    "Ensemble",
    "Evidence",
    "EvidenceFinder",
    "Index",
    "IndexEncoder",
    "InputError",
    "Judgement",
    "KnownReference",
    "LibraryError",
    "LocisimilesError",
    "MalformedInputError",
    "MissingColumnError",
    "MissingDependencyError",
    "OutputError",
    "Pairs",
    "ParameterError",
    "Pipeline",
    "ReadOptions",
    "ReadReport",
    "Reference",
    "Results",
    "Retriever",
    "Searcher",
    "Segment",
    "SegmentIdError",
    "Selection",
    "TextNotInstalledError",
    "TfIdf",
    "UnknownFormatError",
    "UnknownTextError",
    "UnsafeInputError",
    "load_example_ground_truth",
    "load_example_query",
    "load_example_source",
    "make_retriever",
    "pretty_print",
    "read_judgements",
    "read_results",
    "write_results",
]
