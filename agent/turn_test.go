package agent_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/mapper"
	"coauthor/agent/model"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

var update = flag.Bool("update", false, "write the goldens")

// scenario is the file "turns" of an archive in testdata/turns: requests that are made one after
// the other in one session. Files below disk/ are on disk, those below open/ in the editor, those
// below model/ are the script of the model.
type scenario struct {
	Settings struct {
		AddMentioned   string
		Verify         string
		MaxReflections *int
	}
	Model   model.UserModel
	Answers []string // to the questions, in order; none left is the default
	Turns   []struct {
		Instruction, Coder, Format, Target string
		Select                             string // text in the target that is selected
		Files, ReadOnly                    []string
		FollowUp                           bool   // of the turn before
		Then                               string // afterwards: discard, or write (apply nothing, write the proposal to the disk)
	}
}

func TestTurns(t *testing.T) {
	names, err := filepath.Glob("testdata/turns/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runScenario(t, name) })
	}
}

func runScenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var sc scenario
	script := &txtar.Archive{}
	disk, open := map[string]string{}, []txtar.File{}
	for _, f := range a.Files {
		switch head, rest, _ := strings.Cut(f.Name, "/"); {
		case f.Name == "turns":
			if err := yaml.UnmarshalWithOptions(f.Data, &sc, yaml.Strict()); err != nil {
				t.Fatal(err)
			}
		case head == "disk":
			disk[rest] = string(f.Data)
		case head == "open":
			open = append(open, txtar.File{Name: rest, Data: f.Data})
		case head == "model":
			script.Files = append(script.Files, txtar.File{Name: rest, Data: f.Data})
		}
	}
	b := newBench(t, string(txtar.Format(script)), disk)
	b.configure(sc)
	for _, f := range open {
		b.clock = b.clock.Add(time.Second)
		b.ws.DidOpen(f.Name, string(f.Data), 1)
	}
	b.session.Mapper.Await(t.Context()) // a prompt names the languages of the project once all files are known
	got := play(t, b, sc)
	var requests []string
	for _, r := range b.server.Requests() {
		requests = append(requests, shownRequest(r))
	}
	wrong := compareGoldens(a, got, requests)
	for _, w := range wrong {
		t.Error(w)
	}
	if *update && len(wrong) > 0 {
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s was written again: read the difference, then run the test without -update", name)
	}
}

// compareGoldens says which files of an archive are not as the play went: the report in want, and the requests to the
// model in want-request-1 and so on. It gives them the right content, for those that are to be written again. A file that
// nothing reads, and a request that was never made, is as wrong as a text that differs.
func compareGoldens(a *txtar.Archive, report string, requests []string) (wrong []string) {
	reported := false
	for i := range a.Files {
		f := &a.Files[i]
		head, _, below := strings.Cut(f.Name, "/")
		number, request := strings.CutPrefix(f.Name, "want-request-")
		var got string
		switch {
		case f.Name == "turns" || below && slices.Contains([]string{"disk", "open", "model"}, head):
			continue
		case f.Name == "want":
			got, reported = report, true
		case request:
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 || n > len(requests) {
				wrong = append(wrong, fmt.Sprintf("%s: there are %d requests, from 1", f.Name, len(requests)))
				continue
			}
			got = requests[n-1]
		default:
			wrong = append(wrong, f.Name+": nothing reads this file")
			continue
		}
		if diff := cmp.Diff(string(f.Data), got); diff != "" {
			wrong = append(wrong, fmt.Sprintf("%s: -want +got\n%s", f.Name, diff))
			f.Data = []byte(got)
		}
	}
	if !reported {
		wrong = append(wrong, "want: there is no such file")
	}
	return wrong
}

