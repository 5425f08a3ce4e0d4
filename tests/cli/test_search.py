"""``locisimiles search``."""

import csv
import hashlib
import json
import re
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locisimiles import Pipeline, Searcher
from locisimiles.cli import app
from locisimiles.corpus.library import Catalogue, Edition, Library, catalogue

MODULE = import_module("locisimiles.cli.search")  # the package has a function of this name
QUERY = "seg_id,text\nhier. 1,Haesit uox\nhier. 2,arma\n"
SOURCE = "seg_id,text\nverg. 1,et vox haesit\nverg. 2,uox\nverg. 3,Arma uirumque\n"
PLAIN = (
    "query\trank\tscore\tsource\tshared\tquery_text\tsource_text\tparallel_to\n"
    "hier. 1\t1\t0.51\tverg. 1\thaereo uox\tHaesit uox\tet vox haesit\t\n"
    "hier. 1\t2\t0.25\tverg. 2\tuox\tHaesit uox\tuox\t\n"
    "hier. 2\t1\t0.35\tverg. 3\tarma\tarma\tArma uirumque\t\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder in which the commands run, with a query and a source."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    (tmp_path / "query.csv").write_text(QUERY, encoding="utf-8")
    (tmp_path / "source.csv").write_text(SOURCE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def command(folder, program):  # noqa: ARG001
    return partial(program, "search")


@pytest.fixture
def search(command):
    """Search by BM25 unless it is said how: it is quick, and its scores are known."""

    def run(*arguments):
        return command(*arguments, *([] if "--method" in arguments else ["--method", "bm25"]))

    return run


def read_csv(path, delimiter=","):
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            (row["query_id"], row["source_id"], row["rank"])
            for row in csv.DictReader(stream, delimiter=delimiter)
        ]


def test_candidates_are_printed(search):
    done = search("query.csv", "source.csv")
    assert (done.code, done.out, done.err) == (0, PLAIN, "")


def test_several_sources_are_searched_together(search, folder):
    (folder / "more.csv").write_text("id,text\nhor. 1,Arma uirumque\n", encoding="utf-8")
    done = search("query.csv", "source.csv", "more.csv")
    hits = [line.split("\t")[3] for line in done.out.splitlines() if line.startswith("hier. 2")]
    assert hits == ["hor. 1", "verg. 3"]


@pytest.mark.parametrize(
    ("name", "delimiter"), [("hits.csv", ","), ("hits.tsv", "\t"), ("HITS.CSV", ",")]
)
def test_candidates_are_written_to_a_table(search, folder, name, delimiter):
    done = search("query.csv", "source.csv", "-o", name)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"wrote {name}\nwrote {name}.manifest.json\n"
    assert read_csv(folder / name, delimiter) == [
        ("hier. 1", "verg. 1", "1"),
        ("hier. 1", "verg. 2", "2"),
        ("hier. 2", "verg. 3", "1"),
    ]


@pytest.mark.parametrize("name", ["hits.csv", "hits.tsv", "hits.jsonl", "hits.parquet"])
@pytest.mark.parametrize("more", [(), ("--budget", "2"), ("--explain",)], ids=str)
def test_tables_are_the_same_bytes_whatever_the_memory(search, monkeypatch, name, more):
    tmp_path, written = Path.cwd(), []
    for number, block in enumerate((1, 100)):
        monkeypatch.setattr(MODULE, "block_in_memory", lambda *_, block=block: block)
        target = tmp_path / f"{number}{name}"
        assert search("query.csv", "source.csv", "-o", target, "--memory", "2GB", *more).code == 0
        files = sorted(tmp_path.glob(f"{number}hits*"))
        written.append([path.read_bytes() for path in files])
    assert written[0] == written[1]
    assert len(written[0]) == (1 if name.endswith("parquet") else 2)


@pytest.mark.parametrize("more", [(), ("--memory", "100MB"), ("--budget", "3")], ids=str)
def test_an_index_is_searched_in_several_processes(search, folder, program, monkeypatch, more):
    rows = "".join(f"hier. {number},Haesit uox et arma\n" for number in range(140))
    (folder / "long.csv").write_text("seg_id,text\n" + rows, encoding="utf-8")
    assert program("index", "build", "sources", "source.csv", "--model", "none").code == 0
    shared, called = MODULE.search_in_processes, []
    monkeypatch.setattr(
        MODULE,
        "search_in_processes",
        lambda *args, **named: called.append(named) or shared(*args, **named),
    )
    written = []
    for jobs in (1, 2):
        target = f"{jobs}.csv"
        assert search("long.csv", "sources", "--jobs", jobs, "-o", target, *more).code == 0
        written.append((folder / target).read_bytes())
    assert written[0] == written[1]
    assert [named["processes"] for named in called] == [2]


def test_pairs_of_a_work_can_be_excluded(search, folder):
    (folder / "both.csv").write_text(
        "id,text,author,work\na 1,arma uirumque,A,One\na 2,arma uirum,A,One\nb 1,arma,B,Two\n"
        "x,arma sonant,,\n",
        encoding="utf-8",
    )
    done = search("both.csv", "both.csv", "--exclude", "same-work", "-o", "hits.csv")
    assert done.code == 0
    assert done.err.startswith(
        "note: 1 of 4 query segments and 1 of 4 source segments have no known work, so "
        "--exclude same-work leaves out none of their pairs\n"
    )
    pairs = {(query, source) for query, source, _ in read_csv(folder / "hits.csv")}
    assert pairs == {
        ("a 1", "b 1"), ("a 1", "x"), ("a 2", "b 1"), ("a 2", "x"),
        ("b 1", "a 1"), ("b 1", "a 2"), ("b 1", "x"), ("x", "a 1"), ("x", "a 2"), ("x", "b 1"),
    }  # fmt: skip
    manifest = json.loads((folder / "hits.csv.manifest.json").read_text(encoding="utf-8"))
    assert manifest["exclude"] == ["same-work"]


def test_an_unknown_exclusion_is_refused(search):
    done = search("query.csv", "source.csv", "--exclude", "earlier")
    assert (done.code, done.out) == (1, "")
    assert "unknown exclude 'earlier'; choose one of same-work, same-author, later" in done.err


def test_too_little_memory_is_noted_and_enough(search, folder):  # noqa: ARG001
    done = search("query.csv", "source.csv", "--memory", "1 MB")
    assert (done.code, done.out) == (0, PLAIN)
    assert re.match(r"note: the sources alone take \d+\.\d GB; the search uses little", done.err)


def test_a_memory_that_is_no_size_is_refused(search, folder):  # noqa: ARG001
    done = search("query.csv", "source.csv", "--memory", "plenty")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: --memory is plenty, not a size; give a number and a unit")


def test_candidates_are_written_as_json(search, folder):
    done = search("query.csv", "source.csv", "--output", "hits.json")
    assert done.err == "wrote hits.json\n"
    written = json.loads((folder / "hits.json").read_text(encoding="utf-8"))
    assert [row["source_id"] for row in written["references"]] == ["verg. 1", "verg. 2", "verg. 3"]
    assert written["manifest"]["retriever"]["name"] == "bm25"


def test_candidates_are_written_as_json_lines(search, folder):
    search("query.csv", "source.csv", "-o", "hits.jsonl")
    lines = (folder / "hits.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["rank"] for line in lines] == [1, 2, 1]


def test_k_limits_the_number_of_candidates(search):
    done = search("query.csv", "source.csv", "-k", "1")
    assert done.out.splitlines() == [line for line in PLAIN.splitlines() if "\t2\t" not in line]


@pytest.mark.parametrize(("method", "found"), [("bm25", 1), ("bm25-surface", 0)])
def test_the_method_can_be_chosen(search, folder, method, found):
    (folder / "query.csv").write_text("id,text\nhier. 1,haeret\n", encoding="utf-8")
    done = search("query.csv", "source.csv", "--method", method)
    assert len(done.out.splitlines()) == 1 + found


def test_standard_input_can_be_the_query(folder):  # noqa: ARG001
    done = CliRunner().invoke(app, ["search", "-", "source.csv", "--method", "bm25"], input=QUERY)
    assert (done.exit_code, done.stdout) == (0, PLAIN)


def test_standard_input_can_be_cut_into_sentences(folder):  # noqa: ARG001
    arguments = [
        "search",
        "-",
        "source.csv",
        "--segmentation",
        "sentences",
        "-k",
        "1",
        "--method",
        "bm25",
    ]
    done = CliRunner().invoke(app, arguments, input="Haesit uox. Nihil. Arma\ncano.")
    assert [line.split("\t")[5] for line in done.stdout.splitlines()[1:]] == [
        "Haesit uox.",
        "Arma cano.",
    ]


def test_guesses_are_reported_on_standard_error(search, folder):
    (folder / "query.txt").write_text("Haesit uox.\nArma.\n", encoding="utf-8")
    done = search("query.txt", "source.csv")
    assert done.out.startswith("query\trank")
    assert (
        done.err == "note: query.txt: plain text, each line read as one segment (--segmentation)\n"
    )


def test_an_existing_file_is_not_replaced(search, folder):
    (folder / "hits.csv").write_text("mine")
    done = search("query.csv", "source.csv", "-o", "hits.csv")
    assert (done.code, done.out) == (1, "")
    assert done.err == ("error: hits.csv already exists; choose another name, or add --overwrite\n")
    assert (folder / "hits.csv").read_text() == "mine"


def test_an_existing_file_is_replaced_with_overwrite(search, folder):
    (folder / "hits.csv").write_text("mine")
    done = search("query.csv", "source.csv", "-o", "hits.csv", "--overwrite")
    assert done.code == 0
    assert len(read_csv(folder / "hits.csv")) == 3


@pytest.mark.parametrize("output", ["query.csv", "source.csv", "../{}/source.csv"])
@pytest.mark.parametrize("more", [[], ["--overwrite"]])
def test_an_input_is_never_replaced(search, folder, output, more):
    output = output.format(folder.name)
    done = search("query.csv", "source.csv", "-o", output, *more)
    assert (done.code, done.err) == (
        1,
        f"error: {output} is one of the inputs; choose another name\n",
    )
    assert (folder / "query.csv").read_text(encoding="utf-8") == QUERY
    assert (folder / "source.csv").read_text(encoding="utf-8") == SOURCE


def test_a_file_in_an_input_folder_is_never_replaced(search, folder):
    (folder / "texts").mkdir()
    (folder / "texts" / "a.csv").write_text(SOURCE, encoding="utf-8")
    done = search("query.csv", "texts", "-o", "texts/a.csv", "--overwrite")
    assert done.code == 1
    assert (folder / "texts" / "a.csv").read_text(encoding="utf-8") == SOURCE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.csv", "source.csv"], "no.csv: neither a file nor a text of the library"),
        (["query.csv", "no/such.csv"], "no/such.csv: file not found"),
        (["vergi", "source.csv"], "vergi: neither a file nor .* did you mean vergil"),
        (["lucan", "source.csv"], "a text called 'lucan' is not on this machine"),
        (["query.csv", "bad.csv"], r"bad.csv, row 1: there is no column 'seg_id'"),
        (["query.csv", "empty.csv"], "empty.csv: the file is empty"),
        (["query.csv", "source.csv", "source.csv"], "source.csv is named twice; name it once"),
        (["query.csv", "source.csv", "--method", "bm52"], "unknown method 'bm52'; choose one "),
        (["query.csv", "source.csv", "--format", "doc"], "unknown format 'doc'; choose one"),
        (["query.csv", "source.csv", "--encoding", "x"], "query.csv: unknown encoding 'x'"),
        (
            ["query.csv", "source.csv", "-o", "hits.doc"],
            "hits.doc has an unknown suffix",
        ),
        (
            ["query.csv", "source.csv", "-o", "no/hits.csv"],
            "there is no folder no; create it first",
        ),
    ],
)
def test_errors_are_reported_in_one_line(search, folder, arguments, message):
    (folder / "bad.csv").write_text("name,words\na,arma\n")
    (folder / "empty.csv").write_text("")
    done = search(*arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert re.match(f"error: {message}", done.err)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["query.csv"],
        ["query.csv", "source.csv", "-k", "0"],
        ["query.csv", "source.csv", "-k", "ten"],
        ["query.csv", "source.csv", "--segmentation", "paragraphs"],
        ["query.csv", "source.csv", "--colon", "sometimes"],
        ["query.csv", "source.csv", "--nonsense"],
    ],
)
def test_wrong_usage_has_exit_code_2(search, arguments):
    done = search(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Usage: " in done.err


def test_a_wrong_output_is_reported_before_the_search(search, monkeypatch):
    monkeypatch.setattr(Pipeline, "prepare", lambda *_, **__: pytest.fail("it was searched"))
    assert search("query.csv", "source.csv", "-o", "hits.doc").code == 1


def test_control_c_exits_with_130_and_no_traceback(search, folder, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Searcher, "block", interrupt)
    done = search("query.csv", "source.csv", "-o", "hits.csv")
    assert (done.code, done.out) == (130, "")
    assert "Traceback" not in done.err
    assert not (folder / "hits.csv").exists()


def test_a_lone_surrogate_is_an_error_not_a_traceback(search, folder):
    (folder / "half.jsonl").write_text('{"id": "a", "text": "arma \\ud800"}\n')
    assert search("half.jsonl", "source.csv").code in (0, 1)


@pytest.mark.parametrize("arguments", [["a" * 300, "source.csv"], ["query.csv", "a" * 300]])
def test_a_name_that_is_too_long_is_an_error_not_a_traceback(search, arguments):
    assert search(*arguments).code == 1


def test_an_empty_name_is_refused(search):
    assert search("", "source.csv").code == 1


def test_settings_of_a_method_can_be_changed(search):
    one = search("query.csv", "source.csv", "--set", "k1=0")
    assert (one.code, one.err) == (0, "")
    assert one.out != search("query.csv", "source.csv").out


@pytest.mark.parametrize("setting", ["k1", "=3", "nix=3", "k1=much"])
def test_an_invalid_setting_is_an_error(search, setting):
    done = search("query.csv", "source.csv", "--set", setting)
    assert (done.code, done.out) == (1, "")
    assert "error" in done.err


def first_hits(done):
    rows = [line.split("\t") for line in done.out.splitlines()[1:]]
    return {row[0]: row[3] for row in rows if row[1] == "1"}


def test_the_combined_search_is_the_default(command, folder):
    done = command("query.csv", "source.csv", "-o", "hits.json")
    assert done.code == 0
    retriever = json.loads((folder / "hits.json").read_text(encoding="utf-8"))["manifest"][
        "retriever"
    ]
    assert (retriever["name"], retriever["priors"]) == ("default", True)
    named = command("query.csv", "source.csv", "--method", "default")
    assert named.out == command("query.csv", "source.csv").out
    assert first_hits(named) == {"hier. 1": "verg. 1", "hier. 2": "verg. 3"}


def test_priors_can_be_switched_off(command, folder):
    done = command("query.csv", "source.csv", "--no-priors", "-o", "hits.json")
    assert done.code == 0
    manifest = json.loads((folder / "hits.json").read_text(encoding="utf-8"))["manifest"]
    assert manifest["retriever"]["priors"] is False


@pytest.mark.parametrize("content", ["", "{}", '{"format": 1}', "[" * 100_000, "\x00"])
def test_a_file_without_weights_is_reported_in_one_line(command, folder, content):
    (folder / "weights.json").write_text(content)
    done = command("query.csv", "source.csv", "--set", "weights=weights.json")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "error: weights.json: not a weights file of locisimiles; "
        "create one with: locisimiles train default\n"
    )


