package history

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/agent/secret"
	"coauthor/agent/settings"
)

// Options are what a Conversation is made of.
type Options struct {
	Context  context.Context // ends with the folder
	Root     string
	StateDir string                   // where transcripts are kept; "" keeps none
	Settings func() settings.Settings // those in force at this moment
	Clock    func() time.Time
	Random   io.Reader // names conversations
	Log      *slog.Logger
	// Hold has the end of the folder wait for work in the background, until it is released.
	Hold func() (release func(), err error)
	// Prose gives what takes the edits of an edit format out of a reply, which a transcript does not tell apart.
	Prose func(format string) func(reply string) string
	// Limit is from how many tokens on a conversation is too long for the model in force, what that takes, and how it counts.
	Limit func() (limit, room int, count func(string) int)
	// Summarize sums up what a plan says; the error says in words for the user why that cannot be.
	Summarize func(ctx context.Context, plan Plan, limit int) (string, error)
}

// Conversation is what was said in one workspace root, in memory and in the transcript on disk. What of it becomes too
// long is summed up in the background. It is safe for concurrent use.
type Conversation struct {
	History *History // in memory
	o       Options
	record  record
	summing summing
}

// NewConversation returns one in which nothing was said. It reads nothing yet.
func NewConversation(o Options) *Conversation {
	c := &Conversation{History: &History{}, o: o}
	c.record.o, c.record.restored = &c.o, make(chan struct{})
	return c
}

// record ties a conversation to the transcript of its folder.
type record struct {
	o *Options

	once     sync.Once     // restores, where the settings ask for it
	restored chan struct{} // closed when that is done, or need not be
	order    sync.Mutex    // held while the conversation changes and that is written; taken before mu

	mu           sync.Mutex
	transcript   *Transcript  // guarded by mu; nil until it is needed, and for none
	conversation string       // guarded by mu; names that of this session in the transcript
	notes        []event.Note // guarded by mu; what the next turn tells
	toldErr      bool         // guarded by mu; the user knows that nothing is saved
	taken        bool         // guarded by mu; an earlier conversation was taken over, and no turn went on with it
	closed       bool         // guarded by mu
}

// current returns the transcript of the folder as the settings want it now, nil for none.
func (r *record) current() *Transcript {
	set := r.o.Settings().History
	r.mu.Lock()
	defer r.mu.Unlock()
	file := r.file()
	switch {
	case r.closed:
		return nil
	case r.transcript != nil && (!set.Saves() || file == ""):
		if err := r.transcript.Close(); err != nil {
			r.o.Log.Warn("could not close the transcript", "error", err)
		}
		r.transcript = nil
	}
	if r.transcript == nil && set.Saves() && file != "" {
		r.transcript = NewTranscript(file)
	}
	return r.transcript
}

// file is the transcript of the folder; "" without a folder, or without a place for what we keep.
func (r *record) file() string {
	root := r.o.Root
	if root == "" || r.o.StateDir == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(root))
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || r < ' ' {
			return '-'
		}
		return r
	}, filepath.Base(root))
	return filepath.Join(r.o.StateDir, "history", name+"-"+hex.EncodeToString(sum[:8])+".md")
}

// Remember keeps what came of a turn. again is the turn whose place it takes, "" for none.
func (c *Conversation) Remember(x Exchange, again string) {
	if again != "" {
		c.summing.stop()
	}
	c.record.order.Lock()
	c.replace(again)
	c.add(x)
	c.record.order.Unlock()
}

// Hear keeps an exchange that came of no turn.
func (c *Conversation) Hear(x Exchange) { c.add(x) }

func (c *Conversation) add(x Exchange) {
	if x, added := c.History.Add(x); added {
		c.record.write(Record{Kind: KindTurn, Exchange: x})
	}
}

// write appends a record to the transcript. It waits for nothing.
func (r *record) write(one Record) {
	transcript := r.current()
	if transcript == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conversation == "" {
		name, err := id.New(r.o.Random, "c")
		if err != nil {
			r.o.Log.Warn("could not write the transcript", "error", err)
			return
		}
		r.conversation = name
	}
	one.Session, one.At = r.conversation, r.o.Clock()
	one.User, one.Reply, one.Text = secret.Without(one.User), secret.Without(one.Reply), secret.Without(one.Text)
	transcript.Append(one)
}

