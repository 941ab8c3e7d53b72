"""Rows as JSON holds them."""

from datetime import date
from decimal import Decimal


def cell(value: object) -> object:
    """Returns a value as JSON holds it: numbers, texts and truth values as they are, others and decimals as text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [cell(item) for item in value]
    return str(value) if isinstance(value, (date, Decimal)) else repr(value)
