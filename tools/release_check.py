"""Build wheel and sdist, install each in an empty environment, and check what users would get.

    python tools/release_check.py
    python tools/release_check.py --output dist

Checks that both hold all models, byte by byte those of the checkout, and the wheel neither tests
nor anything private; that the wheel is no larger than ``--megabytes``; that ``locisimiles demo``
finds references in both environments, and both open a project of version 0.1 with its judgements;
that each library comes with a licence that allows our own. Writes wheel, sdist, ``sbom.json``
(CycloneDX) and ``release.json`` into the output folder. Needs the network, for libraries.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OLD_PROJECT = ROOT / "tests" / "data" / "project-0.1.sqlite"
MODELS = (".npz", ".onnx", ".npy", ".json", ".gz", ".tsv")
FORBIDDEN = ("tests/", ".git/", ".env", "shared/", ".sqlite", ".venv")
ALLOWED = (
    "mit", "apache", "bsd", "mpl", "mozilla", "psf", "python software", "isc", "hpnd", "zlib",
    "unlicense", "0bsd",
)  # fmt: skip
_DESCRIBE = """
import importlib.metadata as m, json, sys
found = []
for d in m.distributions():
    meta = d.metadata
    said = [one for one in meta.get_all("Classifier", []) if "License ::" in one]
    kinds = [one.rpartition("::")[2].strip() for one in said]
    text = meta.get("License-Expression") or "; ".join(kinds) or (meta.get("License") or "")[:60]
    found.append({"name": meta["Name"], "version": d.version, "licence": text})
print(json.dumps(sorted(found, key=lambda one: one["name"].lower())))
"""
_UPGRADE = """
import sys
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection
project = ProjectCollection(sys.argv[1]).open("old")
with project.database.reading() as connection:
    rows = connection.execute("SELECT query_id, verdict, reader FROM judgement ORDER BY 1")
    print(project.title, [tuple(row) for row in rows])
"""
_JUDGED = "From 0.1 [('letters 1', 'cit.', 'Ann'), ('letters 2', 'reject', 'Ann')]"


def main() -> None:
    """Run all checks; the first that fails ends the program with a sentence."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--output", type=Path, default=ROOT / "dist")
    options.add_argument("--megabytes", type=float, default=60.0, help="the largest wheel")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = check(Path(folder), given.output, given.megabytes)
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    (given.output / "release.json").write_text(text, encoding="utf-8")
    say(f"all checks passed; see {given.output / 'release.json'}")


def check(folder: Path, output: Path, megabytes: float) -> dict[str, Any]:
    """Build, install and check; return what was found."""
    wheel, sdist = build(folder, output)
    models = check_contents(wheel, sdist)
    size = wheel.stat().st_size / 1024**2
    require(size <= megabytes, f"the wheel has {size:.1f} MB, more than {megabytes:g}")
    components: list[dict[str, str]] = []
    for file in (wheel, sdist):
        python = install(folder / file.suffix.strip("."), file)
        check_program(python, folder)
        components = components or libraries(python)
    write_sbom(output / "sbom.json", components)
    return {
        "files": [
            {"name": file.name, "bytes": file.stat().st_size, "sha256": sha256(file.read_bytes())}
            for file in (wheel, sdist)
        ],
        "libraries": components,
        "models": models,
    }


def build(folder: Path, output: Path) -> tuple[Path, Path]:
    """Return a new wheel and sdist."""
    python = new_environment(folder / "build")
    run(python, "-m", "pip", "install", "--quiet", "hatchling")
    output.mkdir(parents=True, exist_ok=True)
    for old in (*output.glob("locisimiles-*.whl"), *output.glob("locisimiles-*.tar.gz")):
        old.unlink()
    run(python, "-m", "hatchling", "build", "-d", str(output.resolve()), place=ROOT)
    (wheel,), (sdist,) = output.glob("*.whl"), output.glob("*.tar.gz")
    say(f"built {wheel.name}: {wheel.stat().st_size / 1024**2:.1f} MB")
    return wheel, sdist


