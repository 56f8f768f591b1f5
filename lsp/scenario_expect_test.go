package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/lsp/lsptest"
)

// stepBuffer waits for the text of a buffer, since clients report and servers check at their own pace.
func stepBuffer(s *scene, p playStep) {
	name, want := s.place(p.args[0]), s.want(p.args[1])
	same := func() bool { got, ok := s.editor.Text(name); return ok && got == want }
	for end := time.Now().Add(hung); time.Now().Before(end); s.editor.Pause() {
		if same() {
			return
		}
	}
	got, ok := s.editor.Text(name)
	if !ok {
		s.t.Errorf("line %d: there is no %s", p.line, p.args[0])
		return
	}
	s.t.Errorf("line %d: %s (-want +got):\n%s", p.line, p.args[0], cmp.Diff(want, got))
}

// stepHolds waits until a document holds texts.
func stepHolds(s *scene, p playStep) {
	name := s.place(p.args[0])
	got := ""
	for end := time.Now().Add(hung); time.Now().Before(end); s.editor.Pause() {
		got, _ = s.editor.Text(name)
		if !slices.ContainsFunc(p.args[1:], func(want string) bool { return !strings.Contains(got, want) }) {
			return
		}
	}
	s.t.Errorf("line %d: %s does not hold %q:\n%s", p.line, p.args[0], p.args[1:], got)
}

// stepUnchanged: buffer and file are as the archive has them.
func stepUnchanged(s *scene, p playStep) {
	for _, name := range p.args {
		want := s.files[s.roots[0]+"/"+name]
		if text, ok := s.files[name]; ok {
			want = text
		}
		if got, _ := s.editor.Text(s.place(name)); got != want {
			s.t.Errorf("line %d: %s was changed (-want +got):\n%s", p.line, name, cmp.Diff(want, got))
		}
		raw, err := os.ReadFile(s.place(name))
		if err != nil || string(raw) != want {
			s.t.Errorf("line %d: %s was changed on disk: %q, %v", p.line, name, raw, err)
		}
	}
}

// soon waits for what a client may take a moment for, and says whether it came.
func (s *scene) soon(ok func() bool) bool {
	for end := time.Now().Add(hung); time.Now().Before(end); s.editor.Pause() {
		if ok() {
			return true
		}
	}
	return ok()
}

func stepClosed(s *scene, p playStep) {
	if !s.soon(func() bool { return !s.editor.IsOpen(s.place(p.args[0])) }) {
		s.t.Errorf("line %d: %s is open", p.line, p.args[0])
	}
}

// stepOnlyChoice: the open dialog has this choice and no other.
func stepOnlyChoice(s *scene, p playStep) {
	for end := time.Now().Add(hung); s.editor.Asked() == nil && time.Now().Before(end); {
		s.editor.Pause()
	}
	if got := s.editor.Asked(); !cmp.Equal(got, p.args) {
		s.t.Errorf("line %d: the choices are %q, want %q", p.line, got, p.args)
	}
}

// stepTextless: the file is closed, or what is open of it holds no text.
func stepTextless(s *scene, p playStep) {
	name := s.place(p.args[0])
	if text, ok := s.editor.Text(name); ok && strings.TrimSpace(text) != "" {
		s.t.Errorf("line %d: %s still holds %q", p.line, p.args[0], text)
	}
}

func stepOnDisk(s *scene, p playStep) {
	want := s.want(p.args[1])
	var raw []byte
	var err error
	for end := time.Now().Add(hung); time.Now().Before(end); s.editor.Pause() { // some clients save by themselves
		if raw, err = os.ReadFile(s.place(p.args[0])); err == nil && string(raw) == want {
			return
		}
	}
	s.t.Errorf("line %d: %s on disk, %v (-want +got):\n%s", p.line, p.args[0], err, cmp.Diff(want, string(raw)))
}

// stepOffDisk waits for a file to go, since what the server does on disk comes behind its answer.
func stepOffDisk(s *scene, p playStep) {
	gone := func() bool { _, err := os.Lstat(s.place(p.args[0])); return err != nil }
	for end := time.Now().Add(hung); !gone() && time.Now().Before(end); {
		s.editor.Pause()
	}
	if !gone() {
		s.t.Errorf("line %d: %s is on disk", p.line, p.args[0])
	}
}

func stepMissing(s *scene, p playStep) {
	stepOffDisk(s, p)
	stepClosed(s, p)
}

