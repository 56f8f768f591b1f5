#!/usr/bin/env python3
"""How many of the files that build, describe or configure a project a map names when a commit changes them.

    project_files.py --ctxbench DIR --mirrors DIR [--skip N] [--each N] NAME=COAUTHOR[,ARGUMENT...]...

DIR of --ctxbench has score.py and tasks.jsonl, that of --mirrors the repositories as score.py wants them. Of each repository
it takes the commits of at most ten files that change such a file, name none of them and have a message of three words or
more, in the order of the hash of their name, leaves out the first N of --skip and takes N of --each. Each COAUTHOR draws a
map of 1,024 tokens for the message at the parent, without a file in the chat. Needs Python 3.11 and git.
"""
import argparse, collections, fnmatch, hashlib, os, subprocess, sys, tempfile

FILES = """go.mod package.json pyproject.toml setup.py setup.cfg pipfile cargo.toml pom.xml build.gradle gemfile requirements*.txt
makefile cmakelists.txt dockerfile* docker-compose.yml tsconfig.json tox.ini .golangci.yml .travis.yml .eslintrc*
.pre-commit-config.yaml .goreleaser.yml manifest.in readme readme.* contributing.* .flake8 pytest.ini jest.config.js jest.js
esbuild.js webpack.config.js .editorconfig appveyor.yml .appveyor.yml azure-pipelines.yml .azure-pipelines.yml""".split()
CODE = (".py", ".go", ".js", ".ts", ".tsx", ".c", ".h")


def counts(path):
    base = os.path.basename(path).lower()
    return path.startswith(".github/workflows/") or any(fnmatch.fnmatchcase(base, f) for f in FILES)


def commits(repo, mirror):
    log = subprocess.run(["git", "-C", mirror, "log", "--no-merges", "--format=%x01%H%x02%P%x02%B%x03", "--name-status", "HEAD"],
                         capture_output=True, text=True, errors="replace").stdout  # a mirror may lack old objects
    found, seen = [], set()
    for part in log.split("\x01")[1:]:
        head, _, files = part.partition("\x03")
        sha, parent, message = head.split("\x02", 2)
        rows = [line.split("\t") for line in files.strip().splitlines() if line]
        changed = [r[-1] for r in rows if r[0] == "M"]
        wanted = [p for p in changed if counts(p)]
        subject, text = message.strip().split("\n")[0], "\n\n".join(message.strip().split("\n\n")[:2])[:600]
        named = any(os.path.basename(p).lower() in text.lower() for p in wanted)
        if not wanted or named or len(rows) > 10 or not parent or " " in parent or len(subject.split()) < 3 or subject in seen:
            continue
        seen.add(subject)
        found.append({"id": sha[:12], "repo": repo, "parent": parent, "message": text, "files": wanted,
                      "code": [p for p in changed if p.endswith(CODE) and p not in wanted]})
    return sorted(found, key=lambda t: hashlib.sha256(t["id"].encode()).hexdigest())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ctxbench", required=True)
    p.add_argument("--mirrors", required=True)
    p.add_argument("--skip", type=int, default=0)
    p.add_argument("--each", type=int, default=12)
    p.add_argument("tools", nargs="+")
    a = p.parse_args()
    sys.path.insert(0, a.ctxbench)
    import score
    tools = [(name, *rest.split(",")) for name, rest in (t.split("=", 1) for t in a.tools)]
    repos = list(dict.fromkeys(t["repo"] for t in score.load_tasks(os.path.join(a.ctxbench, "tasks.jsonl"))))
    sums = collections.defaultdict(lambda: [0.0, 0, 0.0, 0])
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_STATE_HOME"] = home
        for repo in repos:
            tree = score.WorkTree(os.path.join(home, "wt"), repo, a.mirrors)
            for t in commits(repo, score.mirror_of(repo, a.mirrors))[a.skip:a.skip + a.each]:
                files = set(tree.checkout(t["parent"]))
                for name, exe, *more in tools:
                    text, *_ = score.run_tool([exe, "map", "--root", tree.root, "--tokens", "1024", "--message", t["message"], *more], tree.root, 60)
                    shown = score.sections(text, files)
                    for scope in (repo, "all"):
                        s = sums[name, scope]
                        s[0], s[1] = s[0] + sum(f in shown for f in t["files"]) / len(t["files"]), s[1] + 1
                        if t["code"]:
                            s[2], s[3] = s[2] + sum(f in shown for f in t["code"]) / len(t["code"]), s[3] + 1
    for (name, scope), s in sorted(sums.items(), key=lambda x: (x[0][1], x[0][0])):
        print(f"{scope:14} {name:20} {100 * s[0] / s[1]:5.1f} of {s[1]} commits; code of them {100 * s[2] / max(1, s[3]):5.1f} of {s[3]}")


if __name__ == "__main__":
    main()
