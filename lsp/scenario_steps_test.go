package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"coauthor/lsp/lsptest"
)

// steps are the words of the scenario language. testdata/README.md describes them.
var steps = map[string]func(*scene, playStep){
	"append": func(s *scene, p playStep) {
		text, _ := s.editor.Text(s.place(p.args[0]))
		s.editor.SetText(s.place(p.args[0]), text+p.args[1])
	},
	"look":      func(s *scene, _ playStep) { s.editor.LookUp() },
	"type-late": func(s *scene, p playStep) { s.editor.TypeBeforeNextEdit(s.place(p.args[0]), p.args[1], p.args[2]) },
	"type-after": func(s *scene, p playStep) {
		s.editor.TypeAfterNextCommand(s.place(p.args[0]), p.args[1], p.args[2])
	},
	"shutdown":  func(s *scene, _ playStep) { s.editor.Shutdown(); s.end(nil) },
	"lightbulb": stepLightBulb,
	"key":       func(s *scene, _ playStep) { s.editor.Key() },
	"says":      func(s *scene, p playStep) { s.editor.SayNo(p.args[0] == "no") },
	"preview":   func(s *scene, p playStep) { s.mark(); s.editor.Preview(p.args[0] == "apply", p.args[1:]...) },

	"open":         func(s *scene, p playStep) { s.editor.Open(s.place(p.args[0])) },
	"close":        func(s *scene, p playStep) { s.editor.Close(s.place(p.args[0])) },
	"save":         func(s *scene, p playStep) { s.editor.Save(s.place(p.args[0])) },
	"wall":         func(s *scene, _ playStep) { s.editor.SaveAll() },
	"undo":         func(s *scene, p playStep) { s.editor.Undo(s.place(p.args[0])) },
	"type":         func(s *scene, p playStep) { s.editor.Replace(s.place(p.args[0]), p.args[1], p.args[2]) },
	"rewrite":      func(s *scene, p playStep) { s.editor.SetText(s.place(p.args[0]), s.want(p.args[1])) },
	"select":       stepSelect,
	"disk":         stepDisk,
	"git":          func(s *scene, p playStep) { s.git(p.args...) },
	"gitsays":      stepGitSays,
	"marks":        stepMarks,
	"problem":      func(s *scene, p playStep) { s.editor.Complain(s.place(p.args[0]), p.args[1], p.args[2]) },
	"symlink":      stepSymlink,
	"chmod":        stepChmod,
	"bytes":        stepBytes,
	"edit":         func(s *scene, p playStep) { s.turn("coauthor.edit", p.args[0]) },
	"ask":          func(s *scene, p playStep) { s.turn("coauthor.ask", p.args[0]) },
	"follow":       func(s *scene, p playStep) { s.turn("coauthor.followUp", p.args[0]) },
	"command":      stepCommand,
	"action":       func(s *scene, p playStep) { s.mark(); s.result, s.failed = s.editor.Pick(p.args[0]); s.unfailed() },
	"completes":    stepCompletes,
	"lens":         stepLens,
	"later":        stepLater,
	"conflict":     stepConflict,
	"follows":      stepFollows,
	"lenses":       stepLenses,
	"actions":      stepActions,
	"hover":        stepHover,
	"hints":        stepHints,
	"lens-titles":  stepLensTitles,
	"press":        stepPress,
	"noaction":     stepNoAction,
	"input":        func(s *scene, p playStep) { s.editor.Input(&p.args[0]) },
	"noinput":      func(s *scene, _ playStep) { s.editor.Input(nil) },
	"status":       stepStatus,
	"refused":      stepRefused,
	"result":       stepResult,
	"keep":         stepKeep,
	"answer":       func(s *scene, p playStep) { s.editor.Answer(p.args[0]) },
	"wait":         stepWait,
	"accept":       stepAccept,
	"discard":      stepDiscard,
	"undo-turn":    func(s *scene, _ playStep) { s.decide("coauthor.undoTurn", nil) },
	"redo-turn":    func(s *scene, _ playStep) { s.decide("coauthor.redoTurn", nil) },
	"cancel":       func(s *scene, _ playStep) { s.result, s.failed = s.editor.Command("coauthor.cancel"); s.unfailed() },
	"stop":         func(s *scene, _ playStep) { s.editor.CancelProgress() },
	"release":      func(s *scene, _ playStep) { s.model.Release() },
	"hangup":       func(s *scene, _ playStep) { s.editor.HangUp(); s.end(nil) },
	"buffer":       stepBuffer,
	"holds":        stepHolds,
	"unchanged":    stepUnchanged,
	"closed":       stepClosed,
	"onlychoice":   stepOnlyChoice,
	"textless":     stepTextless,
	"ondisk":       stepOnDisk,
	"missing":      stepMissing,
	"offdisk":      stepOffDisk,
	"message":      stepMessage,
	"nomessage":    stepNoMessage,
	"quietly":      stepQuietly,
	"state":        stepState,
	"progress":     stepProgress,
	"shown":        stepShown,
	"requests":     stepRequests,
	"prompt":       stepPrompt,
	"noprompt":     stepNoPrompt,
	"pauses":       stepPauses,
	"disconnected": stepDisconnected,
	"notify":       stepNotify,
	"badjson":      func(s *scene, p playStep) { s.editor.RawBody(p.rest) },
	"streamed":     stepStreamed,
	"unapplied":    stepUnapplied,
	"restart":      stepRestart,
	"request":      stepRequest,
	"reviewed":     stepReviewed,
	"drafted":      stepDrafted,
	"moved":        stepMoved,
	"other":        nil, // see do
}

