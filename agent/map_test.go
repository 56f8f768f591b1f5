package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/mapper"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// zoo is a repository of which only a part fits into the maps of these tests.
func zoo() map[string]string {
	files := map[string]string{"main.go": "package zoo\n\nfunc main() {}\n"}
	for _, name := range []string{"ant", "bear", "crow", "deer", "eagle", "frog", "goat", "hare"} {
		files[name+".go"] = fmt.Sprintf("package zoo\n\n// Feed%s gives the %s food.\nfunc Feed%s(amount int) error { return nil }\n", name, name, name)
	}
	return files
}

// drawn runs an ask and tells which animals the map of its prompt had, in order.
func (b *bench) drawn(r agent.Request) []string {
	b.t.Helper()
	r.Coder = "ask"
	if got, _ := b.run(r); got.Err != nil {
		b.t.Fatal(got.Err)
	}
	list := b.server.Requests()
	return animals(string(list[len(list)-1].Body))
}

func animals(text string) []string {
	type hit struct {
		name  string
		place int
	}
	var hits []hit
	for path := range zoo() {
		name := strings.TrimSuffix(path, ".go")
		if i := strings.Index(text, path+":"); i >= 0 && name != "main" {
			hits = append(hits, hit{name, i})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return a.place - b.place })
	var out []string
	for _, h := range hits {
		out = append(out, h.name)
	}
	return out
}

func TestRefreshOfTheMap(t *testing.T) {
	const script = "repeat: true\n-- 1.md --\nFine.\n"
	ask := func(what string, files ...string) agent.Request {
		return agent.Request{Instruction: "Feed the " + what + ".", Files: append([]string{"main.go"}, files...)}
	}
	for _, mode := range []string{"auto", "always", "files", "manual", ""} {
		t.Run(mode, func(t *testing.T) {
			b := newBench(t, script, zoo())
			b.settings.RepoMap = settings.RepoMap{Tokens: 16, Refresh: mode}
			first := b.drawn(ask("crow"))
			if len(first) == 0 || len(first) > 5 || first[0] != "crow" {
				t.Fatalf("the first map has %v", first)
			}
			kept := mode == "files" || mode == "manual"
			second := b.drawn(ask("hare"))
			if kept != slices.Equal(first, second) || kept == slices.Contains(second, "hare") {
				t.Errorf("another request: %v after %v", second, first)
			}
			if mode == "always" && second[0] != "hare" {
				t.Errorf("drawn again, but the best is not first: %v", second)
			}
			if kept = mode == "manual"; kept == slices.Contains(b.drawn(ask("hare", "deer.go")), "hare") {
				t.Errorf("another file in the chat: the map was kept %v", !kept)
			}
			shown, budget, err := b.session.Map(t.Context(), ask("goat"), agent.Ports{}, agent.MapOptions{Redraw: true})
			if err != nil || budget != 16 || animals(shown.Text)[0] != "goat" || shown.Complete != 1 || len(shown.Files) != 8 {
				t.Errorf("drawn again for the user: %v, %v\n%+v", err, budget, shown)
			}
			if got := b.drawn(ask("ant")); mode == "manual" && !slices.Equal(got, animals(shown.Text)) {
				t.Errorf("after the user had it drawn again: %v", got)
			}
		})
	}
}

func TestMapKeptByFilesFollowsTheListing(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", zoo())
	b.settings.RepoMap = settings.RepoMap{Tokens: 16, Refresh: "files"}
	r := agent.Request{Instruction: "Feed the crow.", Files: []string{"main.go"}}
	first := b.drawn(r)
	b.put("ant.go", "package zoo\n\nfunc Other() {}\n")
	b.look()
	r.Instruction = "Feed the hare."
	if got := b.drawn(r); !slices.Equal(first, got) {
		t.Errorf("other text in a file: %v after %v", got, first)
	}
	b.put("new.go", "package zoo\n\nfunc New() {}\n")
	b.look()
	if got := b.drawn(r); got[0] != "hare" {
		t.Errorf("another file: %v after %v", got, first)
	}
}

// look has the index look at the disk.
func (b *bench) look() {
	b.t.Helper()
	b.index.Changed("")
	if err := b.index.Wait(deadline(b.t)); err != nil {
		b.t.Fatal(err)
	}
}

