package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// Limits of one result, in characters.
const (
	mostText, mostRead = 8000, 12_000
	patience           = 2 * time.Second // of a search
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
	// Tags reads the names in a file; nil reads them here.
	Tags        func(ctx context.Context, path string, src []byte) ([]tag.Tag, error)
	Diagnostics []Diagnostic
	Small       bool // for a model with little room: half of everything
	Patience    time.Duration
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
	l := &looking{Box: b, ctx: ctx, most: b.half(mostText), snapshot: b.o.Snapshot.Within(ctx)}
	if c.Tool == Read {
		l.most = b.half(mostRead)
	}
	err := t.run(l, c.Args)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err != nil {
		l.r = Result{Text: failure(c.Tool, err), Bad: true}
	} else {
		l.r.Text = l.cut()
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

func (b *Box) half(n int) int {
	if b.o.Small {
		return n / 2
	}
	return n
}

// looking is one call on its way.
type looking struct {
	*Box
	ctx      context.Context
	snapshot *workspace.Snapshot
	most     int
	out      strings.Builder
	end      string // what follows the text, and is not cut
	r        Result
}

func (l *looking) say(format string, args ...any) { fmt.Fprintf(&l.out, format, args...) }

// finish sets the last line: how much of how much, and the next call.
func (l *looking) finish(format string, args ...any) { l.end = fmt.Sprintf(format, args...) }

// full says whether the text has no room for more.
func (l *looking) full(more string) bool { return l.out.Len()+len(more) > l.most-300 }

// cut returns the text within the limit, cut at a line.
func (l *looking) cut() string {
	text := strings.TrimRight(l.out.String(), "\n")
	if room := l.most - len(l.end) - 100; len(text) > room {
		whole := len(text)
		text = text[:max(room, 0)]
		if i := strings.LastIndexByte(text, '\n'); i > 0 {
			text = text[:i]
		}
		text = strings.ToValidUTF8(text, "") + fmt.Sprintf("\n(%d of %d characters)", len(text), whole)
	}
	if l.end == "" {
		return text
	}
	return strings.TrimLeft(text+"\n"+l.end, "\n")
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

// admit asks the door for a file and reads it. What may not go out is refused in the words that the user
// reads, too.
func (l *looking) admit(name string) (*workspace.Document, error) {
	d := l.o.Door.Check(l.ctx, name, workspace.OpSend)
	if d.Path != "" {
		name = d.Path
	}
	if d.Verdict == workspace.Refuse && l.folder(name) {
		return nil, refuse("%s is a folder. Next: %s.", name, next(List, "path", name))
	}
	agreed := d.Verdict == workspace.Ask && slices.Contains(l.o.Agreed, name)
	if d.Verdict != workspace.Allow && !agreed {
		return nil, refuse("%s is not sent to the model: %s.", name, strings.TrimSuffix(d.Reason, "."))
	}
	doc, err := l.snapshot.Document(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, l.absent(name)
	}
	return doc, err
}

// absent says that there is no such file, and names up to three that may be meant.
func (l *looking) absent(name string) error {
	files, err := l.listing()
	if err != nil {
		return err
	}
	var close []string
	base := strings.ToLower(path.Base(name))
	for _, f := range files {
		other := strings.ToLower(path.Base(f))
		if base != "" && (strings.Contains(other, base) || strings.Contains(base, other)) {
			close = append(close, f)
		}
	}
	slices.SortStableFunc(close, func(a, b string) int { // the most alike first
		return abs(len(path.Base(a))-len(base)) - abs(len(path.Base(b))-len(base))
	})
	if len(close) > 3 {
		close = close[:3]
	}
	if len(close) == 0 {
		return refuse("There is no file %s. Next: %s.", name, next(List, "path", "."))
	}
	return refuse("There is no file %s. Similar names: %s.", name, strings.Join(close, ", "))
}

func abs(n int) int { return max(n, -n) }

func (l *looking) folder(name string) bool {
	files, err := l.listing()
	return err == nil && (name == "." || slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, name+"/") }))
}

// listing returns the files that may be named, sorted: those of the root with the changes of the turn.
func (l *looking) listing() ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.files != nil {
		return l.files, nil
	}
	var disk []string
	if l.o.Files != nil {
		var err error
		if disk, err = l.o.Files(l.ctx); err != nil {
			return nil, fmt.Errorf("list the files: %w", err)
		}
	}
	set := map[string]bool{}
	for _, p := range disk {
		set[p] = true
	}
	for _, d := range l.snapshot.Open() {
		set[d.Path] = true
	}
	for _, c := range l.snapshot.Changes() {
		switch c.Op {
		case edits.OpDelete:
			delete(set, c.Path)
		case edits.OpRename:
			delete(set, c.Path)
			set[c.To] = true
		case edits.OpCreate, edits.OpUpdate:
			set[c.Path] = true
		}
	}
	may := l.o.Door.Lister(l.ctx)
	files := make([]string, 0, len(set))
	for p := range set {
		if may(p) {
			files = append(files, p)
		}
	}
	if l.ctx.Err() != nil {
		return nil, l.ctx.Err()
	}
	slices.Sort(files)
	l.files = files
	return files, nil
}

// below returns the files at or below a path.
func (l *looking) below(where string) ([]string, error) {
	files, err := l.listing()
	if err != nil {
		return nil, err
	}
	where = strings.Trim(path.Clean("/"+strings.TrimSpace(where)), "/")
	if where == "" {
		return files, nil
	}
	var list []string
	for _, f := range files {
		if f == where || strings.HasPrefix(f, where+"/") {
			list = append(list, f)
		}
	}
	if len(list) > 0 {
		return list, nil
	}
	if _, err := l.admit(where); err != nil {
		return nil, err // it says why it is not there
	}
	return []string{where}, nil
}

// without takes out the files whose content does not leave the machine without a question.
func (l *looking) without(files []string) map[string]bool {
	bad := map[string]bool{}
	for _, f := range l.o.Door.Withheld(l.ctx, files) {
		if !slices.Contains(l.o.Agreed, f) {
			bad[f] = true
		}
	}
	return bad
}

// text reads a file for looking through many: what is open or changed from the snapshot, the rest from disk
// without keeping it.
func (l *looking) text(name string) (string, error) {
	if l.held()[name] {
		return l.snapshot.Read(name)
	}
	return l.o.Door.DiskText(l.ctx, name)
}

// held are the files of which the snapshot has a text of its own.
func (l *looking) held() map[string]bool {
	set := map[string]bool{}
	for _, d := range l.snapshot.Open() {
		set[d.Path] = true
	}
	for _, c := range l.snapshot.Changes() {
		set[c.Path] = true
		if c.To != "" {
			set[c.To] = true
		}
	}
	return set
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
