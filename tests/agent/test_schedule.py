import pytest

from lapis.agent.schedule import Schedule


def test_it_goes_in_a_straight_line_and_stays():
    schedule = Schedule(0.02, 0.01, 4)
    values = [schedule.at(update) for update in (0, 1, 2, 4, 9)]
    assert values == pytest.approx([0.02, 0.0175, 0.015, 0.01, 0.01])
    assert [Schedule(3e-5).at(update) for update in (0, 10**6)] == [3e-5, 3e-5]


def test_it_goes_on_to_what_comes_later():
    schedule = Schedule(0.03, 0.01, 4, ((0.01, 6), (0.002, 10)))
    values = [schedule.at(update) for update in (0, 2, 4, 5, 6, 8, 10, 99)]
    assert values == pytest.approx([0.03, 0.02, 0.01, 0.01, 0.01, 0.006, 0.002, 0.002])
    assert schedule.numbers == (0.03, 0.01, 0.01, 0.002)


LATER = Schedule(0.03, 0.004, 400, ((0.004, 628), (0.001, 1000)))


@pytest.mark.parametrize("schedule", [Schedule(3e-5), Schedule(4e-4, 2e-4, 1400), LATER])
def test_it_survives_json_and_text(schedule):
    assert Schedule.from_json(schedule.to_json(), "rate") == schedule
    assert Schedule.from_text(str(schedule)) == schedule


def test_forms():
    assert Schedule(3e-5).to_json() == 3e-5
    assert Schedule(4e-4, 2e-4, 1400).to_json() == [4e-4, 2e-4, 1400]
    assert Schedule.from_text("4e-4:2e-4:1400") == Schedule(4e-4, 2e-4, 1400)
    assert Schedule.from_json(1, "rate") == Schedule(1.0)
    assert LATER.to_json() == [0.03, 0.004, 400, 0.004, 628, 0.001, 1000]
    assert Schedule.from_text("0.03:0.004:400:0.004:628:0.001:1000") == LATER


@pytest.mark.parametrize("value", [None, "1", True, [1.0, 2.0], [1.0, 2.0, 3.5], [1, 2, "3"]])
def test_other_json_is_refused(value):
    with pytest.raises(ValueError, match=r"rate is .*; it must be a number, or start, end and"):
        Schedule.from_json(value, "rate")


def test_an_end_takes_updates_and_updates_an_end():
    with pytest.raises(ValueError, match="updates is 5; it must be 0 for a number without an end"):
        Schedule(1.0, updates=5)
    with pytest.raises(ValueError, match="updates is 0; it must be at least 1"):
        Schedule(1.0, 2.0)
    with pytest.raises(ValueError, match="'1:2' is not a schedule; give a number, START:END:UPD"):
        Schedule.from_text("1:2")
    with pytest.raises(ValueError, match="updates is 4; it must be more than the 4 before"):
        Schedule(1.0, 2.0, 4, ((3.0, 4),))
    with pytest.raises(ValueError, match="it must be empty for a number without an end"):
        Schedule(1.0, later=((3.0, 4),))
