"""Every behavior is tested on the CPU and, where there is one, on a GPU."""

import pytest
import torch


@pytest.fixture(params=["cpu", pytest.param("cuda:0", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest) -> str:
    if request.param != "cpu" and not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    return request.param
