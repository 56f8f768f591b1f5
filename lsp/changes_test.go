package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// change sends a change of a document as it stands on the wire.
func (d *bufferHarness) change(path string, version float64, changes string) error {
	d.reading.Lock()
	defer d.reading.Unlock()
	p := &didChangeParams{Document: documentID{URI: d.uri(path), Version: &version}, Changes: json.RawMessage(changes)}
	if version == 0 {
		p.Document.Version = nil
	}
	return d.s.didChange(context.Background(), p)
}

// typing is a change that puts a letter before all else; in capitals it is the whole text.
func typing(letter string) string {
	if letter != strings.ToLower(letter) {
		return fmt.Sprintf(`[{"text":%q}]`, letter)
	}
	return fmt.Sprintf(`[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":%q}]`, letter)
}

// What a client tells of a document makes one text, whichever order it comes in, and is dropped with an error where it
// cannot be meant. A text that is not known for sure is never taken for known.
func TestChangesInTheirOrder(t *testing.T) {
	for _, c := range []struct {
		step bool   // versions go up by one, and may come in any order
		told string // version and letter; a capital is the whole text; 0 is no version
		want string // the text, the version, and what is wrong with it
		bad  string // those that are refused
	}{
		{false, "2a 3b", "ba. 3", ""},
		{false, "2a 9b", "ba. 9", ""},
		{false, "0a 0b", "ba. 3", ""},
		{false, "2a 2b", "ba. 2", ""},             // some clients do not count
		{false, "3a 2b", "a. 3 lost", "2b"},       // what came too late has another text in mind
		{false, "3a 2b 4c", "a. 3 lost", "2b 4c"}, // and nothing that builds on it is known
		{false, "3a 2b 4C", "C 4", "2b"},          // until the whole text comes
		{false, "3A 2B", "A 3", "2B"},             // an older whole text is no news
		{true, "2a 3b", "ba. 3", ""},              // in order
		{true, "3b 2a", "ba. 3", ""},              // and not
		{true, "4c 3b 2a 5d", "dcba. 5", ""},
		{true, "3b", ". 1 held", ""},     // one that is missing may still come
		{true, "3b 0a", "ba. 3", ""},     // a version that is not told is the next one
		{true, "5D 4c", "D 5", "4c"},     // what is older than a whole text is contained in it
		{true, "5D 4c 6f", "fD 6", "4c"}, // and harms nothing that follows
		{true, "3b 5D", "D 5", ""},       // also where it was held
		{true, "3b 6f 5D", "fD 6", ""},   // what was held for a later one follows
		{true, "7f 3b 5D", "D 5 held", ""},
		{true, "3b 2A", "bA 3", ""},
		{true, "2a 2b 3c", "cba. 3", ""},
		{true, "2a 3b 2c", "ba. 3 lost", "2c"}, // a version that was there before is a mistake
		{true, "2a 3b 2c 4D", "D 4", "2c"},
		{true, "1a", "a. 1", ""},
		{true, "2! 3b", ". 1 lost", "2! 3b"}, // what cannot be read makes the text unknown
		{true, "3b 2! 4D", "D 4", "2!"},
		{true, "3b 2! 2a 4c", ". 1 lost", "2! 2a 4c"}, // and what was held is forgotten with it
		{false, "2! 3b 4C 5d", "dC 5", "2! 3b"},
		{true, "20a 19a 18a 17a", ". 1 held", ""},
		{true, "3b 4c 5! 6d 2a", ". 1 lost", "5! 6d 2a"},
	} {
		t.Run(c.told, func(t *testing.T) {
			d := newBufferHarness(t, nil, func(_ *client.Capabilities, q *client.Quirks) { q.VersionsStep = c.step })
			d.put("a", ".", 1)
			var bad []string
			for _, one := range strings.Fields(c.told) {
				var version float64
				var letter string
				if _, err := fmt.Sscanf(one, "%f%s", &version, &letter); err != nil {
					t.Fatal(err)
				}
				text := typing(letter)
				if letter == "!" {
					text = `[{"text":7}]`
				}
				if d.change("a", version, text) != nil {
					bad = append(bad, one)
				}
			}
			doc, _ := d.s.docs.Get(d.uri("a"))
			got := fmt.Sprintf("%s %d", doc.Text, doc.Version)
			switch {
			case doc.Lost:
				got += " lost"
			case doc.Uncertain():
				got += " held"
			}
			if got != c.want || strings.Join(bad, " ") != c.bad {
				t.Errorf("%s: %q, refused %q; want %q, refused %q", c.told, got, bad, c.want, c.bad)
			}
			if text, err := d.root.Workspace.Snapshot().Read("a"); err != nil || text != doc.Text {
				t.Errorf("the workspace has %q, %v", text, err)
			}
		})
	}
}

