"""The report of a run that goes on, over HTTP."""

import http.client
import json
import threading
import time
from types import SimpleNamespace

import pytest

from lapis.report import serve
from lapis.report.serve import LivePage, ReportServer
from lapis.runs import RunError
from tests.report.synthetic import make_run


@pytest.fixture
def pages(monkeypatch):
    """Pages are texts that name the runs: drawing is tested elsewhere."""
    drawn = []

    def draw(groups, *, version):
        drawn.append(groups)
        return f"<p>{groups[0].runs[0].updates[-1]} updates</p>"

    monkeypatch.setattr(serve, "report_html", draw)
    monkeypatch.setattr(serve, "LARGEST_SHARE", 1e9)  # No pause after drawing.
    return drawn


@pytest.fixture
def server(tmp_path, pages):
    run = make_run(tmp_path / "run", updates=3)
    with ReportServer(LivePage([run]), 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server, path, host="localhost"):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request("GET", path, headers={"Host": f"{host}:{server.server_port}"})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def add_update(run):
    lines = (run / "metrics.jsonl").read_text().splitlines()
    line = json.loads(lines[-1])
    line |= {"update": line["update"] + 1, "frames": line["frames"] + 2048}
    with (run / "metrics.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")


def test_page_and_version_are_served_and_nothing_else(server):
    assert ask(server, "/") == (200, "<p>3 updates</p>")
    assert ask(server, "/version")[0] == 200
    assert ask(server, "/../etc/passwd")[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "", "localhost.evil.example"])
def test_other_names_are_refused(server, host):
    assert ask(server, "/", host=host) == (403, "only this machine may ask")


def test_version_changes_with_the_data_alone(tmp_path, server, pages):
    first = ask(server, "/version")[1]
    assert ask(server, "/version")[1] == first
    assert len(pages) == 1
    add_update(tmp_path / "run")
    assert ask(server, "/version")[1] != first
    assert ask(server, "/") == (200, "<p>4 updates</p>")
    assert len(pages) == 2


def test_drawing_takes_a_small_share_of_the_time(tmp_path, pages, monkeypatch):
    clock = iter([0.0, 10.0, 12.0, 100.0, 112.0, 131.0, 132.0])
    monkeypatch.setattr(serve, "LARGEST_SHARE", 0.1)
    times = SimpleNamespace(monotonic=lambda: next(clock), time_ns=time.time_ns)
    monkeypatch.setattr(serve, "time", times)
    run = make_run(tmp_path / "run", updates=3)
    page = LivePage([run])
    first = page.current()  # Drawn from 10 to 12 s: the next drawing is due after 32 s.
    add_update(run)
    assert page.current() != first  # At 100 s, from 112 to 131 s: the next is due after 321 s.
    second = page.current()
    add_update(run)
    assert page.current() == second  # At 132 s.


def test_run_without_an_update_is_waited_for(tmp_path):
    run = make_run(tmp_path / "run", updates=1)
    log = (run / "metrics.jsonl").read_text()
    (run / "metrics.jsonl").write_text("")
    page = LivePage([run])
    version, text = page.current()
    assert "has no finished update yet" in text
    assert f'watch("{version}")' in text
    (run / "metrics.jsonl").write_text(log)
    page._next_drawing = 0.0
    assert "Discovered goals" in page.current()[1]


def test_new_runs_of_a_folder_appear(tmp_path, pages):
    make_run(tmp_path / "runs" / "a", updates=2)
    page = LivePage([tmp_path / "runs"])
    page.current()
    make_run(tmp_path / "runs" / "b", seed=1, updates=2)
    page.current()
    assert [sum(len(group.runs) for group in groups) for groups in pages] == [1, 2]


def test_taken_port_gives_one_sentence(tmp_path, server):
    with pytest.raises(RunError, match=f"port {server.server_port} cannot be used"):
        serve.serve_report([tmp_path], port=server.server_port)


def test_interrupt_ends_it_quietly(tmp_path, monkeypatch, capsys):
    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(ReportServer, "serve_forever", interrupt)
    serve.serve_report([tmp_path], port=0)
    assert "Ctrl-C ends" in capsys.readouterr().out
