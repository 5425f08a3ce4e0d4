"""Results as files, and back: one module a format, chosen by the suffix."""

from locisimiles.export.delimited import write_table
from locisimiles.export.files import atomic, atomic_binary
from locisimiles.export.formats import EXPORT_SUFFIXES, check_output, write_results

__all__ = [
    "EXPORT_SUFFIXES",
    "atomic",
    "atomic_binary",
    "check_output",
    "write_results",
    "write_table",
]