@pytest.mark.parametrize(
    "setting", ["weights=none", "late=3", "late=none.json", "depth=none", "depth=2.5", "depth=0"]
)
def test_an_invalid_setting_of_the_default_method_is_an_error(command, setting):
    done = command("query.csv", "source.csv", "--set", setting)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")


def test_pairs_are_explained_in_a_file_on_request(folder, search):
    assert search("query.csv", "source.csv", "-o", "hits.csv", "--explain").code == 0
    with (folder / "hits.csv").open(encoding="utf-8", newline="") as stream:
        first = next(csv.DictReader(stream))
    assert first["explanation"].startswith("Shares haereo, uox (2 words")


def test_explaining_needs_a_file(search):
    done = search("query.csv", "source.csv", "--explain")
    assert done.code == 1
    assert "--explain needs an output file" in done.err


@pytest.mark.parametrize(
    "suffix", [".xlsx", ".html", ".xml", ".jsonld", ".graphml", ".trec", ".bib"]
)
def test_results_are_written_in_every_format(folder, search, suffix):
    assert search("query.csv", "source.csv", "-o", f"hits{suffix}").code == 0
    assert (folder / f"hits{suffix}").stat().st_size > 0


def test_tables_can_be_made_safe_for_spreadsheets(folder, search):
    (folder / "query.csv").write_text("seg_id,text\n=1,Haesit uox\n", encoding="utf-8")
    assert search("query.csv", "source.csv", "-o", "hits.csv", "--spreadsheet-safe").code == 0
    assert "\n'=1,verg. 1,1," in (folder / "hits.csv").read_text(encoding="utf-8")


