"""An index on disk, as a document that is searched at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from locisimiles.corpus.report import ReadReport
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.array_files import ArrayFile
from locisimiles.index.changes import add_works, build_index, remove_works
from locisimiles.index.columns import Positions, RepeatedTexts, StoredTexts
from locisimiles.index.documents import PreparedDocument
from locisimiles.index.lemmas import StoredLemmas
from locisimiles.index.locks import ReaderLock
from locisimiles.index.manifest import Manifest
from locisimiles.index.parts import META
from locisimiles.index.vectors import StoredVectors
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.index.manifest import PartEntry
    from locisimiles.index.parts import PieceSource
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress

__all__ = ["Index", "check_index"]

_COUNTED = {" ": "spaces", "/": "slashes"}


class Index(PreparedDocument):
    """Sources on disk, prepared for searching: a search in them begins at once.

    It is a document: pass it as the source wherever one is taken. It keeps the generation that was
    opened, whatever others change meanwhile.

    Examples
    --------
    >>> import tempfile
    >>> from locisimiles import Pipeline, load_example_query, load_example_source
    >>> folder = tempfile.mkdtemp()
    >>> index = Index.build(folder, load_example_source())  # for lexical search: without encoder
    >>> results = Pipeline("bm25", k=1).run(query=load_example_query(), source=Index.open(folder))
    >>> results.for_query("hier. epist. 130.5.5.3")[0].source.id
    'verg. aen. 2.774.1'
    """

    __slots__ = ("_lock", "_parts", "_shards", "_totals", "folder", "manifest")

    def __init__(self, folder: Path, manifest: Manifest, lock: ReaderLock) -> None:
        self.folder, self.manifest, self._lock = folder, manifest, lock
        self._parts = [_opened(folder, part, "parts") for part in manifest.parts]
        self._shards = [_opened(folder, shard, "shards") for shard, _ in manifest.shards]
        self._totals = _opened(folder, manifest.totals, "totals")
        parts = manifest.parts
        for part, arrays in zip(parts, self._parts, strict=True):
            _check_size(part, arrays)
        sizes = [part.segments for part in parts]

        def stored(name: str) -> StoredTexts:
            return StoredTexts(self._parts, sizes, name)

        self._ids, self._texts = stored("ids"), stored("texts")
        self._loci, self._marks = stored("loci"), stored("marks")
        self._authors = RepeatedTexts([part.author for part in parts], sizes)
        self._works = RepeatedTexts([part.work for part in parts], sizes)
        names = dict.fromkeys(name for part in self._parts for name in part.names)
        self._meta = {
            name.removeprefix(META): stored(name)
            for name in names
            if name.startswith(META) and not name.endswith(".bounds")
        }
        self._report = ReadReport()
        self._begin(None, {})
        self._positions = Positions(self._ids, self.ties)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Self:
        """Open the current generation of an index.

        Raises
        ------
        InputError
            If there is none in the folder, or it is damaged.
        """
        path = Path(folder)
        lock = ReaderLock(path)
        return cls(path, Manifest.read(path), lock)

    @classmethod
    def build(
        cls,
        folder: str | os.PathLike[str],
        document: Document,
        encoder: PieceSource | None = None,
        *,
        progress: Progress = silent,
    ) -> Self:
        """Build an index in a new folder; see `locisimiles.index.changes.build_index`.

        Parameters
        ----------
        folder
            Where to write it.
        document
            The texts.
        encoder
            Makes vectors for late interaction, such as `locisimiles.late.IndexEncoder`. Without
            one, the index serves methods that need no encoder.
        progress
            Called to report progress.
        """
        build_index(Path(folder), document, encoder, progress=progress)
        return cls.open(folder)

    def add(
        self,
        document: Document,
        encoder: PieceSource | None = None,
        *,
        progress: Progress = silent,
    ) -> Self:
        """Add works, and return the new generation; see `locisimiles.index.changes.add_works`."""
        add_works(self.folder, document, encoder, progress=progress)
        return type(self).open(self.folder)

    def remove(self, *names: str, progress: Progress = silent) -> Self:
        """Remove works, and return the new generation; see `changes.remove_works`."""
        remove_works(self.folder, names, progress=progress)
        return type(self).open(self.folder)

    def reported(self, report: ReadReport) -> Self:
        """Keep what is known of how its texts were read."""
        self._report = report
        return self

    def close(self) -> None:
        """Let writers delete the files of this generation; it cannot be searched afterwards."""
        self._lock.close()

    @property
    def ties(self) -> NDArray[np.int64]:
        """The position of each segment in the order of ids."""
        return self._totals.array("ties")

    @property
    def works_column(self) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
        """The author and work of each part, and the number of each segment's part."""
        parts = self.manifest.parts
        numbers = np.repeat(np.arange(len(parts)), [part.segments for part in parts])
        return [(part.author, part.work) for part in parts], numbers

    def count(self, sign: str) -> NDArray[np.int64]:
        """Return how often each text has a sign."""
        if sign not in _COUNTED:
            return super().count(sign)
        counts = [part.array(_COUNTED[sign]) for part in self._parts]
        return np.concatenate([np.empty(0, np.int64), *counts])

    def fingerprint(self) -> str:
        """Return the SHA-256 of ids and texts."""
        return self.manifest.sha256

    def lemma_rows(self, lemmatizer: str | LemmatizeFunction) -> StoredLemmas | None:
        """Return the places of lemmas; None if a lemmatizer is not the one that found them."""
        made = self.manifest.made_with
        known = describe_lemmatizer(lemmatizer)
        if any(made.get(name) != value for name, value in known.items()):
            return None
        return self.derive("lemma rows", lambda: StoredLemmas(self._shards))

    def vectors(self) -> StoredVectors | None:
        """Return the vectors of pieces; None if the index was built without an encoder."""
        if not self.manifest.has_vectors:
            return None
        parts = self.manifest.parts
        sizes = [shard.array("lengths").shape[0] for shard in self._shards]
        return StoredVectors(
            encoder=self.manifest.made_with["encoder"],
            parts=self._parts,
            part_begins=np.cumsum([0, *(part.segments for part in parts)], dtype=np.int64),
            shards=self._shards,
            shard_begins=np.cumsum([0, *sizes], dtype=np.int64),
            sample=self._totals.array("sample"),
        )

    def __repr__(self) -> str:
        return f"<Index: {len(self):,} segments of {len(self.manifest.parts):,} works>"