// To look at the map changes nothing for the next turn.
func TestMapToLookAt(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", zoo())
	if _, _, err := b.session.Map(t.Context(), agent.Request{}, agent.Ports{}, agent.MapOptions{}); !errors.Is(err, agent.ErrNoMap) {
		t.Errorf("the map is off, but: %v", err)
	}
	b.settings.RepoMap = settings.RepoMap{Tokens: 16, Refresh: "manual"}
	first := b.drawn(agent.Request{Instruction: "Feed the crow."})
	m, _, err := b.session.Map(t.Context(), agent.Request{Instruction: "Feed the hare."}, agent.Ports{}, agent.MapOptions{})
	if err != nil || !slices.Equal(animals(m.Text), first) {
		t.Errorf("the kept map: %v, %v, want %v", animals(m.Text), err, first)
	}
	b.settings.RepoMap.Refresh = "auto"
	b.settings.Model = "" // nobody has set one up yet
	m, budget, err := b.session.Map(t.Context(), agent.Request{Instruction: "Feed the hare."}, agent.Ports{}, agent.MapOptions{Tokens: 1000})
	if err != nil || budget != 1000 || len(animals(m.Text)) != 8 {
		t.Errorf("%v, %d\n%s", err, budget, m.Text)
	}
	at := agent.Request{Target: &agent.Target{Path: "crow.go"}}
	if m, _, err = b.session.Map(t.Context(), at, agent.Ports{}, agent.MapOptions{}); err != nil || strings.Contains(m.Text, "crow.go") || m.Text == "" {
		t.Errorf("beside a file, without a model: %v\n%s", err, m.Text)
	}
	b.settings.Model, b.settings.RepoMap.Refresh = "scripted", "manual"
	if got := b.drawn(agent.Request{Instruction: "Feed the deer."}); !slices.Equal(got, first) {
		t.Errorf("a look changed the map of the next turn: %v after %v", got, first)
	}
}

// A turn does not wait for an index that is not ready; it says so and goes on with what there is.
func TestTurnGoesOnWithAPartOfTheMap(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", zoo())
	b.settings.RepoMap = settings.RepoMap{Tokens: 100}
	open := make(chan struct{})
	b.door = func(string) bool { <-open; return true }
	r := agent.Request{Instruction: "Feed the crow.", Coder: "ask"}
	told := func(events []event.Event) bool {
		return slices.ContainsFunc(events, func(e event.Event) bool {
			return e.Kind == event.KindNote && strings.Contains(e.Note.Text, "still indexing the repository. The repository map covers 0% of the files")
		})
	}
	got, events := b.run(r)
	if got.State != event.TurnAnswered || !told(events) {
		t.Errorf("while nothing can be read: %+v\n%+v", got, events)
	}
	close(open)
	b.look()
	if got, events = b.run(r); got.State != event.TurnAnswered || told(events) {
		t.Errorf("when all is read: %+v\n%+v", got, events)
	}
}

// The coder that finds files has a larger map for each look, whatever the setting says, and the next turn's stays as
// it was.
func TestMapToFindFilesBy(t *testing.T) {
	for _, mode := range []string{"manual", "files", "auto", "always"} {
		b := newBench(t, replies("Fine.", "crow.go alone.", "crow.go alone.", "Fine."), zoo())
		b.user.ContextWindow = 32768
		b.settings.RepoMap = settings.RepoMap{Tokens: 20, Refresh: mode}
		ask := agent.Request{Instruction: "Feed the ant.", Files: []string{"main.go"}}
		kept := b.drawn(ask)
		if r, _ := b.run(agent.Request{Instruction: "Feed the crow and the hare.", Files: []string{"main.go"}, Coder: "context"}); r.Err != nil {
			t.Fatal(r.Err)
		}
		list := b.server.Requests()
		first, second := animals(string(list[1].Body)), animals(string(list[2].Body))
		if len(first) <= len(kept) || !slices.Contains(first, "crow") || !slices.Contains(first, "hare") {
			t.Errorf("%s: the first look has %v, and the turn before had %v", mode, first, kept)
		}
		if len(second) < len(first) || slices.Contains(second, "crow") || !slices.Contains(second, "hare") {
			t.Errorf("%s: the second look has %v after %v", mode, second, first)
		}
		if got := b.drawn(ask); mode == "manual" && !slices.Equal(got, kept) {
			t.Errorf("%s: the next turn has %v, and before it had %v", mode, got, kept)
		}
	}
}

// A map that the setting makes much larger than the model's window would is told once, with what to set.
func TestLargeMapIsTold(t *testing.T) {
	for _, c := range []struct {
		window, tokens int
		off            bool
		want           string
	}{
		{window: 16384, tokens: 4097, want: "repoMap.tokens is 4097, but 2048 is the default for scripted"},
		{window: 16384, tokens: 4096},
		{window: 16384, tokens: settings.MapByModel},
		{window: 16384, tokens: 0, off: true},
		{window: 0, tokens: 2049, want: "no more than 2048"},
	} {
		b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", zoo())
		b.user.ContextWindow = c.window
		b.settings.RepoMap = settings.RepoMap{Tokens: c.tokens}
		ask := agent.Request{Instruction: "Feed the ant.", Coder: "ask"}
		if _, _, err := b.session.Map(t.Context(), ask, agent.Ports{}, agent.MapOptions{}); err != nil && !c.off {
			t.Fatal(err) // a look takes nothing away from the turn
		}
		_, first := b.run(ask)
		_, second := b.run(ask)
		if (c.want != "") != told(first, "repoMap.tokens is") || !told(first, c.want) && c.want != "" || told(second, "repoMap.tokens is") {
			t.Errorf("window %d, setting %d: want %q", c.window, c.tokens, c.want)
		}
	}
}