// Changes of a document that is not open yet wait a second for it, in a client that is known to send them so; elsewhere
// they are a mistake.
func TestChangesBeforeTheOpening(t *testing.T) {
	for _, c := range []struct {
		name    string
		step    bool
		opened  float64
		told    string
		later   time.Duration
		want    string
		refused bool
	}{
		{"another client", false, 1, "2a", 0, ".", true},
		{"in order", true, 1, "2a 3b", 0, "ba.", false},
		{"not in order", true, 1, "4c 2a 3b", 0, "cba.", false},
		{"a whole text", true, 1, "2A 3b", 0, "bA", false},
		{"one is missing", true, 1, "2a 4c", 0, "a.", false},
		{"of an earlier life", true, 1, "8a 9b", 0, ".", false},
		{"of an earlier life, and twice", true, 1, "1x 2a", 0, ".", false},
		{"without a version", true, 1, "0a", 0, ".", true},
		{"to the moment", true, 1, "2a", document.EarlyTime, "a.", false},
		{"too long ago", true, 1, "2a", document.EarlyTime + 1, ".", false},
		{"opened at another version", true, 6, "7a 8b", 0, "ba.", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newBufferHarness(t, nil, func(_ *client.Capabilities, q *client.Quirks) { q.VersionsStep = c.step })
			refused := false
			for _, one := range strings.Fields(c.told) {
				var version float64
				var letter string
				if _, err := fmt.Sscanf(one, "%f%s", &version, &letter); err != nil {
					t.Fatal(err)
				}
				refused = d.change("a", version, typing(letter)) != nil || refused
				if err := d.change("other", version, typing("x")); (err != nil) != c.refused {
					t.Error(err)
				}
			}
			d.clock.pass(c.later)
			d.put("a", ".", int32(c.opened))
			doc, _ := d.s.docs.Get(d.uri("a"))
			if doc.Text != c.want || doc.Uncertain() || refused != c.refused {
				t.Errorf("%q, uncertain %v, refused %v; want %q", doc.Text, doc.Uncertain(), refused, c.want)
			}
		})
	}
	// Whoever sends many of them is not remembered for ever.
	d := newBufferHarness(t, nil, func(_ *client.Capabilities, q *client.Quirks) { q.VersionsStep = true })
	for i := range document.MostHeld {
		if err := d.change(fmt.Sprint(i), 2, typing("a")); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.change("one more", 2, typing("a")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"0": "a.", fmt.Sprint(document.MostHeld - 1): "a.", "one more": "."} {
		d.put(path, ".", 1)
		if doc, _ := d.s.docs.Get(d.uri(path)); doc.Text != want {
			t.Errorf("%s reads %q, want %q", path, doc.Text, want)
		}
	}
}

// More changes than can be waited for are taken in the order of their versions, and so is what follows.
func TestTooManyChangesThatWait(t *testing.T) {
	d := newBufferHarness(t, nil, func(_ *client.Capabilities, q *client.Quirks) { q.VersionsStep = true })
	d.put("a", ".", 1)
	letters := "bcdefghijklmnopqr"[:document.MostHeld+1]
	for i := range letters {
		at := (i*5 + 3) % len(letters) // shuffled
		if doc, _ := d.s.docs.Get(d.uri("a")); doc.Text != "." || doc.Uncertain() != (i > 0) {
			t.Fatalf("after %d: %q, uncertain %v", i, doc.Text, doc.Uncertain())
		}
		if err := d.change("a", float64(10+at), typing(letters[at:at+1])); err != nil {
			t.Fatal(err)
		}
	}
	backwards := []byte(letters)
	slices.Reverse(backwards)
	want := string(backwards) + "."
	if doc, _ := d.s.docs.Get(d.uri("a")); doc.Text != want || doc.Uncertain() || doc.Version != int32(9+len(letters)) {
		t.Errorf("%q at %d, uncertain %v; want %q", doc.Text, doc.Version, doc.Uncertain(), want)
	}
}
