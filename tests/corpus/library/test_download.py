import errno
import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from locisimiles.corpus.library.download import fetch
from locisimiles.errors import DownloadError, OutputError

DATA = bytes(range(256)) * 1024  # 256 kB, several chunks
SHA256 = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def get(server, tmp_path):
    """Fetch DATA from the scripted server to a file."""

    def get(*behaviours, **choices):
        server.script(*behaviours)
        target = tmp_path / "texts" / "a.tess"
        address = f"{server.address}/a.tess"
        fetch(address, target, size=len(DATA), sha256=SHA256, **choices)
        return target

    return get


@pytest.fixture
def target(tmp_path):
    return tmp_path / "texts" / "a.tess"


@pytest.fixture
def part(tmp_path):
    """The file in which an earlier attempt left what it had."""
    path = tmp_path / "texts" / "a.tess.part"
    path.parent.mkdir()
    return path


def test_a_file_is_downloaded(server, get):
    assert get(server.whole(DATA)).read_bytes() == DATA
    assert server.asked == [("/a.tess", None)]


def test_nothing_is_left_beside_a_downloaded_file(server, get):
    target = get(server.whole(DATA))
    assert list(target.parent.iterdir()) == [target]


def test_an_old_file_is_replaced(server, get, target):
    target.parent.mkdir()
    target.write_bytes(b"old")
    assert get(server.whole(DATA)).read_bytes() == DATA


def test_progress_ends_with_the_whole_size(server, get):
    told = []
    get(server.whole(DATA), progress=lambda *news: told.append(news))
    assert told[-1] == ("a.tess", len(DATA), len(DATA))
    assert [done for _, done, _ in told] == sorted({done for _, done, _ in told})


def test_an_interrupted_download_is_resumed(server, get, part):
    part.write_bytes(DATA[:1000])
    assert get(server.ranges(DATA)).read_bytes() == DATA
    assert server.asked == [("/a.tess", "bytes=1000-")]


def test_a_server_that_ignores_ranges_sends_the_whole_file(server, get, part):
    part.write_bytes(DATA[:1000])
    assert get(server.whole(DATA)).read_bytes() == DATA
    assert len(server.asked) == 1


def test_a_broken_connection_is_resumed(server, get):
    half = len(DATA) // 2
    assert get(server.cut_off(DATA, half), server.ranges(DATA)).read_bytes() == DATA
    assert server.asked == [("/a.tess", None), ("/a.tess", f"bytes={half}-")]


def test_several_broken_connections_are_resumed(server, get):
    broken = [server.cut_off(DATA, 70_000)] * 3
    assert get(*broken, server.ranges(DATA)).read_bytes() == DATA
    assert len(server.asked) == 4


def test_a_connection_that_keeps_breaking_is_given_up_and_the_part_kept(server, get, target):
    with pytest.raises(DownloadError) as caught:
        get(server.cut_off(DATA, 10_000))
    assert str(caught.value) == (
        f"{server.address}/a.tess could not be downloaded "
        f"(the connection broke after {4 * 8192:,} of {len(DATA):,} bytes); "
        "try again later, received data are kept; or install a local copy with --from FOLDER"
    )
    assert len(server.asked) == 4
    assert not target.exists()
    assert target.with_name("a.tess.part").read_bytes() == DATA[: 4 * 8192]  # whole chunks


def test_a_part_of_another_file_is_discarded_and_downloaded_again(server, get, part):
    part.write_bytes(b"x" * 1000)
    assert get(server.ranges(DATA)).read_bytes() == DATA
    assert server.asked == [("/a.tess", "bytes=1000-"), ("/a.tess", None)]


@pytest.mark.parametrize("size", [len(DATA), len(DATA) + 1])
def test_a_part_that_is_too_long_is_discarded(server, get, part, size):
    part.write_bytes(b"x" * size)
    assert get(server.ranges(DATA)).read_bytes() == DATA
    assert server.asked == [("/a.tess", None)]


def test_content_that_is_not_what_was_announced_is_refused(server, get, target):
    with pytest.raises(DownloadError) as caught:
        get(server.whole(DATA[::-1]))
    assert str(caught.value) == (
        f"the file at {server.address}/a.tess is not the one in the catalogue; "
        "it may have changed there; install a local copy with --from FOLDER"
    )
    assert len(server.asked) == 1
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("behaviour", ["whole", "unannounced"])
def test_content_that_is_longer_than_announced_is_refused(server, get, target, behaviour):
    with pytest.raises(DownloadError, match=rf"\(more than the expected {len(DATA):,} bytes\)"):
        get(getattr(server, behaviour)(DATA + b"x" * 500_000))
    assert list(target.parent.iterdir()) == []


def test_content_that_is_shorter_than_announced_is_refused(server, get, target):
    with pytest.raises(DownloadError, match="broke after 100 of"):
        get(server.unannounced(DATA[:100]))
    assert not target.exists()


def test_a_silent_server_is_given_up(server, get, target):
    with pytest.raises(DownloadError, match=r"could not be downloaded \(timed out\)"):
        get(server.silence, timeout=0.2)
    assert len(server.asked) == 4
    assert not target.exists()


def test_a_timeout_is_retried(server, get):
    assert get(server.silence, server.whole(DATA), timeout=0.1).read_bytes() == DATA


