package pipeline_test

import (
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
)

const calc = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a + b\n"

// diff is a reply with one block.
func diff(lines ...string) string {
	return "Here it is.\n\n```diff\n" + strings.Join(lines, "\n") + "\n```\n"
}

// improving is a bench as a user has it who has set nothing.
func improving(t testing.TB, disk map[string]string, replies ...string) *bench {
	if len(replies) == 0 {
		replies = []string{"Nobody asks for this."}
	}
	b := newBench(t, disk, replies...)
	b.settings.MaxReflections = 3
	return b
}

// A change is one call: the files with numbers and the request behind them, and numbers that come back are taken off.
func TestImprove(t *testing.T) {
	b := improving(t, map[string]string{"calc.py": calc, "other.py": "x = 1\n"},
		diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " 5 | def sub(a, b):", "-6 |     return a + b", "+6 |     return a - b", "--- /dev/null", "+++ new.py", "@@ -0,0 +1 @@", "+y = 2"))
	r := b.run("improve", pipeline.Args{Instruction: "Make sub subtract.", Files: []string{"calc.py"}})
	if r.State != event.TurnProposed || len(r.Failures) > 0 {
		t.Fatalf("%s %v %v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	same(t, files(r), map[string]string{"calc.py": strings.Replace(calc, "sub(a, b):\n    return a + b", "sub(a, b):\n    return a - b", 1), "new.py": "y = 2\n"})
	if left := onDisk(t, b.root); left["calc.py"] != calc || len(left) != 2 {
		t.Errorf("written: %v", left)
	}
	roles, messages := b.request(1)
	if len(roles) != 2 || !strings.Contains(messages[1], "calc.py\n```\n1 | def add(a, b):\n2 |     return a + b\n3 |\n4 |\n5 | def sub") || !strings.HasSuffix(messages[1], "Request: Make sub subtract.") {
		t.Errorf("%q\n%s", roles, messages)
	}
	if strings.Contains(messages[1], "other.py") {
		t.Error("a file that was not named went along")
	}
	texts := pipeline.BuiltIn()
	for _, name := range []string{"file_format_diff", "philosophy", "line_numbers"} {
		if !strings.Contains(messages[0], strings.TrimSpace(texts[name])) {
			t.Errorf("the text %s is not in\n%s", name, messages[0])
		}
	}
	if strings.Contains(messages[0], strings.TrimSpace(texts["roadmap"])) {
		t.Errorf("who improves is told to write a whole program:\n%s", messages[0])
	}
	if !strings.HasPrefix(messages[1], "Date: ") && !strings.HasPrefix(messages[1], "Languages of the project: ") {
		t.Errorf("who improves is not told the day before the files:\n%s", messages[1])
	}
	if log := b.logged(pipeline.LogImprove); !strings.Contains(log, "Make sub subtract.") || !strings.Contains(log, "Here it is.") {
		t.Errorf("the log is\n%s", log)
	}
}

// Who improves may look around before the answer, by calls or, where the server takes none, by lines; what it saw it may change.
// What it saw stays behind a refused edit, but for a file that has changed since.
func TestImproveLooksAround(t *testing.T) {
	disk := map[string]string{"calc.py": calc, "other.py": "x = 1\ny = 2\n", "third.py": "z = 3\n"}
	change := diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def sub(a, b):", "-    return a + b", "+    return a - b",
		"--- other.py", "+++ other.py", "@@ -1,2 +1,2 @@", "-x = 1", "+x = 5", " y = 2")
	wrong := diff("--- calc.py", "+++ calc.py", "@@ -1,2 +1,2 @@", " def nothing(a, b):", "-    return nothing", "+    return a - b")
	for how, c := range map[string]struct {
		tools   string
		deliver string // of the first reply
		looks   string // of the first reply that comes
		told    string // to the model at first, about looking
	}{
		"calls":              {"", "calls:\n  - name: read\n    arguments: '{\"path\":\"other.py\"}'\n  - name: read\n    arguments: '{\"path\":\"third.py\"}'\n", "I look.", "look around in the repository with the tools"},
		"lines":              {"text", "", "I look.\n\nREAD other.py\nREAD third.py\n", "READ path"},
		"a server with none": {"", "forbids: ['\"tools\"']\ncomplaint: this model does not support tools\n", "I look.\n\nREAD other.py\nREAD third.py\n", "READ path"},
	} {
		t.Run(how, func(t *testing.T) {
			b := improving(t, disk, c.looks, wrong+change, "Never mind.")
			b.user.Tools = c.tools
			if c.deliver != "" {
				b.deliver(1, c.deliver)
			}
			r := b.run("improve", pipeline.Args{Instruction: "Make sub subtract.", Files: []string{"calc.py"}})
			if r.State != event.TurnProposed || !strings.HasPrefix(files(r)["other.py"], "x = 5") || !strings.Contains(files(r)["calc.py"], "a - b") {
				t.Fatalf("%s %v %v %v\n%s", r.State, r.Err, r.Failures, files(r), b.notes())
			}
			n := 1
			if how == "a server with none" {
				n = 2 // behind the one that was refused
			}
			if _, messages := b.request(n); strings.Count(messages[0], c.told) != 1 {
				t.Errorf("it is told\n%s", messages[0])
			}
			_, looked := b.request(n + 1)
			_, corrected := b.request(n + 2)
			if text := strings.Join(looked, "\n"); !strings.Contains(text, "2|y = 2") || !strings.Contains(text, "1|z = 3") {
				t.Errorf("it is shown\n%s", text)
			}
			if text := strings.Join(corrected, "\n"); !strings.Contains(text, "not right yet") || strings.Count(text, "y = 2\n") != 1+strings.Count(change, "y = 2\n") || how == "calls" && strings.Count(text, "1|z = 3") != 1 {
				t.Errorf("behind a refused edit it is shown\n%s", text)
			}
		})
	}
	b := improving(t, disk, "Nothing.", "Nothing.", "Nothing.", "Nothing.")
	b.user.Tools = "never"
	b.run("improve", pipeline.Args{Instruction: "Make sub subtract.", Files: []string{"calc.py"}})
	if n := b.notes(); !strings.Contains(n, "The model still gave no change after the maximum of 3 retries") || strings.Contains(n, "do not match") {
		t.Errorf("who gets no edit at all is told\n%s", n)
	}
	if _, messages := b.request(1); strings.Contains(messages[0], "look around") {
		t.Errorf("who has no tools is told\n%s", messages[0])
	}
}