// stepMessage: exactly one message of the kind came since the turn was asked for, and it holds every text. Of
// information there may be more, and the one that holds every text is waited for.
func stepMessage(s *scene, p playStep) {
	kinds := map[string]int{"error": 1, "warning": 2, "info": 3}
	kind, ok := kinds[p.args[0]]
	if !ok {
		s.t.Fatalf("line %d: message %s", p.line, p.args[0])
	}
	var got []lsptest.Note
	s.editor.Wait("a message "+p.rest, func(l *lsptest.Log) bool {
		got = nil
		for _, m := range l.Messages[s.messages:] {
			others := func(want string) bool { return !strings.Contains(m.Text, want) }
			if m.Type == kind && (kind != kinds["info"] || !slices.ContainsFunc(p.args[1:], others)) {
				got = append(got, m)
			}
		}
		return len(got) > 0
	})
	if len(got) > 1 {
		s.t.Errorf("line %d: more than one message: %v", p.line, got)
	}
	for _, want := range p.args[1:] {
		if !strings.Contains(got[0].Text, want) {
			s.t.Errorf("line %d: the message is %q, want %q in it", p.line, got[0].Text, want)
		}
	}
	for _, secret := range []string{"sk-test", "goroutine ", "0x"} {
		if strings.Contains(got[0].Text, secret) {
			s.t.Errorf("line %d: the message %q holds %q", p.line, got[0].Text, secret)
		}
	}
}

// stepQuietly: no message said anything of what became of the last edits; those from now on are new.
func stepQuietly(s *scene, p playStep) {
	s.editor.Do(func(l *lsptest.Log) {
		for _, m := range l.Messages[s.messages:] {
			if m.Type <= 2 || !strings.Contains(m.Text, "is pending") {
				s.t.Errorf("line %d: there is a message: %q", p.line, m.Text)
			}
		}
	})
	s.mark()
}

// stepState waits for the state of a proposal that can be decided on.
// stepState waits for a state, and for a revision where one is named: what the answer to a question brings comes behind it.
func stepState(s *scene, p playStep) {
	s.status("a proposal that is "+strings.Join(p.args, " at revision "), func(v map[string]any) bool {
		list, _ := v["pending"].([]any)
		return slices.ContainsFunc(list, func(one any) bool {
			return field(one, "state") == p.args[0] && (len(p.args) == 1 || fmt.Sprint(field(one, "revision")) == p.args[1])
		})
	})
}

func stepNoMessage(s *scene, p playStep) {
	s.editor.Do(func(l *lsptest.Log) {
		for _, m := range l.Messages[s.messages:] {
			if m.Type <= 2 {
				s.t.Errorf("line %d: there is a message: %q", p.line, m.Text)
			}
		}
	})
}

// stepProgress looks at the end of the last progress, for clients that have them.
func stepProgress(s *scene, p playStep) {
	if progress, _ := field(s.editor.Profile().Capabilities, "window", "workDoneProgress").(bool); !progress {
		return
	}
	s.settled()
	s.editor.Wait("the end of a progress", func(l *lsptest.Log) bool {
		return len(l.Progress) > 0 && l.Progress[len(l.Progress)-1].Ended
	})
	s.editor.Do(func(l *lsptest.Log) {
		if end := l.Progress[len(l.Progress)-1].End; !strings.Contains(end, p.args[0]) {
			s.t.Errorf("line %d: the progress ended with %q, want %q", p.line, end, p.args[0])
		}
	})
}

// stepShown: a document or a message that the user was shown holds the text.
func stepShown(s *scene, p playStep) {
	want := s.want(p.args[0])
	s.editor.LookUp()
	for end := time.Now().Add(hung); !s.editor.Saw(want) && time.Now().Before(end); s.editor.LookUp() {
		s.editor.Pause()
	}
	if !s.editor.Saw(want) {
		s.t.Errorf("line %d: the user was not shown %q; documents: %s", p.line, want, s.editor.Seen())
	}
}

func stepRequests(s *scene, p playStep) {
	want, err := strconv.Atoi(p.args[0])
	if err != nil {
		s.t.Fatal(err)
	}
	if got := len(s.model.Requests()); got != want {
		s.t.Errorf("line %d: %d requests reached the model, want %d", p.line, got, want)
	}
}

