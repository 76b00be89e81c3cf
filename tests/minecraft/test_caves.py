import pytest

from lapis.minecraft.caves import CAVE_STARTS


def test_heights_of_caves_by_hand():
    # Limits 8 ... 127, 120 of them; height 126 needs the limit 127, then 1 in 127.
    assert CAVE_STARTS[126] == pytest.approx(1 / 127 / 120)
    assert CAVE_STARTS[125] == pytest.approx((1 / 127 + 1 / 126) / 120)
    assert (
        CAVE_STARTS[0] == CAVE_STARTS[7] == pytest.approx(sum(1 / n for n in range(8, 128)) / 120)
    )
    assert CAVE_STARTS.sum() == pytest.approx(1.0)


def test_deep_caves_are_more_frequent():
    assert (CAVE_STARTS[7:-1] > CAVE_STARTS[8:]).all()
