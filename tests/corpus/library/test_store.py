import hashlib
import threading
from pathlib import Path

import pytest

from locisimiles.corpus.library import Catalogue, Edition, Library, Work, installed_files
from locisimiles.errors import (
    DownloadError,
    InputError,
    OutputError,
    TextNotInstalledError,
    UnknownTextError,
)


@pytest.fixture
def library(tmp_path, shelf, monkeypatch):
    monkeypatch.delenv("LOCISIMILES_MIRROR", raising=False)
    return Library(tmp_path / "library", shelf)


@pytest.fixture
def mirror(tmp_path):
    """A folder with copies of files, as `--from` takes it."""

    def mirror(name, data):
        path = tmp_path / "mirror" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return tmp_path / "mirror"

    return mirror


@pytest.fixture
def place(library, shelf):
    [text] = shelf.find("lucan")
    return library.path_of(text.files[0])


def test_files_are_kept_by_source_and_name(library, place):
    assert place == library.root / "tesserae" / "lucan.tess"


def test_the_folder_comes_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path))
    assert Library().root == tmp_path / "library"


def test_the_folder_is_the_users_data_folder_otherwise(monkeypatch):
    monkeypatch.delenv("LOCISIMILES_DATA", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: Path("/home/x") / name)
    assert Library().root == Path("/home/x/locisimiles/library")


def test_a_text_is_downloaded_from_the_mirror_in_the_environment(
    monkeypatch, server, library, lucan, place
):
    server.script(server.whole(lucan))
    monkeypatch.setenv("LOCISIMILES_MIRROR", f"{server.address}/copies/")
    [text] = library.add("lucan")
    assert text.source == "tesserae"
    assert server.asked == [("/copies/tesserae/la/lucan.tess", None)]
    assert place.read_bytes() == lucan
    assert library.is_installed(text)


def test_an_installed_text_is_not_downloaded_again(monkeypatch, server, library, lucan):
    server.script(server.whole(lucan))
    monkeypatch.setenv("LOCISIMILES_MIRROR", server.address)
    library.add("lucan")
    library.add("lucan")
    assert len(server.asked) == 1


def test_a_text_of_another_size_is_downloaded_again(monkeypatch, server, library, lucan, place):
    place.parent.mkdir(parents=True)
    place.write_bytes(lucan[:-1])
    server.script(server.whole(lucan))
    monkeypatch.setenv("LOCISIMILES_MIRROR", server.address)
    library.add("lucan")
    assert place.read_bytes() == lucan


def test_a_download_of_the_wrong_content_is_not_installed(
    monkeypatch, server, library, lucan, place
):
    server.script(server.whole(lucan.upper()))
    monkeypatch.setenv("LOCISIMILES_MIRROR", server.address)
    with pytest.raises(DownloadError, match="is not the one in the catalogue"):
        library.add("lucan")
    assert list(place.parent.iterdir()) == []


def test_a_mirror_outside_the_web_is_refused(monkeypatch, tmp_path, library):
    monkeypatch.setenv("LOCISIMILES_MIRROR", f"file://{tmp_path}")
    with pytest.raises(DownloadError, match="is not a web address"):
        library.add("lucan")


def test_progress_is_passed_on(monkeypatch, server, library, lucan):
    told = []
    server.script(server.whole(lucan))
    monkeypatch.setenv("LOCISIMILES_MIRROR", server.address)
    library.add("lucan", progress=lambda *news: told.append(news))
    assert told == [("lucan.tess", len(lucan), len(lucan))]


def several(count, folder):
    """Return files by the names of works, and an empty library that knows them."""
    data = {f"a.w{number}": f"text {number}".encode() * 100 for number in range(count)}
    works = [Work(name, "A", name, name, 1, "prose", "never", "", ()) for name in data]
    editions = [
        Edition(name, "tesserae", f"{name}.tess", "", len(text), hashlib.sha256(text).hexdigest())
        for name, text in data.items()
    ]
    return data, Library(folder, Catalogue(works, editions))


def test_several_files_are_downloaded_at_once(monkeypatch, server, tmp_path):
    data, shelf = several(8, tmp_path)
    together = threading.Barrier(4, timeout=20)

    def answer(request):
        together.wait()  # broken unless four requests are under way
        server.whole(data[request.path.rpartition("/")[2].removesuffix(".tess")])(request)

    server.script(answer)
    monkeypatch.setenv("LOCISIMILES_MIRROR", server.address)
    told = []
    shelf.install(*shelf.catalogue, progress=lambda *news: told.append(news))
    assert {name for name, done, size in told if done == size} == {f"{name}.tess" for name in data}
    assert {path.name: path.read_bytes() for path in (tmp_path / "tesserae").iterdir()} == {
        f"{name}.tess": content for name, content in data.items()
    }


def test_after_a_failure_the_rest_resumes(monkeypatch, server, tmp_path):
    data, shelf = several(6, tmp_path)
    refused = ["a.w3"]

    def answer(request):
        name = request.path.rpartition("/")[2].removesuffix(".tess")
        if name in refused:
            request.send_response(404)
            request.end_headers()
        else:
            server.whole(data[name])(request)

    server.script(answer)
    monkeypatch.setenv("LOCISIMILES_MIRROR", server.address)
    with pytest.raises(DownloadError, match=r"a\.w3"):
        shelf.install(*shelf.catalogue)
    refused.clear()
    here = {text.name for text in shelf.catalogue if shelf.is_installed(text)}
    asked = len(server.asked)
    shelf.install(*shelf.catalogue)
    assert len(server.asked) - asked == len(data) - len(here)
    assert all(map(shelf.is_installed, shelf.catalogue))


