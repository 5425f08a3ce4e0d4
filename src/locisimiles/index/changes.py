"""Build an index, add works and remove them.

Files are never changed: a new one is written beside the others, under a name that depends on all
its content depends on, and a new manifest replaces the old one in a single step. So a program that
is killed leaves the old generation or the new one, and files that nothing refers to, which the next
change deletes or, where they are what it needs, uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, OutputError, ParameterError, SegmentIdError
from locisimiles.files.array_files import ArrayFile, write_array_file
from locisimiles.files.raw import printable
from locisimiles.files.writing import make_folder
from locisimiles.index.columns import unpacked
from locisimiles.index.documents import PreparedDocument
from locisimiles.index.locks import no_readers, writing
from locisimiles.index.manifest import Manifest, PartEntry, Stored, is_index
from locisimiles.index.parts import made_with, part_arrays, works_of
from locisimiles.index.shards import shard_arrays, shard_key, sharded
from locisimiles.index.totals import total_arrays, total_key
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from locisimiles.corpus import Document
    from locisimiles.index.parts import PieceSource, Work
    from locisimiles.progress import Progress

__all__ = ["add_works", "build_index", "match_works", "remove_works", "write_parts"]

_FOLDERS = ("parts", "shards", "totals")


def build_index(
    folder: Path, document: Document, encoder: PieceSource | None, *, progress: Progress = silent
) -> None:
    """Build an index of a document in a new folder, or go on with one that was interrupted.

    Raises
    ------
    OutputError
        If the folder has an index already, or files of others, or cannot be written.
    """
    make_folder(folder)
    with writing(folder):
        _check_new(folder)
        change = _Change(folder, made_with(encoder))
        change.add(document, encoder, progress)
        change.commit(1, progress)


def write_parts(
    folder: Path,
    document: Document,
    encoder: PieceSource | None,
    share: tuple[int, int],
    *,
    progress: Progress = silent,
) -> int:
    """Write the parts of some works for an index that is built later; return how many were new.

    Any number of programs may do that at the same time, each for another share. `build_index`
    finds what they wrote.

    Parameters
    ----------
    folder, document, encoder
        As for `build_index`.
    share
        Which of how many shares of similar size, such as ``(3, 8)``.
    progress
        Called to report progress.

    Raises
    ------
    OutputError
        If the folder has an index already, or files of others, or cannot be written.
    ParameterError
        If there is no such share.
    """
    which, many = share
    if not 1 <= which <= many:
        raise ParameterError("index.no_share", part=f"{which}/{many}")
    make_folder(folder)
    _check_new(folder)
    change = _Change(folder, made_with(encoder))
    works = _shares(list(works_of(document)), many)[which - 1]
    return change.prepare(works, encoder, progress)


def _shares(works: Sequence[Work], many: int) -> list[list[Work]]:
    """Share works by the length of their texts, the longest first."""
    shares: list[list[Work]] = [[] for _ in range(many)]
    taken = [0] * many
    lengths = [sum(map(len, work.segments.texts)) for work in works]
    for place in sorted(range(len(works)), key=lambda place: -lengths[place]):
        least = taken.index(min(taken))
        shares[least].append(works[place])
        taken[least] += lengths[place]
    return shares


def _check_new(folder: Path) -> None:
    """Raise an OutputError if a folder has an index already, or files of others."""
    if is_index(folder):
        raise OutputError("index.exists", folder=str(folder))
    if any(path.suffix != ".lock" and path.name not in _FOLDERS for path in _visible(folder)):
        raise OutputError("index.not_empty", folder=str(folder))


def add_works(
    folder: Path, document: Document, encoder: PieceSource | None, *, progress: Progress = silent
) -> int:
    """Add the works of a document to an index, and return how many were not in it before.

    Raises
    ------
    InputError
        If the index has another edition of a work, or another segment with the same id.
    ParameterError
        If the index was made with another encoder or lemmatizer.
    OutputError
        If another program is changing the index, or it cannot be written.
    """
    with writing(folder):
        old = Manifest.read(folder)
        made = made_with(encoder)
        if made["encoder"] != old.made_with["encoder"]:
            raise ParameterError("index.other_encoder", folder=str(folder))
        if made != old.made_with:
            raise ParameterError("index.other_lemmatizer", folder=str(folder))
        change = _Change(folder, made, old.parts, old.shards)
        change.add(document, encoder, progress)
        new = len(change.parts) - len(old.parts)
        if new:
            change.commit(old.generation + 1, progress)
        return new


def remove_works(folder: Path, names: Sequence[str], *, progress: Progress = silent) -> list[str]:
    """Remove works by name, and return the names of those removed; nothing is encoded again.

    A name is that of an author, of a work, or of both as in ``Vergil: Aeneis``.

    Raises
    ------
    InputError
        If the index has no such work.
    OutputError
        If nothing would be left, another program is changing the index, or it cannot be written.
    """
    with writing(folder):
        old = Manifest.read(folder)
        removed: set[str] = set()
        for name in names:
            found = {part.key for part in old.parts if _is_called(part, name)}
            if not found:
                raise InputError("index.no_work", name=name, folder=str(folder))
            removed |= found
        kept = tuple(part for part in old.parts if part.key not in removed)
        if not kept:
            raise OutputError("index.nothing_left", folder=str(folder))
        change = _Change(folder, old.made_with, kept, old.shards)
        change.commit(old.generation + 1, progress)
        return [part.name for part in old.parts if part.key in removed]


def match_works(
    folder: Path, document: Document, encoder: PieceSource | None, *, progress: Progress = silent
) -> None:
    """Let an index have the works of a document and no others; build it if there is none.

    Works that it has already stay as they are. One that was made with another encoder or lemmatizer
    is made again.

    Raises
    ------
    OutputError
        If another program is changing the index, or it cannot be written.
    """
    document, made = PreparedDocument.of(document), made_with(encoder)
    wanted = {work.key(made) for work in works_of(document)}
    make_folder(folder)
    with writing(folder):
        old = Manifest.read(folder) if is_index(folder) else None
        parts = () if old is None else tuple(part for part in old.parts if part.key in wanted)
        change = _Change(folder, made, parts)
        change.add(document, encoder, progress)
        if old is None or {part.key for part in old.parts} != wanted:
            change.commit(1 if old is None else old.generation + 1, progress)


def _is_called(part: PartEntry, name: str) -> bool:
    known = {part.author, part.work, part.name, f"{part.author}, {part.work}"}
    return name.strip().casefold() in {one.casefold() for one in known - {""}}


class _Change:
    """A change to an index: the parts of the next generation."""

    def __init__(
        self,
        folder: Path,
        made: Mapping[str, object],
        parts: Sequence[PartEntry] = (),
        shards: Sequence[tuple[Stored, int]] = (),
    ) -> None:
        self.folder = folder
        self.made = made
        self.parts = list(parts)
        self.shards = {shard.key: shard.sha256 for shard, _ in shards}

    def add(self, document: Document, encoder: PieceSource | None, progress: Progress) -> None:
        """Write the parts of a document that are not there yet."""
        works = {work.key(self.made): work for work in works_of(document)}
        for part in self.parts:
            works.pop(part.key, None)
        known = {(part.author, part.work): part for part in self.parts}
        for work in works.values():
            if (work.author, work.work) in known:
                raise InputError("index.has_work", name=work.name, folder=str(self.folder))
        self._check_ids(works.values())
        total, done = sum(len(work.segments) for work in works.values()), 0
        for key, work in works.items():
            report = _Share(progress, done, len(work.segments), total)
            self.parts.append(self._write_part(key, work, encoder, report))
            done += len(work.segments)

    def prepare(
        self, works: Sequence[Work], encoder: PieceSource | None, progress: Progress
    ) -> int:
        """Write the files of works that are not there yet, and return how many these were."""
        keyed = {work.key(self.made): work for work in works}
        missing = {
            key: one for key, one in keyed.items() if not _is_whole(self._part_path(key), one)
        }
        total, done = sum(len(work.segments) for work in missing.values()), 0
        for key, work in missing.items():
            self._write_part(key, work, encoder, _Share(progress, done, len(work.segments), total))
            done += len(work.segments)
        return len(missing)

    def _part_path(self, key: str) -> Path:
        return self.folder / "parts" / f"{key}.arrays"

    def _check_ids(self, works: Iterable[Work]) -> None:
        new = {segment_id for work in works for segment_id in work.segments.ids}
        for part in self.parts:
            for segment_id in unpacked(ArrayFile.open(part.path(self.folder, "parts")), "ids"):
                if segment_id in new:
                    raise SegmentIdError("corpus.duplicate_id", id=printable(segment_id))

    def _write_part(
        self, key: str, work: Work, encoder: PieceSource | None, progress: Progress
    ) -> PartEntry:
        make_folder(self.folder / "parts")
        path = self._part_path(key)
        if not _is_whole(path, work):
            write_array_file(path, part_arrays(work, encoder, progress))
        arrays = ArrayFile.open(path)
        return PartEntry(
            key=key,
            sha256=arrays.fingerprint(),
            author=work.author,
            work=work.work,
            segments=len(work.segments),
            pieces=len(arrays.unchecked("vectors")) if "vectors" in arrays else 0,
        )

    def commit(self, generation: int, progress: Progress) -> None:
        """Write shards and totals that are not there yet, and replace the manifest."""
        shards = []
        planned = sharded(self.parts)
        for done, parts in enumerate(planned):
            progress("indexing", done, len(planned))
            shards.append((self._write_shard(parts), len(parts)))
        ordered = [part for parts in planned for part in parts]
        path = make_folder(self.folder / "totals") / f"{total_key(ordered)}.arrays"
        arrays, sha256 = total_arrays(self._open(ordered))
        write_array_file(path, arrays)
        totals = Stored(path.stem, ArrayFile.open(path).fingerprint())
        manifest = Manifest(generation, self.made, tuple(ordered), tuple(shards), totals, sha256)
        manifest.write(self.folder)
        progress("indexing", len(planned), len(planned))
        _delete_unused(self.folder, manifest)

    def _write_shard(self, parts: Sequence[PartEntry]) -> Stored:
        path = make_folder(self.folder / "shards") / f"{shard_key(parts)}.arrays"
        if path.stem in self.shards:
            return Stored(path.stem, self.shards[path.stem])
        if not _is_whole(path):
            write_array_file(path, shard_arrays(self._open(parts)))
        return Stored(path.stem, ArrayFile.open(path).fingerprint())

    def _open(self, parts: Sequence[PartEntry]) -> list[ArrayFile]:
        return [ArrayFile.open(part.path(self.folder, "parts")) for part in parts]


@dataclass(frozen=True, slots=True)
class _Share:
    """Reports the progress with one work as that with all of them."""

    progress: Progress
    begin: int
    size: int
    total: int

    def __call__(self, task: str, done: int, total: int) -> None:
        """Report progress."""
        self.progress(task, self.begin + done * self.size // max(total, 1), self.total)


def _is_whole(path: Path, work: Work | None = None) -> bool:
    """Tell whether a file that is there already is whole, and holds the texts of a work."""
    if not path.exists():
        return False
    try:
        arrays = ArrayFile.open(path)
        arrays.check_all()
    except InputError:
        return False
    columns = () if work is None else (("ids", work.segments.ids), ("texts", work.segments.texts))
    return all(unpacked(arrays, name) == list(texts) for name, texts in columns)


def _delete_unused(folder: Path, manifest: Manifest) -> None:
    """Delete files of earlier generations and of interrupted changes, unless somebody reads."""
    used = set(manifest.paths(folder))
    with no_readers(folder) as alone:
        if not alone:
            return
        for kind in _FOLDERS:
            for path in (folder / kind).iterdir():
                if path not in used:
                    _delete(path)
        for path in folder.glob(".index.json.*"):
            _delete(path)


def _delete(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        # Windows does not delete files in use; a later change will.
        return


def _visible(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.startswith(".")]
