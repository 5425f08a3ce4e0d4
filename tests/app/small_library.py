"""A catalogue of six small texts, where to download them, and the app with this catalogue."""

import hashlib
import os
import sys
import threading
from dataclasses import replace

from locisimiles.corpus.library import Catalogue, Edition, catalogue, download

LINES = {
    "vergil.eclogues": "Tityre tu patulae recubans sub tegmine fagi",
    "vergil.georgics": "quid faciat laetas segetes quo sidere terram",
    "vergil.aeneid": "arma uirumque cano Troiae qui primus ab oris",
    "horace.odes": "Maecenas atauis edite regibus o et praesidium",
    "lucan.bellum_civile": "bella per Emathios plus quam civilia campos",
    "cicero.in_catilinam": "quo usque tandem abutere Catilina patientia nostra",
}
ONLY_COPIES = "cicero.in_catilinam"
_WORKS = Catalogue.shipped().works


def content(name):
    """Return the file of a work, larger than what is downloaded in one go."""
    tag = _WORKS[name].abbreviation
    lines = (f"<{tag} 1.{number}>\t{LINES[name]}" for number in range(1, 401))
    return "\n".join([*lines, ""]).encode()


def edition(name, source):
    data = content(name)
    return Edition(name, source, f"{name}.tess", "", len(data), hashlib.sha256(data).hexdigest())


SMALL = Catalogue(
    [_WORKS[name] for name in LINES],
    [
        *(edition(name, "tesserae") for name in LINES if name != ONLY_COPIES),
        edition("vergil.aeneid", "perseus"),
        edition(ONLY_COPIES, "latin-library"),
    ],
)


class Mirror:
    """A place to download from, which can hold back and spoil files."""

    def __init__(self, server):
        self.server = server
        self.held, self.release = set(), threading.Event()
        self.reached = threading.Event()
        self.spoilt = set()
        self.server.script(self._answer)

    def _answer(self, request):
        name = request.path.rpartition("/")[2].removesuffix(".tess")
        data = content(name)
        if name in self.spoilt:
            data = data.upper()
        request.send_response(200)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data[:9000])
        if name in self.held:
            self.reached.set()
            self.release.wait(20)
        request.wfile.write(data[9000:])

    def stop(self):
        self.release.set()
        self.server.stop()


if __name__ == "__main__":
    from locisimiles.__main__ import main

    catalogue._shipped = lambda: SMALL
    for name in ("tesserae", "perseus"):
        base = f"{os.environ['STAND_IN']}/"
        catalogue.SOURCES[name] = replace(catalogue.SOURCES[name], base=base)
    download._RETRIES = 0  # it waits before each
    sys.exit(main())