def written(folder, name="hits.json"):
    return json.loads((folder / name).read_text(encoding="utf-8"))


def test_candidates_of_the_default_method_are_judged(command, folder):
    done = command("query.csv", "source.csv", "-o", "hits.json")
    assert done.code == 0
    assert re.search(r"^\d pairs, about \d of them references \(90 %", done.err)
    manifest = written(folder)["manifest"]
    assert manifest["classifier"]["classifier"] == "ensemble"
    assert manifest["depth"] == 100
    for row in written(folder)["references"]:
        assert row["probability_cit"] + row["probability_cf"] == pytest.approx(
            row["probability"], abs=1e-3
        )


def test_candidates_of_other_methods_are_judged_on_request(search, folder):
    assert search("query.csv", "source.csv", "-o", "hits.json").code == 0
    assert "classifier" not in written(folder)["manifest"]
    done = search(
        "query.csv", "source.csv", "-o", "more.json", "--classifier", "ensemble", "--no-priors"
    )
    assert done.code == 0
    told = written(folder, "more.json")["manifest"]["classifier"]
    assert (told["classifier"], told["priors"]) == ("ensemble", False)


def test_the_default_method_can_be_left_unjudged(command, folder):
    done = command("query.csv", "source.csv", "-o", "hits.json", "--classifier", "none")
    assert (done.code, done.err) == (0, "wrote hits.json\n")
    assert "classifier" not in written(folder)["manifest"]