func (s *scene) do(p playStep) {
	s.t.Helper()
	s.t.Logf("%d: %s %s", p.line, p.name, p.rest)
	if s.over && p.name != "disconnected" && p.name != "ondisk" {
		s.t.Fatalf("line %d: %s after the end", p.line, p.name)
	}
	if p.name == "other" {
		one, err := otherStep(p)
		if err != nil {
			s.t.Fatalf("line %d: %v", p.line, err)
		}
		s.other().do(one)
		return
	}
	steps[p.name](s, p)
}

// otherStep is the step that the other editor does.
func otherStep(p playStep) (playStep, error) {
	name, rest, _ := strings.Cut(p.rest, " ")
	args, err := words(rest)
	if err != nil && name != "command" {
		return playStep{}, err
	}
	if _, ok := steps[name]; !ok || name == "other" {
		return playStep{}, fmt.Errorf("no step %q", name)
	}
	return playStep{line: p.line, name: name, args: args, rest: strings.TrimSpace(rest)}, nil
}

// mark remembers what was there, so that waits are for what comes of the next turn.
func (s *scene) mark() {
	s.editor.Do(func(l *lsptest.Log) {
		s.dialogs, s.messages = len(l.Dialogs), len(l.Messages)
		s.documents, s.previews = len(l.Documents)+len(l.Pending), l.Previews
	})
}

// turn starts a turn on the document in front and its selection.
func (s *scene) turn(command, instruction string) {
	s.t.Helper()
	s.mark()
	argument := map[string]any{"instruction": instruction}
	if command != "coauthor.followUp" {
		focused := s.editor.Focused()
		argument["uri"] = s.editor.URI(focused)
		argument["version"] = s.editor.Version(focused)
		if sel := s.editor.Selection(); sel != (lsptest.Range{}) {
			argument["range"] = sel
		}
	}
	s.result, s.failed = s.editor.Command(command, argument)
	s.unfailed()
}

func (s *scene) unfailed() {
	s.t.Helper()
	if s.failed != nil {
		s.t.Errorf("the command was refused: %v", s.failed)
	}
}

// stepLater leaves a change for later: in the dialog, where the client shows one.
func stepLater(s *scene, _ playStep) {
	if s.editor.Asked() != nil {
		s.editor.Answer("Keep")
	}
}

