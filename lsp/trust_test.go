package lsp

import (
	"encoding/json"
	"testing"

	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// The editor's word on a folder: the last one on that folder, else the last one on all of them. A word on all takes back
// those on single ones. Options that a repository can write may take trust away and never give it.
func TestTheEditorsWord(t *testing.T) {
	yes, no := true, false
	word := func(w *bool) string {
		switch {
		case w == nil:
			return "none"
		case *w:
			return "yes"
		}
		return "no"
	}
	for _, start := range []struct {
		writers client.Writers
		said    *bool
		want    string
	}{
		{client.AnybodyWrites, &yes, "none"}, {client.AnybodyWrites, &no, "no"}, {client.AnybodyWrites, nil, "none"},
		{client.PluginWrites, &yes, "yes"}, {client.PluginWrites, &no, "no"}, {client.UserWrites, &yes, "yes"}, {client.UserWrites, &no, "no"}, {client.UserWrites, nil, "none"},
	} {
		d := newBufferHarness(t, nil, nil)
		c := d.s.config
		d.s.config.writers = start.writers
		c.start(nil, initOptions{Trusted: start.said})
		if got := word(c.layer("/r").Trusted); got != start.want {
			t.Errorf("%q says %s: %s, want %s", start.writers, word(start.said), got, start.want)
		}
		if own := c.layer("/r").Own; own != (start.writers == client.UserWrites) {
			t.Errorf("%q: the settings are the user's own: %v", start.writers, own)
		}
		tell := func(uri string, trusted bool) {
			t.Helper()
			if err := d.s.config.didSetTrust(t.Context(), &setTrustParams{URI: uri, Trusted: trusted}); err != nil {
				t.Fatal(err)
			}
		}
		is := func(one, other string) {
			t.Helper()
			if got := word(c.layer("/one").Trusted) + " " + word(c.layer("/other").Trusted); got != one+" "+other {
				t.Errorf("the words are %s, want %s %s", got, one, other)
			}
		}
		tell("file:///one/", true)
		is("yes", start.want)
		tell("file:///one", false)
		is("no", start.want)
		tell("", true)
		is("yes", "yes")
		tell("file:///other", false)
		is("yes", "no")
		tell("", false)
		is("no", "no")
		if err := d.s.config.didSetTrust(t.Context(), &setTrustParams{URI: "untitled:x", Trusted: true}); err == nil {
			t.Error("what is no folder was trusted")
		}
		is("no", "no")
	}
}

// The settings are what stands in the options: below "settings", else all that is none of the other options.
func TestSettingsInTheOptions(t *testing.T) {
	for options, want := range map[string]string{
		`{"settings":{"model":"m"},"preview":"diff"}`:               `{"model":"m"}`,
		`{"settings":{"coauthor":{"model":"m"}}}`:                   `{"model":"m"}`,
		`{"model":"m","hasInput":true,"trusted":false,"token":"t"}`: `{"model":"m"}`,
		`{"model":"m","client":"neovim-module"}`:                    `{"model":"m"}`,
		`{"model":"m","client":"helix"}`:                            `{"client":"helix","model":"m"}`,
		`{"model":"m","client":"auto"}`:                             `{"client":"auto","model":"m"}`,
		`["model"]`:                                                 ``,
		`null`:                                                      ``,
		`"model"`:                                                   ``,
	} {
		var o initOptions
		if err := wire.Decode([]byte(options), &o); err != nil {
			o = initOptions{}
		}
		d := newBufferHarness(t, nil, nil)
		d.s.config.start(json.RawMessage(options), o)
		if got := string(d.s.config.own()); got != want {
			t.Errorf("%s gives %s, want %s", options, got, want)
		}
	}
	// Later ones replace them, wherever the client puts them; what is none changes nothing.
	d := newBufferHarness(t, nil, nil)
	for _, step := range [][2]string{
		{`{"model":"a"}`, `{"model":"a"}`}, {`{"coauthor":{"model":"b"}}`, `{"model":"b"}`}, {`7`, `{"model":"b"}`}, {`["x"]`, `{"model":"b"}`},
	} {
		d.s.config.set(json.RawMessage(step[0]), fromPush)
		if got := string(d.s.config.own()); got != step[1] {
			t.Errorf("after %s: %s, want %s", step[0], got, step[1])
		}
	}
}
