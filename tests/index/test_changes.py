"""Indexes on disk: any way to the same works leads to the same bytes, and nothing is ever half."""

import os
import random
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import (
    Document,
    Index,
    InputError,
    OutputError,
    ParameterError,
    Segment,
    SegmentIdError,
)
from locisimiles.index import changes, check_index, shards
from locisimiles.index.locks import writing
from support.indexes import WordEncoder, files, name, same_texts, survives_kills, work, works

ENCODER = WordEncoder()
STEPS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=6)


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr(shards, "_SEGMENTS_PER_SHARD", 8)


@settings(max_examples=30)
@given(start=st.sets(st.integers(0, 5), min_size=1), steps=STEPS, vectors=st.booleans())
def test_any_changes_lead_to_a_fresh_build(tmp_path_factory, start, steps, vectors):
    before = shards._SEGMENTS_PER_SHARD
    shards._SEGMENTS_PER_SHARD = 8
    encoder = ENCODER if vectors else None
    try:
        folder = tmp_path_factory.mktemp("index")
        index = Index.build(folder / "changed", works(*sorted(start, reverse=True)), encoder)
        index.close()
        held = set(start)
        for is_new, number in steps:
            if is_new:
                index = index.add(works(number), encoder)
                held.add(number)
            elif held > {number}:
                index = index.remove(name(number))
                held.remove(number)
            index.close()
        Index.build(folder / "fresh", works(*held), encoder).close()
        assert files(folder / "changed") == files(folder / "fresh")
        assert same_texts(folder / "changed", *held)
    finally:
        shards._SEGMENTS_PER_SHARD = before


class Counting(WordEncoder):
    texts = 0

    def encode(self, texts, progress):
        self.texts += len(texts)
        return super().encode(texts, progress)


@pytest.mark.parametrize("many", [1, 2, 3, 7])
def test_parts_that_several_programs_wrote_make_the_same_index(tmp_path, many):
    numbers = range(6)
    encoder, folder = Counting(), tmp_path / "shared"
    written = [
        changes.write_parts(folder, works(*numbers), encoder, (which, many))
        for which in range(1, many + 1)
    ]
    assert sum(written) == 6
    assert max(written) - min(written) <= 1  # works of about the same length
    assert encoder.texts == 24
    assert changes.write_parts(folder, works(*numbers), encoder, (1, many)) == 0  # all are there
    Index.build(folder, works(*numbers), encoder).close()
    assert encoder.texts == 24
    Index.build(tmp_path / "fresh", works(*numbers), ENCODER).close()
    assert files(folder) == files(tmp_path / "fresh")


def test_shares_are_of_similar_length(tmp_path):
    long = [Segment("long", "arma uirumque cano " * 50, work="Long")]
    short = [Segment(f"s{n}", "arma uirum", work=f"Short {n}") for n in range(5)]
    document = Document.from_segments([*short[:2], *long, *short[2:]])
    assert changes.write_parts(tmp_path, document, None, (1, 2)) == 1
    assert changes.write_parts(tmp_path, document, None, (2, 2)) == 5


@pytest.mark.parametrize("share", [(0, 1), (2, 1), (4, 3), (-1, 3), (1, 0)])
def test_a_share_that_is_none_is_refused(tmp_path, share):
    with pytest.raises(ParameterError, match=f"{share[0]}/{share[1]}"):
        changes.write_parts(tmp_path / "i", works(1), None, share)
    assert not (tmp_path / "i").exists()


def test_parts_are_not_written_into_an_index_or_beside_other_files(tmp_path):
    Index.build(tmp_path / "i", works(1)).close()
    before = files(tmp_path / "i")
    with pytest.raises(OutputError, match="holds an index already"):
        changes.write_parts(tmp_path / "i", works(2), None, (1, 1))
    assert files(tmp_path / "i") == before
    (tmp_path / "letter.txt").write_text("arma")
    with pytest.raises(OutputError, match="other files"):
        changes.write_parts(tmp_path, works(2), None, (1, 1))


def test_a_damaged_part_of_another_program_is_written_again(tmp_path):
    folder = tmp_path / "i"
    changes.write_parts(folder, works(1, 2), ENCODER, (1, 1))
    one, two = sorted((folder / "parts").iterdir())
    one.write_bytes(two.read_bytes())  # whole, but of other texts
    two.write_bytes(two.read_bytes()[:-1])
    assert changes.write_parts(folder, works(1, 2), ENCODER, (1, 1)) == 2
    Index.build(folder, works(1, 2), ENCODER).close()
    Index.build(tmp_path / "fresh", works(1, 2), ENCODER).close()
    assert files(folder) == files(tmp_path / "fresh")


