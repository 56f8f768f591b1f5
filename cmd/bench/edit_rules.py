#!/usr/bin/env python3
"""Count what a change of package edits is worth on the corpus of replies: the numbers of edits/RULES.md.

    edit_rules.py --shared DIR [--base REV] [--json OUT]

DIR has corpus/ and tools/ (score_edits.py, score_replies.py). Each reply is applied by package edits as it was at
REV (HEAD) and as it stands in this tree; where that makes another thing, score_edits.py judges both. To see what a
rule is worth, take it out of the tree. What becomes right or is no longer wrong "gains", what was right and is refused
was "saved", what becomes wrong was "prevented". Replies without a verdict count as other. Run it in the project's root.
Needs Go, git, and Python 3.11 with pytest and node for the small models' replies.
"""
import argparse, collections, importlib.util, json, os, random, re, shutil, subprocess, sys, tempfile

GOOD = {"right", "same", "same-unchanged"}
BAD = {"WRONG", "harm", "crash", "silent"}


def load(path):
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m)
    return m


def scored(S, corpus):
    """The replies that score_edits.py judges. Of those that it does not, some tell by the reply that they
    were made from what is meant; their verdicts begin with a question mark."""
    bases = S.Bases(corpus, S.Blobs(corpus))
    for c in S.Corpus(corpus).cases():
        try:
            files = {p: d.decode("utf-8") for p, d in c.files.items()}
            text = c.reply.decode("utf-8")
        except UnicodeDecodeError:
            continue

        meant = None
        if c.mode == "null":
            meant = bases.intended({"base": c.info["base"], "mutation": c.info["mutation"], "reply": text}, c.files)[0]

        def judge(o, c=c, meant=meant):
            if meant is not None:
                tree = {p: t.encode("utf-8") for p, t in o["files"].items()}
                return "?" + S.classify(c.files, meant, tree, o["exit"])
            if c.mode == "null" or c.mode == "chat" and c.info["outcome"] != "applied":
                return None
            r = S.Run()
            r.crash, r.stderr, r.escaped, r.dishonest = None, "", [], False
            r.code, r.json = o["exit"], {"changes": [], "failures": [], "rungs": {}}
            r.tree = {p: t.encode("utf-8") for p, t in o["files"].items()}
            return S.judge(c, r)[0]
        yield c.group + "/" + c.name, {"format": c.fmt, "files": files, "chat": list(c.chat), "reply": text}, judge


def small(shared):
    sys.path.insert(0, os.path.join(shared, "model"))
    import smalltasks as T
    for line in open(os.path.join(shared, "corpus", "small-model", "replies.jsonl")):
        r = json.loads(line)

        def judge(o, r=r):
            with tempfile.TemporaryDirectory() as root:
                T.write(root, o["files"])
                lost, stray = T.harm(r, r["files"], o["files"])
                if o["files"] == r["files"]:
                    return "refused" if o["exit"] else "silent"
                ok = T.passes(r, root)
                if lost or stray:
                    return "harm"
                return "right" if ok else "part" if o["exit"] else "useless"
        yield "small-model/" + r["id"], {"format": r["format"], "files": r["files"], "chat": sorted(r["files"]), "reply": r["reply"]}, judge


def distorted(corpus):
    """Diffs that were spoiled at random. What the program made of them that was recorded counts as right where it
    said nothing and the reply invents no comment (it takes such lines for new ones); else nothing is known."""
    with open(os.path.join(corpus, "gpt-engineer-probes", "fuzz_improve.jsonl"), encoding="utf-8") as f:
        for d in map(json.loads, f):
            def judge(o, d=d):
                got = o["files"].get("f.txt")
                if got == d["file"]:
                    return "refused" if o["exit"] else "silent"
                known = not d["problems"] and d["raises"] is None and "comment" not in d["tags"]
                return "right" if known and got == d["result"] else None
            yield "distorted/%d" % d["seed"], {"format": "gitdiff", "files": {"f.txt": d["file"]}, "chat": ["f.txt"], "reply": d["chat"]}, judge


def spoil(lines, kind, rng):
    """Spoils one line of a diff as models do; None where it has no such line. New lines stay as they are."""
    def pick(f):
        found = [i for i, x in enumerate(lines) if f(i, x)]
        return rng.choice(found) if found else None
    stays = lambda i, x: x[:1] == " " and x.strip()
    goes = lambda i, x: x[:1] == "-" and x[1:].strip()
    old = lambda i, x: stays(i, x) or goes(i, x)
    head = lambda i, x: x.startswith("@@ -")
    i = pick({"order": lambda i, x: i + 1 < len(lines) and x[:1] in (" ", "-") and lines[i + 1][:1] == x[:1] and lines[i + 1] != x,
              "comment": lambda i, x: x[:1] in (" ", "+", "-"), "line": lambda i, x: x[:1] in (" ", "+", "-"),
              "blanks": old, "typo": lambda i, x: old(i, x) and len(x) > 7, "deeper": stays, "sign": stays, "left out": stays,
              "number": head, "dots": head, "moved": goes}[kind])
    if i is None:
        return None
    x = lines[i]
    if kind == "order":
        return lines[:i] + [lines[i + 1], x] + lines[i + 2:]
    if kind == "moved":  # with all that comes and goes beside it
        a, b = i, i + 1
        while lines[a - 1][:1] in ("+", "-"):
            a -= 1
        while b < len(lines) and lines[b][:1] in ("+", "-"):
            b += 1
        by = rng.choice(["  ", "    ", "\t"])
        return lines[:a] + [y[0] + by + y[1:] if y[1:].strip() else y for y in lines[a:b]] + lines[b:]
    at = rng.randrange(1, len(x)) if kind == "typo" else 0
    return lines[:i] + {
        "comment": [" " + REMARK, x], "line": [" invented_line = 1", x], "blanks": [x + "  "], "left out": [], "dots": ["@@ ... @@"],
        "typo": [x[:at] + ("q" if x[at:at + 1] == "z" else "z") + x[at + 1:]], "deeper": [x[0] + rng.choice(["  ", "    ", "\t"]) + x[1:]],
        "sign": [x[1:] if x[1:2] not in tuple("+-@`\\") else x], "number": [re.sub(r"\d+", lambda m: str(max(1, int(m[0]) + rng.randint(-6, 6))), x, count=1)],
    }[kind] + lines[i + 1:]


