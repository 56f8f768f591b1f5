package reply_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/reply"
)

// Each line is given once, whole and in order, with its number and its end, however the reply is cut.
func TestScannerGivesTheLines(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	pool := []string{"a", "bc", "\n", "\r\n", "\r", "ü", "\n\n", "x\r\r\n", ""}
	for range 5000 {
		var text strings.Builder
		for range r.IntN(12) {
			text.WriteString(pool[r.IntN(len(pool))])
		}
		var s reply.Scanner
		var got []reply.Line
		take := func(l reply.Line) { got = append(got, l) }
		for rest := text.String(); rest != ""; {
			n := 1 + r.IntN(len(rest))
			s.Write(rest[:n], take)
			if strings.Count(rest[:n], "\n") > 0 && s.Count() == 0 {
				t.Fatalf("%q: no line after %q", text.String(), rest[:n])
			}
			rest = rest[n:]
		}
		s.Close(take)
		s.Close(take) // closing again gives nothing
		i := 0
		for l := range strings.Lines(text.String()) {
			want := reply.Line{Text: l, N: i + 1}
			for _, end := range []string{"\r\n", "\n"} {
				if rest, ok := strings.CutSuffix(l, end); ok {
					want.Text, want.End = rest, end
					break
				}
			}
			if want.End == "" {
				want.Text = strings.TrimSuffix(l, "\r") // the rest of its end did not come
			}
			if i >= len(got) || got[i] != want {
				t.Fatalf("%q: line %d is %+v, want %+v", text.String(), i+1, got[min(i, len(got)):], want)
			}
			i++
		}
		if len(got) != i || s.Count() != i || s.TooLong() {
			t.Fatalf("%q: %d lines, counted %d", text.String(), len(got), s.Count())
		}
	}
}

// A reply is too long from one byte beyond the limit on, and gives nothing more then.
func TestScannerStopsAtTheLimit(t *testing.T) {
	var s reply.Scanner
	n := 0
	take := func(reply.Line) { n++ }
	s.Write(strings.Repeat("x", edits.MaxReply-1)+"\n", take)
	if n != 1 || s.TooLong() {
		t.Fatalf("%d lines, too long %v", n, s.TooLong())
	}
	s.Write("y", take)
	s.Write("z\n", take)
	s.Close(take)
	if p := s.Problem(); n != 1 || !s.TooLong() || p.Reason != edits.ReasonTooLong || p.Edit != -1 || p.First < 1 || p.Last < p.First {
		t.Errorf("%d lines, too long %v, %+v", n, s.TooLong(), p)
	}
}

func TestFences(t *testing.T) {
	for text, want := range map[string]reply.Fence{
		"```":             {Mark: '`', Len: 3},
		"`````":           {Mark: '`', Len: 5},
		"```go":           {Mark: '`', Len: 3, Info: "go"},
		"```  go x.go  ":  {Mark: '`', Len: 3, Info: "go x.go"},
		"  ```diff":       {Indent: 2, Mark: '`', Len: 3, Info: "diff"},
		"\t~~~~":          {Indent: 1, Mark: '~', Len: 4},
		"~~~ a`b":         {Mark: '~', Len: 3, Info: "a`b"},
		"~~~a~b":          {Mark: '~', Len: 3, Info: "a~b"},
		"<source>":        {Mark: '<', Close: "</source>"},
		"  <code>":        {Indent: 2, Mark: '<', Close: "</code>"},
		"<pre>a.py":       {Mark: '<', Close: "</pre>", Info: "a.py"},
		"<codeblock>":     {Mark: '<', Close: "</codeblock>"},
		"<sourcecode> \t": {Mark: '<', Close: "</sourcecode>"},
	} {
		got, ok := reply.OpenFence(text)
		if !ok || got != want || !reply.IsFence(text) {
			t.Errorf("%q opens %+v, %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "  ", "``", "~~", "`x`", "```a```", "```go `x`", "code```", "<div>", "<source", "<source> x y", "<code><b>", "-```"} {
		if f, ok := reply.OpenFence(text); ok || reply.IsFence(text) {
			t.Errorf("%q opens %+v", text, f)
		}
	}
	for _, text := range []string{"</source>", "  </code> ", "</pre>", "</codeblock>", "</sourcecode>"} {
		if !reply.IsFence(text) {
			t.Errorf("%q is a fence", text)
		}
	}
	if reply.IsFence("</div>") {
		t.Error("</div> is no fence")
	}
}

// A fence is closed by as many of its marks or more, alone and no further in than it opened.
func TestClosingFences(t *testing.T) {
	for open, c := range map[string]struct{ yes, no []string }{
		"```go":       {[]string{"```", "````", "```  ", "```\t"}, []string{"", "``", "~~~", "```x", " ```", "``` `", "</code>"}},
		"````":        {[]string{"````", "`````"}, []string{"```", "~~~~", "  ````"}},
		"~~~":         {[]string{"~~~", "~~~~"}, []string{"```", "~~", "~~~ x"}},
		"  ```":       {[]string{"```", " ```", "  ```"}, []string{"   ```", "\t\t\t```", "``"}},
		"<source>":    {[]string{"</source>", "</source>  "}, []string{"<source>", "</code>", "```", "</source>x", " </source>"}},
		"<code>a.py ": {[]string{"</code>"}, []string{"</pre>", ""}},
	} {
		f, ok := reply.OpenFence(open)
		if !ok {
			t.Fatalf("%q opens nothing", open)
		}
		for _, text := range c.yes {
			if !f.Closes(text) {
				t.Errorf("%q does not close %q", text, open)
			}
		}
		for _, text := range c.no {
			if f.Closes(text) {
				t.Errorf("%q closes %q", text, open)
			}
		}
	}
}

// Blocks of commands and of output are no files.
func TestShellFences(t *testing.T) {
	for info, want := range map[string]bool{"bash": true, "sh": true, "Shell": true, "CONSOLE": true, "text": true, "powershell x": true, "sh -e run": true, "": false, "python": false, "shx": false, "go sh": false, "make": false} {
		if got := (reply.Fence{Info: info}).IsShell(); got != want {
			t.Errorf("%q: %v", info, got)
		}
	}
}

func TestOpenTags(t *testing.T) {
	for text, want := range map[string]reply.Tag{
		`<file path="a.py">`:                        {Name: "a.py", Close: "</file>"},
		`  <file name='src/a.py' lang="py">  `:      {Name: "src/a.py", Close: "</file>"},
		`<document lang="x" filename="a.py">`:       {Name: "a.py", Close: "</document>"},
		`<code file=" a.py ">`:                      {Name: "a.py", Close: "</code>"},
		`<listing file_path = "a b.py" more="yes">`: {Name: "a b.py", Close: "</listing>"},
	} {
		if got, ok := reply.OpenTag(text); !ok || got != want {
			t.Errorf("%s: %+v, %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "<file>", `<file path="a.py"/>`, `<file path="a.py" />`, `<div path="a.py">`, `<file href="a.py">`, `<file path=a.py>`, `x <file path="a.py">`, `<file path="a.py"> x`, `</file>`, `<file mypath="">`} {
		if got, ok := reply.OpenTag(text); ok {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