def test_a_judged_pair_is_printed_with_its_type(search):
    done = search("query.csv", "source.csv", "--classifier", "ensemble")
    header, first, *_ = done.out.splitlines()
    assert header.split("\t")[-2:] == ["type", "parallel_to"]
    assert first.split("\t")[3] == "verg. 1"
    assert first.split("\t")[-2] in ("cit.", "cf.")


@pytest.mark.parametrize(
    ("option", "found"),
    [(["--budget", "2"], 2), (["--threshold", "1"], 0), (["--precision", "0"], 3)],
)
def test_pairs_are_selected_by_their_probability(search, folder, option, found):
    done = search("query.csv", "source.csv", *option, "-o", "hits.json")
    assert done.code == 0
    assert done.err.startswith(f"{found} pairs, about ")
    assert len(written(folder)["references"]) == found
    name, value = option
    assert written(folder)["manifest"]["selection"] == {name.removeprefix("--"): float(value)}
    assert written(folder)["manifest"]["references"]["pairs"] == found


def test_k_limits_selected_candidates_per_segment(search, folder):
    assert (
        search("query.csv", "source.csv", "--budget", "9", "-k", "1", "-o", "hits.json").code == 0
    )
    assert [row["rank"] for row in written(folder)["references"]] == [1, 1]


