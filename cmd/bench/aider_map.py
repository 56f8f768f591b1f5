"""Measures how long aider and this project take to make the map of one repository, in one run.

    python3 cmd/bench/aider_map.py TREE --edit FILE [--tokens 2048] [--rounds 5] [--sample N]

aider's own map runs in its own environment (aider_env.py), with a tags cache that is empty at first. Ours is
`go -C cmd/bench run . stage`: an index in a state folder that is empty at first, with its worker processes. No process
start and no import is counted on either side. TREE is a git work tree; both sides read it, neither writes to it,
except that aider's side appends a function to FILE and takes it away again, since aider looks at the disk.

    cold          nothing is known of the tree; ours reads the history of git behind that, which its CPU includes
    warm          a new process, a second time; aider's tags cache and our state folder are there
    after an edit in that process, FILE has changed

For a tree that aider does not finish in reasonable time, --sample N measures its cold map on N source files chosen
evenly from the tree and multiplies by the number of files. Ranking is not linear, so that favours aider. Its rows are
marked.
"""
import argparse
import contextlib
import io
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import aider_env

ROOT = pathlib.Path(__file__).resolve().parents[2]
MESSAGE = "fix the interrupt handler of the network driver when the link is down"
# What aider tags in a large C tree; other files cost it next to nothing.
SOURCE = (".c", ".h", ".cc", ".cpp", ".go", ".py", ".js", ".ts", ".tsx", ".rs", ".java", ".rb", ".php", ".cs", ".swift", ".kt")


def clock(f):
    """Returns what f returned, and its wall and processor seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    out = f()
    return out, time.perf_counter() - wall, time.process_time() - cpu


def addition(path: str, n: int) -> str:
    """A function in the language of the file, as ours adds one."""
    if path.endswith(".go"):
        return f"\nfunc added_{n}(dev *device) int {{ return {n} }}\n"
    if path.endswith(".py"):
        return f"\ndef added_{n}(dev):\n    return {n}\n"
    return f"\nint added_{n}(struct device *dev) {{ return {n}; }}\n"


def aider_side(tree: pathlib.Path, edit: str, tokens: int, rounds: int, cache: pathlib.Path) -> dict:
    """Makes maps in this process, which must be aider's Python. Its tags cache lies below cache."""
    os.environ.update(LITELLM_LOCAL_MODEL_COST_MAP="True", GIT_OPTIONAL_LOCKS="0")
    import aider.repomap
    from aider.io import InputOutput
    from aider.models import Model

    class Map(aider.repomap.RepoMap):
        TAGS_CACHE_DIR = str(cache / "tags")  # else it lies in the tree

        def load_tags_cache(self):
            from diskcache import Cache
            self.TAGS_CACHE = Cache(self.TAGS_CACHE_DIR)

    files = [str(tree / f) for f in tracked(tree)]
    chat, others = [str(tree / edit)], [f for f in files if f != str(tree / edit)]
    quiet = InputOutput(pretty=False, yes=True, fancy_input=False)
    maps = Map(map_tokens=tokens, root=str(tree), main_model=Model("gpt-4o"), io=quiet, refresh="always")

    def ask():
        with contextlib.redirect_stdout(io.StringIO()):
            return maps.get_repo_map(chat, others, mentioned_idents=set(MESSAGE.split())) or ""

    text, wall, cpu = clock(ask)
    if not text.strip():
        sys.exit("aider made an empty map")
    out = {"first": [wall, cpu], "edits": []}
    path = tree / edit
    before = path.read_bytes()
    try:
        for n in range(rounds):
            path.write_bytes(before + addition(edit, n).encode())
            later = time.time() + n + 2
            os.utime(path, (later, later))
            out["edits"].append(clock(ask)[1:])
    finally:
        path.write_bytes(before)
    return out


