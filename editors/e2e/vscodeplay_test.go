package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"coauthor/agent/llm/llmtest"
)

// What users do in Visual Studio Code; a file of vscode/ each says it.

const vscodeColumn = "VS Code 1.139"

// installing keeps two tests from installing the same extensions.
var installing sync.Mutex

// installed is a folder with our extension and the one through which tests ask, as VS Code installs them from .vsix files. It
// is made once for a built server.
func installed(t testing.TB, w *world) string {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	parent := w.bin
	if os.Getenv("COAUTHOR_E2E_BIN") != "" {
		parent = realTemp(t) // that folder is somebody else's
	}
	dir := filepath.Join(parent, "vscode-extensions")
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir
	}
	ours := extensionCopy(t)
	must(t, node(t, w, ours, "esbuild.mjs"))
	peek, err := filepath.Abs("vscode/peek")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		filepath.Join(vscodeTools(t), "server/node_modules/code-server/out/node/entry.js"),
		"--extensions-dir", dir, "--user-data-dir", realTemp(t), "--config", filepath.Join(realTemp(t), "code.yaml"),
	}
	for _, folder := range []string{ours, peek} {
		args = append(args, "--install-extension", packed(t, w, folder, ours))
	}
	must(t, node(t, w, w.own, args...))
	if err := os.WriteFile(filepath.Join(dir, "complete"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// playVSCode has a user do what a script of vscode/ says in a VS Code of their own, and returns what the script said.
func playVSCode(t testing.TB, w *world, script string) string {
	t.Helper()
	tools := vscodeTools(t)
	if err := os.CopyFS(filepath.Join(w.own, "extensions"), os.DirFS(installed(t, w))); err != nil {
		t.Fatal(err)
	}
	screens := os.Getenv("COAUTHOR_E2E_SCREENS")
	if screens == "" {
		screens = realTemp(t)
	} else {
		screens = filepath.Join(screens, "vscode")
	}
	if err := os.MkdirAll(screens, 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for _, e := range w.env() {
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	server, err := filepath.EvalSymlinks(filepath.Join(w.bin, "coauthor"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{} // the project as it is now
	for _, name := range w.files() {
		files[name] = w.disk(name)
	}
	release := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { w.model.Release() }))
	defer release.Close()
	text, err := json.Marshal(map[string]any{
		"dir": w.dir, "own": w.own, "tools": tools, "env": env, "screens": screens, "project": files, "server": server, "model": w.model.URL,
		"release": release.URL, // lets a reply that is held go on
	})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(w.own, "world.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	script, err = filepath.Abs(filepath.Join("vscode", script))
	if err != nil {
		t.Fatal(err)
	}
	cmd := node(t, w, w.own, script, name)
	cmd.Env = append(cmd.Env, "NODE_PATH="+filepath.Join(tools, "driver/node_modules"))
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// files lists the files of the project, but for those of git and ours.
func (w *world) files() []string {
	w.t.Helper()
	out, err := exec.Command("git", "-C", w.dir, "-c", "core.quotePath=false", "ls-files", "--others", "--cached", "-z").Output()
	if err != nil {
		w.t.Fatalf("git ls-files: %v", err)
	}
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
}

// vscodeReply changes two places of greet.py, main.py, and adds a file.
func vscodeReply() string {
	return "I make the greeting polite.\n\n" +
		edit("greet.py", "def greet(name):\n    return \"Hello, \" + name\n", "def greet(name):\n    return \"Good day, \" + name\n") +
		edit("greet.py", "    return greet(name).upper()\n", "    return greet(name).upper() + \"!\"\n") +
		edit("main.py", "print(greet(\"world\"))\n", "print(greet(\"dear world\"))\n") +
		edit("tests/test_greet.py", "", "from greet import greet\n\nassert greet(\"x\") == \"Good day, x\"\n")
}

// polite is a reply that changes the first function of greet.py.
func polite(words string) string {
	return edit("greet.py", "    return \"Hello, \" + name\n", "    return \""+words+", \" + name\n")
}

// vscodeAnswer has Markdown, and markup that must not count.
const vscodeAnswer = "It greets **one name**:\n\n```python\ngreet(\"you\")\n```\n\n<script>alert(1)</script> ![x](https://example.org/x.png)\n"

// From the first request to the chat, and what crashes.
func TestVSCode(t *testing.T) {
	covers(t, vscodeColumn, rowHunk, rowDiscard, rowTyping, rowUndo, rowChat, rowCrash)
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+vscodeReply()+"-- 2.md --\n"+vscodeReply()+
		"-- 3.md --\n"+polite("Good night")+"-- 4.md --\n"+vscodeAnswer+"-- 5.md --\n"+vscodeReply())
	playVSCode(t, w, "session.js")
	if got := w.lastUser(); !strings.Contains(got, "once more") {
		t.Errorf("the model was asked\n%s", got)
	}
}

const vscodePatch = `*** Begin Patch
*** Update File: greet.py
@@
-    return "Hello, " + name
+    return "Good day, " + name
*** Add File: polite.py
+POLITE = True
*** Delete File: old.py
*** Update File: name.py
*** Move to: label.py
@@
-NAME = "name"
+NAME = "label"
*** End Patch
`

// What may happen to a change.
func TestVSCodeChanges(t *testing.T) {
	covers(t, vscodeColumn, rowFiles, rowDiscard, rowTyping, rowStale, rowUndo, rowCancel, rowText)
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+vscodePatch+"-- 2.md --\n"+polite("No thanks")+edit("main.py", "print(greet(\"world\"))\n", "print(greet(\"you\"))\n")+
		"-- 3.md --\n"+edit("gruß.py", "    return \"Grüße 👋, \" + name\n", "    return \"Schönen guten Tag 🌞, \" + name\n")+
		"-- 4.md --\n"+polite("Good evening")+"-- 5.md --\n"+polite("Good evening")+"-- 6.md --\n"+polite("Late")+"-- 6.yaml --\nhold: true\n")
	w.write("old.py", "OLD = 1\n")
	w.write("name.py", "NAME = \"name\"\n")
	w.write("gruß.py", strings.ReplaceAll("def grüße(name):\n    return \"Grüße 👋, \" + name\n\n\ndef tschüss(name):\n    return \"Tschüss, \" + name\n", "\n", "\r\n"))
	playVSCode(t, w, "changes.js")
}

// Where a change comes from, and where it is shown.
func TestVSCodePlaces(t *testing.T) {
	covers(t, vscodeColumn, rowComment, rowFix, rowTyping)
	t.Parallel()
	vscodeTools(t)
	slow := "I change the greeting first.\n\n" + polite("Good day") + "The greeting was the first of two places. The other one shouts it: there the words end as words that are shouted do, " +
		"with a mark of exclamation, which belongs behind the capital letters and not into the greeting itself.\n\n" +
		edit("greet.py", "    return greet(name).upper()\n", "    return greet(name).upper() + \"!\"\n")
	w := newWorld(t, "delay: 15ms\n"+
		"-- 1.md --\n"+edit("greet.py", "# be polite AI!\ndef greet(name):\n    return \"Hello, \" + name\n", "def greet(name):\n    return \"Good day, \" + name\n")+
		"-- 2.md --\n"+edit("data.json", "  \"a\": 1,\n", "  \"a\": 1\n")+"-- 2.yaml --\nrequires: [Trailing comma]\n"+
		"-- 3.md --\n"+polite("Good day")+
		"-- 4.md --\n"+slow+"-- 4.yaml --\nhold: true\n"+
		"-- 5.md --\n"+polite("Good day")+edit("polite_test.py", "", "from greet import greet\n"))
	w.write("data.json", "{\n  \"a\": 1,\n}\n")
	playVSCode(t, w, "places.js")
}

// Everything by keys, in every kind of colours.
func TestVSCodeKeyboard(t *testing.T) {
	covers(t, vscodeColumn, rowHunk, rowDiscard, rowCancel, rowChat)
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+vscodeReply()+"-- 2.md --\n"+polite("Never")+"-- 2.yaml --\nhold: true\n-- 3.md --\n"+vscodeAnswer)
	playVSCode(t, w, "keyboard.js")
}

// The page of the chat gets the focus before its script has run, which on a busy machine it does, or after.
func TestVSCodeChatPage(t *testing.T) {
	t.Parallel()
	vscodeTools(t)
	playVSCode(t, newWorld(t, "-- 1.md --\nNobody asks.\n"), "page.js")
}

// A change with a file in a folder that cannot be written. The tests may run as an administrator, whom no mode of a folder
// stops: a file system of its own does.
func TestVSCodeReadOnly(t *testing.T) {
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+strings.ReplaceAll(vscodeReply(), "tests/test_greet.py", "locked/test_greet.py"))
	locked := w.path("locked")
	if err := os.Mkdir(locked, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "ro", "none", locked).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v\n%s", err, out)
	}
	t.Cleanup(func() { must(t, exec.Command("umount", "--lazy", locked)) })
	playVSCode(t, w, "readonly.js")
}

// What goes wrong around the extension: other programs in the place of the server, processes that are killed while a request
// runs, two windows on one folder, and none.
func TestVSCodeEdges(t *testing.T) {
	covers(t, vscodeColumn, rowCrash)
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+polite("Never")+"-- 1.yaml --\nhold: true\n-- 2.md --\n"+polite("Good evening")+
		"-- 3.md --\n"+polite("Never")+"-- 3.yaml --\nhold: true\n-- 4.md --\n"+polite("Good night")+"-- 5.md --\n"+vscodeAnswer+
		"-- 6.md --\n"+polite("Good day")+"-- 7.md --\n"+edit("main.py", "print(greet(\"world\"))\n", "print(greet(\"dear world\"))\n"))
	playVSCode(t, w, "edges.js")
}

