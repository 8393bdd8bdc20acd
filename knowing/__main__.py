"""`python -m knowing`."""

import sys

from knowing.cli import main

if __name__ == "__main__":
    sys.exit(main())