@pytest.mark.parametrize("code", [404, 403, 410])
def test_a_refused_file_is_not_requested_again(server, get, target, code):
    with pytest.raises(DownloadError) as caught:
        get(server.error(code))
    assert str(caught.value).startswith(
        f"{server.address}/a.tess could not be downloaded (the server answered {code} "
    )
    assert str(caught.value).endswith("; install a local copy with --from FOLDER")
    assert len(server.asked) == 1
    assert not target.exists()


@pytest.mark.parametrize("code", [500, 503])
def test_a_server_error_is_retried(server, get, code):
    assert get(server.error(code), server.whole(DATA)).read_bytes() == DATA


def test_a_server_that_keeps_failing_is_given_up(server, get):
    with pytest.raises(DownloadError, match=r"\(the server answered 503 Service Unavailable\)"):
        get(server.error(503))
    assert len(server.asked) == 4


def test_a_refused_range_restarts_the_download(server, get, part):
    part.write_bytes(DATA[:1000])
    assert get(server.error(416), server.ranges(DATA)).read_bytes() == DATA
    assert server.asked == [("/a.tess", "bytes=1000-"), ("/a.tess", None)]


@pytest.mark.parametrize(
    "behaviours",
    [
        ["whole", b"y" * len(DATA)],
        ["whole", DATA + b"y"],
        ["unannounced", DATA[:-1]],
        ["error", 404],
        ["error", 500],
    ],
)
def test_an_old_file_is_untouched_by_every_failure(server, get, target, behaviours):
    target.parent.mkdir()
    target.write_bytes(b"old")
    name, argument = behaviours
    with pytest.raises(DownloadError):
        get(getattr(server, name)(argument))
    assert target.read_bytes() == b"old"


def test_an_old_file_is_untouched_by_a_timeout(server, get, target):
    target.parent.mkdir()
    target.write_bytes(b"old")
    with pytest.raises(DownloadError):
        get(server.silence, timeout=0.02)
    assert target.read_bytes() == b"old"


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "ftp://127.0.0.1/a", "a.tess", "", "data:,arma"]
)
def test_only_web_addresses_are_downloaded(tmp_path, address):
    with pytest.raises(DownloadError, match="is not a web address"):
        fetch(address, tmp_path / "a", size=1, sha256="")
    assert list(tmp_path.iterdir()) == []


def test_a_redirect_to_a_local_file_is_not_followed(get, target):
    def redirect(request):
        request.send_response(302)
        request.send_header("Location", "file:///etc/passwd")
        request.end_headers()

    with pytest.raises(DownloadError, match="could not be downloaded"):
        get(redirect)
    assert not target.exists()


def test_an_unreachable_server_is_an_error(server, tmp_path):
    server.stop()
    with pytest.raises(DownloadError, match="Connection refused"):
        fetch(f"{server.address}/a", tmp_path / "a", size=1, sha256="")


@pytest.mark.parametrize("address", ["http://[::1/a", "http://127.0.0.1:9/büro"])
def test_an_invalid_address_is_a_download_error(tmp_path, address):
    with pytest.raises(DownloadError):
        fetch(address, tmp_path / "a", size=1, sha256="")


def test_a_folder_that_cannot_be_created_is_an_output_error(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match="cannot be written: Not a directory"):
        fetch("http://127.0.0.1:9/a", tmp_path / "file" / "a" / "b", size=1, sha256="")


def test_a_part_file_that_cannot_be_written_is_an_output_error(server, get, target):
    target.with_name("a.tess.part").mkdir(parents=True)
    with pytest.raises(OutputError, match="cannot be written: Is a directory"):
        get(server.whole(DATA))


def test_a_full_disk_is_said_plainly(get, server, target, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("locisimiles.corpus.library.download._receive", full)
    with pytest.raises(OutputError) as caught:
        get(server.whole(DATA))
    assert (
        str(caught.value) == f"there is no space left for {target}; free some space and try again"
    )
    assert list(target.parent.iterdir()) == []


def test_no_connection_is_another_error_than_a_broken_one(server, tmp_path):
    server.stop()
    with pytest.raises(DownloadError) as caught:
        fetch(f"{server.address}/a", tmp_path / "a", size=1, sha256="")
    assert caught.value.message.code == "corpus.unreachable"
    assert "check the connection to the internet" in str(caught.value)


def test_two_downloads_of_the_same_file_do_not_mix(server, tmp_path):
    both = threading.Barrier(2, timeout=10)

    def halves(request):
        request.send_response(200)
        request.send_header("Content-Length", str(len(DATA)))
        request.end_headers()
        request.wfile.write(DATA[:100_000])
        both.wait()  # each has received a part, and neither all
        request.wfile.write(DATA[100_000:])

    server.script(halves)
    target = tmp_path / "texts" / "a.tess"
    with ThreadPoolExecutor() as pool:
        jobs = [
            pool.submit(fetch, f"{server.address}/a", target, size=len(DATA), sha256=SHA256)
            for _ in range(2)
        ]
    assert [job.result() for job in jobs] == [None, None]
    assert target.read_bytes() == DATA
    assert list(target.parent.iterdir()) == [target]


def test_what_the_reporter_raises_ends_a_download_and_keeps_its_part(server, get, target):
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(server.whole(DATA), progress=stop)
    assert target.with_name("a.tess.part").stat().st_size > 0
