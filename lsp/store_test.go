package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/lsp/document"
)

// docModel is what a document must read after what its client told, by the letter of the rules: see
// workspace.Document.Next.
type docModel struct {
	open, lost bool
	version    int32
	text       string
}

func (m *docModel) change(version int32, changes []document.ContentChange) {
	whole := false
	for _, c := range changes {
		whole = whole || c.Range == nil
	}
	switch {
	case !m.open:
	case version < m.version && whole: // out of date, and the text is that of a later one
	case version < m.version:
		m.lost = true
	case m.lost && !whole:
	default:
		m.lost, m.version = false, version
		for _, c := range changes {
			start, end := 0, len(m.text)
			if c.Range != nil {
				start, end = document.NewLines(m.text).Span(c.Range.Protocol(), document.UTF16)
			}
			m.text = m.text[:start] + c.Text + m.text[end:]
		}
	}
}

// However a client opens, changes and closes a document, the server, the workspace and the table of
// lines know the same text in the same version, or all know that it is lost until it is told again.
func TestStoreAgainstModel(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		d := newBufferHarness(t, map[string]string{"a": "on disk\n"}, nil)
		d.s.docs.encoding = document.UTF16
		uri := d.uri("a")
		var m docModel
		var story []string
		for range 30 {
			switch step := r.IntN(12); {
			case step == 0 && m.open:
				story = append(story, "close")
				if err := d.s.didClose(t.Context(), &documentParams{Document: documentID{URI: uri}}); err != nil {
					t.Fatal(err)
				}
				m = docModel{}
			case step == 1 || !m.open && step < 6:
				m = docModel{open: true, version: int32(r.IntN(4)), text: randomText(r)}
				story = append(story, fmt.Sprintf("open %d %q", m.version, m.text))
				var p didOpenParams
				p.Document.URI, p.Document.Text, p.Document.Version = uri, m.text, float64(m.version)
				if err := d.s.didOpen(t.Context(), &p); err != nil {
					t.Fatal(err)
				}
			default:
				version := m.version + []int32{1, 1, 1, 2, 7, 0, -1, -3}[r.IntN(8)]
				changes := randomChanges(r)
				raw, err := json.Marshal(changes)
				if err != nil {
					t.Fatal(err)
				}
				story = append(story, fmt.Sprintf("change %d %s", version, raw))
				if step == 11 {
					raw = []byte(`[{"text":7}]`)
				}
				v := float64(version)
				err = d.s.didChange(t.Context(), &didChangeParams{Document: documentID{URI: uri, Version: &v}, Changes: raw})
				was := m
				if step == 11 {
					m.lost = m.open
				} else {
					m.change(version, changes)
				}
				if taken := m.open && (m.version != was.version || m.text != was.text || was.lost && !m.lost); taken && err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(story, "\n"))
				}
			}
			seen[fmt.Sprintf("open %v, lost %v", m.open, m.lost)]++
			doc, open := d.s.docs.Get(uri)
			in, err := d.root.Workspace.Snapshot().Document("a")
			if err != nil || open != m.open || in.Open != m.open {
				t.Fatalf("seed %d: open %v, in the workspace %+v, %v; want %v\n%s", seed, open, in, err, m.open, strings.Join(story, "\n"))
			}
			if !open {
				continue
			}
			if doc.Document != in || doc.Text != m.text || doc.Version != m.version || doc.Lost != m.lost {
				t.Fatalf("seed %d: the server has %+v, the workspace %+v, want %+v\n%s", seed, doc.Document, in, m, strings.Join(story, "\n"))
			}
			if fresh := document.NewLines(m.text); doc.Lines.Text != m.text || !reflect.DeepEqual(doc.Lines, fresh) {
				t.Fatalf("seed %d: lines of %q, want of %q\n%s", seed, doc.Lines.Text, m.text, strings.Join(story, "\n"))
			}
		}
	}
	t.Log(seen)
	for _, state := range []string{"open true, lost false", "open true, lost true", "open false, lost false"} {
		if seen[state] < 100 {
			t.Errorf("%s was hardly reached: %v", state, seen)
		}
	}
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString([]string{"a", "bc", "\n", "\r\n", "\u00e9", "\U0001F600"}[r.IntN(6)])
	}
	return b.String()
}

func randomChanges(r *rand.Rand) []document.ContentChange {
	list := make([]document.ContentChange, 1+r.IntN(3))
	for i := range list {
		list[i].Text = randomText(r)
		if r.IntN(8) > 0 {
			at := func() document.Position {
				return document.Position{Line: document.Unit(r.IntN(4)), Character: document.Unit(r.IntN(5))}
			}
			list[i].Range = &document.Range{Start: at(), End: at()}
		}
	}
	return list
}

// A change in the version that the document has is taken by all who hold its text, so that a proposal
// can be applied after it; one in an older version is not, and nothing is applied to a guess.
func TestApplyAfterOddVersions(t *testing.T) {
	d := newBufferHarness(t, map[string]string{"a": "one\ntwo\n"}, nil)
	d.open("a")
	insert := func(version float64, text string) error {
		raw, err := json.Marshal(atTheStart(text))
		if err != nil {
			t.Fatal(err)
		}
		return d.s.didChange(t.Context(), &didChangeParams{Document: documentID{URI: d.uri("a"), Version: &version}, Changes: raw})
	}
	if err := insert(1, "zero\n"); err != nil {
		t.Fatal(err)
	}
	d.client.Put("a", "zero\none\ntwo\n", 1)
	d.forgotToTell() // it was told as that change
	d.propose(updated("a", "zero\none\ntwo\n", "zero\none\n2\n"))
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))

	now := d.text("a")
	if err := insert(0, "late\n"); err == nil || !strings.Contains(err.Error(), "unknown until it is opened again") {
		t.Errorf("an older change: %v", err)
	}
	if err := insert(9, "after\n"); err == nil {
		t.Error("a change of a text that is not known was taken")
	}
	d.propose(updated("a", now, now+"more\n"))
	out := d.want(proposal.StatusPending)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	if !strings.Contains(out.Reason, "close and reopen it") || d.text("a") != now {
		t.Errorf("%+v, %q", out, d.text("a"))
	}
	d.put("a", now, 20)
	d.want(proposal.StatusApplied)(d.root.Decisions.Apply(context.Background(), proposal.Selector{}))
	if got := d.text("a"); got != now+"more\n" {
		t.Errorf("%q", got)
	}
}

// atTheStart is the change that types a text at the start.
func atTheStart(text string) []document.ContentChange {
	return []document.ContentChange{{Text: text, Range: &document.Range{}}}
}