def test_a_text_without_an_address_suggests_a_local_copy(library):
    with pytest.raises(DownloadError) as caught:
        library.add("lucan@latin-library")
    assert str(caught.value) == (
        "lucan.txt cannot be downloaded from The Latin Library; "
        "install it from a local copy with --from FOLDER"
    )


@pytest.mark.parametrize("name", ["la/lucan.tess", "lucan.tess", "deep/er/lucan.tess"])
def test_a_text_is_copied_from_anywhere_in_a_folder(library, mirror, lucan, place, name):
    [text] = library.add("lucan", mirror=mirror(name, lucan))
    assert place.read_bytes() == lucan
    assert library.is_installed(text)
    assert list(place.parent.iterdir()) == [place]


def test_a_text_without_an_address_can_be_copied(library, mirror, lucan):
    library.add("lucan@latin-library", mirror=mirror("lucan.txt", lucan))
    assert (library.root / "latin-library" / "lucan.txt").read_bytes() == lucan


def test_the_right_one_of_several_copies_is_taken(library, mirror, lucan, place):
    mirror("la/lucan.tess", lucan.upper())
    library.add("lucan", mirror=mirror("other/lucan.tess", lucan))
    assert place.read_bytes() == lucan


def test_a_copy_of_another_version_is_refused_and_the_old_file_untouched(
    library, mirror, lucan, place
):
    place.parent.mkdir(parents=True)
    place.write_bytes(b"old")
    folder = mirror("lucan.tess", lucan.upper())
    with pytest.raises(DownloadError) as caught:
        library.add("lucan", mirror=folder)
    assert str(caught.value) == (
        f"{folder / 'lucan.tess'} is not the version in the catalogue; "
        "to use it anyway, name the file instead of the text"
    )
    assert place.read_bytes() == b"old"


def test_a_missing_copy_is_an_error(library, mirror, lucan):
    folder = mirror("other.tess", lucan)
    with pytest.raises(DownloadError) as caught:
        library.add("lucan", mirror=folder)
    assert str(caught.value) == f"lucan.tess is neither in {folder} nor in one of its subfolders"


def test_a_missing_folder_is_an_error(library, tmp_path):
    with pytest.raises(DownloadError) as caught:
        library.add("lucan", mirror=tmp_path / "nowhere")
    assert str(caught.value) == f"there is no folder {tmp_path / 'nowhere'}"


def test_a_copy_that_somebody_has_is_kept_if_the_catalogue_knows_it(library, lucan, place):
    assert library.keep_copy(lucan.upper()) is None
    assert not place.exists()
    edition = library.keep_copy(lucan)
    assert library.path_of(edition).read_bytes() == lucan


def test_texts_without_an_address_can_only_be_copied(library, monkeypatch):
    fetchable, local = library.catalogue
    assert (library.can_download(fetchable), library.can_download(local)) == (True, False)
    monkeypatch.setenv("LOCISIMILES_MIRROR", "http://127.0.0.1:9/")
    assert library.can_download(local)


def test_the_files_of_an_installed_text_are_returned(library, mirror, lucan, place):
    library.add("lucan", mirror=mirror("lucan.tess", lucan))
    assert library.files("lucan") == [place]


def test_the_files_of_a_missing_text_are_an_error_that_says_how_to_install_it(library):
    with pytest.raises(TextNotInstalledError) as caught:
        library.files("lucan")
    assert str(caught.value) == (
        "a text called 'lucan' is not on this machine yet (lucan.bellum_civile); "
        "install it with 'locisimiles library add lucan'"
    )


def test_at_most_six_missing_texts_are_named(tmp_path):
    with pytest.raises(TextNotInstalledError, match=r"\((\w+\.\w+(, | and )){6}\d+ more\)"):
        Library(tmp_path).files("cicero")


@pytest.mark.parametrize("method", ["add", "files"])
def test_an_unknown_text_is_an_error(library, method):
    with pytest.raises(UnknownTextError, match="unknown text 'nemo'"):
        getattr(library, method)("nemo")


@pytest.mark.parametrize("content", [None, b"too short"])
def test_a_missing_or_incomplete_file_is_not_installed(library, shelf, place, content):
    if content is not None:
        place.parent.mkdir(parents=True)
        place.write_bytes(content)
    assert not library.is_installed(shelf.find("lucan")[0])


def test_a_name_where_a_path_was_expected_leads_to_installed_files(monkeypatch, tmp_path):
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path))
    with pytest.raises(TextNotInstalledError):
        installed_files("vergil")


@pytest.mark.parametrize("name", ["texts/vergil", "/vergil", "vergil/"])
def test_a_path_is_not_looked_up_in_the_library(name):
    with pytest.raises(InputError) as caught:
        installed_files(name)
    assert str(caught.value) == f"{name}: file not found"


def test_a_library_folder_that_cannot_be_created_is_an_output_error(tmp_path, shelf, mirror, lucan):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError):
        Library(tmp_path / "file", shelf).add("lucan", mirror=mirror("lucan.tess", lucan))


def test_a_file_that_was_changed_is_neither_read_nor_kept(
    monkeypatch, library, server, lucan, place
):
    monkeypatch.setenv("LOCISIMILES_MIRROR", server.address)
    server.script(server.whole(lucan), server.whole(lucan))
    library.add("lucan")
    assert library.files("lucan") == [place]
    place.write_bytes(bytes(len(lucan)))
    with pytest.raises(TextNotInstalledError, match=r"changed or damaged; .* library add lucan"):
        library.files("lucan")
    library.add("lucan")
    assert place.read_bytes() == lucan
    assert library.files("lucan") == [place]
