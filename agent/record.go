package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/id"
	"coauthor/agent/secret"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// The conversation of a session on disk: who writes the transcript, and how a session goes on with an earlier
// one.

// record ties a session to the transcript of its folder.
type record struct {
	once     sync.Once     // restores, where the settings ask for it
	restored chan struct{} // closed when that is done, or need not be
	order    sync.Mutex    // held while the conversation changes and that is written; taken before mu

	mu           sync.Mutex
	transcript   *history.Transcript // guarded by mu; nil until it is needed, and for none
	conversation string              // guarded by mu; names that of this session in the transcript
	notes        []event.Note        // guarded by mu; what the next turn tells
	toldErr      bool                // guarded by mu; the user knows that nothing is saved
	taken        bool                // guarded by mu; an earlier conversation was taken over, and no turn went on with it
	closed       bool                // guarded by mu
}

// transcript returns the transcript of the folder as the settings want it now, nil for none.
func (s *Session) transcript() *history.Transcript {
	set := s.settings().History
	r := &s.record
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := s.place(set.InWorkspace)
	switch {
	case r.closed:
		return nil
	case r.transcript != nil && (!set.Save || !ok || r.transcript.Place() != at):
		if err := r.transcript.Close(); err != nil {
			s.e.o.Log.Warn("could not close the transcript", "error", err)
		}
		r.transcript = nil
	}
	if r.transcript == nil && set.Save && ok {
		r.transcript = history.NewTranscript(at)
	}
	return r.transcript
}

// place is where the transcript of the folder lies; there is none without a folder, or without a place for what
// we keep.
func (s *Session) place(inWorkspace bool) (history.Place, bool) {
	root := s.ws.Root()
	switch {
	case root == "" || s.e.o.StateDir == "":
		return history.Place{}, false
	case inWorkspace:
		return history.Place{Root: root, File: ".coauthor/history.md"}, true
	}
	sum := sha256.Sum256([]byte(root))
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || r < ' ' {
			return '-'
		}
		return r
	}, filepath.Base(root))
	return history.Place{File: filepath.Join(s.e.o.StateDir, "history", name+"-"+hex.EncodeToString(sum[:8])+".md")}, true
}

// exchange is what the turn leaves of what was said in it.
func (t *turn) exchange(format string, talk []history.Said) history.Exchange {
	x := history.Settle(t.r.Instruction, format, talk)
	x.Turn, x.At, x.Coder = t.id, t.started, t.coder.Name
	x.Model = t.at.Model.Profile.Name
	if len(t.rounds) > 0 {
		x.Model = t.rounds[0].Prompt.Model.Profile.Name
	}
	x.Files, x.ReadOnly, x.Usage = t.at.Chat, t.at.ReadOnly, t.usage
	return x
}

// remember keeps the turn in the history.
func (t *turn) remember(x history.Exchange) {
	t.kept = true
	s := t.s
	if t.r.again != "" {
		s.stopSummary()
	}
	s.record.order.Lock()
	s.replace(t.r.again)
	x, added := s.history.Add(x)
	if added {
		s.write(history.Record{Kind: history.KindTurn, Exchange: x})
	}
	s.record.order.Unlock()
	for _, n := range s.bound() {
		t.note(n)
	}
}

// write appends a record to the transcript. It waits for nothing.
func (s *Session) write(r history.Record) {
	transcript := s.transcript()
	if transcript == nil {
		return
	}
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	if s.record.conversation == "" {
		name, err := id.New(s.e.o.Random, "c")
		if err != nil {
			s.e.o.Log.Warn("could not write the transcript", "error", err)
			return
		}
		s.record.conversation = name
	}
	r.Session, r.At = s.record.conversation, s.e.o.Clock()
	r.User, r.Reply, r.Text = secret.Without(r.User), secret.Without(r.Reply), secret.Without(r.Text)
	transcript.Append(r)
}

// Unsaved returns why what was said in this session could not be kept on disk, nil when it was.
func (s *Session) Unsaved() error {
	if t := s.transcript(); t != nil {
		return t.Flush()
	}
	return nil
}

func (s *Session) closeRecord() {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	s.record.closed = true
	if s.record.transcript == nil {
		return
	}
	if err := s.record.transcript.Close(); err != nil {
		s.e.o.Log.Warn("could not close the transcript", "root", s.ws.Root(), "error", err)
	}
}

// goOnWithEarlier makes the history ready for the turn's first prompt, and tells what the user must know of it.
func (t *turn) goOnWithEarlier() error {
	if err := t.s.restore(t.ctx); err != nil {
		return err
	}
	t.tellKept()
	r := &t.s.record
	r.mu.Lock()
	taken := r.taken
	r.taken = false
	r.mu.Unlock()
	if taken {
		t.s.summarize()
	}
	transcript := t.s.transcript()
	if transcript == nil {
		return nil
	}
	err := transcript.Err()
	r.mu.Lock()
	tell := err != nil && !r.toldErr
	r.toldErr = r.toldErr || tell
	r.mu.Unlock()
	if tell {
		t.note(event.Warning(display.Upper("this conversation is not saved: ") + err.Error() + "."))
	}
	return nil
}

