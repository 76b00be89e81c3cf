"""A server that speaks Malmo's protocol, as `MalmoEnvServer.java` of MineRL 0.4.4 does.

Each message is its length, four bytes with the highest first, and as many bytes. The toy of
`fake_game` is behind it. It can be told to misbehave.
"""

import json
import socket
import struct
import threading
from xml.etree import ElementTree

from tests.worlds.minerl.fake_game import FakeGame

VERSION = "0.37.0"
HELLO = f"<MalmoEnv{VERSION}"
NAMESPACE = "{http://ProjectMalmo.microsoft.com}"
PRODUCERS = {
    "ObservationFromFullInventory": ("inventory",),
    "ObservationFromEquippedItem": ("equipped_items",),
    "ObservationFromRay": ("LineOfSight",),
}


class FakeMalmo:
    """Listens on a port of its own until `close`; one player at a time.

    Attributes:
        game: The toy.
        missions: XML and seed of every mission.
        answers: What was asked, in order, without the steps.
    """

    def __init__(self, recipes, burn_ticks, *, port=0, **options):
        self.game = FakeGame(recipes, burn_ticks, **options)
        self.missions, self.asked, self.connections = [], [], []
        self.hang_at = self.end_at = self.break_at = None
        self.steps, self.has_to_exit = 0, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self):
        if self._listener.fileno() >= 0:
            self._listener.shutdown(socket.SHUT_RDWR)  # Or it would go on waiting for one more.
        self._listener.close()
        for connection in self.connections:
            connection.close()

    def _listen(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            hello = receive(connection).decode()
            if not hello.startswith(HELLO) or len(hello) > len("<MalmoEnv") + 8:
                raise ConnectionError(f"{hello!r} is not Malmo's hello")
            while self._answer(connection, receive(connection).decode()):
                pass
        except (EOFError, OSError):
            pass
        finally:
            connection.close()

    def _answer(self, connection, message):
        """Whether the connection goes on."""
        if message.startswith("<StepClient"):
            return self._step(connection, message)
        if message.startswith("<StepServer"):
            return True  # Java answers nothing.
        self.asked.append(message.partition(">")[0].partition(" ")[0].strip("</"))
        if message.startswith("<MissionInit"):
            self._start(message, receive(connection).decode())
            send(connection, struct.pack("!i", 1))
        elif message.startswith("<Peek"):
            send(connection, self.game.frame(self.side))
            send(connection, self._told())
            send(connection, struct.pack("!b", 0))
        elif message.startswith("<Quit"):
            send(connection, struct.pack("!i", 1))
        elif message.startswith("<Disconnect"):
            return False
        elif message.startswith("<Exit"):
            send(connection, struct.pack("!i", 1))
            self.has_to_exit.set()
            return False
        else:
            raise AssertionError(f"unknown command {message[:40]!r}")
        return True

    def _start(self, mission, token):
        """Reads of a mission what Java reads; a token has six parts."""
        _, role, _, agents, synchronous, seed = token.split(":")
        assert (role, agents, synchronous) == ("0", "1", "true")
        tree = ElementTree.fromstring(mission)
        self.missions.append((mission, int(seed)))
        named = {element.tag.replace(NAMESPACE, "") for element in tree.iter()}
        self.producers = named & set(PRODUCERS)
        (video,) = tree.iter(f"{NAMESPACE}VideoProducer")
        sides = [int(video.findtext(f"{NAMESPACE}{name}")) for name in ("Width", "Height")]
        assert sides[0] == sides[1]
        self.side = sides[0]
        slots = {}
        for each in tree.iter(f"{NAMESPACE}InventoryObject"):
            stack = (each.get("type"), int(each.get("metadata")), int(each.get("quantity")))
            slots[int(each.get("slot"))] = stack
        self.game.begin(int(seed), slots)

    def _step(self, connection, message):
        self.steps += 1
        if self.steps == self.hang_at:
            threading.Event().wait(3600)
        if self.steps == self.break_at:
            return False
        assert message.startswith("<StepClient0>"), message[:40]
        assert message.endswith("</StepClient0 >"), message[-40:]
        body = message[len("<StepClient_>") : -len("</StepClient_ >")]
        self.game.tick(body.split("\n"))
        is_over = self.game.health <= 0 or self.steps == self.end_at
        send(connection, self.game.frame(self.side))
        send(connection, struct.pack("!dbb", 0.0, is_over, 1))
        send(connection, self._told())
        return True

    def _told(self):
        """Only what the mission has asked for."""
        told = self.game.info()
        for producer, keys in PRODUCERS.items():
            if producer not in self.producers:
                for key in keys:
                    told.pop(key, None)
        return json.dumps(told).encode()


def send(connection, content):
    connection.sendall(struct.pack("!I", len(content)) + content)


def receive(connection):
    (size,) = struct.unpack("!I", exactly(connection, 4))
    return exactly(connection, size)


def exactly(connection, size):
    content = b""
    while len(content) < size:
        more = connection.recv(size - len(content))
        if not more:
            raise EOFError
        content += more
    return content