// An answer without a diff that ends with the sign is put to the user, for as long as they answer, and costs no attempt.
// Without their answer nothing is sent again; without the sign it is no question.
func TestImproveIsAnswered(t *testing.T) {
	change := diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def sub(a, b):", "-    return a + b", "+    return a - b")
	b := improving(t, map[string]string{"calc.py": calc}, "I see two.\n\nWhich one?\n\n**ANSWER NEEDED**", "Really?\nANSWER NEEDED\n", change)
	b.settings.MaxReflections = 0
	b.answers = said("the last", "yes")
	r := b.run("improve", pipeline.Args{Instruction: "Mend it.", Files: []string{"calc.py"}})
	if r.State != event.TurnProposed || len(b.asked) != 2 || b.asked[0].Text != "I see two.\n\nWhich one?" || !b.asked[0].FreeText {
		t.Fatalf("%s %v, asked %+v\n%s", r.State, r.Err, b.asked, b.notes())
	}
	_, messages := b.request(3)
	if n := len(messages); !strings.Contains(messages[n-4], "Which one?") || messages[n-3] != "the last" || messages[n-1] != "yes" {
		t.Errorf("the last request is %q", messages)
	}
	for reply, asked := range map[string]int{"Which one?\nANSWER NEEDED": 1, "Which one? Your answer is needed": 0, change + "ANSWER NEEDED": 0} {
		b := improving(t, map[string]string{"calc.py": calc}, reply, "Still none.")
		b.settings.MaxReflections = 1 - asked
		b.answers = said("")
		r := b.run("improve", pipeline.Args{Instruction: "Mend it.", Files: []string{"calc.py"}})
		if len(b.asked) != asked || (r.Proposal != nil) != strings.HasPrefix(reply, change) {
			t.Errorf("%q: asked %d, %s", reply, len(b.asked), r.State)
		}
	}
}

