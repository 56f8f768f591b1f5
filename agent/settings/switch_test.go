package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/model"
)

// switchWords are the ways to write true and false: YAML's own, those of YAML 1.1, which are strings in
// YAML 1.2, and all of them as strings.
var switchWords = map[string]bool{
	"true": true, "True": true, "TRUE": true, "yes": true, "Yes": true, "YES": true, "y": true, "Y": true, "on": true, "On": true, "ON": true, "1": true,
	"false": false, "False": false, "FALSE": false, "no": false, "No": false, "NO": false, "n": false, "N": false, "off": false, "Off": false, "OFF": false, "0": false,
}

// notSwitches are values that are neither.
var notSwitches = []string{"perhaps", "tru", "offf", "2", "-1", "0.5", "onoff", "[]", "[true]", "{}", "{a: true}", "''"}

// layer is one that may set a switch: a value as it stands in YAML becomes options.
type layer struct {
	name string
	file bool // YAML; the value may be more than a word
	load func(key, value string) LoadOptions
}

func layers() []layer {
	asJSON := func(value string) any {
		var v any
		if json.Unmarshal([]byte(value), &v) != nil {
			return value
		}
		return v
	}
	nested := func(key string, value any) map[string]any {
		group, rest, ok := strings.Cut(key, ".")
		if !ok {
			return map[string]any{key: value}
		}
		return map[string]any{group: map[string]any{rest: value}}
	}
	return []layer{
		{"user file", true, func(key, value string) LoadOptions { return LoadOptions{UserFile: []byte(key + ": " + value)} }},
		{"trusted workspace", true, func(key, value string) LoadOptions {
			return LoadOptions{WorkspaceFile: []byte(key + ": " + value), Trusted: true}
		}},
		{"client, JSON's own", false, func(key, value string) LoadOptions {
			return LoadOptions{Client: nested(key, asJSON(value)), ClientOwn: true}
		}},
		{"client, a string", false, func(key, value string) LoadOptions {
			raw, _ := json.Marshal(map[string]string{key: value})
			return LoadOptions{Client: json.RawMessage(raw), ClientOwn: true}
		}},
		{"trusted client", false, func(key, value string) LoadOptions {
			return LoadOptions{Client: nested(key, value), Trusted: true}
		}},
		{"environment", false, func(key, value string) LoadOptions {
			return LoadOptions{Env: func(name string) string {
				if name == envName(key) {
					return value
				}
				return ""
			}}
		}},
		{"flags", false, func(key, value string) LoadOptions { return LoadOptions{Flags: map[string]string{key: value}} }},
	}
}

// over sets the opposite in the layer below, so that a value that is not taken shows.
func over(o LoadOptions, key string, opposite bool) LoadOptions {
	o.UserFile = append([]byte(fmt.Sprintf("%s: %v\n---\n", key, opposite)), o.UserFile...)
	return o
}

// TestOffIsNotTrue writes every switch in every layer, with some of the words each, so that every layer and every switch
// meets each word somewhere. A word that is none is told, and leaves what stood there.
func TestOffIsNotTrue(t *testing.T) {
	switches := 0
	for _, r := range Rows() {
		if r.Type != Bool {
			continue
		}
		switches++
		for i, l := range layers() {
			turn := i + switches
			if r.Own && strings.HasPrefix(l.name, "trusted") {
				continue // it is never the workspace's to set
			}
			try := func(value string, below, want bool, told int) {
				t.Helper()
				s, ws := Load(over(l.load(r.Name, value), r.Name, below))
				if got := *r.field(&s).(*bool); got != want || len(ws) != told {
					t.Errorf("%s, %s: %s over %v is %v, warnings %v", l.name, r.Name, value, below, got, ws)
				}
				if told > 0 && len(ws) > 0 && (ws[0].Key != r.Name || !strings.Contains(ws[0].Text, "must be true or false")) {
					t.Errorf("%s, %s: %s is told as %v", l.name, r.Name, value, ws[0])
				}
			}
			for i, word := range slices.Sorted(maps.Keys(switchWords)) {
				if (i+turn)%5 != 0 {
					continue
				}
				want := switchWords[word]
				try(word, !want, want, 0)
				if l.file {
					try("'"+word+"'", !want, want, 0)
					try(`"`+word+` "`, !want, want, 0)
					try(word+" # why", !want, want, 0)
				}
			}
			for i, value := range notSwitches {
				if (i+turn)%5 != 0 {
					continue
				}
				if !l.file && value == "''" {
					continue
				}
				for _, below := range []bool{true, false} {
					try(value, below, below, 1)
				}
			}
		}
	}
	if switches < 3 {
		t.Errorf("only %d settings are switches", switches)
	}
}

