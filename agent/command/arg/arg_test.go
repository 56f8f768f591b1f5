package arg

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type Place struct {
	_ string   `arg:"uri"`
	_ struct{} `arg:"range" type:"range" doc:"Where."`
}

type sample struct {
	Text string `arg:"text" also:"words,said" bare:"yes" doc:"The {text} of it."`
	Place
	Files    Files  `arg:"files" also:"file"`
	Kind     string `arg:"kind" values:"big,small"`
	Number   Ref    `arg:"number"`
	Size     *int   `arg:"size"`
	Hunks    []int  `arg:"hunks"`
	Quiet    bool   `arg:"quiet" doc:"No sound."`
	Preview  string `arg:"preview" also:"" setting:""`
	Internal string // no argument
}

func sampleRow() []Arg {
	return Of[sample](
		Arg{Name: "uri", Type: "string", Also: []string{"textDocument"}, Doc: "The document."},
		Arg{Name: "preview", Type: "string", Also: []string{"p"}, Setting: "preview.mode", Doc: "How."},
		Arg{Name: "quiet", Type: "boolean", Doc: "Other words."},
	)
}

func TestOf(t *testing.T) {
	want := []Arg{
		{Name: "text", Also: []string{"words", "said"}, Bare: true, Type: "string", Doc: "The `text` of it."},
		{Name: "uri", Also: []string{"textDocument"}, Type: "string", Doc: "The document."},
		{Name: "range", Type: "range", Doc: "Where."},
		{Name: "files", Also: []string{"file"}, Type: "string[]"},
		{Name: "kind", Type: "string", Values: []string{"big", "small"}},
		{Name: "number", Type: "string"},
		{Name: "size", Type: "integer"},
		{Name: "hunks", Type: "integer[]"},
		{Name: "quiet", Type: "boolean", Doc: "No sound."},
		{Name: "preview", Type: "string", Doc: "How."},
	}
	if d := cmp.Diff(want, sampleRow()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLists(t *testing.T) {
	row := sampleRow()
	for name, f := range map[string]func(){
		"a list without it": func() { Pick(row, "nonsense") },
		"no type": func() {
			Of[struct{ X struct{} }]()
			Of[struct {
				_ string `arg:"x"`
			}]()
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	got := Described(Limited(Pick(row, "kind", "text"), "kind", []string{"x"}), "text", "Other.")
	want := []Arg{{Name: "kind", Type: "string", Values: []string{"x"}}, {Name: "text", Also: []string{"words", "said"}, Bare: true, Type: "string", Doc: "Other."}}
	if d := cmp.Diff(want, got); d != "" || row[0].Doc == "Other." || row[4].Values[0] != "big" {
		t.Errorf("(-want +got):\n%s\n%+v", d, row)
	}
	if allowed := (Arg{Setting: "preview.mode"}).Allowed(); !slices.Contains(allowed, "inline") {
		t.Errorf("%q", allowed)
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, ``},
		{`"rename","it"`, `text "rename it"`},
		{`{"said":" x "}`, `text "x"`},
		{`{"words":"w","said":"s"},"bare"`, `text "w"`},
		{`null,[{"quiet":true},"nested",["words"]]`, `quiet %!q(bool=true) text "nested words"`},
		{`42`, `text "42"`},
		{`{"text":"a"},{"text":"b"}`, `text "b"`},
		{`{"file":"c","files":["a","b"]},{"files":"d"}`, `files ["a" "b" "c" "d"]`},
		{`{"number":7}`, `number "7"`},
		{`{"number":"seven"}`, `number "seven"`},
		{`{"number":null,"kind":""}`, ``},
		{`{"number":[]}`, `! invalid argument number: `},
		{`{"kind":"large"}`, `! kind cannot be "large"; choose one of: big, small`},
		{`{"hunks":"x"}`, `! invalid argument hunks: `},
		{`{"text":1}`, `! invalid argument text: `},
		{`{"range":"x","uri":7,"nonsense":1,"Internal":"x"}`, ``}, // none that it reads
	} {
		var list []json.RawMessage
		if err := json.Unmarshal([]byte("["+c.in+"]"), &list); err != nil {
			t.Fatal(err)
		}
		var s sample
		err := Decode(list, sampleRow(), &s)
		if want, fails := strings.CutPrefix(c.want, "! "); fails {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, not %s", c.in, err, want)
			}
			continue
		}
		var got []string
		for name, value := range Values(&s) {
			got = append(got, fmt.Sprintf("%s %q", name, value))
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, not %s", c.in, got, err, c.want)
		}
	}
	var s sample
	if err := Decode([]json.RawMessage{[]byte(`"x"`), []byte(`{"quiet":true}`)}, Pick(sampleRow(), "kind"), &s); err != nil || s.Text != "" || s.Quiet {
		t.Errorf("what the row has not was read: %+v, %v", s, err)
	}
}

func TestEachFiles(t *testing.T) {
	s := sample{Files: Files{"a"}}
	add := func(a Arg, f *Files) error { *f = append(*f, a.Name); return nil }
	if err := EachFiles(&s, sampleRow(), add); err != nil || !slices.Equal(s.Files, Files{"a", "files"}) {
		t.Errorf("%q, %v", s.Files, err)
	}
}

func TestSetBare(t *testing.T) {
	var s sample
	SetBare(&s, sampleRow(), []string{" two ", "words"})
	if s.Text != " two  words" {
		t.Errorf("%q", s.Text)
	}
	row := With(Pick(sampleRow(), "files"), "files", func(a *Arg) { a.Bare = true })
	if SetBare(&s, row, []string{"a b", "c"}); !slices.Equal(s.Files, Files{"a b", "c"}) {
		t.Errorf("%q", s.Files)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`[{"text":"x","kind":"big","number":3},"a",[["b"]]]`))
	f.Add([]byte(`[{"textDocument":{"uri":3},"file":[],"size":1.5}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return
		}
		var s sample
		if Decode(list, sampleRow(), &s) == nil && s.Kind != "" && s.Kind != "big" && s.Kind != "small" {
			t.Errorf("kind is %q", s.Kind)
		}
	})
}
