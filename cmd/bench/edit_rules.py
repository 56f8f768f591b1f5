#!/usr/bin/env python3
"""Count what each rule of package edits is worth on the corpus of replies: the table of edits/RULES.md.

    edit_rules.py --shared DIR [--write edits/RULES.md] [--json OUT]

DIR has corpus/ and tools/ (score_edits.py, score_replies.py). Each reply is applied with all rules, and
without each of them; where that makes another thing, score_edits.py judges both. Replies without a
verdict count as other. Needs Go, and Python 3.11 with pytest, node and git for the small models' replies.
"""
import argparse, collections, importlib.util, json, os, random, re, subprocess, sys, tempfile

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


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--shared", required=True)
    ap.add_argument("--write", default="", help="put the table into this file, in the place of the one there")
    ap.add_argument("--json", default="", help="every reply that a rule makes another thing of")
    a = ap.parse_args()
    S = load(os.path.join(a.shared, "tools", "score_edits.py"))
    cases = list(scored(S, os.path.join(a.shared, "corpus"))) + list(small(a.shared)) + list(distorted(os.path.join(a.shared, "corpus"))) + list(spoiled(S, os.path.join(a.shared, "corpus")))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as f:
        for _, c, _ in cases:
            f.write(json.dumps(c) + "\n")
        f.flush()
        out = subprocess.run(["go", "-C", "cmd/bench", "run", "./edits", "rules", f.name], check=True, capture_output=True).stdout
    known, base, rows, told = {}, {}, collections.OrderedDict(), []

    def verdict(o):
        key = (o["case"], o["exit"], json.dumps(o["files"], sort_keys=True))
        if key not in known:
            known[key] = cases[o["case"]][2](o)
        return known[key]
    rules, *lines = out.splitlines()
    for r in json.loads(rules):
        rows[r["Rule"]] = collections.Counter()
    for line in lines:
        o = json.loads(line)
        if not o["rule"]:
            base[o["case"]] = o
            continue
        row = rows[o["rule"]]
        was, now = verdict(base[o["case"]]), verdict(o)
        if now is None or was is None:
            kind = "other"
        elif now == was:
            kind = "other"
        elif now[0] == "?":
            kind = ("harm" if now[1:] in BAD else "saves") if was == "?right" else "costs" if now == "?right" else "other"
        elif now in BAD and was not in BAD:
            kind = "harm"
        elif was in BAD and now not in BAD or now in GOOD:
            kind = "costs"
        elif was in GOOD:
            kind = "saves"
        else:
            kind = "other"
        row[kind] += o["edits"]
        told.append({"rule": o["rule"], "case": cases[o["case"]][0], "kind": kind, "edits": o["edits"], "was": was, "now": now})
    table = ["| rule | saves | prevents | costs | other | stays for | what it is |", "|---|---:|---:|---:|---:|---|---|"]
    for r in json.loads(rules):
        n = rows[r["Rule"]]
        table.append("| %s | %d | %d | %d | %d | %s | %s |"
                     % (r["Rule"], n["saves"], n["harm"], n["costs"], n["other"], r["Why"], r["What"]))
    table = "\n".join(table) + "\n"
    print(table, end="")
    if a.write:
        text = open(a.write, encoding="utf-8").read()
        head, tail = text.split("<!-- table -->\n")[0], text.split("<!-- end -->\n")[-1]
        open(a.write, "w", encoding="utf-8").write(head + "<!-- table -->\n" + table + "<!-- end -->\n" + tail)
    if a.json:
        json.dump(told, open(a.json, "w"), indent=0)


if __name__ == "__main__":
    main()
