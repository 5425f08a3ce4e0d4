"""Texts: segments, documents, the parsers of all formats, the segmenter and the text library."""

from locisimiles.corpus.document import Document
from locisimiles.corpus.loci import CtsUrn
from locisimiles.corpus.options import ReadOptions
from locisimiles.corpus.report import ReadReport
from locisimiles.corpus.segment import LocusMark, Segment
from locisimiles.corpus.windows import cut_windows

__all__ = ["CtsUrn", "Document", "LocusMark", "ReadOptions", "ReadReport", "Segment", "cut_windows"]
