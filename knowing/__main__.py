"""`python -m knowing`."""

import sys

try:
    from knowing.cli import main
except KeyboardInterrupt:
    # Ctrl-C while the program is still being loaded.
    sys.exit("error: interrupted")

if __name__ == "__main__":
    sys.exit(main())
