"""Who cites whom: networks of authors and works, density, places, chains."""

from locisimiles.corpus.library.dates import chronology, year_of
from locisimiles.networks.chains import Chain, find_chains
from locisimiles.networks.density import Density, measure_density
from locisimiles.networks.matrix import CitationMatrix, Link, Party, count_citations
from locisimiles.networks.places import MergedReference, merge_references
from locisimiles.networks.references import reference_rows

__all__ = [
    "Chain",
    "CitationMatrix",
    "Density",
    "Link",
    "MergedReference",
    "Party",
    "chronology",
    "count_citations",
    "find_chains",
    "measure_density",
    "merge_references",
    "reference_rows",
    "year_of",
]
