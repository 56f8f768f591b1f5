package deliver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// What is said of a file that reads as before an edit: whether it is known that the client did nothing, whether the
// edit can be made again at once, and what the client itself said.
func TestWhyAFileReadsAsBefore(t *testing.T) {
	at := func(v int32) *int32 { return &v }
	for _, test := range []struct {
		name    string
		Version *int32 // that the edit named; the document has 1, or is not open
		open    bool
		native  bool
		quirks  client.Quirks
		reply   *editReply
		want    proposal.LandState
		stale   bool
		says    string
	}{
		{"changed meanwhile", at(0), true, false, client.Quirks{}, &editReply{answer: client.Answer{Applied: true}}, proposal.LandAbsent, true, "a"},
		{"changed meanwhile, and refused", at(0), true, false, client.Quirks{}, &editReply{err: errors.New("no")}, proposal.LandAbsent, true, "a"},
		{"no reply", at(1), true, false, client.Quirks{}, nil, proposal.LandUnknown, false, "a"},
		{"no reply in time", at(1), true, false, client.Quirks{}, &editReply{err: errNoAnswer}, proposal.LandUnknown, false, "a"},
		{"a reply cut off", at(1), true, false, client.Quirks{}, &editReply{err: fmt.Errorf("x: %w", context.DeadlineExceeded)}, proposal.LandUnknown, false, "a"},
		{"no such method", at(1), true, false, client.Quirks{}, &editReply{err: fmt.Errorf("x: %w", wire.ErrUnsupported)}, proposal.LandRefused, false, ""},
		{"the connection ended", at(1), true, false, client.Quirks{}, &editReply{err: context.Canceled}, proposal.LandUnknown, false, ""},
		{"an error", at(1), true, false, client.Quirks{}, &editReply{err: jsonrpc2.NewError(1, "its own words")}, proposal.LandAbsent, false, "its own words"},
		{"an error of a client that tells late", at(1), true, false, client.Quirks{ChangesLate: true}, &editReply{err: errors.New("its own words")}, proposal.LandUnknown, false, "its own words"},
		{"undecided", at(1), true, false, client.Quirks{}, &editReply{answer: client.Answer{Null: true}}, proposal.LandUnknown, false, ""},
		{"no, in its preview", at(1), true, true, client.Quirks{}, &editReply{answer: client.Answer{}}, proposal.LandAbsent, false, ""},
		{"no, for a reason", at(1), true, false, client.Quirks{}, &editReply{answer: client.Answer{Reason: "its own words"}}, proposal.LandAbsent, false, "its own words"},
		{"no, without one", at(1), true, false, client.Quirks{}, &editReply{answer: client.Answer{}}, proposal.LandAbsent, false, ""},
		{"yes, and nothing was seen", at(1), true, false, client.Quirks{}, &editReply{answer: client.Answer{Applied: true}}, proposal.LandUnknown, false, "a"},
		{"yes, of a closed file", nil, false, false, client.Quirks{}, &editReply{answer: client.Answer{Applied: true}}, proposal.LandUnknown, false, "a"},
		{"yes, of a closed file that is not told", nil, false, false, client.Quirks{NoDidOpen: true}, &editReply{answer: client.Answer{Applied: true}}, proposal.LandLanded, false, ""},
		{"yes, of an open file where closed ones are not told", at(1), true, false, client.Quirks{NoDidOpen: true}, &editReply{answer: client.Answer{Applied: true}}, proposal.LandUnknown, false, "a"},
		{"no, of a closed file that is not told", nil, false, false, client.Quirks{NoDidOpen: true}, &editReply{answer: client.Answer{}}, proposal.LandAbsent, false, ""},
		{"yes, where hidden documents are not told", at(1), true, false, client.Quirks{HiddenUntold: true}, &editReply{answer: client.Answer{Applied: true}}, proposal.LandLanded, false, ""},
		{"no, where hidden documents are not told", at(1), true, false, client.Quirks{HiddenUntold: true}, &editReply{answer: client.Answer{}}, proposal.LandAbsent, false, ""},
		{"yes, of a document that was changed, where hidden ones are not told", at(0), true, false, client.Quirks{HiddenUntold: true}, &editReply{answer: client.Answer{Applied: true}}, proposal.LandAbsent, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: test.quirks, options: Options{Native: test.native}})
			for name, text := range map[string]string{"a": "a\n", "b": "b\n", "c": "C\n"} {
				e.write(name, text)
			}
			if test.open {
				e.Put("a", "a\n", 1)
			}
			one := func(path, before, after string, version *int32) clientStep {
				return clientStep{step: proposal.Step{Change: changed(path, before, after)}, version: version}
			}
			list := e.a.outcome.judge(editRequest{steps: []clientStep{one("a", "a\n", "A\n", test.Version), one("b", "b\n", "B\n", nil), one("c", "c\n", "C\n", nil)}}, test.reply)
			got := list[0]
			if got.Path != "a" || got.State != test.want || got.Stale != test.stale || got.Reason == "" || !strings.Contains(got.Reason, test.says) {
				t.Errorf("%+v, want %s, stale %v", got, test.want, test.stale)
			}
			// A client that refuses one stale document leaves those behind it alone; what arrived did.
			if list[1].Stale != (test.stale && list[1].State == proposal.LandAbsent) || list[2].State != proposal.LandLanded || list[2].Stale {
				t.Errorf("the others: %+v", list[1:])
			}
			for _, l := range list {
				if (l.Reason == "") != (l.State == proposal.LandLanded && !test.quirks.NoDidOpen && !test.quirks.HiddenUntold || l.Path == "c") {
					t.Errorf("%+v", l)
				}
			}
		})
	}
}

