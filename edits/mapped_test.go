package edits_test

import (
	"strings"
	"testing"

	"coauthor/edits"
)

func TestWhatAMatchMappedIsMappedInTheNewLines(t *testing.T) {
	for what, c := range map[string]struct{ before, search, replace, want string }{
		"quotes":                          {"x = 'a'\ny = \"b\"\n", "x = ‘a’\ny = “b”\n", "x = ‘c’\ny = “d”\nz = “e”\n", "x = 'c'\ny = \"d\"\nz = \"e\"\n"},
		"a quote of another kind":         {"x = 'a'\n", "x = ‘a’\n", "x = “b” + ‘c’\n", "x = \"b\" + 'c'\n"},
		"blanks":                          {"if a:\n    b = 1\n", "if a:\n\u00a0\u00a0\u00a0\u00a0b\u00a0= 1\n", "if a:\n\u00a0\u00a0\u00a0\u00a0b\u00a0= 2\n\u00a0\u00a0\u00a0\u00a0c\u00a0= 3\n", "if a:\n    b = 2\n    c = 3\n"},
		"dashes":                          {"f --all -x\n", "f ‑‑all −x\n", "f ‑‑all ‑‑more −y\n", "f --all --more -y\n"},
		"no width":                        {"run(x)\n", "run\u200b(x)\n", "run\u200b(x, y)\nstop\u200b(x)\n", "run(x, y)\nstop(x)\n"},
		"kept where the file has them":    {"a = “x”\nb = 'y'\n", "a = “x”\nb = ‘y’\n", "a = “x, z”\nb = ‘w’\n", "a = “x, z”\nb = 'w'\n"},
		"the file's own, written plainly": {"say “It’s done” now\n", "say \"It's done\" now\n", "say \"It's all done\" now\n", "say “It’s all done” now\n"},
		"the file's blanks":               {"10\u00a0km far\n", "10 km far\n", "10 km wide\n", "10\u00a0km wide\n"},
		"no width in the file":            {"f\u200b('x')\n", "f(‘x’)\n", "f(‘y’)\n", "f('y')\n"},
		"letters are no look-alikes":      {"x = 'a'\n", "x = ‘a’\n", "x = ‘é’ + ‘→’\n", "x = 'é' + '→'\n"},
		"a dash for another":              {"a – b\n", "a — b\n", "a — c ‘d’\n", "a – c ‘d’\n"},
		"exact, so nothing is mapped":     {"x = 'a'\n", "x = 'a'\n", "x = ‘b’\n", "x = ‘b’\n"},
		"numbers":                         {"alpha()\nbeta()\n", "1: alpha()\n2: beta()\n", "1: alpha()\n2: gamma()\n3: beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"numbers that repeat":             {"alpha()\nbeta()\n", "7 | alpha()\n8 | beta()\n", "7 | alpha()\n8 | gamma()\n8 | beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"new lines without numbers":       {"alpha()\nbeta()\n", "7 | alpha()\n8 | beta()\n", "7 | alpha()\ngamma()\n8 | beta()\n", "alpha()\ngamma()\nbeta()\n"},
		"blank lines without numbers":     {"alpha()\n\nbeta()\n", "1: alpha()\n\n3: beta()\n", "1: alpha()\n\n3: gamma()\n", "alpha()\n\ngamma()\n"},
	} {
		e := edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: c.search, Replace: c.replace}
		var lines []edits.ChunkLine
		for l := range strings.Lines(c.search) {
			lines = append(lines, edits.ChunkLine{Sign: '-', Text: strings.TrimSuffix(l, "\n")})
		}
		for l := range strings.Lines(c.replace) {
			lines = append(lines, edits.ChunkLine{Sign: '+', Text: strings.TrimSuffix(l, "\n")})
		}
		hunk := edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: []edits.Chunk{{Lines: lines}}}
		kinds := map[string]edits.Edit{"block": e, "hunk": hunk}
		if strings.Contains(what, "numbers") {
			delete(kinds, "hunk") // nobody writes them so
		}
		for kind, e := range kinds {
			r := edits.Apply(files{"f": "top\n" + c.before + "end\n"}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
			if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != "top\n"+c.want+"end\n" {
				t.Errorf("%s as a %s: want %q, got %+v", what, kind, c.want, r)
			}
		}
	}
}

func TestNumbersOfAListingAreTakenOff(t *testing.T) {
	before := "def f():\n    return 1\n\ndef g():\n    return 2\n"
	listing := "1: def f():\n2:     return 1\n3: \n4: def g():\n5:     return 3\n"
	r := edits.Apply(files{"f": before}, []edits.Edit{{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: listing}}, nil, edits.Options{})
	if len(r.Changes) != 1 || r.Changes[0].After != strings.Replace(before, "return 2", "return 3", 1) {
		t.Errorf("%+v", r)
	}
	numbered := "1: a\n2: b\n"
	r = edits.Apply(files{"f": "1: a\n"}, []edits.Edit{{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Listing: true, Replace: numbered}}, nil, edits.Options{})
	if len(r.Changes) != 1 || r.Changes[0].After != numbered {
		t.Errorf("a file with numbers: %+v", r)
	}
}