def test_progress_of_parts_counts_what_is_missing(tmp_path):
    changes.write_parts(tmp_path, works(1), ENCODER, (1, 1))
    write = partial(changes.write_parts, tmp_path, works(1, 2, 3), ENCODER, (1, 1))
    steps = reported(lambda progress: write(progress=progress))
    assert steps == [("encoding source", 4, 8), ("encoding source", 8, 8)]


def test_another_lemmatizer_or_format_is_named(tmp_path, monkeypatch):
    folder = tmp_path / "i"
    Index.build(folder, works(1), ENCODER).close()
    made = changes.made_with
    monkeypatch.setattr(changes, "made_with", lambda encoder: {**made(encoder), "lemmas": "other"})
    with pytest.raises(ParameterError, match="another version of the lemmatizer"):
        changes.add_works(folder, works(2), ENCODER)
    with pytest.raises(ParameterError, match="another encoder"):
        changes.add_works(folder, works(2), None)
    changes.match_works(folder, works(1), ENCODER)  # makes it again
    assert Index.open(folder).manifest.made_with["lemmas"] == "other"


def test_two_segments_with_one_id_in_a_new_work_change_nothing(tmp_path):
    folder = tmp_path / "i"
    Index.build(folder, works(1, 2, 3)).close()
    for number in (1, 2, 3):
        with pytest.raises(SegmentIdError, match=rf"w{number}\.3"):
            changes.add_works(
                folder, Document.from_segments([Segment(f"w{number}.3", "cano", work="New")]), None
            )
    assert same_texts(folder, 1, 2, 3)


def test_a_work_without_an_author_is_removed_by_its_title(tmp_path):
    texts = [
        Segment("a", "arma", work="Letters"),
        Segment("b", "cano", "Vergil", "Aeneis"),
        Segment("c", "uirum"),
    ]
    Index.build(tmp_path / "i", Document.from_segments(texts)).close()
    with pytest.raises(InputError):
        changes.remove_works(tmp_path / "i", [""])  # not the work without any name
    assert changes.remove_works(tmp_path / "i", [" letters "]) == ["Letters"]
    assert changes.remove_works(tmp_path / "i", ["VERGIL, aeneis"]) == ["Vergil: Aeneis"]
    assert Index.open(tmp_path / "i").ids == ("c",)


def test_what_an_interrupted_change_left_goes_with_the_next(tmp_path):
    folder = tmp_path / "i"
    Index.build(folder, works(1, 2)).close()
    left = [folder / kind / "0123.arrays" for kind in ("parts", "shards", "totals")]
    left.append(folder / ".index.json.abc.tmp")
    others = [folder / "notes.txt", folder / ".hidden"]
    for path in (*left, *others):
        path.write_text("arma")
    changes.add_works(folder, works(1), None)  # nothing to change
    assert all(path.exists() for path in left)
    changes.add_works(folder, works(3), None)
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in others)
    assert check_index(folder) == []


def test_files_that_cannot_be_deleted_stay_until_they_can(tmp_path, monkeypatch):
    """Windows deletes no file that is in use."""
    folder = tmp_path / "i"
    Index.build(folder, works(1, 2)).close()
    unlink, kept = Path.unlink, []

    def refused(path, *rest, **named):
        if path.parent.name == "shards" and path.suffix == ".arrays":
            kept.append(path)
            raise PermissionError(13, "in use")
        unlink(path, *rest, **named)

    monkeypatch.setattr(Path, "unlink", refused)
    changes.remove_works(folder, [name(1)])
    monkeypatch.undo()
    assert kept
    assert same_texts(folder, 2)
    changes.add_works(folder, works(3), None)
    assert not any(path.exists() for path in kept)


def test_nothing_is_encoded_twice(tmp_path):
    encoder = Counting()
    index = Index.build(tmp_path / "i", works(1, 2), encoder)
    index = index.add(works(1, 2, 3), encoder)
    assert encoder.texts == 12
    assert index.manifest.generation == 2
    assert index.add(works(3), encoder).manifest.generation == 2  # nothing to change
    index.remove(name(2))
    assert encoder.texts == 12


