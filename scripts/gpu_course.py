"""Proves and measures the kernels on this machine's GPU: accelerant-gpu-check in pieces, each a process of its own.

It needs Python, a driver and dist/accelerant-gpu-check, and no more of this tree. A piece that hangs or dies costs
itself: it has its seconds, and what the others found is in FOLDER/gpu.json after each of them, with the machine. Where
NVIDIA's compute-sanitizer and ncu are at hand they run too: the first fails the course where it finds a mistake, the
second says of each kernel's longest launch what it took.

    python3 scripts/gpu_course.py --out FOLDER [--program dist/accelerant-gpu-check] [--only WORD]
"""

import argparse
import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

# Of ncu's metrics, by the names that they have in the result; `ncu --query-metrics` describes them.
METRICS = {
    "us": "gpu__time_duration.sum",
    "bytes": "dram__bytes.sum",
    "memory_percent": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "warp_instructions": "smsp__inst_executed.sum",
    "active_warps_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "registers": "launch__registers_per_thread",
    "blocks": "launch__grid_size",
    "threads": "launch__block_size",
}
NUMBER = re.compile(r"[0-9.]+")
PROFILE = f"ncu --clock-control none --metrics {','.join(METRICS.values())} --csv --page raw --launch-count".split()
# Modules are asked for kernels that they may not have. Neither racecheck, which takes what is released and acquired, as
# the slots of group_rows are, for races; nor initcheck: gather_strings reads whole words, of which it uses some bytes.
SANITIZER = ["compute-sanitizer", "--error-exitcode", "9", "--report-api-errors", "no", "--tool"]


@dataclass
class Piece:
    """Some of the course: words of the program, the most seconds it may take, and the tool that it runs under."""

    name: str
    words: list[str]
    seconds: int
    tool: list[str]

    def is_at_hand(self) -> bool:
        """Says whether this machine has the tool."""
        return not self.tool or shutil.which(self.tool[0]) is not None


def course() -> list[Piece]:
    """Returns the pieces, measurements first: a machine may be lent for minutes."""
    large, small = ["--scale", "16"], ["--scale", "0.0005"]
    pieces = [Piece("measurements", ["--only", "measure"], 60, [])]
    pieces += [Piece(query, ["--only", query, *large], 60, []) for query in ("Q1", "Q6", "sum by day")]
    pieces.append(Piece("everything", ["--scale", "1"], 120, []))
    pieces += [
        Piece(f"profile of {query}", ["--only", query, "--scale", "4"], 60, [*PROFILE, "60"])
        for query in ("Q1", "Q6", "sum by day")
    ]
    pieces.append(Piece("profile of decoding", ["--only", "measure decode", "--scale", "0.5"], 60, [*PROFILE, "60"]))
    pieces += [Piece(tool, small, 90, [*SANITIZER, tool]) for tool in ("memcheck", "synccheck")]
    return pieces


def answer_of(*command: str) -> str:
    """Returns what a program prints; what is wrong where it does not."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}"
    return done.stdout.strip() or done.stderr.strip()


def machine() -> dict[str, str]:
    """Describes the GPU and the host."""
    fields = "name,driver_version,memory.total,clocks.max.sm,clocks.max.memory,pcie.link.gen.max,pcie.link.width.max"
    processor = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    return {
        "gpu": answer_of("nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"),
        "processor": processor[1] if processor else "unknown",
    }


def kernels_of(log: str) -> list[dict]:
    """Reads what ncu printed: each kernel with its number of launches, and the figures of the longest."""
    begin = log.find('"ID"')
    kernels: dict[str, dict] = {}
    for row in csv.DictReader(io.StringIO(log[begin:])) if begin >= 0 else []:
        # Units stand in a row of their own, what the program prints comes last, and a launch may lack a figure.
        words = {name: (row.get(metric) or "").replace(",", "") for name, metric in METRICS.items()}
        if not (row["ID"] or "").isdigit() or not all(NUMBER.fullmatch(word) for word in words.values()):
            continue
        figures = {name: float(word) for name, word in words.items()}
        figures["us"] /= 1e3
        known = kernels.setdefault(row["Kernel Name"], {"launches": 0, "us": -1.0})
        known["launches"] += 1
        if figures["us"] > known["us"]:
            known.update(figures)
    return [{"kernel": name} | figures for name, figures in kernels.items()]


def ended(command: list[str], log: Path, seconds: int) -> str:
    """Runs a program with all that it starts, within its time; returns how it ended."""
    with (
        log.open("w") as out,
        subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True) as process,
    ):
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"stopped after {seconds} s"
    return {0: "equal", 1: "different"}.get(status, f"status {status}")


def report_of(file: Path) -> dict:
    """Returns what the program found, with the checks that differ; nothing where it did not come to its end."""
    try:
        report = json.loads(file.read_text())
    except (OSError, ValueError):
        return {}
    checks = report.pop("checks")
    return report | {"num_checks": len(checks), "different": [one for one in checks if not one["equal"]]}


def run(piece: Piece, program: Path, folder: Path) -> dict:
    """Runs a piece; returns how it ended, in how many seconds, and what the program found."""
    stem = folder / piece.name.replace(" ", "-")
    found, log = stem.with_suffix(".json"), stem.with_suffix(".log")
    found.unlink(missing_ok=True)
    begin = time.monotonic()
    way = ended([*piece.tool, str(program), *piece.words, "--json", str(found)], log, piece.seconds)
    words = " ".join([*piece.tool, program.name, *piece.words])
    result = {"piece": piece.name, "command": words, "ended": way, "seconds": round(time.monotonic() - begin, 1)}
    # What a tool slows down measures nothing.
    if not piece.tool:
        result |= report_of(found)
    if piece.tool[:1] == ["ncu"]:
        result["kernels"] = kernels_of(log.read_text())
    return result


def main() -> None:
    """Takes the course; ends with 1 where a piece did not end well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=Path("dist/accelerant-gpu-check"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="part of a piece's name")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    result = {"machine": machine(), "pieces": []}
    print(result["machine"], flush=True)
    is_well = True
    pieces = [piece for piece in course() if arguments.only in piece.name]
    if not pieces:
        sys.exit(f"gpu_course.py: no piece has {arguments.only} in its name")
    for piece in pieces:
        if not piece.is_at_hand():
            print(f"{piece.name:26} no {piece.tool[0]} here", flush=True)
            continue
        done = run(piece, arguments.program.resolve(), arguments.out)
        is_well &= done["ended"] == "equal"
        result["pieces"].append(done)
        (arguments.out / "gpu.json").write_text(json.dumps(result, indent=1) + "\n")
        print(f"{piece.name:26} {done['ended']}, {done['seconds']} s", flush=True)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
