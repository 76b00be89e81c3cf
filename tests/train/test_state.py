import numpy as np
import pytest
import torch

from lapis.train.state import flatten, unflatten


def test_nested_state_comes_back_with_its_types():
    nested = {
        "update": 3,
        "game": {"tensor": torch.arange(3), "array": np.array([0.5, 1 / 3]), "names": ["a", "b"]},
        "nothing": None,
    }
    tensors, state = flatten(nested)
    assert tensors.keys() == {"game/tensor", "game/array"}
    back = unflatten(tensors, state)
    assert (back["update"], back["nothing"]) == (3, None)
    assert back["game"]["names"] == ["a", "b"]
    assert isinstance(back["game"]["array"], np.ndarray)
    np.testing.assert_array_equal(back["game"]["array"], nested["game"]["array"])
    assert torch.equal(back["game"]["tensor"], torch.arange(3))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"a": {"b": [1, np.float64(1)]}}, "state 'a/b' is a float64"),
        ({"a": {"b": {1, 2}}}, "state 'a/b' is a set"),
        ({"a": {1: 2}}, "state key a/1: keys must be text"),
        ({"a/b": 2}, "state key 'a/b': keys must be text without '/'"),
    ],
)
def test_what_a_checkpoint_would_change_is_refused(state, message):
    with pytest.raises(ValueError, match=message):
        flatten(state)
