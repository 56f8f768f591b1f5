package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"coauthor/agent/workspace"
	"coauthor/repomap"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

const (
	mostText = 8000            // characters of one result; read has more
	patience = 2 * time.Second // of a search
)

// Options is what a Box looks at. Snapshot and Door are required.
type Options struct {
	Snapshot *workspace.Snapshot // of the turn, with its changes
	Door     *workspace.Door
	Agreed   []string // protected files that the user let go out in this turn
	// Files lists the files of the root that git would show; nil lists none but those of the snapshot.
	Files func(ctx context.Context) ([]string, error)
	// Map draws the map of the repository for some words; nil has none.
	Map func(ctx context.Context, words string, tokens int) (string, error)
	// Names knows the names in all files; nil looks through them.
	Names NameIndex
	// Tags reads the names in a file; nil reads them here.
	Tags func(ctx context.Context, path string, src []byte) ([]tag.Tag, error)
	// Check runs the checks on the changes so far; nil has none.
	Check       func(ctx context.Context) (string, error)
	Diagnostics []Diagnostic
	// Editor asks the editor's other language servers; nil where there are none to ask.
	Editor   Editor
	Small    bool // for a model with little room: half of everything
	Room     int  // of the model's window, in tokens
	Patience time.Duration
}

// NameIndex is what an index knows of the names in the files of the root, without the changes of the turn.
type NameIndex interface {
	// Naming lists the files in whose text a name stands. complete says that every file is known.
	Naming(ctx context.Context, name string) (list []repomap.Naming, complete bool)
	// Outline lists the definitions of a file, outer ones first. ok says that they are those of the file on disk as it is now.
	Outline(path string) (list []repomap.Definition, ok bool)
}

// Diagnostic is what a tool of the editor's says. Line counts from 1.
type Diagnostic struct {
	Path            string
	Line            int
	Severity        string // error, warning, information or hint; "" is not known
	Message, Source string
}

// Box runs tools on one state of a workspace. It is safe for concurrent use.
type Box struct {
	o Options

	mu    sync.Mutex
	files []string // guarded by mu; nil until they are listed
}

// NewBox returns a box.
func NewBox(o Options) *Box {
	if o.Tags == nil {
		o.Tags = syntax.Tags
	}
	if o.Patience <= 0 {
		o.Patience = patience
	}
	return &Box{o: o}
}

// Room is how many characters the results of one reply have together at most.
func (b *Box) Room() int { return max(leastResults, 2*b.o.readRoom()) }

// Result is what a call gave.
type Result struct {
	Text  string  // for the model
	Bad   bool    // the call could not be carried out
	Shown []Shown // what it showed of files
	// Limited says that time ended it, so that the same call can give more the next time.
	Limited bool
}

// Shown are lines of a file that the model has seen, from 1.
type Shown struct {
	Path        string
	First, Last int
	Of          int // lines of the file
}

// Run carries out a call. Everything that goes wrong is a result for the model; the error is that of ctx.
func (b *Box) Run(ctx context.Context, c Call) (Result, error) {
	t, ok := ByName(c.Tool)
	if !ok {
		return Result{Text: "There is no tool " + c.Tool + ".", Bad: true}, nil
	}
	l := &looking{o: &b.o, ctx: ctx, scope: scope{box: b, ctx: ctx, snapshot: b.o.Snapshot.Within(ctx)}, page: page{most: b.o.half(mostText)}}
	if c.Tool == Read || c.Tool == Symbol || c.Tool == Uses {
		l.page.most = b.o.readRoom()
	}
	err := t.run(l, c.Args)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err != nil {
		l.r = Result{Text: failure(c.Tool, err), Bad: true}
	} else {
		l.r.Text = l.page.cut()
	}
	return l.r, nil
}

// failure words an error for the model.
func failure(tool string, err error) string {
	var told refusal
	if errors.As(err, &told) {
		return told.Error()
	}
	return upper(tool) + " did not work: " + err.Error() + "."
}

// half is so much of a result as the model has room for.
func (o *Options) half(n int) int {
	if o.Small {
		return n / 2
	}
	return n
}

// looking is one call on its way.
type looking struct {
	o     *Options
	ctx   context.Context
	scope scope
	page  page
	r     Result
}

// refusal is why a call cannot be carried out, in words for the model.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// next words a call as the model can repeat it.
func next(tool string, args ...any) string {
	var b strings.Builder
	b.WriteString(tool + " {")
	for i := 0; i+1 < len(args); i += 2 {
		if i > 0 {
			b.WriteString(", ")
		}
		if s, ok := args[i+1].(string); ok {
			fmt.Fprintf(&b, "%q: %q", args[i], s)
		} else {
			fmt.Fprintf(&b, "%q: %v", args[i], args[i+1])
		}
	}
	return b.String() + "}"
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