// A golden that can no longer be compared fails.
func TestGoldensAreCompared(t *testing.T) {
	for files, want := range map[string]string{
		"turns disk/a open/b model/1.md want want-request-1 want-request-2": "",
		"want want-request-3":  "want-request-3",
		"want want-request-0":  "want-request-0",
		"want want-request-x":  "want-request-x",
		"want want-request-02": "",
		"want want-reqest-1":   "want-reqest-1",
		"want disc/a":          "disc/a",
		"want disk":            "disk",
		"turns want-request-1": "want",
		"wrong:want":           "want",
		"want wrong:want-request-1 wrong:want-request-2": "want-request-1 want-request-2",
	} {
		right := map[string]string{"want": "report", "want-request-1": "one", "want-request-2": "two", "want-request-02": "two"}
		a := &txtar.Archive{}
		for _, name := range strings.Fields(files) {
			name, broken := strings.CutPrefix(name, "wrong:")
			data := right[name]
			if broken {
				data = "something else"
			}
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(data)})
		}
		var wrong []string
		for _, w := range compareGoldens(a, "report", []string{"one", "two"}) {
			name, _, _ := strings.Cut(w, ":")
			wrong = append(wrong, name)
		}
		if got := strings.Join(wrong, " "); got != want {
			t.Errorf("%s: wrong is %q, want %q", files, got, want)
		}
		for _, f := range a.Files {
			if data, known := right[f.Name]; known && string(f.Data) != data {
				t.Errorf("%s: %s would be written as %q", files, f.Name, f.Data)
			}
		}
	}
}

// shownRequest is what the model was sent but for the texts that are the same in every request.
func shownRequest(r llmtest.Recorded) string {
	start := 0
	for i, m := range r.Messages {
		if m.Role == "system" && start == 0 {
			start = i + 1
		}
		if strings.HasPrefix(m.Content, "Those were examples") {
			start = i
		}
	}
	var b strings.Builder
	for _, m := range r.Messages[start:] {
		fmt.Fprintf(&b, "== %s\n%s\n", m.Role, strings.TrimRight(m.Content, "\n"))
	}
	return today.ReplaceAllString(b.String(), "Date: TODAY")
}

// today is a line that is another one tomorrow.
var today = regexp.MustCompile(`(?m)^Date: \d{4}-\d\d-\d\d$`)

func play(t *testing.T, b *bench, sc scenario) string {
	t.Helper()
	var out strings.Builder
	last := ""
	for i, turn := range sc.Turns {
		r := agent.Request{Instruction: turn.Instruction, Coder: turn.Coder, Format: turn.Format, Files: turn.Files, ReadOnly: turn.ReadOnly}
		if turn.FollowUp {
			r.FollowUp = last
		}
		if turn.Target != "" {
			r.Target = &agent.Target{Path: turn.Target}
			if turn.Select != "" {
				text, err := b.ws.Snapshot().Read(turn.Target)
				if err != nil {
					t.Fatal(err)
				}
				r.Target.Start = strings.Index(text, turn.Select)
				r.Target.End = r.Target.Start + len(turn.Select)
			}
		}
		result, events := b.run(r)
		last = result.Turn
		if i > 0 {
			out.WriteString("\n")
		}
		report(&out, result, events)
		b.checkEvents(events, result)
		switch turn.Then {
		case "discard":
			if _, err := b.session.Proposals.Discard(proposal.Selector{Proposal: result.Proposal.ID, Revision: result.Proposal.Revision}); err != nil {
				t.Fatal(err)
			}
		case "write":
			for _, f := range result.Proposal.Files {
				b.put(f.Path(), f.Change.After)
			}
		}
	}
	return out.String()
}