// Unsaved returns why what was said in this session could not be kept on disk, nil when it was.
func (c *Conversation) Unsaved() error {
	if t := c.record.current(); t != nil {
		return t.Flush()
	}
	return nil
}

// Close closes the transcript.
func (c *Conversation) Close() { c.record.close() }

func (r *record) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.transcript == nil {
		return
	}
	if err := r.transcript.Close(); err != nil {
		r.o.Log.Warn("could not close the transcript", "root", r.o.Root, "error", err)
	}
}

// Begin makes the conversation ready for the first prompt of a turn, after Restore, and returns what the user must know of it.
func (c *Conversation) Begin() (event.Note, bool) {
	r := &c.record
	r.mu.Lock()
	taken := r.taken
	r.taken = false
	r.mu.Unlock()
	if taken {
		c.Shorten()
	}
	transcript := c.record.current()
	if transcript == nil {
		return event.Note{}, false
	}
	err := transcript.Err()
	r.mu.Lock()
	tell := err != nil && !r.toldErr
	r.toldErr = r.toldErr || tell
	r.mu.Unlock()
	if !tell {
		return event.Note{}, false
	}
	return event.Warning(display.Upper("this conversation is not saved: ") + err.Error() + "."), true
}

// Notes returns, once, what was kept for the turn that begins.
func (c *Conversation) Notes() []event.Note {
	r := &c.record
	r.mu.Lock()
	defer r.mu.Unlock()
	notes := r.notes
	r.notes = nil
	return notes
}