// A file that reads as neither before nor after is told as such, and one that cannot be read as unknown.
func TestWhatIsNeitherBeforeNorAfter(t *testing.T) {
	e := newFakeEditor(t, situation{})
	e.write("a", "other\n")
	e.write("b", "\x00\xff")
	one := func(c edits.Change) clientStep { return clientStep{step: proposal.Step{Change: c}} }
	list := e.a.outcome.judge(editRequest{steps: []clientStep{
		one(changed("a", "a\n", "A\n")), one(changed("b", "b\n", "B\n")), one(changed("gone", "a\n", "A\n")),
		one(edits.Change{Path: "none", To: "b", Op: edits.OpRename, Before: "a\n", After: "A\n"}),
	}}, &editReply{answer: client.Answer{Applied: true}})
	for i, want := range []proposal.LandState{proposal.LandDiffers, proposal.LandUnknown, proposal.LandDiffers, proposal.LandUnknown} {
		if list[i].State != want || list[i].Reason == "" || list[i].Stale {
			t.Errorf("%+v, want %s", list[i], want)
		}
	}
	if states, all := e.a.docs.look(editRequest{steps: []clientStep{one(changed("a", "a\n", "other\n")), one(changed("a", "a\n", "A\n"))}}); all || !exact(states[:1]) || states[0].State != proposal.LandLanded {
		t.Errorf("%+v, all %v", states, all)
	}
}

// How long the documents are watched after the client's answer depends on whether it is likely that something comes.
func TestPatience(t *testing.T) {
	for _, r := range []struct {
		reply editReply
		comes bool
	}{
		{editReply{answer: client.Answer{Applied: true}}, true},
		{editReply{answer: client.Answer{Null: true}}, true},
		{editReply{answer: client.Answer{}}, false},
		{editReply{err: errors.New("no")}, false},
		{editReply{err: errors.New("no"), answer: client.Answer{Applied: true}}, false},
	} {
		if got := patience(&r.reply); (got == tellTime) != r.comes || !r.comes && got != denyTime {
			t.Errorf("%+v: %v", r, got)
		}
	}
}