// stepConflict: the user is told of a conflict, in a dialog that is left open no longer, or in a message.
func stepConflict(s *scene, p playStep) {
	told := func(l *lsptest.Log) []string {
		var list []string
		for _, d := range l.Dialogs {
			list = append(list, d.Text)
		}
		for _, m := range l.Messages {
			list = append(list, m.Text)
		}
		return list
	}
	s.editor.Wait("the word of a conflict", func(l *lsptest.Log) bool {
		return slices.ContainsFunc(told(l), func(text string) bool { return strings.Contains(text, p.args[0]) })
	})
	s.editor.Do(func(l *lsptest.Log) {
		for _, want := range p.args[1:] {
			if s.asks() && !s.never() && !slices.ContainsFunc(told(l), func(text string) bool { return strings.Contains(text, want) }) {
				s.t.Errorf("line %d: %q was not shown: %q", p.line, want, told(l))
			}
		}
	})
	if s.editor.Asked() != nil {
		s.editor.Answer("")
	}
}

// stepLens runs a code lens of the document in front, in clients that have them.
func stepLens(s *scene, p playStep) {
	nth := 1
	if len(p.args) > 1 {
		n, err := strconv.Atoi(p.args[1])
		if err != nil {
			s.t.Fatalf("line %d: %v", p.line, err)
		}
		nth = n
	}
	s.mark()
	var asked bool
	if s.result, s.failed, asked = s.editor.RunLens(p.args[0], nth); !asked {
		s.t.Fatalf("line %d: this client has no code lenses", p.line)
	}
	s.unfailed()
}