// A workspace that the user does not trust at first.
func TestVSCodeTrust(t *testing.T) {
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+polite("Good day"))
	w.write(".coauthor/config.yaml", "apiBase: http://127.0.0.1:9\n") // where nobody answers
	playVSCode(t, w, "trust.js")
}

// The first minute, from a clean profile.
func TestVSCodeFirstRun(t *testing.T) {
	covers(t, vscodeColumn, rowNoKey)
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "key: sk-of-a-newcomer\ndelay: 15ms\n-- 1.md --\n"+polite("From here")+"-- 2.md --\n"+polite("With my key"))
	if err := os.WriteFile(filepath.Join(w.own, "config/coauthor/config.yaml"), []byte("log:\n  level: debug\n  file: "+w.log()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	playVSCode(t, w, "firstrun.js")
}

// Questions whose message has gone by.
func TestVSCodeAnsweredLate(t *testing.T) {
	covers(t, vscodeColumn, rowLate, rowTyping)
	t.Parallel()
	vscodeTools(t)
	shop := edit("shop.py", "SHOP = 1\n", "SHOP = 2\n")
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+vscodeReply()+"-- 2.md --\n"+polite("Good night")+shop+"-- 3.md --\n"+shop+
		"-- 4.md --\n"+polite("Good day")+edit("late.py", "LATE = 1\n", "LATE = 2\n")+"-- 5.md --\n"+suggests+greenAtLast(6))
	w.write("shop.py", "SHOP = 1\n")
	w.write("late.py", "LATE = 1\n")
	w.failingTest()
	playVSCode(t, w, "answered.js")
	w.sentAssertion()
}

// Messages that are written while a request runs.
func TestVSCodeQueued(t *testing.T) {
	covers(t, vscodeColumn, rowBusy, rowChat, rowCancel)
	t.Parallel()
	vscodeTools(t)
	w := newWorld(t, "delay: 15ms\n-- 1.md --\n"+vscodeAnswer+"-- 1.yaml --\nhold: true\n-- 2.md --\nThe second.\n-- 3.md --\nThe third.\n"+
		"-- 4.md --\n"+polite("Never")+"-- 4.yaml --\nhold: true\n-- 5.md --\n"+polite("Good day")+
		"-- 6.md --\n"+polite("Slowly")+"-- 6.yaml --\nhold: true\n-- 7.md --\n"+polite("Good evening")+"-- 8.md --\nYes.\n")
	w.configure("models:\n  scripted:\n    vision: true\n")
	playVSCode(t, w, "queued.js")
	if !slices.ContainsFunc(w.model.Requests(), func(r llmtest.Recorded) bool {
		return strings.Contains(string(r.Body), "third question") && strings.Count(string(r.Body), "image_url\":") == 2
	}) {
		t.Error("the model was not shown both pictures")
	}
}
