package agent_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/custom"
	"coauthor/agent/model"
)

// ownBench has these files of the user's own commands.
func ownBench(t *testing.T, trusted bool, disk map[string]string, own *[]custom.File) *bench {
	t.Helper()
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", disk)
	b.settings.Trusted = trusted
	o := b.options("")
	o.OwnCommands = func() []custom.File { return *own }
	o.Catalog = func() *model.Catalog {
		c, err := model.Load(map[string]model.UserModel{"scripted": b.user, "cheap": b.user})
		if err != nil {
			panic(err)
		}
		return c
	}
	e := agent.NewEngine(o)
	t.Cleanup(e.Close)
	b.session = e.Session(b.ws)
	return b
}

// A file in the folder of commands is a command: behind a slash, with what stands behind it in its place, its model and its
// coder. Those of a workspace count only where it is trusted, and never before the user's; our own words are not taken.
func TestOwnCommands(t *testing.T) {
	disk := map[string]string{
		"a.py":                           "x = 1\n",
		".coauthor/commands/shout.md":    "The workspace's.\n",
		".coauthor/commands/team/fix.md": "Fix $1, then $2. All: $ARGUMENTS. $10 $3\n",
	}
	own := []custom.File{
		{Path: "shout.md", Name: "/own/shout.md", Text: "---\ndescription: Say it, loudly\nargument-hint: [what] [how]\ncoder: ask\nmodel: \"scripted\"\n---\nSay this loudly.\n"},
		{Path: "add.md", Name: "/own/add.md", Text: "It would take the place of /add.\n"},
		{Path: "ask.md", Name: "/own/ask.md", Text: "It would take the place of a coder.\n"},
		{Path: "odd.md", Name: "/own/odd.md", Text: "---\nmodel: inherit\ncoder: nobody\n---\n/ask is no word here.\n"},
		{Path: "slash.md", Name: "/own/slash.md", Text: "/ask is no word here.\n"},
		{Path: "gone.md", Name: "/own/gone.md", Err: errors.New("permission denied")},
	}
	for name, test := range map[string]struct {
		trusted    bool
		said, sent string
		fails      string
	}{
		"the user's":             {false, "/shout a word", "Say this loudly.\n\na word", ""},
		"before the workspace's": {true, "/shout", "Say this loudly.", ""},
		"with places":            {true, `/team:fix "the test" now`, `Fix the test, then now. All: "the test" now. $10`, ""},
		"an open quotation mark": {true, `/team:fix don"t now`, `Fix don"t, then now.`, ""},
		"over a line":            {true, "/team:fix\none two", "Fix one, then two.", ""},
		"no command in it":       {false, "/slash", "/ask is no word here.", ""},
		"not trusted":            {false, "/team:fix it", "", ".coauthor/commands/team/fix.md: Coauthor ignores commands in untrusted workspaces"},
		"no command":             {true, "/nothing here", "/nothing here", ""},
		"a path":                 {true, "/usr/bin is what?", "/usr/bin is what?", ""},
		"a coder's word":         {true, "/ask what?", "what?", ""},
		"no such coder":          {false, "/odd", "", "cannot use /odd: /own/odd.md:3: "},
		"cannot be read":         {false, "/gone", "", "/own/gone.md: cannot read the file: permission denied"},
	} {
		t.Run(name, func(t *testing.T) {
			b := ownBench(t, test.trusted, disk, &own)
			if test.fails != "" {
				if _, err := start(b.session, agent.Request{Instruction: test.said}, agent.Ports{}); err == nil || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("%v", err)
				}
				return
			}
			b.run(agent.Request{Instruction: test.said, Coder: "ask"})
			all := b.server.Requests()
			last := all[len(all)-1]
			if got := last.Messages[len(last.Messages)-1].Content; !strings.Contains(got, test.sent) {
				t.Errorf("sent %q", got)
			}
		})
	}
	b := ownBench(t, false, disk, &own)
	if c, err := b.session.Resolve(agent.Request{Instruction: "/shout it"}); err != nil || c.Coder.Name != "ask" {
		t.Errorf("%s, %v", c.Coder.Name, err)
	}
	if c, err := b.session.Resolve(agent.Request{Instruction: "/shout it", Coder: "architect"}); err != nil || c.Coder.Name != "architect" {
		t.Errorf("who asked for another coder means it: %s, %v", c.Coder.Name, err)
	}
	got, err := b.session.Engine.CustomCommands(b.session.Workspace, b.session.Settings()).Load(t.Context())
	var names []string
	for _, c := range got.List {
		names = append(names, c.Name)
	}
	if err != nil || !slices.Equal(names, []string{"shout", "slash"}) || got.List[0].Doc != "Say it, loudly" || got.List[0].Hint != "[what] [how]" {
		t.Errorf("%+v, %v", got, err)
	}
	answer, err := b.command("/commands")
	for _, want := range []string{"| /shout [what] [how] | Say it, loudly (/own/shout.md) |", "/own/add.md: /add is a built-in command", "/own/ask.md: /ask is a built-in command", "/own/odd.md:3: ", "team/fix.md: Coauthor ignores commands in untrusted workspaces"} {
		if err != nil || !strings.Contains(answer.Page.Text, want) {
			t.Errorf("no %q in %s, %v", want, answer.Page.Text, err)
		}
	}
	own = own[:0]
	if got, err := b.session.Engine.CustomCommands(b.session.Workspace, b.session.Settings()).Load(t.Context()); err != nil || len(got.List) != 0 {
		t.Errorf("they are read again: %+v, %v", got, err)
	}
}

// The model of a command is asked, unless the request names another.
func TestOwnCommandNamesItsModel(t *testing.T) {
	own := []custom.File{{Path: "less.md", Name: "less.md", Text: "---\nmodel: cheap\n---\nDo it.\n"}}
	b := ownBench(t, false, map[string]string{"a.py": "x = 1\n"}, &own)
	for _, test := range []struct{ model, asked string }{{"", "cheap"}, {"scripted", "scripted"}} {
		b.run(agent.Request{Instruction: "/less", Coder: "ask", Model: test.model})
		all := b.server.Requests()
		if got := all[len(all)-1].Model; got != test.asked {
			t.Errorf("with %q, %q was asked", test.model, got)
		}
	}
}

// Git sees the team's commands and settings in the folder of ours, and nothing else.
func TestGitSeesTheTeamsCommands(t *testing.T) {
	b := newGitBench(t, replies("Fine."), map[string]string{"a.py": "x = 1\n"})
	if _, err := b.ws.StateFolder(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"commands/tidy.md", "commands/go/tidy.md", "config.yaml", "history.md", "prompt-1.md", "other/tidy.md"} {
		b.put(".coauthor/"+path, "Tidy up.\n")
	}
	seen := strings.Fields(b.git("ls-files", "--others", "--exclude-standard"))
	if want := []string{".coauthor/commands/go/tidy.md", ".coauthor/commands/tidy.md", ".coauthor/config.yaml"}; !slices.Equal(seen, want) {
		t.Errorf("git sees %q", seen)
	}
}
