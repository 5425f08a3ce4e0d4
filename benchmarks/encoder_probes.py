r"""What encoders know of words by themselves, beside what their letters tell.

    python benchmarks/encoder_probes.py TEXT... --wordnet FILE.tsv [--model FOLDER]...

*lemma*: are two forms of one lemma more similar than forms of two lemmas; *lemma, like letters*:
of two lemmas that begin with the same three letters; *synonyms*: are two lemmas of one synset more
similar than two others of their part of speech. Forms are those of the texts that occur three times
and have one reading; a word is encoded alone, without a context. All models are measured on the
same pairs; AUC, 0.5 is guessing. A model that was trained with the same WordNet (`train late
--wordnet`) has met its synonyms, so *synonyms* then says what it learnt, not what it found out.
Writes ``benchmarks/results/encoder_probes.json``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from locisimiles.corpus import Document
from locisimiles.latin.units import text_units
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.train.late.probes import (
    forms_of_lemmas,
    lemma_probe,
    letter_similarity,
    piece_similarity,
    synonym_probe,
)
from locisimiles.train.late.synthetic_inputs import read_senses

RESULTS = Path(__file__).parent / "results" / "encoder_probes.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("texts", nargs="+", help="texts whose words are compared")
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--model", type=Path, action="append", default=[])
    options = parser.parse_args()
    texts = Document(*options.texts).texts
    words = (unit.text for own in text_units(texts) for unit in own if not unit.is_stop)
    forms = forms_of_lemmas(words)
    probes = {
        "lemma": lemma_probe(forms),
        "lemma, like letters": lemma_probe(forms, same_beginning=True),
        "synonyms": synonym_probe(read_senses(options.wordnet)),
    }
    opened = [OnnxEncoder(folder) for folder in (options.model or [OnnxEncoder.shipped_path()])]
    # Folders may have the same name.
    encoders = {f"{own.name} {own.graph_sha256[:6]}": own for own in opened}
    measures = {
        "letters": letter_similarity,
        **{name: piece_similarity(encoder) for name, encoder in encoders.items()},
    }
    print(f"{'AUC':<24}" + "".join(f"{name:>16}" for name in measures) + f"{'pairs':>16}")
    rows = []
    for name, probe in probes.items():
        found = {of: round(probe.measure(similar), 4) for of, similar in measures.items()}
        counts = len(probe.related), len(probe.unrelated)
        cells = "".join(f"{value:>16.4f}" for value in found.values())
        print(f"{name:<24}{cells}{f'{counts[0]} / {counts[1]}':>16}", flush=True)
        rows.append({"probe": name, "alike": counts[0], "different": counts[1], "auc": found})
    RESULTS.parent.mkdir(exist_ok=True)
    content = {
        "command": "python benchmarks/encoder_probes.py TEXT... --wordnet FILE.tsv",
        "texts": len(texts),
        "lemmas": len(forms),
        "models": {name: dict(encoder.describe()) for name, encoder in encoders.items()},
        "rows": rows,
    }
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