// Only the hunk that failed is asked for again, and the model sees the files with the others in them.
func TestImproveAsksAgainForWhatFailed(t *testing.T) {
	b := improving(t, map[string]string{"calc.py": calc, "text.txt": "one\ntwo\nthree\n"},
		diff("--- text.txt", "+++ text.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three", "--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def subtract(first, second):", "-    return first + second", "+    return first - second"),
		diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def sub(a, b):", "-    return a + b", "+    return a - b"))
	r := b.run("improve", pipeline.Args{Instruction: "Make it right.", Files: []string{"calc.py", "text.txt"}})
	if r.State != event.TurnProposed || len(r.Failures) > 0 || len(r.Proposal.Files) != 2 {
		t.Fatalf("%s %v %v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	roles, messages := b.request(2)
	if strings.Join(roles, " ") != "system user assistant user" || !strings.Contains(messages[1], "2 | 2\n") || !strings.Contains(messages[3], "def subtract(first, second)") ||
		strings.Contains(messages[3], "+2") || !strings.Contains(messages[3], "no other edits") {
		t.Errorf("%q\n%s\n---\n%s", roles, messages[1], messages[3])
	}
	if log := b.logged(pipeline.LogDiffs); !strings.Contains(log, "def subtract(first, second)") {
		t.Errorf("the log is\n%s", log)
	}
}

// What does not fit in the end is told with the result, and what fits stays.
func TestImproveEndsWithRefusals(t *testing.T) {
	wrong := diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def nowhere(first, second):", "-    nothing like it", "+    return 3")
	b := improving(t, map[string]string{"calc.py": calc, "text.txt": "one\ntwo\nthree\n"},
		diff("--- text.txt", "+++ text.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three")+wrong, wrong, wrong, wrong)
	r := b.run("improve", pipeline.Args{Instruction: "Make it right.", Files: []string{"calc.py", "text.txt"}})
	if r.State != event.TurnProposed || len(r.Failures) != 1 || r.Failures[0].Path != "calc.py" {
		t.Fatalf("%s %v %+v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	same(t, files(r), map[string]string{"text.txt": "one\n2\nthree\n"})
	if n := len(b.server.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
	if !strings.Contains(b.notes(), "asked the model twice") {
		t.Error(b.notes())
	}
}

// An answer without a diff is a round that failed, and asked again.
func TestImproveWithoutADiff(t *testing.T) {
	b := improving(t, map[string]string{"calc.py": calc}, "I would make it subtract.", diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def sub(a, b):", "-    return a + b", "+    return a - b"))
	r := b.run("improve", pipeline.Args{Instruction: "Make it right.", Files: []string{"calc.py"}})
	if r.State != event.TurnProposed || len(r.Failures) > 0 {
		t.Fatalf("%s %v %v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	_, messages := b.request(2)
	if !strings.Contains(messages[3], "holds no diff") {
		t.Error(messages[3])
	}
	b = improving(t, map[string]string{"calc.py": calc}, "No.", "No.", "No.", "Never.")
	r = b.run("improve", pipeline.Args{Instruction: "Make it right.", Files: []string{"calc.py"}})
	if r.State != event.TurnAnswered || strings.TrimSpace(r.Answer) != "Never." || len(b.server.Requests()) != 4 || !strings.Contains(b.notes(), "contains no change") {
		t.Errorf("%s %q, %d requests\n%s", r.State, r.Answer, len(b.server.Requests()), b.notes())
	}
}

// Who is asked about a refused diff and answers without one has left it out: nothing is asked again, and the rest stays.
func TestImproveLeavesOutARefusedDiff(t *testing.T) {
	b := improving(t, map[string]string{"calc.py": calc, "text.txt": "one\ntwo\nthree\n"},
		diff("--- text.txt", "+++ text.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three")+
			diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def nowhere(first, second):", "-    nothing like it", "+    return 3"),
		"calc.py is right as it is.", "Never asked.")
	r := b.run("improve", pipeline.Args{Instruction: "Make it right.", Files: []string{"calc.py", "text.txt"}})
	if r.State != event.TurnProposed || len(r.Failures) != 1 || r.Failures[0].Path != "calc.py" {
		t.Fatalf("%s %v %+v\n%s", r.State, r.Err, r.Failures, b.notes())
	}
	same(t, files(r), map[string]string{"text.txt": "one\n2\nthree\n"})
	if n := len(b.server.Requests()); n != 2 || !strings.Contains(b.notes(), "the model left out the refused edit of calc.py") {
		t.Errorf("%d requests\n%s", n, b.notes())
	}
}

// Which files are worked on: those that are named, by globs too, else what the selection file says, else all.
func TestImproveChoosesFiles(t *testing.T) {
	disk := map[string]string{"a.py": "a = 1\n", "src/b.py": "b = 1\n", "c.txt": "c\n", ".hidden": "h\n", "prompt": "p\n"}
	select1 := "[files]\n\"src/*.py\" = \"selected\"\n\"gone.py\" = \"selected\"\n# \"a.py\" = \"selected\"\n"
	for name, test := range map[string]struct {
		selection, named string
		want, note, fail string
	}{
		"named":            {"", "a.py", "a.py", "", ""},
		"a glob":           {"", "**/*.py", "a.py src/b.py", "", ""},
		"nothing fits":     {"", "*.rs", "", "", "There is no file *.rs"},
		"not there":        {"", "gone.py", "", "", "There is no file gone.py"},
		"selected":         {select1, "", "src/b.py", "lists files that do not exist: gone.py", ""},
		"named above that": {select1, "c.txt", "c.txt", "", ""},
		"none selected":    {"[files]\n# \"a.py\" = \"selected\"\n", "", "", "", "No files are selected"},
		"broken":           {"[files\n", "", "", "", "Cannot use"},
		"all":              {"", "", "a.py c.txt src/b.py", "sends the entire project", ""},
	} {
		t.Run(name, func(t *testing.T) {
			with := map[string]string{}
			for k, v := range disk {
				with[k] = v
			}
			if test.selection != "" {
				with[pipeline.SelectionFile] = test.selection
			}
			b := improving(t, with, diff("--- /dev/null", "+++ new.py", "@@ -0,0 +1 @@", "+y = 2"))
			var named []string
			if test.named != "" {
				named = []string{test.named}
			}
			r := b.run("improve", pipeline.Args{Instruction: "Do it.", Files: named})
			if test.fail != "" {
				if r.Err == nil || !strings.Contains(r.Err.Error(), test.fail) || len(b.server.Requests()) > 0 {
					t.Errorf("%v, %d requests", r.Err, len(b.server.Requests()))
				}
				return
			}
			if r.State != event.TurnProposed || !strings.Contains(b.notes(), test.note) {
				t.Fatalf("%s %v\n%s", r.State, r.Err, b.notes())
			}
			_, messages := b.request(1)
			var got []string
			for _, file := range []string{"a.py", "c.txt", "src/b.py", ".hidden", "prompt", pipeline.SelectionFile} {
				if strings.Contains(messages[1], "\n"+file+"\n```\n") {
					got = append(got, file)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%v\n%s", got, messages[1])
			}
		})
	}
}

// The selection file is proposed with a line for each file, and keeps what is selected.
func TestSelectFiles(t *testing.T) {
	b := improving(t, map[string]string{"a.py": "a\n", "src/b.py": "b\n", "run": "r\n", pipeline.SelectionFile: "[files]\n\"a.py\" = 1\n"})
	r := b.run("selectFiles", pipeline.Args{Files: []string{"src/*.py"}})
	if r.State != event.TurnProposed {
		t.Fatalf("%s %v\n%s", r.State, r.Err, b.notes())
	}
	text := files(r)[pipeline.SelectionFile]
	if !strings.HasSuffix(text, "[files]\n\"a.py\" = \"selected\"\n# run = \"selected\"\n\"src/b.py\" = \"selected\"\n") || len(b.server.Requests()) > 0 {
		t.Error(text)
	}
}

// The examples of our own instructions never become files, also where a model repeats them beside its change; a file of the
// user's that is called so is theirs.
func TestImproveRepeatsNoExample(t *testing.T) {
	text := pipeline.BuiltIn()["file_format_diff"]
	_, example, _ := strings.Cut(text, "A new file:\n\n")
	right := diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def sub(a, b):", "-    return a + b", "+    return a - b")
	whole := diff("--- src/tea_timer.py", "+++ src/tea_timer.py", "@@ -1,2 +1,3 @@", " def minutes(tea):", "-    return 5 if tea == \"black\" else 3", "+    return 5")
	b := improving(t, map[string]string{"calc.py": calc}, whole+example+right)
	r := b.run("improve", pipeline.Args{Instruction: "Make sub subtract.", Files: []string{"calc.py"}})
	if r.State != event.TurnProposed || len(r.Failures) > 0 || len(r.Proposal.Files) != 1 || r.Proposal.Files[0].Path() != "calc.py" {
		t.Errorf("%s %v %v %v\n%s", r.State, r.Err, r.Failures, files(r), b.notes())
	}
	if n := b.notes(); !strings.Contains(n, "src/tea_timer.py is a file of an example") || !strings.Contains(n, "src/tea_kettle.py is a file of an example") {
		t.Error(b.notes())
	}
	b = improving(t, map[string]string{"calc.py": calc}, example, right)
	r = b.run("improve", pipeline.Args{Instruction: "Make sub subtract.", Files: []string{"calc.py"}})
	if r.State != event.TurnProposed || len(r.Proposal.Files) != 1 || len(b.server.Requests()) != 2 {
		t.Errorf("%s %v %v, %d requests", r.State, r.Err, files(r), len(b.server.Requests()))
	}
	b = improving(t, map[string]string{"src/tea_timer.py": "def minutes(tea):\n    return 5 if tea == \"black\" else 3\n"}, whole)
	r = b.run("improve", pipeline.Args{Instruction: "Always 5.", Files: []string{"src/tea_timer.py"}})
	if r.State != event.TurnProposed || !strings.HasSuffix(files(r)["src/tea_timer.py"], "return 5\n") {
		t.Errorf("%s %v %v", r.State, r.Err, files(r))
	}
}

// A hunk that was refused is asked for by itself when the turn is over, and what comes joins the proposal.
func TestImproveAskedAgainAfterwards(t *testing.T) {
	const right = " def sub(a, b):"
	wrong := diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def subtract(first, second):", "-    return first + second", "+    return first - second")
	b := improving(t, map[string]string{"calc.py": calc, "text.txt": "one\ntwo\nthree\n"},
		diff("--- text.txt", "+++ text.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three")+wrong, wrong,
		diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", right, "-    return a + b", "+    return a - b"))
	b.settings.MaxReflections = 0
	r := b.run("improve", pipeline.Args{Instruction: "Make it right.", Files: []string{"calc.py", "text.txt"}})
	if r.State != event.TurnProposed || len(r.Failures) != 1 {
		t.Fatalf("%s %v %v", r.State, r.Err, r.Failures)
	}
	for n, want := range map[int]string{0: "refused hunk 0 not found", 2: "refused hunk 2 not found"} {
		if _, err := b.session.AskAgain(r.Turn, n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if _, err := b.session.AskAgain("t-none", 1); err == nil {
		t.Error("asked again for a turn that there never was")
	}
	first := r
	for range 2 { // the first time it is wrong again
		again, err := b.session.AskAgain(r.Turn, 1)
		if err != nil {
			t.Fatal(err)
		}
		r = b.start(again)
	}
	if r.State != event.TurnProposed || len(r.Failures) > 0 || r.Proposal.ID != first.Proposal.ID || r.Proposal.Label != first.Proposal.Label {
		t.Fatalf("%s %v %v %+v\n%s", r.State, r.Err, r.Failures, r.Proposal, b.notes())
	}
	same(t, files(r), map[string]string{"text.txt": "one\n2\nthree\n", "calc.py": strings.Replace(calc, "sub(a, b):\n    return a + b", "sub(a, b):\n    return a - b", 1)})
	_, messages := b.request(3)
	if strings.Count(messages[1], "This was asked for before") != 1 {
		t.Error(messages[1])
	}
	for _, part := range []string{"2 | 2\n", "5 | def sub(a, b):", "This was asked for before: Make it right.", "return first - second", "no other edits"} {
		if !strings.Contains(messages[1], part) {
			t.Errorf("%q is not in\n%s", part, messages[1])
		}
	}
}
