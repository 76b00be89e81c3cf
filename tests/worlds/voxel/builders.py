"""A scripted player that gets about by building, by the public actions alone.

Each function plays one world of a `Scene` and returns how many steps it took.
"""

from __future__ import annotations

from tests.worlds.voxel.play_scenes import Scene

DOWN, AT_EDGE = 900, 815


def look(scene: Scene, pitch: int, *keys: str) -> None:
    """Turns the camera to a pitch [1/10 degree] by the camera's own angles."""
    while (rest := pitch - scene.get("pitch")) != 0:
        turns = [angle for angle in (450, 150, 50, 15) if angle <= abs(rest)]
        assert turns, f"the camera cannot turn by {rest}"
        scene.play(*keys, pitch=turns[0] if rest > 0 else -turns[0])


def pillar(scene: Scene, item: str, blocks: int) -> int:
    """Rises by so many blocks: jumps, and puts a block below its feet."""
    look(scene, DOWN)
    goal, steps = scene.y + blocks, 0
    while not (scene.y >= goal and scene.get("on_ground")):
        if scene.get("on_ground"):
            scene.play("jump")
        elif scene.allows(f"place {item}"):
            scene.play(f"place {item}")
        else:
            scene.play()
        steps += 1
        assert steps < 40 * blocks, "no way up"
    return steps


def stairs_up(scene: Scene, steps_up: int) -> int:
    """Digs stairs upward in the direction of the view, and climbs them."""
    goal, steps = scene.y + steps_up, 0
    while not (scene.y >= goal and scene.get("on_ground")):
        # The block at the eye, the one above the head, and the one before that.
        for pitch in (0, -900, -450):
            look(scene, pitch)
            while scene.get("looked_at") >= 0 and _is_near(scene, pitch):
                scene.play("channel")
                steps += 1
        look(scene, 0)
        low = scene.y
        for _ in range(8):
            if scene.y >= low + 1 and scene.get("on_ground"):
                break
            keys = ("forward", "jump") if scene.get("on_ground") else ("forward",)
            scene.play(*keys)
            steps += 1
        assert steps < 60 * steps_up, "no way up"
    return steps


def _is_near(scene: Scene, pitch: int) -> bool:
    """Whether the block that is looked at is in the way of the next step up."""
    place = scene.get("looked_at")
    x, z, y = (
        place // (scene.size * scene.height),
        place // scene.height % scene.size,
        place % scene.height,
    )
    feet = int(scene.y)
    columns = max(abs(x - int(scene.x)), abs(z - int(scene.z)))
    if pitch == -900:
        return columns == 0 and y == feet + 2
    return columns == 1 and feet + 1 <= y <= feet + 2


def bridge(scene: Scene, item: str, blocks: int) -> int:
    """Crosses a gap backward: sneaks to the edge and puts a block onto the side of its own."""
    look(scene, AT_EDGE)
    start, steps = (scene.x, scene.z), 0
    while max(abs(scene.x - start[0]), abs(scene.z - start[1])) < blocks:
        if scene.allows(f"place {item}"):
            scene.play(f"place {item}", "sneak")
        else:
            scene.play("back", "sneak")
        steps += 1
        assert steps < 60 * blocks, "no way across"
    return steps


def ladder(scene: Scene, blocks: int) -> int:
    """Rises by so many blocks in a shaft: puts ladders onto the wall ahead, and climbs them."""
    goal, steps = scene.y + blocks, 0
    while not (scene.y >= goal and scene.get("on_ground")):
        for pitch in (600, 0, -450):
            look(scene, pitch, "sneak")
            if scene.count("ladder") and scene.allows("place ladder"):
                scene.play("place ladder", "sneak")
                steps += 1
        for _ in range(6):
            scene.play("jump", "forward")
            steps += 1
        assert steps < 60 * blocks, "no way up"
    return steps
