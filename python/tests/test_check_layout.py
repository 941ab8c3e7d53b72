"""Which switches scripts/check_layout.py finds fault with."""

import pytest

from check_layout import check_switches

SWITCH = """
int width_of(Kind kind) {{
  switch (kind) {{
{cases}
  }}
}}
"""


def problems(*cases: str) -> list[str]:
    """Returns what is wrong with a switch of these lines."""
    return list(check_switches("engine/a.cpp", SWITCH.format(cases="\n".join(cases))))


@pytest.mark.parametrize("case", ["case Kind::Flat:", "case columns::Kind::Flat:", "case Type::INT32:", "case T::X:"])
def test_a_default_hides_new_enumerators(case: str) -> None:
    expected = ["engine/a.cpp:3: a default in a switch over an enumeration"]
    assert problems(f"{case} return 1;", "default: return 2;") == expected
    assert problems("default: return 2;", f"{case} return 1;") == expected
    assert problems(f"{case} {{", "return 1; }", "default: {", "return 2; }") == expected
    assert problems(f"{case} return 1;") == []


def test_other_switches_may_have_one() -> None:
    assert problems("case 16: return 1;", "default: return 2;") == []
    assert problems("case kTrue: return 1;", "case Tag::kFalse: return 1;", "default: return 2;") == []
    assert problems("// case Kind::Flat:", "case '{': return 1;", "default: return 2;") == []


def test_each_switch_is_judged_alone() -> None:
    inner = "case 1: switch (kind) { case Kind::Flat: return 1; }"
    assert problems(inner, "default: return 2;") == []
    assert problems("case Kind::Flat: switch (width) { default: return 1; }") == []
