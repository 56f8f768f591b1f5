package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/settings"
)

// herd is a repository of files that nothing but their names tells apart, of which a small part fits into the maps of
// these tests. main.go is in the chat.
func herd() map[string]string {
	files := map[string]string{"main.go": "package zoo\n\nfunc main() {\n\told()\n}\n"}
	for i, name := range strings.Fields("ant bear crow deer eagle frog goat hare ibis jackal koala lemur mole newt otter panda quail rat seal tapir") {
		files[name+".go"] = fmt.Sprintf("package zoo\n\n// Feed%s gives the %s food.\nfunc Feed%s(amount int) error { return nil }\n", name, name, name)
		files[name+".go"] += fmt.Sprintf("\nfunc wash%d(times int) error { return nil }\n", i)
	}
	return files
}

func newHerd(t *testing.T, script string) *bench {
	b := newBench(t, script, herd())
	b.settings.RepoMap = settings.RepoMap{Tokens: 30}
	return b
}

// mapped are the files whose definitions the map of a request shows, in order.
func mapped(sent llmtest.Recorded) (list []string) {
	text := string(sent.Body)
	for path := range herd() {
		if strings.Contains(text, `\n`+path+":") {
			list = append(list, path)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return strings.Index(text, `\n`+a+":") - strings.Index(text, `\n`+b+":")
	})
	return list
}

// maps are those of all requests so far.
func (b *bench) maps() (list [][]string) {
	for _, sent := range b.server.Requests() {
		list = append(list, mapped(sent))
	}
	return list
}

func has(list []string, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(list, name) })
}

// A turn that goes on by itself shows one map as long as it lasts, so that the provider's cache of the prompt holds. A model
// that cannot look around has each map drawn for what comes next as well; the request still counts.
func TestMapForWhatComesNext(t *testing.T) {
	script := replies(put("main.go", "\told()", "\tnewer()", "\nNEXT: use Feedhare"), put("main.go", "\tnewer()", "\tnewest()", "\nNEXT: use Feedseal"), "DONE")
	b := newHerd(t, script)
	b.settings.Auto.Rounds, b.user.Tools = 8, ""
	request := agent.Request{Instruction: "Call Feedcrow and the others.", Coder: "auto", Files: []string{"main.go"}}
	if r, _ := b.run(request); r.Err != nil {
		t.Fatal(r.Err)
	}
	got := b.maps()
	if len(got) != 3 || !has(got[0], "crow.go") || has(got[0], "hare.go") || !slices.Equal(got[0], got[1]) || !slices.Equal(got[0], got[2]) {
		t.Errorf("with tools the maps are %v", got)
	}
	b = newHerd(t, script)
	b.settings.Auto.Rounds = 8
	if r, _ := b.run(request); r.Err != nil {
		t.Fatal(r.Err)
	}
	got = b.maps()
	if len(got) != 3 || !has(got[0], "crow.go") || has(got[0], "hare.go") || has(got[0], "seal.go") {
		t.Fatalf("the maps are %v", got)
	}
	if !has(got[1], "crow.go", "hare.go") || !has(got[2], "crow.go", "seal.go") || has(got[2], "hare.go") {
		t.Errorf("the maps are %v", got)
	}
}

// What comes next and is about the same leaves the map as it is, so that the provider's prompt cache holds.
func TestMapStaysForMoreOfTheSame(t *testing.T) {
	b := newHerd(t, replies(put("main.go", "\told()", "\tnewer()", "\nNEXT: go on with what Feedcrow needs"), "DONE"))
	b.settings.Auto.Rounds = 8
	if r, _ := b.run(agent.Request{Instruction: "Call Feedcrow and the others.", Coder: "auto", Files: []string{"main.go"}}); r.Err != nil {
		t.Fatal(r.Err)
	}
	if got := b.maps(); len(got) != 2 || !slices.Equal(got[0], got[1]) {
		t.Errorf("the maps are %v", got)
	}
}