def test_depth_is_the_number_of_judged_candidates(search, folder):
    options = ["--classifier", "ensemble", "--depth", "1", "-k", "1"]
    assert search("query.csv", "source.csv", *options, "-o", "hits.json").code == 0
    assert written(folder)["manifest"]["depth"] == 1


def test_judged_pairs_can_be_explained(search, folder):
    done = search("query.csv", "source.csv", "--budget", "1", "--explain", "-o", "hits.csv")
    assert done.code == 0
    with (folder / "hits.csv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert row["explanation"].startswith("Shares ")
    assert float(row["probability_cit"]) > 0


def test_a_cross_encoder_can_judge(search, folder, tiny_cross):
    done = search("query.csv", "source.csv", "--classifier", tiny_cross, "-o", "hits.json")
    assert done.code == 0
    assert written(folder)["manifest"]["classifier"]["classifier"] == "cross-encoder"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--budget", "3", "--precision", "0.5"],
            "budget, precision and threshold exclude each other",
        ),
        (
            ["--threshold", "0.5", "--precision", "0.5"],
            "budget, precision and threshold exclude each other",
        ),
        (["--classifier", "none", "--budget", "3"], "a selection needs probabilities"),
        (["--classifier", "none.json"], "none.json: not a weights file of locisimiles"),
        (["--classifier", "broken.json"], "broken.json: not a weights file of locisimiles"),
        (["--classifier", ""], "the name of the classifier is empty"),
    ],
)
def test_errors_of_judging_are_reported_in_one_line(search, folder, options, message):
    (folder / "broken.json").write_text("{}")
    done = search("query.csv", "source.csv", *options)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        ["--budget", "0"],
        ["--budget", "2.5"],
        ["--precision", "1.5"],
        ["--precision", "high"],
        ["--threshold", "-1"],
        ["--depth", "0"],
    ],
)
def test_invalid_numbers_are_wrong_usage(search, options):
    done = search("query.csv", "source.csv", *options)
    assert (done.code, done.out) == (2, "")
    assert "Usage: " in done.err


