"""Every function, scalar and aggregate, compiles for a GPU from its one header."""

import re
from pathlib import Path

import pytest

import nvrtc

ENGINE = Path(__file__).resolve().parents[2] / "engine"
FUNCTIONS = ENGINE / "functions"
OPTIONS = [
    "--gpu-architecture=sm_90",
    "--std=c++20",
    "--fmad=false",
    "--device-int128",
    f"--include-path={ENGINE}",
    f"--include-path={Path(__file__).parent}",
]

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


def source_of(headers: list[str], structs: list[str], touch: str = "touch_all") -> str:
    """Returns one translation unit with a kernel for each struct that calls all its bodies."""
    includes = "".join(f'#include "{header}"\n' for header in headers)
    kernels = "".join(
        f'extern "C" __global__ void touch_{struct}(const char* in, char* out) {{\n'
        f"  {touch}<functions::{struct}>(Memory{{in, out}}, functions::{struct}::Signatures{{}});\n}}\n"
        for struct in structs
    )
    includes += '#include "instantiate.cuh"\n#include "instantiate_aggregate.cuh"\n'
    return f"{includes}\nnamespace accelerant::device_test {{\n{kernels}}}\n"


@pytest.fixture(scope="session")
def library():
    return nvrtc.load()


def test_functions_are_declared() -> None:
    declared = declared_functions()
    assert declared, "no list.h declares a function"
    assert [header for header in declared if not (ENGINE / header).is_file()] == []


@pytest.mark.parametrize(("header", "struct"), declared_functions().items())
def test_every_body_compiles(library, header: str, struct: str) -> None:
    touch = "touch_all_of_aggregate" if header.startswith("functions/aggregate/") else "touch_all"
    cubin = nvrtc.Program(library, source_of([header], [struct], touch)).compile(OPTIONS)
    assert cubin.startswith(b"\x7fELF")
    assert f"touch_{struct}".encode() in cubin


def test_all_functions_together(library) -> None:
    nvrtc.Program(library, source_of(list(declared_functions()), [])).compile(OPTIONS)


@pytest.mark.parametrize("header", device_headers())
def test_header_compiles_alone(library, header: str) -> None:
    cubin = nvrtc.Program(library, source_of([header], [])).compile(OPTIONS)
    assert cubin.startswith(b"\x7fELF")


def test_an_error_is_shown(library) -> None:
    with pytest.raises(nvrtc.CompilationError, match='identifier "no_such_name" is undefined'):
        nvrtc.Program(library, "__global__ void k() { no_such_name(); }").compile(OPTIONS)