@settings(max_examples=20)
@given(st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=1, max_size=4), st.booleans())
def test_an_index_matches_whatever_it_had_before(tmp_path_factory, wanted, vectors):
    folder = tmp_path_factory.mktemp("index")
    for numbers in wanted:
        changes.match_works(folder / "changed", works(*numbers), ENCODER if vectors else None)
        assert same_texts(folder / "changed", *numbers)
    changes.match_works(folder / "changed", works(*wanted[-1]), ENCODER)
    Index.build(folder / "fresh", works(*wanted[-1]), ENCODER).close()
    assert files(folder / "changed") == files(folder / "fresh")


def test_matching_works_encodes_what_is_new(tmp_path):
    encoder = Counting()
    for numbers, encoded in (((0, 1), 8), ((1, 2), 12), ((1, 2), 12)):
        changes.match_works(tmp_path / "i", works(*numbers), encoder)
        assert encoder.texts == encoded
    assert Index.open(tmp_path / "i").manifest.generation == 2  # the last one changed nothing


def test_a_work_is_removed_by_any_of_its_names(tmp_path):
    folder = tmp_path / "i"
    index = Index.build(folder, works(1, 2, 3, 4))
    assert changes.remove_works(folder, ["work 2", "Author 1"]) == [
        part.name for part in index.manifest.parts if part.name != name(3)
    ]
    assert same_texts(folder, 3)
    with pytest.raises(InputError, match="'Work 2'"):
        changes.remove_works(folder, ["Work 2"])
    with pytest.raises(OutputError, match="nothing would be left"):
        changes.remove_works(folder, ["Work 3"])
    assert same_texts(folder, 3)


def test_what_cannot_be_added_changes_nothing(tmp_path):
    folder = tmp_path / "i"
    Index.build(folder, works(1, 2), ENCODER).close()
    before = files(folder)
    other_edition = Document.from_segments(work(1)[:2])
    same_id = Document.from_segments([Segment("w2.0", "cano", "Author 7", "Other")])
    with pytest.raises(InputError, match="another edition of 'Author 1: Work 1'"):
        changes.add_works(folder, other_edition, ENCODER)
    with pytest.raises(SegmentIdError, match=r"w2\.0"):
        changes.add_works(folder, same_id, ENCODER)
    with pytest.raises(ParameterError, match="another encoder"):
        changes.add_works(folder, works(3), None)
    with pytest.raises(OutputError, match="holds an index already"):
        Index.build(folder, works(3), ENCODER)
    assert files(folder) == before


def test_an_index_needs_a_folder_of_its_own(tmp_path):
    (tmp_path / "letter.txt").write_text("arma")
    with pytest.raises(OutputError, match="other files"):
        Index.build(tmp_path, works(1))
    with pytest.raises(InputError, match="holds no index"):
        Index.open(tmp_path)


def test_an_index_of_another_format_is_refused(tmp_path):
    Index.build(tmp_path / "i", works(1))
    manifest = tmp_path / "i" / "index.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 9', 1))
    with pytest.raises(InputError, match="another version"):
        Index.open(tmp_path / "i")
    manifest.write_text("{")
    with pytest.raises(InputError, match=r"index\.json"):
        Index.open(tmp_path / "i")


def test_a_second_writer_gets_an_error(tmp_path):
    folder = tmp_path / "i"
    Index.build(folder, works(1))
    with writing(folder), pytest.raises(OutputError, match="another program"):
        changes.add_works(folder, works(2), None)
    changes.add_works(folder, works(2), None)
    assert same_texts(folder, 1, 2)


