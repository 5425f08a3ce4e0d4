"""Results as files, and back: one module a format, chosen by the suffix."""

from locisimiles.export.delimited import write_table
from locisimiles.export.files import atomic, atomic_binary
from locisimiles.export.formats import EXPORT_SUFFIXES, check_output, write_results
from locisimiles.export.judgements import Judgement, read_judgements
from locisimiles.export.reading import read_results

__all__ = [
    "EXPORT_SUFFIXES",
    "Judgement",
    "atomic",
    "atomic_binary",
    "check_output",
    "read_judgements",
    "read_results",
    "write_results",
    "write_table",
]