// restore has the session go on with the last conversation of its folder, where the settings ask for that, the
// first time that it is called.
func (s *Session) restore(ctx context.Context) error {
	set := s.settings().History
	s.record.once.Do(func() {
		if !set.Restore {
			close(s.record.restored)
			return
		}
		go func() { // who needs it waits for restored
			defer close(s.record.restored)
			switch told, err := s.lastConversation(); {
			case errors.Is(err, errNoEarlier):
			case err != nil:
				s.tellNext(event.Warning("Could not continue the last conversation: " + err.Error() + "."))
			default:
				s.goOn(told)
			}
		}()
	})
	select {
	case <-s.record.restored:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Continue has the session go on with the last conversation of its folder, with the files that were in its chat.
// It is meant to be called before the first turn. The error says what to do where there is none.
func (s *Session) Continue(ctx context.Context) (history.Told, error) {
	s.record.once.Do(func() { close(s.record.restored) })
	var told history.Told
	var err error
	if stopped := await(ctx, func() { told, err = s.lastConversation() }); stopped != nil {
		return history.Told{}, stopped
	}
	if err != nil {
		return told, err
	}
	s.goOn(told)
	last := told.Exchanges[len(told.Exchanges)-1]
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range []struct {
		list  *[]string
		named []string
	}{{&s.choice.Files, last.Files}, {&s.choice.ReadOnly, last.ReadOnly}} {
		for _, path := range one.named {
			if !slices.Contains(*one.list, path) {
				*one.list = append(slices.Clip(*one.list), path)
			}
		}
	}
	return told, nil
}

// errNoEarlier says that there is no conversation to go on with.
var errNoEarlier = errors.New("no conversation to continue in this folder; send a request to start one")

// lastConversation reads the conversation of the folder that had the last word.
func (s *Session) lastConversation() (history.Told, error) {
	set := s.settings()
	transcript := s.transcript()
	switch {
	case transcript == nil && !set.History.Save:
		return history.Told{}, errors.New("conversations are not saved; set history.save to true")
	case transcript == nil:
		return history.Told{}, errNoEarlier
	case set.History.InWorkspace && !set.Trusted:
		return history.Told{}, fmt.Errorf("%s is in a workspace that is not trusted; to trust it, add its folder to trust.roots", transcript.Place())
	}
	records, err := transcript.Read()
	if err != nil {
		return history.Told{}, err
	}
	told := history.Replay(records, "")
	if len(told.Exchanges) == 0 {
		return told, errNoEarlier
	}
	return told, nil
}

// mostRestored is how much text of a conversation a session takes over: more than any model is sent of it.
const mostRestored = 256 << 10

// goOn has the session go on with an earlier conversation, and the user told with the next turn.
func (s *Session) goOn(told history.Told) {
	notes := earlierNotes(told)
	s.record.order.Lock()
	s.takeOver(told)
	s.record.order.Unlock()
	for _, n := range append(notes, s.bound()...) {
		s.tellNext(n)
	}
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	s.record.taken = true
}

// takeOver makes an earlier conversation that of the session. The caller holds record.order.
func (s *Session) takeOver(told history.Told) {
	told = told.Rest()
	size, from := 0, len(told.Exchanges)
	parsers := map[string]func(string) string{} // by edit format: to look one up costs more than to use it
	for from > 0 && (size <= mostRestored || from == len(told.Exchanges)) {
		from--
		x := &told.Exchanges[from]
		size += len(x.User) + len(x.Reply)
		if parsers[x.Format] == nil {
			parsers[x.Format] = proseIn(x.Format)
		}
		x.Prose = parsers[x.Format](x.Reply)
	}
	told.Exchanges = told.Exchanges[from:]
	s.record.mu.Lock()
	s.record.conversation = told.Session
	s.record.mu.Unlock()
	s.history.Restore(told)
}

// proseIn returns what gives a reply in an edit format without its edits, which a transcript does not tell apart.
func proseIn(format string) func(reply string) string {
	f, ok := formats.ByName(format)
	return func(reply string) string {
		switch {
		case format == "":
			return reply
		case !ok || len(reply) > longUnfinished:
			return ""
		}
		list, problems := edits.Parse(f, reply, edits.Cut, edits.ParseOptions{})
		return prose(reply, list, problems)
	}
}

// earlierNotes tell the user what a session goes on with.
func earlierNotes(told history.Told) []event.Note {
	last := told.Exchanges[len(told.Exchanges)-1]
	notes := []event.Note{event.Info(fmt.Sprintf("Continuing the conversation from %s (%s so far).", last.At.Format("2006-01-02 15:04"), display.Count(len(told.Exchanges), "request")))}
	if told.Cut > 0 {
		notes = append(notes, event.Warning(fmt.Sprintf("The saved conversation contains only part of %s.", display.Count(told.Cut, "answer"))))
	}
	return notes
}
