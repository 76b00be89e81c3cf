"""Health and food tick by tick, in plain Python: what `body.live` computes in leaps."""

from __future__ import annotations

from dataclasses import dataclass

SLOW, FAST = 80, 10


@dataclass
class Body:
    """All in thousandths of points, but food in points."""

    health: int
    food: int
    saturation: int
    exhaustion: int
    timer: int
    died: bool = False

    def live(self, ticks: int, damage: int) -> None:
        for _ in range(ticks):
            self._tick()
        if damage > 0:
            self.health -= damage
            self.exhaustion += 100
        if self.health <= 0:
            self.health = 0
            self.died = True
        self._tire()

    def _tick(self) -> None:
        hurt = self.health < 20_000
        if hurt and self.food == 20 and self.saturation > 0:
            self._count(FAST, self._heal_fast)
        elif hurt and self.food >= 18:
            self._count(SLOW, self._heal_slowly)
        elif self.food == 0:
            self._count(SLOW, self._starve)
        else:
            self.timer = 0

    def _count(self, period: int, act) -> None:
        self.timer += 1
        if self.timer >= period:
            self.timer = 0
            act()
            self._tire()

    def _heal_fast(self) -> None:
        cost = min(self.saturation, 6000)
        self.health = min(self.health + cost // 6, 20_000)
        self.exhaustion += cost

    def _heal_slowly(self) -> None:
        self.health = min(self.health + 1000, 20_000)
        self.exhaustion += 6000

    def _starve(self) -> None:
        if self.health > 1000:
            self.health = max(self.health - 1000, 1000)

    def _tire(self) -> None:
        while self.exhaustion > 4000:
            self.exhaustion -= 4000
            if self.saturation > 0:
                self.saturation = max(self.saturation - 1000, 0)
            else:
                self.food = max(self.food - 1, 0)
