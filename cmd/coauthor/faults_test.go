package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/doctor"
	"coauthor/agent/llm/llmtest"
	"coauthor/edits"
)

// full is an output that takes so many bytes and no more.
type full struct{ room int }

func (f *full) Write(text []byte) (int, error) {
	if f.room -= len(text); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(text), nil
}

// TestAFullDiskIsNoSuccess: what nobody can read was not done, so the status says so, and standard error why.
func TestAFullDiskIsNoSuccess(t *testing.T) {
	server := llmtest.Start(&llmtest.Script{Models: []string{"scripted"}, Replies: []llmtest.Reply{{Number: 1, Text: "It is one.\n", Delivery: llmtest.Delivery{Repeat: true}}}})
	defer server.Close()
	root := lay(t, map[string]string{"a.txt": "one\ntwo\n", "a.go": "package a\n\nfunc Alpha() {}\n"})
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("-- 1.md --\nhello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	model := " --model scripted --api-base " + server.URL
	for _, args := range []string{
		"version", "map --root ROOT", "map --json --root ROOT", "apply --dry-run --root ROOT", "apply --dry-run --json --root ROOT",
		"doctor --root ROOT" + model, "doctor --json --root ROOT" + model, "ask -m x --root ROOT" + model, "ask --json -m x --root ROOT" + model,
		"fake-model --while-stdin --script " + script,
	} {
		for _, room := range []int{1 << 20, 0} {
			var errs bytes.Buffer
			code := run(t.Context(), strings.Fields(strings.ReplaceAll(args, "ROOT", root)), Streams{In: strings.NewReader(goodBlock), Out: &full{room}, Err: &errs, Env: noEnvironment(t)})
			if want := map[bool]int{true: 1}[room == 0]; code != want || (want == 1) != strings.Contains(errs.String(), "no space left") {
				t.Errorf("%s, %d bytes free: exit %d, told %q", args, room, code, errs.String())
			}
		}
	}
	// Wherever in the page of the doctor it happens.
	checks := []doctor.Check{{Name: "key", Text: "none", Advice: "Set it."}, {Name: "git", OK: true, Text: "fine"}}
	var whole bytes.Buffer
	to := func(out io.Writer) Streams { return Streams{Out: out, Env: noEnvironment(t)} }
	if err := to(&whole).list(checksListing(checks)); err != nil || whole.String() != "check           result\n──────────────────────────\nkey    problem  none\n                -> Set it.\ngit    ok       fine\n" {
		t.Errorf("%v, printed %q", err, whole.String())
	}
	for room := range whole.Len() {
		if to(&full{room}).list(checksListing(checks)) == nil {
			t.Errorf("with %d bytes free nothing is said", room)
		}
	}
}

// torn is an input that ends with an error.
type torn struct{}

func (torn) Read([]byte) (int, error) { return 0, errors.New("the disk was taken out") }

// TestATornInputIsNoInput: a reply or a request that cannot be read to its end is not worked on.
func TestATornInputIsNoInput(t *testing.T) {
	for args, want := range map[string]int{
		"apply --root ROOT": 2, "apply --root ROOT ROOT": 2, "map --root ROOT --message-file -": 2, "map --root ROOT --message-file ROOT": 2,
		"ask -m - --root ROOT --model local --api-base URL": 1, "edit -m - --yes --root ROOT --model local --api-base URL": 1,
	} {
		h := newShell(t, "repeat: true\n-- 1.md --\n"+twoReply)
		var out, errs bytes.Buffer
		line := strings.NewReplacer("ROOT", h.root, "URL", h.server.URL).Replace(args)
		in := io.MultiReader(strings.NewReader(goodBlock), torn{})
		code := run(t.Context(), strings.Fields(line), Streams{In: in, Out: &out, Err: &errs, Env: noEnvironment(t)})
		told := errs.String()
		if code != want || out.Len() > 0 || !strings.Contains(told, "taken out") && !strings.Contains(told, h.root) || !strings.HasPrefix(told, "coauthor: cannot read the ") {
			t.Errorf("%s: exit %d, told %q\n%s", args, code, told, out.String())
		}
		if len(h.server.Requests()) > 0 || h.read("a.py") != "x = 1\r\nz = 1" {
			t.Errorf("%s: it went on", args)
		}
	}
}

// TestRepliesHaveALimit: what is too long is told, no more of it is read than shows that, and nothing of it
// is applied.
func TestRepliesHaveALimit(t *testing.T) {
	root := lay(t, map[string]string{"a.txt": "one\ntwo\n"})
	reply := goodBlock + strings.Repeat("\n", edits.MaxReply+1-len(goodBlock))
	r := runLine(t, nil, reply, "apply", "--root", root)
	if got := (&shell{root: root}).read("a.txt"); r.code != 1 || got != "one\ntwo\n" || !strings.Contains(r.out, "too-long") {
		t.Errorf("exit %d, a.txt is %q\n%s%s", r.code, got, r.out, r.err)
	}
	in := strings.NewReader(reply + "and more")
	if text, err := (&ApplyCmd{}).reply(in); err != nil || len(text) != edits.MaxReply+1 || in.Len() != len("and more") {
		t.Errorf("read %d bytes, %d are left, %v", len(text), in.Len(), err)
	}
}

// TestRequestsHaveALimit: one that is too long is refused before the model gets half of it.
func TestRequestsHaveALimit(t *testing.T) {
	for size, want := range map[int]int{maxRequest: 0, maxRequest + 1: 1} {
		h := newShell(t, "-- 1.md --\nfine\n")
		text := strings.Repeat("x", size-3) + "end"
		home := t.TempDir()
		config := lay(t, map[string]string{"coauthor/config.yaml": "models: {local: {contextWindow: 4000000}}\n"})
		r := runLine(t, map[string]string{"HOME": home, "XDG_CONFIG_HOME": config}, text, "ask", "-m", "-", "--root", h.root, "--map-tokens", "0", "--model", "local", "--api-base", h.server.URL)
		if r.code != want || (len(h.server.Requests()) == 1) != (want == 0) || want == 1 && !strings.Contains(r.err, "longer than 1048576 bytes") {
			t.Errorf("%d bytes: exit %d, %d requests, told %s", size, r.code, len(h.server.Requests()), r.err)
		}
		if want == 0 && !strings.Contains(string(h.server.Requests()[0].Body), "xend") {
			t.Error("the end of the request is lost")
		}
	}
	if r := runLine(t, nil, strings.Repeat("x", maxRequest+1), "map", "--root", lay(t, nil), "--message-file", "-"); r.code != 2 || !strings.Contains(r.err, "longer than 1048576 bytes") {
		t.Errorf("a map: exit %d, told %s", r.code, r.err)
	}
}

// TestApplyTellsWhyItCouldNotWrite: each file that cannot be written has its own reason, and the others are
// written all the same.
func TestApplyTellsWhyItCouldNotWrite(t *testing.T) {
	second := "b.txt\n```\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n```\n"
	for what, x := range map[string]struct {
		reply, reason string
		args          []string
	}{
		"below a file":       {"a.txt/n\n```\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\n", "refused", nil},
		"no such characters": {strings.Replace(goodBlock, "uno", "un€ ✓", 1), "undecodable", []string{"--encoding", "latin1"}},
		"outside":            {strings.Replace(goodBlock, "a.txt", "../a.txt", 1), "no-file", nil},
	} {
		for _, json := range []bool{true, false} {
			root := lay(t, map[string]string{"a.txt": "one\ntwo\n"})
			args := append([]string{"apply", "--root", root}, x.args...)
			if json {
				args = append(args, "--json")
			}
			r := runLine(t, nil, x.reply+second, args...)
			h := shell{root: root}
			if r.code != 1 || h.read("a.txt") != "one\ntwo\n" || h.read("b.txt") != "b\n" || !strings.Contains(r.out, x.reason) || r.err != "" {
				t.Errorf("%s: exit %d, a.txt is %q, b.txt is %q\n%s%s", what, r.code, h.read("a.txt"), h.read("b.txt"), r.out, r.err)
			}
			if !json && (strings.Count(r.out, "refused: ") != 1 || strings.Count(r.out, "create b.txt (+1 -0)\n") != 1) {
				t.Errorf("%s: %s", what, r.out)
			}
		}
	}
}

// TestApplyTellsWhyThereIsNothing: no edit in that form, or only thinking.
func TestApplyTellsWhyThereIsNothing(t *testing.T) {
	root := lay(t, map[string]string{"a.txt": "one\ntwo\n"})
	for reply, want := range map[string]string{"": "no diff edit", "One should be uno.\n": "no diff edit", "<think>\nOne should be uno.\n": "reasoning", "<think>\nHm.\n</think>\nOne should be uno.\n": "no diff edit"} {
		r := runLine(t, nil, reply, "apply", "--format", "diff", "--root", root)
		if r.code != 1 || strings.Count(r.out, "refused: the reply: ") != 1 || strings.Count(r.out, "\n") != 1 || !strings.Contains(r.out, want) {
			t.Errorf("%q: exit %d\n%s%s", reply, r.code, r.out, r.err)
		}
	}
}

// TestFakeModelTellsWhatItCannotUse before it listens.
func TestFakeModelTellsWhatItCannotUse(t *testing.T) {
	dir := lay(t, map[string]string{"good": "-- 1.md --\nhello\n", "bad": "nothing"})
	taken := llmtest.Start(llmtest.Say("x"))
	defer taken.Close()
	for args, x := range map[string]struct {
		code int
		told string
	}{
		"":                                      {2, "--script"},
		"--script DIR/absent":                   {2, "read the script"},
		"--script DIR/bad":                      {2, "no reply"},
		"--script DIR/good --record DIR/no/dir": {2, "create the record"},
		"--script DIR/good --listen " + strings.TrimPrefix(taken.URL, "http://"): {1, "listen on 127.0.0.1"},
		"--script DIR/good --listen nonsense":                                    {1, "listen on nonsense"},
	} {
		r := runLine(t, nil, "", append([]string{"fake-model"}, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)...)
		if r.code != x.code || r.out != "" || !strings.Contains(r.err, x.told) {
			t.Errorf("%s: exit %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
}

// TestIndexWorkerEnds with its input, and says what it cannot read.
func TestIndexWorkerEnds(t *testing.T) {
	if r := runLine(t, nil, "", "index-worker"); r.code != 0 || r.err != "" {
		t.Errorf("exit %d, told %s", r.code, r.err)
	}
	if r := runLine(t, nil, "no message of ours\n", "index-worker"); r.code != 1 || r.err == "" {
		t.Errorf("after nonsense: exit %d, told %q", r.code, r.err)
	}
}