def _check_size(part: PartEntry, arrays: ArrayFile) -> None:
    """Raise a MalformedInputError if a part has another number of segments than it should."""
    bounds = "ids.bounds"
    if bounds not in arrays or len(arrays.unchecked(bounds)) != part.segments + 1:
        raise MalformedInputError("files.damaged", file=str(arrays.path))


def _opened(folder: Path, entry: Any, kind: str) -> ArrayFile:  # noqa: ANN401
    path = entry.path(folder, kind)
    arrays = ArrayFile.open(path)
    if arrays.fingerprint() != entry.sha256:
        raise MalformedInputError("files.damaged", file=str(path))
    return arrays


def check_index(
    folder: str | os.PathLike[str], *, progress: Progress = silent
) -> list[tuple[Path, PartEntry | None]]:
    """Read all files of an index, and return those that are missing or damaged.

    A damaged part comes with its work; a shard or totals with None.
    """
    path = Path(folder)
    lock = ReaderLock(path)
    manifest = Manifest.read(path)
    entries = [
        *((part, "parts") for part in manifest.parts),
        *((shard, "shards") for shard, _ in manifest.shards),
        (manifest.totals, "totals"),
    ]
    damaged: list[tuple[Path, PartEntry | None]] = []
    for done, (entry, kind) in enumerate(entries):
        progress("checking", done, len(entries))
        try:
            _opened(path, entry, kind).check_all()
        except InputError:
            part = manifest.parts[done] if kind == "parts" else None
            damaged.append((entry.path(path, kind), part))
    progress("checking", len(entries), len(entries))
    lock.close()
    return damaged
