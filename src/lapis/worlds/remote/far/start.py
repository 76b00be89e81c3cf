"""Run by its path, `python .../far/start.py`: serves worlds over standard input and output.

The Python that runs it may be an older one, in an environment without Lapis and PyTorch.
"""

import os
import sys
import types

# Not the folder of this file, which Python has put here: modules of the user's are found first.
sys.path[0] = os.getcwd()
folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
for name in ("lapis.worlds.remote", "lapis.worlds", "lapis"):
    # The packages around this one want a newer Python. These stand for them, without their code.
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
    folder = os.path.dirname(folder)

from lapis.worlds.remote.far.host import serve  # noqa: E402

if __name__ == "__main__":
    # What games print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(os.fdopen(os.dup(0), "rb"), answers)
