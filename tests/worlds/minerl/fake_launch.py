"""The toy server as a program that MineRL starts in place of Minecraft, by a `launchClient.sh`."""

import os
import sys

from tests.worlds.minerl.fake_env import BURNS, plain_recipes
from tests.worlds.minerl.fake_malmo import FakeMalmo

if __name__ == "__main__":
    server = FakeMalmo(plain_recipes(), BURNS, port=int(sys.argv[sys.argv.index("-port") + 1]))
    with open(os.environ["TOY_PROCESSES"], "a") as file:
        file.write(f"{os.getpid()}\n")
    print(f"***** Start MalmoEnvServer on port {server.port}", flush=True)
    print("CLIENT enter state: DORMANT", flush=True)
    server.has_to_exit.wait()
