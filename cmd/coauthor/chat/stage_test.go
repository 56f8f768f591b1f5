package chat

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/model"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// stage is a session whose screen is drawn into a text: the messages go to the view at once, and no terminal is there.
type stage struct {
	*session
	view  *view
	now   time.Time
	set   settings.Settings
	asked chan struct{} // has one when a question is put
	stop  []func()

	mu      sync.Mutex
	printed []string // guarded by mu, as is the view
}

// newStage is a stage of so many columns, 30 lines high.
func newStage(t *testing.T, width int, colour bool) *stage {
	t.Helper()
	home := t.TempDir()
	root := filepath.Join(home, "shop")
	for _, dir := range []string{"objects", "refs"} { // with HEAD all that a repository needs
		if err := os.MkdirAll(filepath.Join(root, ".git", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", "calc.py": "def add(a, b):\n    return a - b\n", "tests/test_calc.py": "", "catalogue/prices.csv": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	g := &stage{now: time.Unix(1000, 0), asked: make(chan struct{}, 1), set: settings.Defaults()}
	g.set.Model = "local"
	coders := coder.All()
	engine := agent.NewEngine(agent.Options{Coders: coders, Settings: func(string) settings.Settings { return g.set },
		Catalog: sync.OnceValue(func() *model.Catalog {
			c, err := model.Load(nil)
			if err != nil {
				t.Error(err)
			}
			return c
		})})
	t.Cleanup(engine.Close)
	g.session = &session{o: Options{Session: engine.Session(ws), Table: pipeline.ActionsOf(coders), Width: width, Colour: colour, Home: home}, style: style{colour}}
	s := &screen{style: g.style, wake: make(chan struct{}, 1), width: width, height: 30}
	s.status = func() string { return status(g.o.Session) }
	s.complete = completer{t.Context(), g.o.Session, g.o.Table}.complete
	g.view = &view{s: s, in: &input{}, picked: -1}
	s.send = g.take
	g.on = s
	return g
}

// leave ends what waits for an answer.
func (g *stage) leave() {
	for _, stop := range g.stop {
		stop()
	}
}

// take is what bubbletea does with a message.
func (g *stage) take(msg tea.Msg) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if v := reflect.ValueOf(msg); v.Type() == reflect.TypeOf(tea.Println("")()) {
		g.printed = append(g.printed, v.Field(0).String())
		return
	}
	_, then := g.view.Update(msg)
	if _, key := msg.(tea.KeyPressMsg); key && then != nil { // what may follow is seen below it
		g.view.Update(then())
	}
	if _, ok := msg.(askMsg); ok {
		g.asked <- struct{}{}
	}
}

// keys presses keys: words of more than one letter are their names.
func (g *stage) keys(list ...string) {
	for _, key := range list {
		k := tea.Key{Text: key, Code: []rune(key)[0]}
		if special, ok := map[string]tea.Key{"enter": {Code: tea.KeyEnter}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "tab": {Code: tea.KeyTab}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "blank": {Code: ' ', Text: " "}}[key]; ok {
			k = special
		}
		g.take(tea.KeyPressMsg(k))
	}
}

// types types a text, letter by letter.
func (g *stage) types(text string) {
	for _, r := range text {
		g.take(tea.KeyPressMsg(tea.Key{Text: string(r), Code: r}))
	}
}

// turn is a turn that is shown on the stage, with the clock of the stage.
func (g *stage) turn(raw bool) *turnView {
	v := newTurnView(g.session, raw)
	v.clock = func() time.Time { return g.now }
	g.on.Working(func() {})
	g.on.Moving(v.rows)
	return v
}

// plays tells a turn of events, with a second between two.
func (g *stage) plays(v *turnView, events ...event.Event) {
	for _, e := range events {
		v.sink(e)
		g.now = g.now.Add(time.Second)
	}
}

// above is what was printed, below what is drawn.
func (g *stage) above() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.printed, "\n")
}

func (g *stage) below() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.view.View().Content
}

// text is the whole screen, with a mark for each look.
func (g *stage) text() string {
	all := g.below()
	if above := g.above(); above != "" {
		all = above + "\n" + all
	}
	lines := strings.Split(readable(all), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

var lookOrder = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// readable writes looks so that they can be read: {2:dimmed}.
func readable(text string) string {
	return lookOrder.ReplaceAllStringFunc(text, func(order string) string {
		if numbers := lookOrder.FindStringSubmatch(order)[1]; numbers != "" && numbers != "0" {
			return "{" + numbers + ":"
		}
		return "}"
	})
}

func thinks(text string) event.Event {
	return event.Event{Kind: event.KindDelta, Channel: event.ChannelReasoning, Text: text}
}

func says(text string) event.Event {
	return event.Event{Kind: event.KindDelta, Channel: event.ChannelAnswer, Text: text}
}

func begins(s event.State) event.Event {
	return event.Event{Kind: event.KindState, State: s, Model: "local"}
}

func changes(op, path string) event.Event {
	return event.Event{Kind: event.KindEdit, Op: op, Path: path}
}