// The map that the model asks for is of its own words, also where the one of the turn stays.
func TestMapForTheModelsWords(t *testing.T) {
	b := newLookout(t, calling("Fine.", "\n>> map {\"words\":\"Feedhare\"}", "Fine.", "Fine."), zoo())
	b.settings.RepoMap = settings.RepoMap{Tokens: 16, Refresh: "manual"}
	ask := agent.Request{Instruction: "Feed the crow.", Coder: "ask", Files: []string{"main.go"}}
	kept := b.drawn(ask)
	b.run(ask)
	got := results(t, b.server.Requests()[2])
	if len(got) != 1 || len(animals(got[0])) != 8 || animals(got[0])[0] != "hare" {
		t.Errorf("for the model's words: %q", got)
	}
	if now := b.drawn(ask); !slices.Equal(now, kept) {
		t.Errorf("the next turn has %v, and before it had %v", now, kept)
	}
}

// countedIndex counts how often it is asked for a map.
type countedIndex struct {
	*index.Index
	asked atomic.Int32
}

func (x *countedIndex) Map(ctx context.Context, r repomap.Request) (repomap.Map, error) {
	x.asked.Add(1)
	return x.Index.Map(ctx, r)
}

// The map is drawn once for a round, whatever else is in the prompt: with files in the chat and without, for a plan but
// not for its edits, and for a prompt that turns out too large. What is sent back to the model has the map that it had.
func TestOneMapForARound(t *testing.T) {
	xTwo := "main.go\n```\n<<<<<<< SEARCH\nfunc main() {}\n=======\nfunc main() { Feedcrow(2) }\n>>>>>>> REPLACE\n```\n"
	for what, c := range map[string]struct {
		script string
		r      agent.Request
		window int
		rounds int
		maps   int
	}{
		"a question without files":  {replies("Fine."), agent.Request{Instruction: "Feed the crow.", Coder: "ask"}, 0, 1, 1},
		"a question about a file":   {replies("Fine."), agent.Request{Instruction: "Feed the crow.", Coder: "ask", Files: []string{"main.go"}}, 0, 1, 1},
		"a change":                  {replies(xTwo), agent.Request{Instruction: "Feed the crow.", Files: []string{"main.go"}}, 0, 1, 1},
		"a change told twice":       {replies(strings.Replace(xTwo, "main() {}", "nowhere() {}", 1), xTwo), agent.Request{Instruction: "Feed the crow.", Files: []string{"main.go"}}, 0, 2, 1},
		"a plan and its edits":      {replies("main.go feeds the crow."+asPlan, xTwo), agent.Request{Instruction: "Feed the crow.", Coder: "architect", Files: []string{"main.go"}}, 0, 2, 1},
		"more than the model takes": {replies("Never sent."), agent.Request{Instruction: strings.Repeat("Feed the crow. ", 400), Coder: "ask"}, 1100, 1, 1},
	} {
		for _, refresh := range []string{"auto", "always"} {
			b := newBench(t, c.script, zoo())
			b.user.ContextWindow = c.window
			b.settings.RepoMap = settings.RepoMap{Tokens: 40, Refresh: refresh}
			var x *countedIndex
			b.engine.Close()
			o := b.options("")
			o.Map = func(ws *workspace.Workspace) mapper.Drawer {
				b.mapper(ws)
				x = &countedIndex{Index: b.index}
				return x
			}
			b.engine = agent.NewEngine(o)
			b.session = b.engine.Session(b.ws)
			r, events := b.run(c.r)
			b.checkEvents(events, r)
			if sent := len(b.server.Requests()); c.window == 0 && (sent != c.rounds || r.Err != nil) || c.window > 0 && (sent != 0 || r.State != event.TurnFailed) {
				t.Fatalf("%s, %s: %d requests, %+v", what, refresh, sent, r)
			}
			if n := int(x.asked.Load()); n != c.maps {
				t.Errorf("%s, %s: %d maps were drawn in %d rounds, want %d", what, refresh, n, c.rounds, c.maps)
			}
		}
	}
}

// A model that can look further is told of the folders beside the map; one that cannot has the map alone.
func TestFoldersForWhoCanLook(t *testing.T) {
	files := zoo()
	files["cage/door/lock.go"], files["cage/bar.go"], files[".gitignore"], files["out/made.go"] = "package door\n", "package cage\n", "out/\n", "package out\n"
	for tools, b := range map[string]*bench{"with tools": newLookout(t, calling("Fine."), files), "without": newBench(t, replies("Fine."), files)} {
		b.settings.RepoMap = settings.RepoMap{Tokens: settings.MapByModel}
		b.drawn(agent.Request{Instruction: "Feed the crow.", Files: []string{"main.go"}})
		body := string(b.server.Requests()[0].Body)
		has := strings.Contains(body, `in it and below it:\n\n./ 12\n cage/ 2\n  door/ 1`)
		if has != (tools == "with tools") || !has && strings.Contains(body, "cage/ 2") {
			t.Errorf("%s the folders are shown: %v\n%s", tools, has, body)
		}
	}
}
