"""`python -m lapis` is `lapis`."""

import sys

from lapis.cli import main

if __name__ == "__main__":
    sys.exit(main())
