"""Lets `python -m accelerant` be the command."""

import sys

from accelerant.command import main

sys.exit(main())
