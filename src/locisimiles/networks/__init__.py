"""Who is cited where: networks of authors and works, density, places, chains."""

from locisimiles.corpus.library.dates import chronology, year_of
from locisimiles.networks.chains import Chain, find_chains
from locisimiles.networks.choosing import choose
from locisimiles.networks.density import Density, measure_density
from locisimiles.networks.matrix import CitationMatrix, Link, Party, count_citations
from locisimiles.networks.places import MergedReference, merge_references

__all__ = [
    "Chain",
    "CitationMatrix",
    "Density",
    "Link",
    "MergedReference",
    "Party",
    "choose",
    "chronology",
    "count_citations",
    "find_chains",
    "measure_density",
    "merge_references",
    "year_of",
]
