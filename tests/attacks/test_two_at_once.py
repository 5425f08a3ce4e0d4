"""Two commands at once that write the same files: both end well, and what they wrote is whole."""

import hashlib
import os
import subprocess
import sys
import textwrap

TEXT = b"".join(b"<verg. ecl. 1.%d>\tTityre, tu patulae recubans.\n" % n for n in range(40_000))
# The catalogue that we ship names texts that tests have not; the rest is the real command.
COMMAND = textwrap.dedent("""
    import sys
    from locisimiles.cli import main
    from locisimiles.corpus.library import Catalogue, Edition, Work, catalogue
    sha256, size, *sys.argv[1:] = sys.argv[1:]
    names = [f"vergil.eclogues{n}" for n in range(5)]
    works = [Work(name, "Virgil", name, "verg. ecl.", -38, "verse", "never", "", (), "pastoral")
             for name in names]
    editions = [Edition(name, "tesserae", f"{name}.tess", "", int(size), sha256) for name in names]
    catalogue._shipped = lambda: Catalogue(works, editions)
    main()
""")


def test_two_commands_add_the_same_texts(tmp_path):
    mirror, data = tmp_path / "mirror", tmp_path / "data"
    mirror.mkdir()
    for number in range(5):
        (mirror / f"vergil.eclogues{number}.tess").write_bytes(TEXT)
    known = [hashlib.sha256(TEXT).hexdigest(), str(len(TEXT))]

    def library(*arguments):
        return subprocess.Popen(
            [sys.executable, "-c", COMMAND, *known, "library", *arguments],
            env={**os.environ, "LOCISIMILES_DATA": str(data)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    both = [library("add", "vergil", "--from", str(mirror)) for _ in range(2)]
    for command in both:
        _, said = command.communicate(timeout=120)
        assert command.returncode == 0, said
        assert said.startswith("5 texts")
    written = sorted(path for path in data.rglob("*") if path.is_file() and path.suffix != ".lock")
    assert [path.name for path in written] == [f"vergil.eclogues{n}.tess" for n in range(5)]
    assert all(path.read_bytes() == TEXT for path in written)
    listed, _ = library("list", "--installed").communicate(timeout=120)
    assert listed.count("here") == 5