func field(v any, keys ...string) any {
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

func stepSelect(s *scene, p playStep) {
	name := s.place(p.args[0])
	first, err := strconv.Atoi(p.args[1])
	if err != nil {
		s.editor.SelectText(name, p.args[1])
		return
	}
	last, err := strconv.Atoi(p.args[2])
	if err != nil {
		s.t.Fatalf("line %d: %v", p.line, err)
	}
	s.editor.Select(name, first, last)
}

// stepDisk changes a file behind the editor's back, as another program does.
func stepDisk(s *scene, p playStep) {
	if err := os.WriteFile(s.place(p.args[0]), []byte(s.want(p.args[1])), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func stepSymlink(s *scene, p playStep) {
	if err := os.Symlink(s.place(p.args[1]), s.place(p.args[0])); err != nil {
		s.t.Skipf("no symbolic links here: %v", err)
	}
}

func stepChmod(s *scene, p playStep) {
	mode, err := strconv.ParseUint(p.args[1], 8, 32)
	if err == nil {
		err = os.Chmod(s.place(p.args[0]), os.FileMode(mode))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// stepBytes writes a file that an archive of text cannot hold.
func stepBytes(s *scene, p playStep) {
	abs := s.place(p.args[0])
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(abs, []byte(p.args[1]), 0o644); err != nil {
		s.t.Fatal(err)
	}
	s.files[s.roots[0]+"/"+p.args[0]] = p.args[1]
}

// expand replaces $uri(name), $kept, $web and $encoding in JSON.
func (s *scene) expand(text string) string {
	for {
		_, tail, found := strings.Cut(text, "$uri(")
		if !found {
			return strings.NewReplacer("$kept", s.kept, "$web", s.web).Replace(text)
		}
		name, _, _ := strings.Cut(tail, ")")
		text = strings.ReplaceAll(text, "$uri("+name+")", s.editor.URI(s.place(name)))
	}
}

// stepCommand runs any command; its arguments are a JSON array, or one JSON value. A refusal is for the step refused.
func stepCommand(s *scene, p playStep) {
	name, rest, _ := strings.Cut(p.rest, " ")
	var arguments []any
	if rest = strings.TrimSpace(s.expand(rest)); rest != "" {
		var v any
		if err := json.Unmarshal([]byte(rest), &v); err != nil {
			s.t.Fatalf("line %d: %v", p.line, err)
		}
		list, many := v.([]any)
		if !many {
			list = []any{v}
		}
		arguments = list
	}
	switch name {
	case "coauthor.edit", "coauthor.ask", "coauthor.followUp", "coauthor.runPrompt", "coauthor.addDocs", "coauthor.fix":
		s.mark()
	}
	s.result, s.failed = s.editor.Command(name, arguments...)
}

// decide runs a command that applies or takes back, and remembers its result, also when it came too late for the
// request.
func (s *scene) decide(command string, argument map[string]any) {
	s.t.Helper()
	s.mark()
	if argument == nil {
		argument = map[string]any{}
	}
	s.result, s.failed = s.editor.Command(command, argument)
}

// stepResult looks for texts in what the last command answered, as JSON.
func stepResult(s *scene, p playStep) {
	s.unfailed()
	got, err := json.Marshal(s.result)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, want := range p.args {
		if !strings.Contains(string(got), want) {
			s.t.Errorf("the answer has no %s:\n%s", want, got)
		}
	}
}

func stepStatus(s *scene, p playStep) {
	s.unfailed()
	got, _ := field(s.result, "status").(string)
	for _, want := range p.args {
		if got == want {
			return
		}
	}
	s.t.Errorf("line %d: the result is %s, want the status %s", p.line, describe(s.result), p.rest)
}

func stepRefused(s *scene, p playStep) {
	switch {
	case s.failed == nil:
		s.t.Errorf("line %d: the result is %s, want a refusal", p.line, describe(s.result))
	case !strings.Contains(s.failed.Message, p.args[0]):
		s.t.Errorf("line %d: refused with %q, want %q", p.line, s.failed.Message, p.args[0])
	}
}

func stepKeep(s *scene, _ playStep) {
	id, _ := field(s.result, "turnId").(string)
	if id == "" {
		s.t.Errorf("the result %s names no turn", describe(s.result))
	}
	s.kept = id
}

func stepWait(s *scene, p playStep) {
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel()
	var err error
	switch p.args[0] {
	case "proposed":
		s.proposed()
	case "end": // of the turn, however it ended
		s.settled()
	case "held":
		err = s.model.WaitHeld(ctx, 1)
	case "request":
		n := 1
		if len(p.args) > 1 {
			n, err = strconv.Atoi(p.args[1])
		}
		if err == nil {
			err = s.model.WaitRequest(ctx, n)
		}
	case "dialog":
		s.editor.Wait("a dialog", func(l *lsptest.Log) bool { return len(l.Dialogs) > s.dialogs })
	case "asked": // about a certain thing
		s.editor.Wait("a dialog about "+p.args[1], func(l *lsptest.Log) bool {
			return slices.ContainsFunc(l.Dialogs, func(d *lsptest.Dialog) bool { return strings.Contains(d.Text, p.args[1]) })
		})
	case "message":
		s.editor.Wait("a message", func(l *lsptest.Log) bool { return len(l.Messages) > s.messages })
	case "applied": // as the server sees it, not as the buffer shows it
		s.editor.Wait("the word that it was applied", func(l *lsptest.Log) bool {
			return slices.ContainsFunc(l.Logged, func(n lsptest.Note) bool { return strings.Contains(n.Text, "applied, ") })
		})
	case "preview":
		s.editor.Wait("a preview", func(l *lsptest.Log) bool { return l.Previews > 0 })
	case "edit":
		s.editor.Wait("an edit", func(l *lsptest.Log) bool { return len(l.Edits) > 0 })
	case "message-or-document":
		s.editor.Wait("a document or a message", func(l *lsptest.Log) bool {
			return len(l.Documents)+len(l.Pending) > s.documents || len(l.Messages) > s.messages
		})
	case "document":
		s.editor.Wait("a document", func(l *lsptest.Log) bool { return len(l.Documents)+len(l.Pending) > s.documents })
	default:
		s.t.Fatalf("line %d: nothing is waited for with %q", p.line, p.args[0])
	}
	if err != nil {
		s.t.Fatalf("line %d: %v\n%s", p.line, err, s.editor.Tail())
	}
}

// proposed waits until the user can see a proposal, in the way of the client.
func (s *scene) proposed() {
	s.t.Helper()
	s.status("a pending proposal", func(v map[string]any) bool {
		list, _ := v["pending"].([]any)
		return v["busy"] == false && (len(list) > 0 || s.native() && s.editor.Previews())
	})
	if s.native() { // the client's own, unless the server told why not
		s.editor.Wait("the preview", func(l *lsptest.Log) bool {
			return l.Previews > s.previews || slices.ContainsFunc(l.Dialogs[s.dialogs:], func(d *lsptest.Dialog) bool { return !d.Answered })
		})
		if s.editor.Previews() {
			return
		}
	}
	s.editor.Wait("the preview", func(l *lsptest.Log) bool {
		seen := len(l.Documents)+len(l.Pending) > s.documents || len(l.Messages) > s.messages
		asks := slices.ContainsFunc(l.Dialogs[s.dialogs:], func(d *lsptest.Dialog) bool { return !d.Answered || s.never() })
		return asks || seen && (s.module || !s.decides() || s.never())
	})
	if s.module { // as our module does when it draws the diff
		if _, err := s.editor.Request("coauthor/getPending", map[string]any{}); err != nil {
			s.t.Errorf("coauthor/getPending: %v", err)
		}
	}
	if asked := s.editor.Asked(); len(asked) > 0 && asked[0] == "Show diff" {
		// A client that cannot be told to show a document: its user looks where the message says.
		s.editor.Answer("Show diff")
		s.editor.Wait("a message", func(l *lsptest.Log) bool {
			return slices.ContainsFunc(l.Messages[s.messages:], func(n lsptest.Note) bool {
				return strings.Contains(n.Text, "pending")
			})
		})
	}
	s.editor.LookUp()
	if !s.decides() {
		s.heardOfShown()
		s.editor.LookUp() // the message that says where the diff is has come by now
	}
}

// heardOfShown waits until the server knows that the proposal was shown: a user takes longer to look.
func (s *scene) heardOfShown() {
	s.status("a proposal that was shown", func(v map[string]any) bool {
		list, _ := v["pending"].([]any)
		return len(list) > 0 && field(list[len(list)-1], "shown") == true // the newest
	})
}

// asks reports whether this client shows dialogs.
func (s *scene) asks() bool {
	return !s.editor.Profile().Quirks.MethodNotFoundSMR && !s.module
}

// native reports whether this client shows edits before it applies them.
func (s *scene) native() bool { return s.editor.Profile().Quirks.Preview && !s.module }

// decides reports whether this client is asked about a change in a dialog.
func (s *scene) decides() bool { return s.asks() && !s.editor.Profile().Quirks.DialogBlocks }

func (s *scene) never() bool { return s.editor.Profile().Quirks.NeverAnswersSMR }

// stepAccept says yes: by the dialog where the client has one, else by the code action; or in the way that is named.
func stepAccept(s *scene, p playStep) {
	way := "action"
	if s.editor.Asked() != nil {
		way = "dialog"
	}
	if len(p.args) > 0 {
		way = p.args[0]
	}
	if s.editor.Previews() {
		s.editor.Preview(true)
		return
	}
	switch way {
	case "dialog":
		s.editor.Answer("Apply")
	case "action":
		s.heardOfShown()
		s.result, s.failed = s.editor.Pick("apply pending change")
	case "command":
		s.heardOfShown()
		s.result, s.failed = s.editor.Command("coauthor.apply")
	default:
		s.t.Fatalf("line %d: accept %s", p.line, way)
	}
}

func stepDiscard(s *scene, p playStep) {
	way := "dialog"
	if len(p.args) > 0 {
		way = p.args[0]
	}
	switch {
	case s.editor.Previews():
		s.editor.Preview(false)
	case way == "dialog" && s.editor.Asked() != nil:
		s.editor.Answer("Discard")
	case way == "command":
		s.heardOfShown()
		s.result, s.failed = s.editor.Command("coauthor.discard")
	default:
		s.result, s.failed = s.editor.Pick("discard pending change")
	}
	s.unfailed()
	s.status("the end of the proposal", func(v map[string]any) bool {
		list, _ := v["pending"].([]any)
		return len(list) == 0
	})
}
