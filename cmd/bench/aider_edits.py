"""Measures how long aider and this project take to apply the same large replies, in one run.

    python3 cmd/bench/aider_edits.py [--rounds 5]

aider's own code runs in its own environment (aider_env.py): the whole `apply_updates` of a coder in the format
`diff`, without git. Ours is `go -C cmd/bench run ./edits`: read, parse, apply, write. Both start from the reply as a
text and end with the file written; no process start is counted on either side. The table shows medians; CPU time
is the anchor on a machine that does other things as well.
"""
import argparse
import contextlib
import io
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import aider_env

FILE, REPLY = "big.py", "reply.md"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def go(*args: str) -> str:
    out = subprocess.run(["go", "-C", "cmd/bench", "run", "./edits", *args], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return out.stdout


def coder(path: pathlib.Path):
    from aider.coders import Coder
    from aider.io import InputOutput
    from aider.models import Model

    quiet = InputOutput(pretty=False, yes=True, fancy_input=False)
    return Coder.create(main_model=Model("gpt-4o"), edit_format="diff", io=quiet, fnames=[str(path)], use_git=False,
                        map_tokens=0, stream=False, suggest_shell_commands=False, auto_lint=False)


def aider(folder: pathlib.Path, rounds: int) -> dict:
    path = folder / FILE
    before, reply = path.read_text(), (folder / REPLY).read_text()
    figures = {"wall_ms": [], "cpu_ms": [], "landed": 0}
    for _ in range(rounds):
        with contextlib.redirect_stdout(io.StringIO()):
            one = coder(path)
            one.partial_response_content = reply
            wall, cpu = time.perf_counter(), time.process_time()
            one.apply_updates()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        figures["wall_ms"].append(wall * 1000)
        figures["cpu_ms"].append(cpu * 1000)
        figures["landed"] = path.read_text().count("changed_")
        path.write_text(before)
    return figures


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--rounds", type=int, default=5, help="rounds of each measurement")
    rounds = args.parse_args().rounds
    aider_env.reenter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        go("inputs", name)
        size = (folder / "exact" / FILE).stat().st_size
        ours = {f["name"]: f for f in json.loads(go("run", name, "--rounds", str(max(rounds, 5))))}
        print(f"100 blocks on 10,000 lines ({size / 1000:.0f} KB), medians of {rounds} rounds, ms\n")
        print("| the quoted lines | aider, CPU | aider, wall | aider lands | ours, CPU | ours, wall | ours lands | ratio, CPU | ratio, wall |")
        print("|---|---|---|---|---|---|---|---|---|")
        for kind, mine in ours.items():
            peer = aider(folder / kind, rounds)
            p_cpu, p_wall, m_cpu, m_wall = (statistics.median(f[k]) for f in (peer, mine) for k in ("cpu_ms", "wall_ms"))
            print(f"| {kind} | {p_cpu:.0f} | {p_wall:.0f} | {peer['landed']} of 100 | {m_cpu:.1f} | {m_wall:.1f} | {mine['landed']} of 100 "
                  f"| {p_cpu / m_cpu:.0f} | {p_wall / m_wall:.0f} |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
