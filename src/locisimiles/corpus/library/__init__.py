"""The text library: public texts by name, fetched once and kept on the user's machine."""

from locisimiles.corpus.library.catalogue import Catalogue, Edition, Text, Work
from locisimiles.corpus.library.store import Library, installed_files

__all__ = ["Catalogue", "Edition", "Library", "Text", "Work", "installed_files"]
