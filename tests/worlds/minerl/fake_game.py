"""A toy Minecraft: it understands MineRL's commands, and answers with the game's JSON.

What it does with commands follows the Java sources of MineRL 0.4.4: SimpleCraft, NearbyCraft,
NearbySmelt, Place and EquipCommandsImplementation, CraftingHelper, and the JSON of the
ObservationFrom...Implementations. The world is an endless floor whose blocks grow back.
"""

import itertools
import math

import numpy as np

SLOTS, OFF_HAND = 41, 40
FLOOR = 64
BREAK_TICKS = 6
REACH, FAR = 4.5, 50.0
MAGMA = "magma"
# Blocks of the floor, and what they give: type, variant, count.
GROUND = {
    "grass": ("dirt", 0, 1),
    "log": ("log", 0, 1),
    "log2": ("log2", 1, 1),
    "leaves": ("sapling", 2, 1),
    "stone": ("cobblestone", 0, 1),
    "coal_ore": ("coal", 0, 1),
    "sand": ("sand", 0, 1),
    "iron_ore": ("iron_ore", 0, 1),
    "gold_ore": ("gold_ore", 0, 1),
    "lapis_ore": ("dye", 4, 5),
    "redstone_ore": ("redstone", 0, 4),
    "diamond_ore": ("diamond", 0, 1),
    MAGMA: None,
}
GROUND_NAMES = tuple(GROUND)
WINDOWS = {"crafting_table", "furnace", "chest", "trapped_chest", "anvil", "hopper", "dropper"}
DOORS = {"trapdoor", "fence_gate", "lever", "wooden_button", "stone_button", "noteblock"}
NO_BLOCKS = {"wooden_door", "sign", "iron_door", "cauldron", "redstone", "repeater"}
DURABILITY = {"wooden": 59, "stone": 131, "iron": 250, "golden": 32, "diamond": 1561}
SMELTS = {  # In the order in which the game may find them.
    "stone": ("cobblestone",),
    "coal": ("log2", "log", "coal_ore"),
    "gold_ingot": ("gold_ore",),
    "glass": ("sand",),
    "iron_ingot": ("iron_ore",),
}