@pytest.mark.parametrize("name", ["./no/such/model", "none.json"])
def test_a_missing_classifier_is_reported_before_the_search(search, monkeypatch, name):
    monkeypatch.setattr(Pipeline, "prepare", lambda *_, **__: pytest.fail("it was searched"))
    done = search("query.csv", "source.csv", "--classifier", name)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")


@pytest.mark.parametrize("option", ["--precision", "--threshold"])
def test_nan_is_an_error(search, option):
    done = search("query.csv", "source.csv", option, "nan")
    assert (done.code, done.out) in [(1, ""), (2, "")]
    assert "Traceback" not in done.err


@pytest.fixture
def poets(folder, monkeypatch):  # noqa: ARG001
    """A library with an ode."""
    row = "<hor. carm. 1.1>\tet vox haesit, arma.\n<hor. carm. 1.2>\n"
    data = row.encode()
    edition = Edition(
        "horace.odes", "tesserae", "odes.tess", "", len(data), hashlib.sha256(data).hexdigest()
    )
    works = [Catalogue.shipped().works["horace.odes"]]
    monkeypatch.setattr(catalogue, "_shipped", lambda: Catalogue(works, [edition]))
    Library().keep_copy(data)


@pytest.mark.usefixtures("poets")
def test_library_texts_are_searched_in_an_index(search, folder, program, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(folder / "cache"))
    first = search("query.csv", "horace")
    monkeypatch.setattr("locisimiles.index.kept.Document", None)
    second = search("query.csv", "horace")
    assert (first.code, first.out, first.err) == (0, second.out, second.err)
    assert "hor. carm. 1.1.1" in first.out
    assert "1 row skipped" in second.err
    info = program("cache", "info")
    assert info.out.splitlines()[-1].split("\t")[:3] == ["index of horace", "", "1"]
    assert program("cache", "clear", "--unused-for", 1).err.startswith("freed 0 bytes")
    assert program("cache", "clear").code == 0
    assert program("cache", "info").out.splitlines()[1:] == []


