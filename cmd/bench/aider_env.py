"""Where the scripts of this folder find aider: a virtual environment in a cache folder, made when it is first asked for.

    import aider_env
    aider_env.reenter()   # goes on in aider's own Python; returns at once when it is there already

The folder is $COAUTHOR_BENCH_CACHE, else coauthor-bench below the user's cache folder. The version is pinned, so that
figures of two days can be compared.
"""
import os
import pathlib
import shutil
import subprocess
import sys

VERSION = "0.86.2"  # needs Python 3.10 to 3.12
PYTHONS = ("python3.12", "python3.11", "python3.10", "python3")


def cache() -> pathlib.Path:
    named = os.environ.get("COAUTHOR_BENCH_CACHE")
    if named:
        return pathlib.Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "coauthor-bench"


def python() -> pathlib.Path:
    """Returns aider's Python, and installs aider first if need be. A half-made environment is made again."""
    home = cache() / f"aider-{VERSION}"
    binary, complete = home / "bin" / "python", home / "complete"
    if complete.exists():
        return binary
    shutil.rmtree(home, ignore_errors=True)
    home.parent.mkdir(parents=True, exist_ok=True)
    base = next((p for p in PYTHONS if shutil.which(p) and fits(p)), None)
    if base is None:
        sys.exit(f"aider {VERSION} needs Python 3.10 to 3.12, and none is here")
    print(f"installing aider {VERSION} in {home}", file=sys.stderr)
    subprocess.run([base, "-m", "venv", home], check=True)
    subprocess.run([binary, "-m", "pip", "install", "--quiet", f"aider-chat=={VERSION}"], check=True, stdout=sys.stderr)
    complete.touch()
    return binary


def fits(name: str) -> bool:
    out = subprocess.run([name, "-c", "import sys, venv; print((3, 10) <= sys.version_info[:2] <= (3, 12))"],
                         capture_output=True, text=True)
    return out.stdout.strip() == "True"


def reenter() -> None:
    """Runs this script again in aider's Python. Hash order is fixed: aider's ranks follow it."""
    binary = python()
    if pathlib.Path(sys.prefix).resolve() == binary.parent.parent.resolve() and os.environ.get("PYTHONHASHSEED") == "0":
        return
    os.environ["PYTHONHASHSEED"] = "0"
    os.execv(binary, [str(binary)] + sys.argv)


if __name__ == "__main__":
    if sys.argv[1:] == ["--installed"]:  # only look
        if not (cache() / f"aider-{VERSION}" / "complete").exists():
            sys.exit(1)
    print(python())