REMARK = "# a remark that is not there"


def spoiled(S, corpus):
    """Diffs of real commits, spoiled in one to four ways. What they make is the developer's text, or some of its changes, but
    for the comment that was put in: whether such a one shall be there, nobody knows."""
    rng = random.Random(20)
    kinds = ["order", "comment", "line", "blanks", "typo", "deeper", "sign", "left out", "number", "dots", "moved"]
    cases = [c for c in S.Corpus(corpus).cases() if c.group == "git-history/gitdiff"]
    for n in range(SPOILED):
        c = rng.choice(cases)
        files = {p: d.decode("utf-8") for p, d in c.files.items()}
        top, _, rest = c.reply.decode("utf-8").partition("\n@@")
        lines = ("@@" + rest).split("\n")
        end = max(i for i, x in enumerate(lines) if x.startswith("```"))
        tail, lines, done = lines[end:], lines[:end], []
        for kind in rng.choices(kinds, k=rng.choice([1, 1, 2, 2, 3, 4])):
            now = spoil(lines, kind, rng)
            if now is not None:
                lines, done = now, done + [kind]

        def judge(o, c=c):
            tree = {p: "".join(x for x in t.splitlines(True) if REMARK not in x).encode("utf-8") for p, t in o["files"].items()}
            return S.classify(c.files, c.want, tree, o["exit"])
        yield "spoiled/%d %s" % (n, "+".join(done)), {"format": "gitdiff", "files": files, "chat": list(c.chat), "reply": "\n".join([top] + lines + tail)}, judge


SPOILED = 3000


def program(tree, out):
    """Builds the program that applies replies, as it is here, with the rest of a tree."""
    subprocess.run(["go", "-C", os.path.join(tree, "cmd/bench"), "build", "-o", out, "./edits"], check=True)
    return out


def at(rev, work):
    """The tree of a commit, but for that program."""
    tree = os.path.join(work, "tree")
    os.mkdir(tree)
    tar = subprocess.run(["git", "archive", rev], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", tree], input=tar, check=True)
    shutil.rmtree(os.path.join(tree, "cmd/bench/edits"))
    shutil.copytree("cmd/bench/edits", os.path.join(tree, "cmd/bench/edits"))
    return tree


def changed(o, p):
    """How many edits have another fate in two outcomes, one at least."""
    a, b = set(o["refused"] or []), set(p["refused"] or [])
    return max(1, len([e for e in a ^ b if e >= 0]))


def weigh(was, now):
    """What became of a reply: gains, saved, prevented, or other."""
    if was is None or now is None or was == now:
        return "other"
    was, now = was.lstrip("?"), now.lstrip("?")
    if now in BAD and was not in BAD:
        return "prevented"
    if was in BAD and now not in BAD or now in GOOD:
        return "gains"
    return "saved" if was in GOOD else "other"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--shared", required=True)
    ap.add_argument("--base", default="HEAD", help="the commit to compare with")
    ap.add_argument("--json", default="", help="every reply of which another thing is made")
    a = ap.parse_args()
    S = load(os.path.join(a.shared, "tools", "score_edits.py"))
    corpus = os.path.join(a.shared, "corpus")
    cases = list(scored(S, corpus)) + list(small(a.shared)) + list(distorted(corpus)) + list(spoiled(S, corpus))
    with tempfile.TemporaryDirectory() as work:
        replies = os.path.join(work, "replies.jsonl")
        with open(replies, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(c) + "\n" for _, c, _ in cases)
        made = []
        for tree in (at(a.base, work), "."):
            run = [program(tree, os.path.join(work, "edits")), "replies", replies]
            made.append([json.loads(line) for line in subprocess.run(run, check=True, capture_output=True).stdout.splitlines()])
    count, told = collections.Counter(), []
    for (name, _, judge), before, after in zip(cases, *made):
        if before == after:
            continue
        was, now = judge(before), judge(after)
        kind, n = weigh(was, now), changed(before, after)
        count[kind] += n
        told.append({"case": name, "kind": kind, "edits": n, "was": was, "now": now})
        print("%-9s %3d %s: %s, before %s" % (kind, n, name, now, was))
    print("%d replies; edits: %s" % (len(cases), ", ".join("%s %d" % (k, count[k]) for k in ("gains", "saved", "prevented", "other"))))
    if a.json:
        json.dump(told, open(a.json, "w"), indent=0)


if __name__ == "__main__":
    main()