// The symbols that the coder context wants to see beside the files steer its next look.
func TestMapForTheNextLook(t *testing.T) {
	b := newHerd(t, replies("crow.go has to change.\n\nFeedhare has to be used.", "crow.go has to change."))
	if r, _ := b.run(agent.Request{Instruction: "Feed the crow.", Coder: "context", Files: []string{"main.go"}}); r.Err != nil {
		t.Fatal(r.Err)
	}
	if got := b.maps(); len(got) != 2 || has(got[0], "hare.go") || len(got[1]) == 0 || got[1][0] != "hare.go" {
		t.Errorf("the maps are %v", got)
	}
}

// What goes on with a request is about what that was about: as a follow-up always, else as far as it does not say
// itself what it is about.
func TestMapForWhatWasAskedBefore(t *testing.T) {
	ask := func(text string) agent.Request {
		return agent.Request{Instruction: text, Coder: "ask", Files: []string{"main.go"}}
	}
	b := newHerd(t, "repeat: true\n-- 1.md --\nFine.\n")
	b.settings.RepoMap.Refresh = "always"
	first, _ := b.run(ask("Why is Feedhare slow?"))
	b.run(ask("Continue, please."))
	b.run(ask("Go on."))
	b.run(ask("Call Feedcrow."))
	follow := ask("Call Feedcrow.")
	follow.FollowUp = first.Turn
	b.run(follow)
	fresh := newHerd(t, "repeat: true\n-- 1.md --\nFine.\n")
	fresh.settings.RepoMap.Refresh = "always"
	fresh.run(ask("Call Feedcrow."))
	fresh.run(ask("Go on."))
	got, alone := b.maps(), fresh.maps()
	if len(got) != 5 || len(alone) != 2 {
		t.Fatalf("the maps are %v and %v", got, alone)
	}
	for n := range 3 {
		if got[n][0] != "hare.go" || has(got[n], "crow.go") {
			t.Errorf("request %d is about the hare, and its map has %v", n+1, got[n])
		}
	}
	if !slices.Equal(got[3], alone[0]) {
		t.Errorf("a request that says what it is about has %v, and without one before it %v", got[3], alone[0])
	}
	if !has(got[4], "crow.go", "hare.go") || got[4][0] != "crow.go" {
		t.Errorf("a follow-up has %v", got[4])
	}
	if alone[1][0] != "crow.go" {
		t.Errorf("going on has %v after %v", alone[1], alone[0])
	}
}

// What is to be fixed is what the map is drawn for: the messages, and the files that they are about.
func TestMapForProblems(t *testing.T) {
	b := newHerd(t, "repeat: true\n-- 1.md --\nFine.\n")
	if r, _ := b.run(agent.Request{Instruction: "Fix this problem.", Files: []string{"main.go"}, Diagnostics: []agent.Diagnostic{
		{Path: "main.go", Line: 4, Message: "not enough arguments in call to Feedhare"}, {Path: "seal.go", Line: 4, Message: "unused parameter"},
	}}); r.Err != nil {
		t.Fatal(r.Err)
	}
	if got := b.maps(); !has(got[0], "hare.go", "seal.go") {
		t.Errorf("the maps are %v", got)
	}
}

// The map of a review is drawn for what is changed: the files, and the names in the changed lines.
func TestMapForAReview(t *testing.T) {
	files := herd()
	files["main.go"] = strings.Replace(files["main.go"], "old()", "Feedhare(1)", 1)
	b := newGitBench(t, replies("Fine.\n\n[]"), files)
	b.settings.RepoMap = settings.RepoMap{Tokens: 30}
	b.put("main.go", herd()["main.go"])
	b.put("seal.go", files["seal.go"]+"\n// 17\n") // no name in it tells of the file
	started, err := begin(b.session, agent.Ports{})(b.session.Review(t.Context(), "", agent.Request{}))
	if err != nil {
		t.Fatal(err)
	}
	if r := b.wait(started.Turn); r.Err != nil {
		t.Fatal(r.Err)
	}
	if got := b.maps(); !has(got[0], "hare.go", "seal.go") {
		t.Errorf("the map has %v", got)
	}
}
