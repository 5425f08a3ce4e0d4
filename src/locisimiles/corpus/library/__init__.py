"""The text library: public texts by name, downloaded once and kept on this machine."""

from locisimiles.corpus.library.catalogue import Catalogue, Edition, Text, Work
from locisimiles.corpus.library.choice import TextChoice
from locisimiles.corpus.library.store import Library, installed_files

__all__ = ["Catalogue", "Edition", "Library", "Text", "TextChoice", "Work", "installed_files"]