def tracked(tree: pathlib.Path) -> list[str]:
    listed = subprocess.run(["git", "-C", tree, "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout
    return [f for f in listed.decode(errors="surrogateescape").split("\0") if f and (tree / f).is_file()]


def aider(tree: pathlib.Path, edit: str, tokens: int, rounds: int, cache: pathlib.Path) -> dict:
    """Runs aider_side in a process of its own."""
    command = [str(aider_env.python()), __file__, str(tree), "--edit", edit, "--tokens", str(tokens), "--rounds", str(rounds),
               "--aider-side", str(cache)]
    home = cache / "home"
    home.mkdir(parents=True, exist_ok=True)
    env = dict(os.environ, PYTHONHASHSEED="0", HOME=str(home), OPENAI_API_KEY="none", PYTHONPATH=str(pathlib.Path(__file__).parent))
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=env)
    return json.loads(out.stdout.splitlines()[-1])


def ours(binary: pathlib.Path, stage: str, tree: pathlib.Path, edit: str, rounds: int, state: pathlib.Path) -> dict:
    out = subprocess.run([binary, "stage", "--name", stage, "--tree", tree, "--edit", edit, "--state", state, "--rounds", str(rounds),
                          "--settle", "0"], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(out.stdout)


def sample(tree: pathlib.Path, edit: str, n: int, into: pathlib.Path) -> float:
    """Copies about n source files into a repository of their own, and tells how many times larger the tree is."""
    files = [f for f in tracked(tree) if f.endswith(SOURCE)]
    step = max(1, len(files) // n)
    chosen = sorted(set(files[::step]) | {edit})
    for f in chosen:
        to = into / f
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / f, to)
    for command in (["init", "-q"], ["add", "-A", "-f"]):
        subprocess.run(["git", "-C", into, *command], check=True)
    return len(files) / len(chosen)


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("tree", type=pathlib.Path)
    args.add_argument("--edit", required=True, help="file below TREE that is edited and chatted about")
    args.add_argument("--tokens", type=int, default=2048)
    args.add_argument("--rounds", type=int, default=5, help="edits of aider's side; ours makes ten times as many")
    args.add_argument("--sample", type=int, default=0, help="extrapolate aider's cold map from so many files")
    args.add_argument("--aider-side", type=pathlib.Path, help=argparse.SUPPRESS)
    a = args.parse_args()
    tree = a.tree.resolve()
    if a.aider_side:
        print(json.dumps(aider_side(tree, a.edit, a.tokens, a.rounds, a.aider_side)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        binary, state = folder / "bench", folder / "state"
        subprocess.run(["go", "-C", "cmd/bench", "build", "-o", binary, "."], cwd=ROOT, check=True)
        first = ours(binary, "first", tree, a.edit, 0, state)
        second = ours(binary, "restart", tree, a.edit, 10 * a.rounds, state)
        seconds = lambda *parts: sum(parts) / 1e9
        mine = {"cold": (seconds(first["Ready"], second["First"]), seconds(first["CPU"])),
                "warm": (seconds(second["Ready"], second["First"]), seconds(second["CPU"])),
                "after an edit": (seconds(statistics.median(second["Edits"])), seconds(second["EditCPU"]))}
        if a.sample:
            small = folder / "sample"
            small.mkdir()
            factor = sample(tree, a.edit, a.sample, small)
            peer = aider(small, a.edit, a.tokens, 0, folder / "aider")["first"]
            theirs = {f"cold (aider extrapolated: {factor:.1f} times {peer[0]:.1f} s)": [factor * x for x in peer]}
        else:
            cold = aider(tree, a.edit, a.tokens, 0, folder / "aider")
            warm = aider(tree, a.edit, a.tokens, a.rounds, folder / "aider")
            edits = [statistics.median(e[k] for e in warm["edits"]) for k in (0, 1)]
            theirs = {"cold": cold["first"], "warm": warm["first"], "after an edit": edits}
        print(f"{tree.name}, {len(tracked(tree))} tracked files, {a.tokens} tokens, load {os.getloadavg()[0]:.1f}\n")
        print(f"| map | aider {aider_env.VERSION}, wall | ours, wall | ratio | aider, CPU | ours, CPU | ratio |\n|---|---|---|---|---|---|---|")
        for what, (wall, cpu) in theirs.items():
            my_wall, my_cpu = mine[what.split(" (")[0]]
            print(f"| {what} | {wall:.2f} s | {my_wall:.3f} s | {wall / my_wall:.0f} | {cpu:.2f} s | {my_cpu:.3f} s | {cpu / my_cpu:.0f} |")


if __name__ == "__main__":
    main()