// report shows what a user gets to see of a turn.
func report(out *strings.Builder, r agent.Result, events []event.Event) {
	fmt.Fprintf(out, "state: %s\n", r.State)
	for _, e := range events {
		switch e.Kind {
		case event.KindNote:
			fmt.Fprintf(out, "%s: %s\n", e.Note.Level, e.Note.Text)
		case event.KindRound:
			fmt.Fprintf(out, "round %d: %s\n", e.Round, e.Text)
		case event.KindEdit:
			fmt.Fprintf(out, "saw: %s %s\n", e.Op, e.Path)
		case event.KindEnded:
			fmt.Fprintf(out, "ended: %s\n", strings.TrimSpace(e.Ended.Message+" | "+e.Ended.Advice))
		case event.KindState, event.KindDelta, event.KindTool, event.KindOutput, event.KindUsage, event.KindProposal:
		}
	}
	for _, f := range r.Failures {
		fmt.Fprintf(out, "failure: %s %s: %s\n", f.Reason, f.Path, f.Message)
	}
	if r.Answer != "" {
		fmt.Fprintf(out, "answer:\n%s\n", r.Answer)
	}
	if r.Proposal != nil {
		fmt.Fprintf(out, "proposal, revision %d:\n", r.Proposal.Revision)
		for _, w := range r.Proposal.Warnings {
			fmt.Fprintf(out, "warning: %s\n", w)
		}
		for _, f := range r.Proposal.Files {
			out.WriteString(edits.Unified(f.Change, 1))
		}
	}
}

// bench is a session over a temporary folder, with a scripted model behind real HTTP.
type bench struct {
	t       *testing.T
	server  *llmtest.Server
	root    string
	ws      *workspace.Workspace
	engine  *agent.Engine
	session *agent.Session
	index   *index.Index // once a map was asked for
	door    func(path string) bool

	mu       sync.Mutex
	settings settings.Settings
	user     model.UserModel
	answers  []string
	texts    []string // what the user types instead, for questions that take that
	asked    []event.Question
	clock    time.Time
}

func newBench(t *testing.T, script string, disk map[string]string) *bench {
	t.Helper()
	s, err := llmtest.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, server: llmtest.Start(s), root: t.TempDir(), clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	t.Cleanup(b.server.Close)
	for path, text := range disk {
		b.put(path, text)
	}
	b.user = model.UserModel{APIBase: b.server.URL, APIKeyEnv: model.NoKey, EditFormat: "diff", Tokenizer: "chars4", Reminder: "none", Tools: "never"}
	b.settings = settings.Settings{Model: "scripted", MaxReflections: 3, AddMentioned: "ask", Verify: "off"}
	b.ws, err = workspace.Open(b.root, workspace.Options{Clock: func() time.Time { return b.clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.ws.Close() })
	b.engine = b.newEngine("")
	t.Cleanup(func() { b.engine.Close() })
	b.session = b.engine.Session(b.ws)
	return b
}

func (b *bench) newEngine(state string) *agent.Engine { return agent.NewEngine(b.options(state)) }

func (b *bench) options(state string) agent.Options {
	client := remote.New(remote.Options{Env: func(string) string { return "" }, Retries: -1})
	return agent.Options{
		Reserved: func(word string) bool { _, _, ok := command.CommandOf(command.Actions(), "/"+word); return ok },
		Client:   client,
		Settings: func(string) settings.Settings { b.mu.Lock(); defer b.mu.Unlock(); return b.settings },
		Catalog: func() *model.Catalog {
			b.mu.Lock()
			defer b.mu.Unlock()
			c, err := model.Load(map[string]model.UserModel{"scripted": b.user})
			if err != nil {
				panic(err)
			}
			return c
		},
		StateDir: state,
		Map:      b.mapper,
	}
}

// mapper reads the whole root before it draws, so that tests need not wait for it.
func (b *bench) mapper(ws *workspace.Workspace) mapper.Drawer {
	x, err := index.Open(context.Background(), ws.Root(), index.Options{Door: b.door})
	if err == nil {
		b.t.Cleanup(x.Close)
		b.index = x
	}
	if err == nil && b.door == nil {
		err = x.Wait(deadline(b.t))
	}
	if err != nil {
		b.t.Error(err)
		return nil
	}
	return x
}

func (b *bench) configure(sc scenario) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if sc.Settings.AddMentioned != "" {
		b.settings.AddMentioned = sc.Settings.AddMentioned
	}
	if sc.Settings.Verify != "" {
		b.settings.Verify = sc.Settings.Verify
	}
	if sc.Settings.MaxReflections != nil {
		b.settings.MaxReflections = *sc.Settings.MaxReflections
	}
	u := sc.Model
	u.APIBase, u.APIKeyEnv, u.Tokenizer = b.user.APIBase, b.user.APIKeyEnv, b.user.Tokenizer
	if u.EditFormat == "" {
		u.EditFormat = b.user.EditFormat
	}
	if u.Reminder == "" {
		u.Reminder = b.user.Reminder
	}
	if u.Tools == "" {
		u.Tools = b.user.Tools
	}
	b.user, b.answers = u, sc.Answers
}