def test_readers_keep_their_generation(tmp_path):
    folder = tmp_path / "i"
    reader = Index.build(folder, works(1, 2), ENCODER)
    changes.remove_works(folder, [name(1)])
    changes.add_works(folder, works(3), ENCODER)
    assert {segment.id: segment for segment in reader} == {s.id: s for s in works(1, 2)}
    assert reader.lemma_rows("fast").lengths.sum() > 0
    assert same_texts(folder, 2, 3)
    # As soon as nobody reads, what is unused goes.
    reader.close()
    changes.add_works(folder, works(4), ENCODER)
    Index.build(tmp_path / "fresh", works(2, 3, 4), ENCODER)
    assert files(folder) == files(tmp_path / "fresh")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_can_be_read(tmp_path):
    folder = tmp_path / "i"
    Index.build(folder, works(1))
    folder.chmod(0o500)
    try:
        assert same_texts(folder, 1)
        with pytest.raises(OutputError, match="cannot be written"):
            changes.add_works(folder, works(2), None)
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize("step", ["part", "shard", "totals", "manifest"])
def test_a_full_disk_loses_nothing(tmp_path, monkeypatch, step):
    folder = tmp_path / "i"
    Index.build(folder, works(1, 2), ENCODER).close()
    before = files(folder)
    calls, full = [], {"part": 1, "shard": 2, "totals": 3, "manifest": 4}[step]
    real = os.fsync

    def fsync(handle):
        # Each file is synced, and then its folder.
        calls.append(handle)
        if len(calls) == 2 * full - 1:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OutputError, match="No space left"):
        changes.add_works(folder, works(3), ENCODER)
    monkeypatch.undo()
    assert check_index(folder) == []
    assert same_texts(folder, 1, 2)
    changes.add_works(folder, works(3), ENCODER)
    changes.remove_works(folder, [name(3)])
    assert files(folder) == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_change_leaves_the_old_index_or_the_new_one(tmp_path):
    """A few times; `tests/attacks/test_kills.py` kills some hundred changes."""
    moments = random.Random(1)
    survives_kills(tmp_path / "i", [moments.uniform(0, 0.05) for _ in range(9)])


@pytest.mark.usefixtures("small_shards")
def test_all_damage_is_named_by_a_check_and_by_a_search(tmp_path):
    folder = tmp_path / "i"
    index = Index.build(folder, works(1, 2, 3), ENCODER)
    paths = index.manifest.paths(folder)
    assert len(paths) == 3 + len(index.manifest.shards) + 1
    for path in paths:
        content = path.read_bytes()
        for damaged in (content[: len(content) // 2], None):
            if damaged is None:
                path.unlink()
            else:
                path.write_bytes(damaged)
            assert [found for found, _ in check_index(folder)] == [path]
            with pytest.raises(InputError, match=path.name):
                Index.open(folder)
            path.write_bytes(content)
        for place in range(len(content) - 1, 0, -997):
            flipped = bytearray(content)
            flipped[place] ^= 16
            path.write_bytes(flipped)
            assert [found for found, _ in check_index(folder)] == [path]
        path.write_bytes(content)
    assert check_index(folder) == []
    # A text with a flipped letter is never shown.
    part = index.manifest.parts[0]
    path = part.path(folder, "parts")
    content = bytearray(path.read_bytes())
    begin = content.index(index.texts[0].encode())
    content[begin] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=path.name):
        Index.open(folder).texts[0]
    assert [(found, entry.name) for found, entry in check_index(folder)] == [(path, part.name)]


def test_files_of_another_generation_are_damage(tmp_path):
    folder = tmp_path / "i"
    index = Index.build(folder, works(1, 2))
    one, two = (part.path(folder, "parts") for part in index.manifest.parts)
    one.write_bytes(two.read_bytes())
    with pytest.raises(InputError, match=one.name):
        Index.open(folder)


def reported(make):
    """Return what was reported of a change: the task, how much is done, and of how much."""
    steps = []
    make(lambda task, done, total: steps.append((task, done, total)))
    return steps


def test_progress_counts_the_segments_of_all_works(tmp_path):
    build = partial(Index.build, tmp_path / "i", works(1, 2, 3), WordEncoder())
    steps = reported(lambda progress: build(progress=progress).close())
    encoding = [(done, total) for task, done, total in steps if task == "encoding source"]
    assert encoding == [(4, 12), (8, 12), (12, 12)]
    indexing = [(done, total) for task, done, total in steps if task == "indexing"]
    assert indexing == [(0, 1), (1, 1)]
    assert steps[-1] == ("indexing", 1, 1)


def test_progress_within_a_work_is_a_share_of_all(tmp_path):
    class Slow(WordEncoder):
        def encode(self, texts, progress):
            for done in range(3):
                progress("encoding source", done, 2)
            return super().encode(texts, lambda *_: None)

    build = partial(Index.build, tmp_path / "i", works(1, 2), Slow())
    steps = reported(lambda progress: build(progress=progress).close())
    found = [(done, total) for task, done, total in steps if task == "encoding source"]
    assert found == [(0, 8), (2, 8), (4, 8), (4, 8), (6, 8), (8, 8)]
