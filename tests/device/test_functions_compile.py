"""Every scalar function, and every aggregate state beside them, compiles for a GPU from its one header."""

import re
from pathlib import Path

import pytest

import nvrtc

ENGINE = Path(__file__).resolve().parents[2] / "engine"
FUNCTIONS = ENGINE / "functions"
OPTIONS = ["--gpu-architecture=sm_90", "--std=c++20", "--fmad=false", "--device-int128", f"--include-path={ENGINE}"]

DECLARATION = re.compile(r"[ \t]F\(\s*([a-z0-9_]+)\s*,\s*(\w+)\s*\)")
COMMENT = re.compile(r"//[^\n]*")


def declared_functions() -> dict[str, str]:
    """Returns the headers of all functions that the list.h files declare, with the names of their structs."""
    found = {}
    for path in sorted(FUNCTIONS.glob("*/list.h")):
        for name, struct in DECLARATION.findall(COMMENT.sub("", path.read_text())):
            found[f"functions/{path.parent.name}/{name}.h"] = struct
    return found


def device_headers() -> list[str]:
    """Returns every header below functions/ that is written for both machines: all but the lists."""
    return sorted(str(path.relative_to(ENGINE)) for path in FUNCTIONS.rglob("*.h") if path.name != "list.h")


def source_of(headers: list[str], structs: list[str]) -> str:
    """Returns one translation unit with a kernel that depends on every struct."""
    includes = "".join(f'#include "{header}"\n' for header in headers)
    sizes = " + ".join(["0", *(f"sizeof({struct})" for struct in structs)])
    return (
        f"{includes}\nnamespace accelerant::functions {{\n"
        f'extern "C" __global__ void sizes(unsigned long long* out) {{ *out = {sizes}; }}\n}}\n'
    )


@pytest.fixture(scope="session")
def library():
    return nvrtc.load()


@pytest.mark.skipif(not FUNCTIONS.exists(), reason="engine/functions does not exist")
def test_declared_functions_compile(library) -> None:
    declared = declared_functions()
    assert declared, "no list.h declares a function"
    missing = [header for header in declared if not (ENGINE / header).is_file()]
    assert not missing
    cubin = nvrtc.Program(library, source_of(list(declared), list(declared.values()))).compile(OPTIONS)
    assert cubin.startswith(b"\x7fELF")


@pytest.mark.skipif(not FUNCTIONS.exists(), reason="engine/functions does not exist")
@pytest.mark.parametrize("header", device_headers())
def test_header_compiles_alone(library, header: str) -> None:
    cubin = nvrtc.Program(library, source_of([header], [])).compile(OPTIONS)
    assert cubin.startswith(b"\x7fELF")


def test_an_error_is_shown(library) -> None:
    with pytest.raises(nvrtc.CompilationError, match='identifier "no_such_name" is undefined'):
        nvrtc.Program(library, "__global__ void k() { no_such_name(); }").compile(OPTIONS)