func (b *bench) put(path, text string) {
	b.t.Helper()
	name := filepath.Join(b.root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// Ask answers from the list, then with the default.
func (b *bench) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, q)
	if len(b.texts) > 0 {
		a, _ := q.Choose(b.texts[0])
		b.texts = b.texts[1:]
		return a, ctx.Err()
	}
	if len(b.answers) == 0 {
		return q.DefaultAnswer(), ctx.Err()
	}
	a := b.answers[0]
	b.answers = b.answers[1:]
	return event.Answer{Choice: a}, ctx.Err()
}

// hung is when a test gives up: ten times as long as the slowest stage takes on a busy machine.
const hung = 5 * time.Minute

func (b *bench) run(r agent.Request) (agent.Result, []event.Event) {
	b.t.Helper()
	started, rec := b.start(r)
	if started.Status != agent.StatusStarted {
		b.t.Fatalf("not started: %+v", started)
	}
	return b.wait(started.Turn), rec.list()
}

func (b *bench) start(r agent.Request) (agent.Started, *recorder) {
	b.t.Helper()
	rec := &recorder{}
	started, err := start(b.session, r, agent.Ports{Sink: rec.sink, Ask: b})
	if err != nil {
		b.t.Fatal(err)
	}
	return started, rec
}

func (b *bench) wait(turn string) agent.Result {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel()
	result, err := b.session.Turns.Wait(ctx, turn)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// checkEvents holds for every turn: numbered from 1 without gaps, one end, the end last, and no
// state after a final one.
func (b *bench) checkEvents(events []event.Event, r agent.Result) {
	b.t.Helper()
	if len(events) == 0 || events[len(events)-1].Kind != event.KindEnded {
		b.t.Fatalf("the last event is not the end: %+v", events)
	}
	final := 0
	for i, e := range events {
		if e.Seq != uint64(i+1) || e.Turn != r.Turn {
			b.t.Errorf("event %d is %+v", i, e)
		}
		if e.Kind == event.KindEnded && i != len(events)-1 {
			b.t.Error("a second end")
		}
		if e.Kind == event.KindState && e.State.Final() {
			final++
		}
	}
	if end := events[len(events)-1].Ended; end.State != r.State || final != 1 {
		b.t.Errorf("ended %s with %d final states, the result says %s", end.State, final, r.State)
	}
}

// recorder keeps the events of a turn.
type recorder struct {
	mu     sync.Mutex
	events []event.Event
}

func (r *recorder) sink(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

func (r *recorder) list() []event.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]event.Event(nil), r.events...)
}

// start resolves a request and begins its turn.
func start(s *agent.Session, r agent.Request, p agent.Ports) (agent.Started, error) {
	return begin(s, p)(s.Resolve(r))
}

// begin returns what begins a turn for a resolved request.
func begin(s *agent.Session, p agent.Ports) func(r agent.Resolved, err error) (agent.Started, error) {
	return func(r agent.Resolved, err error) (agent.Started, error) {
		if err != nil {
			return agent.Started{}, err
		}
		return s.Start(r, p)
	}
}
