import os

import pytest

# What `make acceptance` asks for; `make test` runs a handful.
FULL = os.environ.get("ACCELERANT_SOAK") == "full"


@pytest.fixture
def full() -> bool:
    """Says whether to run everything."""
    return FULL
