"""*Apparatus fontium*: accepted references by locus, for Word, LaTeX, print and TEI."""

from locisimiles.export.apparatus.building import build_apparatus
from locisimiles.export.apparatus.writing import APPARATUS_SUFFIXES, write_apparatus

__all__ = ["APPARATUS_SUFFIXES", "build_apparatus", "write_apparatus"]