@pytest.mark.usefixtures("poets")
def test_a_cache_that_cannot_be_written_does_not_stop_a_search(search, folder, monkeypatch):
    (folder / "cache").write_text("")
    monkeypatch.setenv("LOCISIMILES_CACHE", str(folder / "cache"))
    done = search("query.csv", "horace")
    assert done.code == 0
    assert "hor. carm. 1.1.1" in done.out
    assert "searching without an index" in done.err


def test_a_dry_run_says_what_a_search_takes_and_writes_nothing(search, folder, program):
    done = search("query.csv", "source.csv", "-o", "hits.csv", "--dry-run")
    assert (done.code, done.out) == (0, "")
    size, taken = done.err.splitlines()
    assert size == "2 query segments in 3 source segments, up to 6 pairs to rank"
    assert re.fullmatch(r"searching 2 query segments: about \d+ s", taken)
    program("index", "build", "i", "source.csv", "--model", "none")
    done = search("query.csv", "i", "--dry-run", "--jobs", 3, "--threshold", 0.5)
    assert "6 pairs to judge" in done.err
    assert "searching 2 query segments in 3 processes: about" in done.err
    assert sorted(path.name for path in folder.iterdir()) == ["i", "query.csv", "source.csv"]


def test_a_dry_run_does_not_encode_all_sources(search, folder):  # noqa: ARG001
    done = search("query.csv", "source.csv", "--method", "late", "--dry-run")
    assert re.search(r"encoding the sources: about \d+ s, less if", done.err)
    assert "searching: known when the sources are encoded" in done.err


@pytest.mark.usefixtures("poets")
def test_a_dry_run_builds_no_index(search, folder, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(folder / "cache"))
    assert "in 1 source segments" in search("query.csv", "horace", "--dry-run").err
    assert not (folder / "cache").exists()


def test_a_long_search_says_how_long_it_takes(search, folder, program, monkeypatch):
    monkeypatch.setattr(MODULE, "LONG", 2)
    monkeypatch.setattr(MODULE, "BLOCK", 1)
    program("index", "build", "i", "source.csv", "--model", "none")
    first, second = (search("query.csv", source, "--jobs", 2) for source in ("source.csv", "i"))
    assert "searching 2 query segments: about " in first.err
    assert "searching 2 query segments in 2 processes: about " in second.err
    assert first.out == second.out == PLAIN
    assert not [*folder.glob("hits*")]


def test_probabilities_are_adapted_unless_told_otherwise(command, folder):
    found = {}
    for option in ("--adapt", "--no-adapt"):
        path = folder / f"hits{option}.csv"
        said = command("query.csv", "source.csv", option, "-o", str(path))
        manifest = json.loads(path.with_suffix(".csv.manifest.json").read_text(encoding="utf-8"))
        assert manifest["assumption"] in " ".join(said.err.split())
        with path.open(encoding="utf-8", newline="") as stream:
            found[option] = [float(row["probability"]) for row in csv.DictReader(stream)]
        assert ("base_rate" in manifest) == (option == "--adapt")
    assert sum(found["--adapt"]) < sum(found["--no-adapt"])
    assert len(found["--adapt"]) == len(found["--no-adapt"])


def test_groups_can_be_left_out(search, folder):
    search("query.csv", "source.csv", "--no-group", "-o", "hits.csv")
    assert "parallel_to" not in (folder / "hits.csv").read_text(encoding="utf-8")
    search("query.csv", "source.csv", "-o", "grouped.csv")
    assert "parallel_to" in (folder / "grouped.csv").read_text(encoding="utf-8")