func (s *scene) lastPrompt() string {
	list := s.model.Requests()
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	for _, m := range list[len(list)-1].Messages {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

func stepPrompt(s *scene, p playStep) {
	for _, want := range p.args {
		if got := s.lastPrompt(); !strings.Contains(got, s.want(want)) {
			s.t.Errorf("line %d: the prompt lacks %q:\n%s", p.line, want, got)
		}
	}
}

func stepNoPrompt(s *scene, p playStep) {
	for _, not := range p.args {
		if got := s.lastPrompt(); strings.Contains(got, not) {
			s.t.Errorf("line %d: the prompt holds %q", p.line, not)
		}
	}
}

func stepPauses(s *scene, p playStep) {
	if got := seconds(s.paused); !cmp.Equal(got, p.args) && (len(got) > 0 || len(p.args) > 0) {
		s.t.Errorf("line %d: the pauses between retries were %v, want %v", p.line, got, p.args)
	}
}

// stepDisconnected: the model's socket was closed by us.
func stepDisconnected(s *scene, p playStep) {
	n, err := strconv.Atoi(p.args[0])
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel()
	if err := s.model.WaitClosed(ctx, n); err != nil {
		s.t.Errorf("line %d: %v", p.line, err)
	}
}

func stepNotify(s *scene, p playStep) {
	method, rest, _ := strings.Cut(p.rest, " ")
	var v any
	if err := json.Unmarshal([]byte(s.expand(rest)), &v); err != nil {
		s.t.Fatalf("line %d: %v", p.line, err)
	}
	s.editor.Notify(method, v)
}

// stepActions waits for the actions, which come when the server has made sure of what happened.
func stepActions(s *scene, p playStep) {
	for _, want := range p.args {
		var titles []string
		found := false
		for end := time.Now().Add(hung); !found && time.Now().Before(end); {
			titles = nil
			for _, a := range s.editor.CodeActions() {
				titles = append(titles, a.Title)
				found = found || strings.Contains(a.Title, want)
			}
			if !found {
				s.editor.Pause()
			}
		}
		if !found {
			s.t.Errorf("line %d: hung: waited for the action %q, there are %q", p.line, want, titles)
		}
	}
}

func stepNoAction(s *scene, p playStep) {
	for _, a := range s.editor.CodeActions() {
		if strings.Contains(a.Title, p.args[0]) {
			s.t.Errorf("line %d: the action %q is offered", p.line, a.Title)
		}
	}
}

// stepStreamed: what came as coauthor/stream is the reply, for our own client.
func stepStreamed(s *scene, p playStep) {
	s.editor.Wait("the stream", func(l *lsptest.Log) bool {
		var b strings.Builder
		for _, v := range l.Stream {
			if len(p.args) < 2 || field(v, "channel") == p.args[1] {
				piece, _ := field(v, "delta").(string)
				b.WriteString(piece)
			}
		}
		return strings.Contains(b.String(), p.args[0])
	})
}

// stepUnapplied: no edit was sent, or none landed, but for those without a label, which are of documents of ours.
func stepUnapplied(s *scene, p playStep) {
	s.editor.Do(func(l *lsptest.Log) {
		for _, e := range l.Edits {
			if e.Applied && e.Label != "" {
				s.t.Errorf("line %d: an edit was applied: %q", p.line, e.Label)
			}
		}
	})
}

// stepLightBulb asks as clients do after each move of the cursor; only what is named may come.
func stepLightBulb(s *scene, p playStep) {
	var titles []string
	for _, a := range s.editor.AutomaticActions() {
		titles = append(titles, a.Title)
	}
	if len(titles) != len(p.args) {
		s.t.Errorf("line %d: unasked came %q, want %q", p.line, titles, p.args)
	}
	for i, want := range p.args {
		if i < len(titles) && !strings.Contains(titles[i], want) {
			s.t.Errorf("line %d: unasked came %q, want %q", p.line, titles[i], want)
		}
	}
}

// stepCompletes asks what may follow a text, in clients that complete.
func stepCompletes(s *scene, p playStep) {
	list, asked := s.editor.Complete(s.place(p.args[0]), p.args[1])
	want := p.args[2:]
	if !asked {
		return
	}
	if len(want) == 0 && len(list) > 0 || len(list) < len(want) {
		s.t.Errorf("line %d: offered are %+v", p.line, list)
		return
	}
	for i, label := range want {
		if list[i].Label != label {
			s.t.Errorf("line %d: %q is offered in place %d, not %q", p.line, list[i].Label, i, label)
		}
	}
}

// stepLenses: these are the code lenses of the document in front, in this order.
func stepLenses(s *scene, p playStep) {
	var titles []string
	for end := time.Now().Add(hung); time.Now().Before(end); s.editor.Pause() {
		list, asked := s.editor.Lenses()
		if !asked {
			s.t.Fatalf("line %d: this client has no code lenses", p.line)
		}
		titles = nil
		for _, l := range list {
			titles = append(titles, l.Title)
		}
		if slices.Equal(titles, p.args) {
			return
		}
	}
	s.t.Errorf("line %d: the code lenses are %q, want %q", p.line, titles, p.args)
}

// stepFollows waits until a document holds some texts and, behind an exclamation mark, none of the others.
func stepFollows(s *scene, p playStep) {
	name := s.place(p.args[0])
	wrong, got := "", ""
	for end := time.Now().Add(hung); time.Now().Before(end); s.editor.Pause() {
		wrong = ""
		got, _ = s.editor.Text(name)
		for _, want := range p.args[1:] {
			text, without := strings.CutPrefix(want, "!")
			if strings.Contains(got, text) == without {
				wrong = want
			}
		}
		if wrong == "" {
			return
		}
	}
	s.t.Errorf("line %d: %s (%q):\n%s", p.line, p.args[0], wrong, got)
}
