"""Write and read results: one module per format, chosen by the suffix."""

from locisimiles.export.apparatus import APPARATUS_SUFFIXES, write_apparatus
from locisimiles.export.delimited import write_table
from locisimiles.export.explained import explain_blocks, explain_results
from locisimiles.export.formats import EXPORT_SUFFIXES, check_output, write_blocks, write_results
from locisimiles.export.judgements import (
    JUDGEMENT_SUFFIXES,
    Judgement,
    read_judgements,
    write_judgements,
)
from locisimiles.export.reading import read_results
from locisimiles.export.references import read_references

__all__ = [
    "APPARATUS_SUFFIXES",
    "EXPORT_SUFFIXES",
    "JUDGEMENT_SUFFIXES",
    "Judgement",
    "check_output",
    "explain_blocks",
    "explain_results",
    "read_judgements",
    "read_references",
    "read_results",
    "write_apparatus",
    "write_blocks",
    "write_judgements",
    "write_results",
    "write_table",
]
