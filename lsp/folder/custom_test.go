package folder

import (
	"log/slog"
	"testing"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/custom"
	"coauthor/agent/workspace"
	"coauthor/lsp/wire"
)

// TestMenusSeeWhatWasSaved: a menu that opens while a reading runs, which may have passed the file before it was saved, waits
// for one that begins after it.
func TestMenusSeeWhatWasSaved(t *testing.T) {
	ws, err := workspace.Open("", workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	saved, began, goOn := "old", make(chan bool, 2), make(chan bool, 2)
	tasks := wire.NewTasks(t.Context())
	c := &Custom{Tasks: tasks, Moment: time.Minute, Loaded: func(custom.Commands) {}, Log: slog.New(slog.DiscardHandler),
		Sources: func() custom.Sources {
			text := saved
			return custom.Sources{Workspace: ws, Coders: coder.All(), Files: func() []custom.File {
				began <- true
				<-goOn
				return []custom.File{{Path: text + ".md", Name: text + ".md", Text: "Do it.\n"}}
			}}
		}}
	first := make(chan bool)
	go func() { defer close(first); c.Read(t.Context()) }()
	<-began
	saved = "new"
	goOn <- true
	goOn <- true
	if got := c.Read(t.Context()); len(got.List) != 1 || got.List[0].Name != "new" {
		t.Errorf("the menu has %+v", got)
	}
	<-first
}
