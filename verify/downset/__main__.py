"""`python -m downset` is `downset`."""

import sys

from downset.cli import main

if __name__ == "__main__":
    sys.exit(main())