// TestSwitchesInMaps: the same words, below the quirks of a client and the fields of a model, where one
// word that is none spoils the entry.
func TestSwitchesInMaps(t *testing.T) {
	var fields []string
	for _, f := range ModelFieldDocs() {
		if f.Type == "bool" {
			fields = append(fields, f.Name)
		}
	}
	field := func(s Settings, name string) *bool {
		entry := reflect.ValueOf(s.Models["m"])
		for i := range entry.NumField() {
			if entry.Type().Field(i).Tag.Get("yaml") == name {
				return entry.Field(i).Interface().(*bool)
			}
		}
		return nil
	}
	inClient := func(value any) LoadOptions {
		return LoadOptions{Client: map[string]any{"models": map[string]any{"m": value}}, ClientOwn: true}
	}
	for word, want := range switchWords {
		for _, name := range fields {
			for what, o := range map[string]LoadOptions{
				"file":           {UserFile: []byte("models:\n  m: {model: x, " + name + ": " + word + "}")},
				"file, a string": {UserFile: []byte("models:\n  m:\n    model: x\n    " + name + ": '" + word + "'")},
				"workspace":      {WorkspaceFile: []byte("models: {m: {model: x, " + name + ": " + word + "}}"), Trusted: true},
				"client":         inClient(map[string]any{"model": "x", name: word}),
			} {
				s, ws := Load(o)
				if got := field(s, name); got == nil || *got != want || len(ws) > 0 || s.Models["m"].Model != "x" {
					t.Errorf("%s: %s: %s gives %+v, %v", what, name, word, s.Models["m"], ws)
				}
			}
		}
		for what, o := range map[string]LoadOptions{
			"client": {Client: map[string]any{"client.quirks": map[string]any{"noProgress": word, "other": true}}},
			"file":   {UserFile: []byte("client.quirks: {noProgress: " + word + ", other: true}")},
		} {
			s, ws := Load(o)
			if got, set := s.ClientQuirks["noProgress"]; got != want || !set || !s.ClientQuirks["other"] || len(ws) > 0 {
				t.Errorf("%s: noProgress: %s gives %v, %v", what, word, s.ClientQuirks, ws)
			}
		}
	}
	for _, value := range notSwitches {
		for _, name := range fields {
			s, ws := Load(LoadOptions{UserFile: []byte("models: {m: {model: x, " + name + ": " + value + "}}")})
			if _, taken := s.Models["m"]; taken || len(ws) != 1 || !strings.Contains(ws[0].Text, name) {
				t.Errorf("%s: %s gives %+v, %v", name, value, s.Models, ws)
			}
		}
		s, ws := Load(LoadOptions{UserFile: []byte("client.quirks: {noProgress: " + value + "}")})
		if len(s.ClientQuirks) > 0 || len(ws) != 1 || !strings.Contains(ws[0].Text, "noProgress") {
			t.Errorf("noProgress: %s gives %v, %v", value, s.ClientQuirks, ws)
		}
	}
	// What is not set stays with the table.
	if s, ws := Load(LoadOptions{UserFile: []byte("models: {m: {model: x, lazy: null}}")}); s.Models["m"].Lazy != nil || len(ws) > 0 {
		t.Errorf("null: %+v, %v", s.Models, ws)
	}
}

// TestSwitchesReachTheModel: what was switched off is off in the calls.
func TestSwitchesReachTheModel(t *testing.T) {
	s, ws := Load(LoadOptions{UserFile: []byte("models:\n  m: {model: gpt-4o, streaming: off, useSystemPrompt: 'no', useTemperature: n}\n")})
	c, err := model.Load(nil)
	if err != nil || len(ws) > 0 {
		t.Fatal(ws, err)
	}
	if p := s.Profile(c, "m"); p.Streaming || p.UseSystemPrompt || p.UseTemperature {
		t.Errorf("%+v", p)
	}
}

// Where a word is wanted that YAML 1.1 reads as a switch, it stays the word.
func TestOffIsAWordWhereWordsAreWanted(t *testing.T) {
	for _, l := range layers() {
		if s, ws := Load(l.load("verify", "off")); s.Verify != "off" || len(ws) > 0 {
			t.Errorf("%s: verify is %q, %v", l.name, s.Verify, ws)
		}
	}
	for _, value := range []any{false, "off"} {
		if s, ws := Load(LoadOptions{Client: map[string]any{"verify": value}, ClientOwn: true}); s.Verify != "off" || len(ws) > 0 {
			t.Errorf("%v: verify is %q, %v", value, s.Verify, ws)
		}
	}
	if s, ws := Load(LoadOptions{Client: map[string]any{"verify": true}, ClientOwn: true}); s.Verify != "lint" || len(ws) != 1 {
		t.Errorf("true: verify is %q, %v", s.Verify, ws)
	}
	for _, value := range []string{"off", "no", "false", "on", "yes", "true"} {
		for _, key := range []string{"preview.mode", "context.addMentioned"} {
			d := Defaults()
			r := row(key)
			if s, ws := Load(LoadOptions{UserFile: []byte(key + ": " + value)}); *r.field(&s).(*string) != *r.field(&d).(*string) || len(ws) != 1 {
				t.Errorf("%s: %s gives %q, %v", key, value, *r.field(&s).(*string), ws)
			}
		}
	}
}

func row(name string) Row {
	for _, r := range Rows() {
		if r.Name == name {
			return r
		}
	}
	panic(name)
}
