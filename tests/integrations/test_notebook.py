"""The notebook runs from its first cell to its last, and says what it says."""

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "quickstart.ipynb"


@pytest.mark.slow
def test_the_notebook_runs_and_draws_its_figure(monkeypatch):
    nbclient = pytest.importorskip("nbclient", reason="not installed: make test-integrations")
    nbformat = pytest.importorskip("nbformat", reason="not installed: make test-integrations")
    pytest.importorskip("ipykernel", reason="not installed: make test-integrations")
    monkeypatch.setenv("PYTHONPATH", str(NOTEBOOK.parents[1] / "src"))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    saved = outputs_of(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    text, figure = outputs_of(notebook)
    assert text["text"] == saved[0]["text"]
    assert "20 tasks known with the curriculum, 12 without" in text["text"]
    assert figure["data"].keys() == saved[1]["data"].keys()
    assert "image/png" in figure["data"]


def outputs_of(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]