def check_contents(wheel: Path, sdist: Path) -> dict[str, str]:
    """Return the SHA-256 of each model; both files must hold those of the checkout."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    wrong = [name for name in packed if any(part in name for part in FORBIDDEN)]
    require(not wrong, f"the wheel holds {', '.join(wrong[:5])}")
    for needed in ("/LICENSE", "/py.typed"):
        require(any(name.endswith(needed) for name in packed), f"the wheel lacks {needed}")
    with tarfile.open(sdist) as archive:
        members = {member.name.partition("/")[2]: member for member in archive.getmembers()}
        sources = {
            name: archive.extractfile(member).read()  # type: ignore[union-attr]
            for name, member in members.items()
            if name.startswith("src/") and member.isfile()
        }
    hashes = {}
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix in MODELS and path.is_file():
            name, digest = path.relative_to(ROOT / "src").as_posix(), sha256(path.read_bytes())
            require(sha256(packed.get(name, b"")) == digest, f"{name} differs in the wheel")
            require(
                sha256(sources.get(f"src/{name}", b"")) == digest, f"{name} differs in the sdist"
            )
            hashes[name] = digest
    say(f"{len(hashes)} models and tables are the same in checkout, wheel and sdist")
    return hashes


def install(folder: Path, file: Path) -> Path:
    """Install a file in an empty environment; return its Python."""
    python = new_environment(folder)
    run(python, "-m", "pip", "install", "--quiet", str(file.resolve()))
    run(python, "-m", "pip", "check")
    return python


def check_program(python: Path, folder: Path) -> None:
    """Let the installed program show its version, search the example, and open an old project."""
    program = python.with_name("locisimiles")
    version = run(program, "--version", place=folder).partition("\n")[0]
    found = run(program, "demo", place=folder)
    require("cit." in found, f"the demo found nothing: {found[-300:]}")
    projects = Path(tempfile.mkdtemp(dir=folder))
    shutil.copyfile(OLD_PROJECT, projects / "old.sqlite")
    judged = run(python, "-c", _UPGRADE, str(projects), place=folder).strip()
    require(judged == _JUDGED, f"a project of 0.1 was read as: {judged}")
    run(program, "project", "check", str(projects / "old.sqlite"), place=folder)
    say(f"{version}: the demo runs, and a project of 0.1 keeps its judgements")


def libraries(python: Path) -> list[dict[str, str]]:
    """Return what was installed, with licences; each must allow our own."""
    found: list[dict[str, str]] = json.loads(run(python, "-c", _DESCRIBE))
    for one in found:
        known = one["licence"].lower()
        require(any(word in known for word in ALLOWED), f"{one['name']}: licence {known!r}")
    say(f"{len(found)} libraries, with licences that allow ours")
    return found


def write_sbom(path: Path, components: list[dict[str, str]]) -> None:
    """Write a bill of materials in CycloneDX."""
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "components": [
            {
                "type": "library",
                "name": one["name"],
                "version": one["version"],
                "purl": f"pkg:pypi/{one['name'].lower()}@{one['version']}",
                "licenses": [{"license": {"name": one["licence"]}}],
            }
            for one in components
        ],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def new_environment(folder: Path) -> Path:
    """Return the Python of a new environment with nothing but pip."""
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def run(program: Path, *arguments: str, place: Path | None = None) -> str:
    """Return what a program prints; end with what it said if it fails."""
    hidden = ("PYTHONPATH", "LOCISIMILES_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    kept["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    if place is not None and place != ROOT:
        kept["LOCISIMILES_DATA"] = kept["LOCISIMILES_CACHE"] = str(place / "data")
    done = subprocess.run(  # noqa: S603 - programs of this script
        [str(program), *arguments], cwd=place, env=kept, capture_output=True, text=True, check=False
    )
    shown = " ".join([program.name, *arguments[:3]])
    require(done.returncode == 0, f"{shown}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout


def require(holds: bool, sentence: str) -> None:  # noqa: FBT001 - as in assert
    """End the program with a sentence unless a condition holds."""
    if not holds:
        sys.exit(f"release check failed: {sentence}")


def sha256(content: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def say(sentence: str) -> None:
    """Print a sentence at once."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
