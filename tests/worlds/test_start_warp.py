"""Warp's start is silent on machines without a GPU, and hides nothing else."""

import os

import pytest
import warp as wp

from lapis.worlds.launching import start_warp


def test_the_missing_driver_is_not_reported_and_all_else_is(monkeypatch, capfd):
    def init():
        os.write(2, b"one thing\n")
        os.write(2, b"Warp CUDA warning: Could not find or load the NVIDIA CUDA driver. More.\n")
        os.write(2, b"another\n")

    monkeypatch.setattr(wp, "init", init)
    start_warp.__wrapped__()
    os.write(2, b"later\n")
    assert capfd.readouterr().err == "one thing\nanother\nlater\n"


def test_standard_error_comes_back_after_a_failure(monkeypatch, capfd):
    def init():
        raise RuntimeError("no Warp")

    monkeypatch.setattr(wp, "init", init)
    with pytest.raises(RuntimeError, match="no Warp"):
        start_warp.__wrapped__()
    os.write(2, b"later\n")
    assert capfd.readouterr().err == "later\n"