class FakeGame:
    """One player. `recipes` are (output, variant, count, {(type, variant or None): count})."""

    def __init__(self, recipes, burn_ticks, *, ground=GROUND_NAMES):
        self.recipes, self.burn_ticks, self.ground = recipes, burn_ticks, ground
        self.told = []
        """The commands of every tick."""
        self.begin(0, {})

    def begin(self, seed, slots):
        """A new world; `slots` are {slot: (type, variant, count)}."""
        self.seed = seed
        self.stacks = [None] * SLOTS
        for slot, stack in slots.items():
            self.stacks[slot] = list(stack)
        # Not in the middle: from there, turns by 45 degrees look at edges, which are no block's.
        self.position, self.pitch, self.yaw = [0.5137, float(FLOOR), 0.4789], 0.0, 0.0
        self.placed, self.stations = {}, {"crafting_table": [], "furnace": []}
        self.keys = {}
        self.health, self.food, self.experience, self.fire = 20.0, 20, 0, 0
        self.wear = {}
        self.target, self.dug = None, 0
        self.window, self.used = None, []
        self.ticks = 0
        self.sight = self.look()

    # What a tick does.

    def tick(self, commands):
        self.ticks += 1
        self.told.append(list(commands))
        before = (list(self.position), self.gaze(), self.sight)
        for command in commands:
            verb, _, parameter = command.partition(" ")
            self.execute(verb.lower(), parameter, before)
        if self.window is None and self.health > 0:
            self.press()
        if self.ticks % 500 == 0:
            self.food = max(self.food - 1, 0)

    def execute(self, verb, parameter, before):
        if verb == "camera":
            pitch, yaw = map(float, parameter.split())
            self.pitch = min(max(self.pitch + pitch, -90.0), 90.0)
            self.yaw += yaw
        elif verb == "craft":
            self.craft(parameter) or self.smelt(parameter)
        elif verb == "craftnearby":
            if self.is_near("crafting_table", before):
                self.craft(parameter)
        elif verb == "smeltnearby":
            if self.is_near("furnace", before):
                self.smelt(parameter)
        elif verb == "place":
            self.place(parameter, before)
        elif verb == "equip":
            self.equip(parameter)
        else:
            assert parameter in ("0", "1"), (verb, parameter)
            self.keys[verb] = (self.keys.get(verb, ("0", "0"))[1], parameter)

    def press(self):
        down = {verb: now == "1" for verb, (_, now) in self.keys.items()}
        pressed = {verb: state == ("0", "1") for verb, state in self.keys.items()}
        self.keys = {verb: (now, now) for verb, (_, now) in self.keys.items()}
        self.sight = self.look()  # The camera has turned; the player has not moved yet.
        if pressed.get("use"):
            self.use()
        ahead = down.get("forward", 0) - down.get("back", 0)
        left = down.get("left", 0) - down.get("right", 0)
        sine, cosine = math.sin(math.radians(self.yaw)), math.cos(math.radians(self.yaw))
        speed = 0.28 if down.get("sprint") else 0.2
        self.position[0] += speed * (-sine * ahead + cosine * left)
        self.position[2] += speed * (cosine * ahead + sine * left)
        self.position[1] = FLOOR + (0.42 if down.get("jump") else 0.0)
        self.sight = self.look()
        if pressed.get("swaphands"):
            self.stacks[0], self.stacks[OFF_HAND] = self.stacks[OFF_HAND], self.stacks[0]
        if down.get("attack"):
            self.attack()
        else:
            self.target, self.dug = None, 0
        under = (math.floor(self.position[0]), FLOOR - 1, math.floor(self.position[2]))
        if self.block_at(under) == MAGMA and not down.get("sneak"):
            self.health = max(self.health - 4.0, 0.0)

    def use(self):
        hit = self.sight
        if hit is None or hit[2] > REACH:
            return
        name = self.block_at(hit[0])
        self.used.append(name)
        if name in WINDOWS:
            self.window = name

    def attack(self):
        hit = self.sight
        if hit is None or hit[2] > REACH:
            self.target, self.dug = None, 0
            return
        if hit[0] != self.target:
            self.target, self.dug = hit[0], 0
        self.dug += 1
        if self.dug < BREAK_TICKS:
            return
        name = self.block_at(hit[0])
        self.target, self.dug = None, 0
        if hit[0] in self.placed:
            del self.placed[hit[0]]
            for cells in self.stations.values():
                if hit[0] in cells:
                    cells.remove(hit[0])
            self.gain(name, 0, 1)
        elif GROUND[name]:
            self.gain(*GROUND[name])
            self.experience += name.endswith("_ore")
        held = self.stacks[0]
        if held and held[0].partition("_")[0] in DURABILITY:
            self.wear[held[0]] = self.wear.get(held[0], 0) + 1
        self.sight = self.look()

    # Commands, as the Java sources have them.

    def craft(self, name):
        for output, variant, count, ingredients in self.recipes:
            if output == name and self.has(ingredients):
                self.take(ingredients)
                self.gain(output, variant, count)
                return True
        return False

    def smelt(self, name):
        for given in SMELTS.get(name, ()):
            ticks = self.fire + sum(
                stack[2] * self.burns(stack) for stack in self.stacks[:36] if stack
            )
            if self.has({(given, None): 1}) and ticks >= 200:
                self.take({(given, None): 1})
                self.burn()
                self.gain(name, 0, 1)
                return True
        return False

    def burn(self):
        self.fire -= 200
        slot = 0
        while self.fire < 0 and slot < 36:
            stack = self.stacks[slot]
            ticks = self.burns(stack) if stack else 0
            if not ticks:
                slot += 1
                continue
            self.fire += ticks
            self.remove(slot, 1)

    def burns(self, stack):
        return self.burn_ticks.get(stack[0], 0)

    def place(self, name, before):
        position, _, hit = before
        slot = next((i for i, s in enumerate(self.stacks) if s and s[0] == name), None)
        if slot is None or name in NO_BLOCKS or hit is None or hit[2] > REACH:
            return
        cell = tuple(a + b for a, b in zip(hit[0], hit[1], strict=True))
        if self.covers(position, cell) or cell in self.placed:
            return
        self.placed[cell] = name
        if name in self.stations:
            self.stations[name].append(cell)
        self.remove(slot, 1)

    def equip(self, parameter):
        name = parameter.partition("#")[0]
        slot = next((i for i, s in enumerate(self.stacks) if s and s[0] == name), None)
        if slot is not None:
            self.stacks[0], self.stacks[slot] = self.stacks[slot], self.stacks[0]

    def is_near(self, name, before):
        """Within 5 blocks of a head at 1.6, and within 35 degrees to either side and up and down.

        Lengths that the Java code leaves out are left out.
        """
        position, look, _ = before
        head = np.array(position) + np.array([0.0, 1.6, 0.0])
        for cell in self.stations[name]:
            to_block = np.array(cell) + 0.5 - head
            if np.dot(to_block, to_block) > 25.0 or np.dot(look, to_block) <= 0:
                continue
            cross = np.cross(look, [0.0, 1.0, 0.0])
            up = np.cross(cross, look)
            angles = []
            for axis in (cross, up):
                length = math.sqrt(np.dot(axis, axis))
                if length == 0:
                    break
                flat = to_block - axis * (np.dot(axis, to_block) / length)
                size = math.sqrt(np.dot(flat, flat)) * math.sqrt(np.dot(look, look))
                angles.append(math.degrees(math.acos(max(-1, min(1, np.dot(look, flat) / size)))))
            if len(angles) == 2 and max(angles) <= 70 / 2:
                return True
        return False

    # The inventory.

    def has(self, ingredients):
        return all(self.count(*kind) >= count for kind, count in ingredients.items())

    def count(self, name, variant=None):
        return sum(s[2] for s in self.stacks[:40] if s and matches(s, name, variant))

    def take(self, ingredients):
        for (name, variant), left in ingredients.items():
            for slot in range(40):
                stack = self.stacks[slot]
                if stack and matches(stack, name, variant):
                    used = min(left, stack[2])
                    self.remove(slot, used)
                    left -= used

    def remove(self, slot, count):
        self.stacks[slot][2] -= count
        if self.stacks[slot][2] == 0:
            self.stacks[slot] = None

    def gain(self, name, variant, count):
        single = name.partition("_")[0] in DURABILITY or name in ("shears", "shield", "boat")
        size = 1 if single else 64
        for slot, _ in itertools.product(range(36), range(2)):
            stack = self.stacks[slot]
            if count and stack is None:
                self.stacks[slot] = stack = [name, variant, 0]
            if count and stack[:2] == [name, variant]:
                added = min(count, size - stack[2])
                stack[2] += added
                count -= added
                if stack[2] == 0:
                    self.stacks[slot] = None

    # What is seen.

    def gaze(self):
        pitch, yaw = math.radians(self.pitch), math.radians(self.yaw)
        return np.array(
            [-math.sin(yaw) * math.cos(pitch), -math.sin(pitch), math.cos(yaw) * math.cos(pitch)]
        )

    def look(self):
        """Cell, face and distance of what the ray meets first, and where; None: the sky."""
        eye = [self.position[0], self.position[1] + 1.62, self.position[2]]
        ray = self.gaze().tolist()
        best = None
        if ray[1] < -1e-9:
            far = (FLOOR - eye[1]) / ray[1]
            if far <= FAR:
                point = [eye[i] + far * ray[i] for i in range(3)]
                cell = (math.floor(point[0]), FLOOR - 1, math.floor(point[2]))
                best = (cell, (0, 1, 0), far, point)
        for cell in self.placed:
            hit = meet(eye, ray, cell)
            if hit and (best is None or hit[2] < best[2]):
                best = hit
        return best

    def block_at(self, cell):
        if cell in self.placed:
            return self.placed[cell]
        if max(abs(cell[0]), abs(cell[2])) <= 1:  # Where the player begins.
            return self.ground[0]
        mixed = (cell[0] * 73856093) ^ (cell[2] * 19349663) ^ (self.seed * 83492791)
        return self.ground[(mixed >> 3) % len(self.ground)]

    def covers(self, position, cell):
        low = [position[0] - 0.3, position[1], position[2] - 0.3]
        high = [position[0] + 0.3, position[1] + 1.8, position[2] + 0.3]
        return all(cell[i] < high[i] and cell[i] + 1 > low[i] for i in range(3))

    def frame(self, side):
        """Upside down, as the game sends it."""
        shade = np.arange(side * side * 3, dtype=np.int64) + self.ticks + self.seed
        return (shade % 251).astype(np.uint8).tobytes()

    def info(self):
        inventory = [
            {
                "type": stack[0] if stack else "air",
                "metadata": stack[1] if stack else 0,
                "quantity": stack[2] if stack else 0,
                "index": slot,
                "inventory": "inventory",
            }
            for slot, stack in enumerate(self.stacks)
        ]
        told = {
            "inventory": inventory,
            "equipped_items": {"mainhand": self.hand(), "offhand": {}},
            "life": self.health,
            "is_alive": self.health > 0,
            "food": self.food,
            "saturation": 5.0,
            "xp": self.experience,
            "air": 300,
            "score": 0,
            "xpos": self.position[0],
            "ypos": self.position[1],
            "zpos": self.position[2],
            "pitch": self.pitch,
            "yaw": self.yaw,
        }
        if self.sight:
            cell, _, distance, point = self.sight
            told["LineOfSight"] = {
                "hitType": "block",
                "type": self.block_at(cell),
                "x": point[0],
                "y": point[1],
                "z": point[2],
                "inRange": distance <= REACH,
                "distance": distance,
            }
        return told

    def hand(self):
        stack = self.stacks[0]
        if not stack:
            return {}
        most = DURABILITY.get(stack[0].partition("_")[0], -1)
        worn = self.wear.get(stack[0], 0) if most > 0 else -1
        return {
            "type": stack[0],
            "metadata": stack[1],
            "quantity": stack[2],
            "currentDamage": worn,
            "maxDamage": most,
        }


def matches(stack, name, variant):
    return stack[0] == name and variant in (None, stack[1])


def meet(eye, ray, cell):
    """Cell, face, distance and point of a ray's first contact with a cell, None: it misses."""
    near, far, face = -math.inf, math.inf, None
    for axis in range(3):
        if abs(ray[axis]) < 1e-12:
            if not cell[axis] < eye[axis] < cell[axis] + 1:
                return None
            continue
        times = sorted(
            ((cell[axis] - eye[axis]) / ray[axis], (cell[axis] + 1 - eye[axis]) / ray[axis])
        )
        if times[0] > near:
            near, face = (
                times[0],
                tuple((-1 if ray[axis] > 0 else 1) * (i == axis) for i in range(3)),
            )
        far = min(far, times[1])
    if near > far or near <= 0 or near > FAR:
        return None
    return cell, face, near, [eye[i] + near * ray[i] for i in range(3)]