// Restore has the session go on with the last conversation of its folder, where the settings ask for that, the
// first time that it is called.
func (c *Conversation) Restore(ctx context.Context) error {
	wanted := c.o.Settings().History.Mode == settings.HistoryRestore
	c.record.once.Do(func() {
		if !wanted {
			close(c.record.restored)
			return
		}
		go func() { // who needs it waits for restored
			defer close(c.record.restored)
			switch told, err := c.Earlier(); {
			case errors.Is(err, errNoEarlier):
			case err != nil:
				c.TellNext(event.Warning("Could not continue the last conversation: " + err.Error() + "."))
			default:
				c.GoOn(told)
			}
		}()
	})
	select {
	case <-c.record.restored:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Unrestored has nothing restored, whatever the settings ask for.
func (c *Conversation) Unrestored() { c.record.once.Do(func() { close(c.record.restored) }) }

// errNoEarlier says that there is no conversation to go on with.
var errNoEarlier = errors.New("no conversation to continue in this folder; send a request to start one")

// Earlier reads the conversation of the folder that had the last word.
func (c *Conversation) Earlier() (Told, error) {
	transcript := c.record.current()
	switch {
	case transcript == nil && !c.o.Settings().History.Saves():
		return Told{}, errors.New("conversations are not saved; set history.mode to save")
	case transcript == nil:
		return Told{}, errNoEarlier
	}
	records, err := transcript.Read()
	if err != nil {
		return Told{}, err
	}
	told := Replay(records, "")
	if len(told.Exchanges) == 0 {
		return told, errNoEarlier
	}
	return told, nil
}

// mostRestored is how much text of a conversation a session takes over: more than any model is sent of it.
const mostRestored = 256 << 10

// GoOn has the session go on with an earlier conversation, and the user told with the next turn.
func (c *Conversation) GoOn(told Told) {
	notes := earlierNotes(told)
	c.record.order.Lock()
	c.takeOver(told)
	c.record.order.Unlock()
	for _, n := range notes {
		c.TellNext(n)
	}
	c.record.mu.Lock()
	defer c.record.mu.Unlock()
	c.record.taken = true
}

// takeOver makes an earlier conversation that of the session. The caller holds record.order.
func (c *Conversation) takeOver(told Told) {
	told = told.Rest()
	size, from := 0, len(told.Exchanges)
	parsers := map[string]func(string) string{} // by edit format: to look one up costs more than to use it
	for from > 0 && (size <= mostRestored || from == len(told.Exchanges)) {
		from--
		x := &told.Exchanges[from]
		size += len(x.User) + len(x.Reply)
		if parsers[x.Format] == nil {
			parsers[x.Format] = c.o.Prose(x.Format)
		}
		x.Prose = parsers[x.Format](x.Reply)
	}
	told.Exchanges = told.Exchanges[from:]
	c.record.mu.Lock()
	c.record.conversation = told.Session
	c.record.mu.Unlock()
	c.History.Restore(told)
}

// earlierNotes tell the user what a session goes on with.
func earlierNotes(told Told) []event.Note {
	last := told.Exchanges[len(told.Exchanges)-1]
	notes := []event.Note{event.Info(fmt.Sprintf("Continuing the conversation from %s (%s so far).", last.At.Format("2006-01-02 15:04"), display.Count(len(told.Exchanges), "request")))}
	if told.Cut > 0 {
		notes = append(notes, event.Warning(fmt.Sprintf("The saved conversation contains only part of %s.", display.Count(told.Cut, "answer"))))
	}
	return notes
}

// Told is the conversation: what the transcript has of it where there is one, because it has more than memory.
func (c *Conversation) Told() Told {
	c.record.mu.Lock()
	mine := Told{Session: c.record.conversation, Exchanges: c.History.Done()}
	c.record.mu.Unlock()
	mine.Summary, _ = c.History.Sent()
	transcript := c.record.current()
	if transcript == nil || mine.Session == "" {
		return mine
	}
	records, err := transcript.Read()
	if err != nil {
		c.o.Log.Warn("read the transcript", "error", err)
	}
	if told := Replay(records, mine.Session); len(told.Exchanges) >= len(mine.Exchanges) {
		return told
	}
	return mine // what is in memory is what can be gone back to
}

// ToldBy is Told after Restore; ctx ends the wait for both.
func (c *Conversation) ToldBy(ctx context.Context) (Told, error) {
	if err := c.Restore(ctx); err != nil {
		return Told{}, err
	}
	read := make(chan Told, 1) // buffered, so that the reader can leave when nobody waits any more
	go func() { read <- c.Told() }()
	select {
	case told := <-read:
		return told, ctx.Err()
	case <-ctx.Done():
		return Told{}, ctx.Err()
	}
}

// Exchanges returns the exchanges of the conversation, oldest first: those of the transcript where there is
// one, because it has more of them than memory.
func (c *Conversation) Exchanges(ctx context.Context) ([]Exchange, error) {
	told, err := c.ToldBy(ctx)
	if err != nil {
		return nil, err
	}
	return told.Exchanges, nil
}

// Page returns a page of the conversation, oldest first: at most so many exchanges before that of a number, 0 for the end.
// Each has its Prose, and more says that there are others before them.
func (c *Conversation) Page(ctx context.Context, before, most int) (page []Exchange, more bool, err error) {
	list, err := c.Exchanges(ctx)
	if err != nil {
		return nil, false, err
	}
	for before > 0 && len(list) > 0 && list[len(list)-1].Number >= before {
		list = list[:len(list)-1]
	}
	first := max(0, len(list)-most)
	page = slices.Clone(list[first:])
	for i := range page {
		if x := &page[i]; x.Prose == "" { // what was read of a transcript
			x.Prose = c.o.Prose(x.Format)(x.Reply)
		}
	}
	return page, first > 0, nil
}

// BackTo goes back to before an exchange of what Told gave.
func (c *Conversation) BackTo(told Told, at int) {
	c.summing.stop()
	c.record.order.Lock()
	defer c.record.order.Unlock()
	x := told.Exchanges[at]
	if !c.History.Rewind(x.Turn) { // it is not in memory any more
		c.takeOver(told.Before(at))
	}
	c.record.write(Record{Kind: KindRewind, Exchange: Exchange{Turn: x.Turn, Number: x.Number}})
}

// Place says where the conversation is kept on this machine; false for nowhere.
func (c *Conversation) Place() (string, bool) {
	if t := c.record.current(); t != nil {
		return t.name, true
	}
	return "", false
}

// Clear forgets what was said; the files of the chat and what is proposed stay. It returns how many requests
// that were.
func (c *Conversation) Clear() int {
	c.summing.stop()
	c.record.order.Lock()
	defer c.record.order.Unlock()
	n := len(c.History.Done())
	c.History.Forget()
	c.record.mu.Lock()
	kept := c.record.conversation != ""
	c.record.notes = nil // they speak of what is forgotten
	c.record.mu.Unlock()
	if kept {
		c.record.write(Record{Kind: KindClear})
	}
	return n
}

// replace drops the exchange that a turn takes the place of. The caller holds record.order.
func (c *Conversation) replace(again string) {
	x, ok := c.History.Last()
	if again == "" || !ok || x.Turn != again || !c.History.Rewind(again) {
		return
	}
	c.record.write(Record{Kind: KindRewind, Exchange: Exchange{Turn: x.Turn, Number: x.Number}})
}
