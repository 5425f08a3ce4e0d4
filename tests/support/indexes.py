"""Works to put into indexes on disk, and an encoder that needs no network."""

import os
import shutil
import signal
import time
import zlib
from pathlib import Path

import numpy as np

from locisimiles import Document, Segment
from locisimiles.index import Index, changes, check_index
from locisimiles.index.manifest import Manifest
from locisimiles.index.parts import EncodedPieces

WORDS = "arma uirum cano uox faucibus haesit et in Troiae qui primus ab oris fato 12".split()


class WordEncoder:
    """Gives each word a vector that depends on nothing else."""

    def describe(self):
        return {"model": "words"}

    def encode(self, texts, progress):
        words = [text.split() for text in texts]
        flat = [word for own in words for word in own]
        number = np.array([zlib.crc32(word.encode()) for word in flat], np.int64)
        vectors = np.stack([(number >> shift) % 255 - 127 for shift in (0, 8, 16, 24)], axis=1)
        progress("encoding source", len(texts), len(texts))
        return EncodedPieces(
            vectors=vectors.astype(np.int8),
            piece=(number % 97).astype(np.int32),
            bounds=np.cumsum([0, *map(len, words)], dtype=np.int64),
            list_of_piece=(number % 5).astype(np.int32),
        )


def work(number, segments=4):
    """Return a work whose texts depend on its number."""
    random = np.random.default_rng(number)
    return [
        Segment(
            f"w{number}.{row}",
            " ".join(random.choice(WORDS, random.integers(1, 9))) + (" / cano." if row % 2 else ""),
            author=f"Author {number % 3}",
            work=f"Work {number}",
            locus=f"{row}",
            loci=((f"{row}", 0),),
            meta={"note": f"n{row}"} if number % 2 else {},
        )
        for row in range(segments)
    ]


def works(*numbers):
    """Return a document of works."""
    return Document.from_segments(segment for number in numbers for segment in work(number))


def name(number):
    """Return the name of a work."""
    return f"Author {number % 3}: Work {number}"


def files(folder):
    """Return the content of all files of an index; its manifest without what counts changes."""
    found = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }
    Manifest.read(Path(folder))  # its checksum is right
    lines = found["index.json"].decode().splitlines()
    counting = [line for line in lines if '"generation"' in line or '"checksum"' in line]
    assert len(counting) == 2
    found["index.json"] = "\n".join(line for line in lines if line not in counting)
    return found


def by_id(document):
    """Return the segments of a document by id."""
    return {segment.id: segment for segment in document}


def same_texts(folder, *numbers):
    """Tell whether an index holds these works and no others."""
    return by_id(Index.open(folder)) == by_id(works(*numbers))


def kill(moment, change):
    """Run a change in another process, and kill it at a moment (seconds)."""
    child = os.fork()
    if not child:
        try:
            change()
        finally:
            os._exit(0)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def survives_kills(folder, moments):
    """Kill builds and changes at moments; the index is the old one or the new one."""
    encoder = WordEncoder()
    steps = {
        "build": ((), (1, 2, 3), lambda: Index.build(folder, works(1, 2, 3), encoder)),
        "add": ((1, 2, 3), (1, 2, 3, 4), lambda: changes.add_works(folder, works(4), encoder)),
        "remove": ((1, 2, 3), (1, 2), lambda: changes.remove_works(folder, [name(3)])),
    }
    outcomes = set()
    for number, moment in enumerate(moments):
        kind = list(steps)[number % len(steps)]
        old, new, change = steps[kind]
        shutil.rmtree(folder, ignore_errors=True)
        if old:
            Index.build(folder, works(*old), encoder).close()
        kill(moment, change)
        if not old and not (folder / "index.json").exists():
            outcomes.add((kind, "old"))
            change()
        else:
            assert check_index(folder) == []
            is_new = same_texts(folder, *new)
            assert is_new or same_texts(folder, *old)
            outcomes.add((kind, "new" if is_new else "old"))
            if not is_new:
                change()
        assert same_texts(folder, *new)
        # What was left behind is gone after the next change.
        changes.add_works(folder, works(9), encoder)
        fresh = folder.with_name("fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        Index.build(fresh, works(*new, 9), encoder).close()
        assert files(folder) == files(fresh)
    return outcomes
