"""Compiles CUDA source with NVRTC from NVIDIA's PyPI wheel; needs neither a GPU nor a CUDA toolkit."""

import ctypes
import importlib.util
from pathlib import Path


class CompilationError(Exception):
    """NVRTC refused a source; the text is its log."""


def load() -> ctypes.CDLL:
    """Opens the wheel's libnvrtc."""
    spec = importlib.util.find_spec("nvidia")
    folders = list(spec.submodule_search_locations) if spec else []
    found = [path for folder in folders for path in Path(folder).rglob("libnvrtc.so.*") if "alt" not in path.name]
    if not found:
        raise FileNotFoundError("libnvrtc is missing: run `make setup` (it installs nvidia-cuda-nvrtc)")
    return ctypes.CDLL(str(found[0]))


class Program:
    """One source and what NVRTC makes of it."""

    def __init__(self, library: ctypes.CDLL, source: str) -> None:
        self._library = library
        self._program = ctypes.c_void_p()
        text = source.encode()
        self._check(library.nvrtcCreateProgram(ctypes.byref(self._program), text, b"functions.cu", 0, None, None))

    def compile(self, options: list[str]) -> bytes:
        """Returns the cubin for an `sm_` architecture; raises CompilationError with the log."""
        encoded = [option.encode() for option in options]
        status = self._library.nvrtcCompileProgram(
            self._program, len(encoded), (ctypes.c_char_p * len(encoded))(*encoded)
        )
        if status != 0:
            raise CompilationError(self._text("nvrtcGetProgramLogSize", "nvrtcGetProgramLog").decode())
        return self._text("nvrtcGetCUBINSize", "nvrtcGetCUBIN")

    def _text(self, size_function: str, function: str) -> bytes:
        size = ctypes.c_size_t()
        self._check(getattr(self._library, size_function)(self._program, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        self._check(getattr(self._library, function)(self._program, buffer))
        return buffer.raw[: size.value]

    def _check(self, status: int) -> None:
        if status != 0:
            raise RuntimeError(f"NVRTC ended with status {status}")
