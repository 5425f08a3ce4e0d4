"""Open a report in Chromium (QtWebEngine), do as a reader does, and print what is then to be seen.

``python tests/export/browse_report.py REPORT.html``; needs ``pip install PyQt6-WebEngine``.
"""

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QTWEBENGINE_CHROMIUM_FLAGS", "--no-sandbox --disable-gpu")

READ = """
(() => {
  const visible = () => Array.from(document.querySelectorAll("tbody tr"))
    .filter((row) => !row.hidden && row.getClientRects().length)
    .map((row) => row.querySelector("strong").textContent + " > " +
      row.cells[1].querySelector("strong").textContent);
  const type = (id, value) => {
    document.getElementById(id).value = value;
    document.getElementById(id).dispatchEvent(new Event("input"));
  };
  const seen = { all: visible(), marks: document.querySelectorAll("mark").length };
  seen.texts = Array.from(document.querySelectorAll(".text")).map((text) => text.textContent);
  seen.controls = !document.getElementById("controls").hidden;
  seen.colours = Array.from(document.querySelectorAll("tbody tr:first-child mark"))
    .map((mark) => mark.textContent + " " + getComputedStyle(mark).backgroundColor);
  document.querySelectorAll("th button")[3].click();
  seen.by_score = visible();
  document.querySelectorAll("th button")[3].click();
  seen.by_score_falling = visible();
  type("find", "VOX");
  seen.found = visible();
  type("find", "");
  type("least", "0.7");
  seen.high = visible();
  type("least", "");
  seen.count = document.getElementById("count").textContent;
  seen.attacked = window.attacked === true;
  seen.images = document.images.length;
  seen.scripts = document.scripts.length;
  return JSON.stringify(seen);
})()
"""


def main(path):
    from PyQt6.QtCore import QTimer, QUrl
    from PyQt6.QtWebEngineCore import (
        QWebEnginePage,
        QWebEngineProfile,
        QWebEngineUrlRequestInterceptor,
    )
    from PyQt6.QtWidgets import QApplication

    said, asked = [], set()

    class Page(QWebEnginePage):
        def javaScriptConsoleMessage(self, level, message, line, source):  # noqa: ARG002, N802
            said.append(message)

    class Requests(QWebEngineUrlRequestInterceptor):
        def interceptRequest(self, info):  # noqa: N802
            asked.add(info.requestUrl().scheme())

    application = QApplication(sys.argv[:1])
    profile, requests = QWebEngineProfile(), Requests()
    profile.setUrlRequestInterceptor(requests)
    page = Page(profile)

    def show(result):
        print(json.dumps({"console": said, "schemes": sorted(asked), **json.loads(result)}))
        application.quit()

    page.loadFinished.connect(lambda _: page.runJavaScript(READ, show))
    page.load(QUrl.fromLocalFile(str(Path(path).resolve())))
    QTimer.singleShot(60_000, application.quit)
    application.exec()
    sys.stdout.flush()
    os._exit(0)  # the engine takes its time to end, and complains on the way


if __name__ == "__main__":
    main(sys.argv[1])
