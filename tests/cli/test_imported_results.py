"""``locisimiles project import-results``."""

import pytest

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable

QUERY = "id,text\nl1,omnia vincit Amor et nos cedamus Amori\nl2,arma gravi numero\n"
SOURCE = (
    "id,text,author,work\nv1,omnia vincit Amor et nos cedamus Amori,Virgil,Eclogae\n"
    "v2,arma virumque cano Troiae qui primus ab oris,Virgil,Aeneis\n"
)


@pytest.fixture
def job(program, tmp_path, monkeypatch):
    """Return a job that is done, and use projects of our own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCISIMILES_PROJECTS", str(tmp_path / "projects"))
    monkeypatch.delenv("LOCISIMILES_DATABASE", raising=False)
    (tmp_path / "query.csv").write_text(QUERY)
    (tmp_path / "source.csv").write_text(SOURCE)
    assert (
        program("job", "plan", "letters", "query.csv", "source.csv", "--method", "bm25").code == 0
    )
    assert program("job", "run", "letters", "--jobs", "1").code == 0
    return tmp_path / "letters"


def test_a_job_becomes_a_project(program, job, tmp_path):
    made = program("project", "import-results", "jerome", "--job", job)
    assert made.code == 0, made.err
    assert "pairs into the project jerome, as search 1" in made.err
    project = ProjectCollection(tmp_path / "projects").open("jerome")
    rows = ResultTable(project.database).page(texts=True).rows
    assert ("l1", "v1") in {(row["query_id"], row["source_id"]) for row in rows}
    assert rows[0]["source_text"].startswith("omnia vincit")


@pytest.mark.usefixtures("job")
def test_a_file_comes_into_a_project_with_the_same_texts(program, tmp_path):
    assert program("job", "merge", "letters", "--compact", "-o", "all.parquet").code == 0
    unknown = program("project", "import-results", "jerome", "all.parquet")
    assert (unknown.code, "unknown project" in unknown.err) == (1, True)
    first = program("project", "import-results", "jerome", "all.parquet", "--job", "letters")
    again = program("project", "import-results", "jerome", "all.parquet", "--title", "again")
    assert "as search 1" in first.err
    assert "as search 1" in again.err
    other = ProjectCollection(tmp_path / "projects").create("Other")
    other.set_texts(
        "query", (), ProjectCollection(tmp_path / "projects").open("jerome").document("query")
    )
    refused = program("project", "import-results", "other", "all.parquet")
    assert (refused.code, "has no source yet" in refused.err) == (1, True), refused.err


@pytest.mark.usefixtures("job")
def test_what_is_not_there_is_said(program):
    nothing = program("project", "import-results", "jerome")
    assert (nothing.code, "neither results nor a job" in nothing.err) == (1, True)
    missing = program("project", "import-results", "jerome", "no.parquet", "--job", "letters")
    assert (missing.code, "no.parquet" in missing.err) == (1, True)
