package auto_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/auto"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// One edit of each form on files of its own, and how a reply of several begins and ends.
var written = map[auto.Form]struct {
	begin, end string
	edit       func(i int) string
}{
	auto.Blocks: {"", "", func(i int) string {
		return fmt.Sprintf("f%d.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = %d\n>>>>>>> REPLACE\n", i, i)
	}},
	auto.Listings: {"", "", func(i int) string { return fmt.Sprintf("f%d.py\n```python\nx = %d\n```\n", i, i) }},
	auto.Diff: {"", "", func(i int) string {
		return fmt.Sprintf("```diff\n--- a/f%d.py\n+++ b/f%d.py\n@@ -1 +1 @@\n-x = 1\n+x = %d\n```\n", i, i, i)
	}},
	auto.Patch: {"*** Begin Patch\n", "*** End Patch\n", func(i int) string { return fmt.Sprintf("*** Update File: f%d.py\n@@\n-x = 1\n+x = %d\n", i, i) }},
	auto.Call:  {"{\"files\": [\n", "{}]}\n", func(i int) string { return fmt.Sprintf("{\"path\": \"f%d.py\", \"content\": \"x = %d\\n\"},\n", i, i) }},
}

// formOf is the form that each format asks for.
var formOf = map[string]auto.Form{formats.Auto: auto.Unasked, "diff": auto.Blocks, "whole": auto.Listings, "udiff": auto.Diff, "patch": auto.Patch, "func": auto.Call}

// Edits are given as soon as they are whole, in whatever form they come; listings only where they were
// asked for, as otherwise the rest of the reply decides about them, and a call only where it was forced.
func TestEditsComeWhileTheReplyGrows(t *testing.T) {
	for form, w := range written {
		for _, format := range asked {
			f, _ := formats.ByName(format)
			p := f.New(edits.ParseOptions{Files: editstest.Files{}})
			var early []edits.Edit
			write := func(text string) {
				for l := range strings.Lines(text) {
					early = append(early, p.Write(l)...)
				}
			}
			write("\n \n" + w.begin)
			for i := range 3 {
				write(w.edit(i))
			}
			want := 2 // the third may still go on
			if form != formOf[format] && (form == auto.Listings || form == auto.Call) {
				want = 0
			}
			if len(early) < want || want == 0 && len(early) > 0 {
				t.Errorf("%s in %s: %d edits of 3 were given, want %d: %+v", form, format, len(early), want, early)
			}
			write(w.end)
			list, problems := p.Close(edits.Ended)
			if len(list) != 3 || len(problems) > 0 {
				t.Errorf("%s in %s: %+v, %+v", form, format, list, problems)
			}
		}
	}
}

// However long the lines of a reply are, and however they come, no byte is lost or comes twice.
func TestLinesOfAllLengthsInPieces(t *testing.T) {
	for form, w := range written {
		if form == auto.Call {
			continue
		}
		reply, lines := "a.py\n```python\n", ""
		for i := range 160 {
			lines += fmt.Sprintf("x%d = %q\n", i, strings.Repeat("0123456789", i*i/40))
		}
		reply += lines + "```\n" + w.begin + w.edit(1) + w.end
		f, _ := formats.ByName("whole")
		want, _ := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{})
		if len(want) != 2 || want[0].Replace != lines {
			t.Fatalf("%s: %d edits", form, len(want))
		}
		for _, n := range []int{1, 48, 700, 3000} {
			editstest.CheckStream(t, f.New, edits.ParseOptions{}, reply, edits.Ended, func(int) int { return n })
		}
	}
}

// Two parsers that complete an edit within one piece give both, once.
func TestEditsOfTwoFormsInOnePiece(t *testing.T) {
	f, _ := formats.ByName(formats.Auto)
	p := f.New(edits.ParseOptions{})
	var reply strings.Builder
	for i := range 4 {
		for _, form := range []auto.Form{auto.Blocks, auto.Diff} {
			reply.WriteString(written[form].edit(i))
		}
	}
	first := p.Write(reply.String())
	var got []string
	for _, e := range first {
		got = append(got, string(e.Kind)+e.Path)
	}
	if len(p.Write("And so on.\n")) > 0 {
		t.Error("what was given once came again")
	}
	list, problems := p.Close(edits.Ended)
	var want []string
	for _, e := range list {
		want = append(want, string(e.Kind)+e.Path)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || len(list) != 8 || len(problems) > 0 {
		t.Errorf("first %v, then %v, %+v", got, want, problems)
	}
}

// The first edit that came in another form than the one that was asked for says so, with both names. What
// its parser had to say of it stays.
func TestTheNoteNamesBothForms(t *testing.T) {
	for form, w := range written {
		for _, format := range asked {
			f, _ := formats.ByName(format)
			reply := w.begin + w.edit(0) + w.edit(1) + w.end
			list, _ := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Files: editstest.Files{}})
			if len(list) != 2 {
				t.Fatalf("%s in %s: %+v", form, format, list)
			}
			other := formOf[format] != auto.Unasked && formOf[format] != form
			if note := list[0].Note; other != (note != "") || other && (!strings.Contains(note, form.String()) || !strings.Contains(note, formOf[format].String())) {
				t.Errorf("%s in %s: %q", form, format, note)
			}
			if list[1].Note != "" {
				t.Errorf("%s in %s: also the second edit says %q", form, format, list[1].Note)
			}
		}
	}
}

// A reply may have as many bytes as edits.MaxReply and no more, however it comes.
func TestRepliesAtTheLimit(t *testing.T) {
	for _, format := range []string{formats.Auto, "diff", "func"} {
		for _, over := range []int{0, 1} {
			w := written[formOf[format]]
			if format == formats.Auto {
				w = written[auto.Patch]
			}
			reply := w.begin + w.edit(0) + w.edit(1) + w.end
			reply += strings.Repeat(" ", edits.MaxReply+over-len(reply)-1) + "\n"
			f, _ := formats.ByName(format)
			p := f.New(edits.ParseOptions{})
			p.Write(reply[:len(reply)/2])
			p.Write(reply[len(reply)/2:])
			list, problems := p.Close(edits.Ended)
			if over == 0 && (len(list) != 2 || len(problems) > 0) {
				t.Errorf("%s at the limit: %d edits, %+v", format, len(list), problems)
			}
			if over > 0 && (len(list) > 0 || len(problems) != 1 || problems[0].Reason != edits.ReasonTooLong || problems[0].Edit != -1) {
				t.Errorf("%s beyond the limit: %d edits, %+v", format, len(list), problems)
			}
			if len(p.Write(w.begin+w.edit(2))) > 0 && over > 0 {
				t.Errorf("%s beyond the limit: an edit is given", format)
			}
		}
	}
}

// counted are files that count how often they are asked for.
type counted struct {
	editstest.Files
	exists, reads int
}

func (c *counted) Exists(path string) bool { c.exists++; return c.Files.Exists(path) }

func (c *counted) Read(path string) (string, error) { c.reads++; return c.Files.Read(path) }

// However often a reply names a file, it is looked for once, and looked into once for markup.
func TestFilesAreLookedForOnce(t *testing.T) {
	f, _ := formats.ByName("whole")
	files := &counted{Files: editstest.Files{"src/f1.py": "x = 1\n", "b.py": ""}}
	fenced := "f1.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
	list, problems := edits.Parse(f, strings.Repeat(fenced, 100), edits.Ended, edits.ParseOptions{Chat: []string{"src/f1.py", "b.py"}, Files: files})
	if len(list) != 100 || len(problems) > 0 {
		t.Errorf("%d edits, %+v", len(list), problems)
	}
	if files.exists > 3 || files.reads > 1 {
		t.Errorf("asked %d times for the file, and for its text %d times", files.exists, files.reads)
	}
}

// There is an end to comparing listings with the files that they may be.
func TestHowMuchIsCompared(t *testing.T) {
	f, _ := formats.ByName("diff")
	files := &counted{Files: editstest.Files{}}
	var reply strings.Builder
	for i := range 20 {
		path := fmt.Sprintf("f%d.txt", i)
		files.Files[path] = strings.Repeat("y", edits.MaxReply-1) + "\n"
		fmt.Fprintf(&reply, "%s\n```\n%s\n```\n", path, "y")
	}
	edits.Parse(f, reply.String(), edits.Ended, edits.ParseOptions{Files: files})
	if files.reads < 4 || files.reads > 6 {
		t.Errorf("%d files of the longest reply's size were read", files.reads)
	}
}

// With one file in the chat, what has no name is of that file.
func TestListingsOfTheOneFile(t *testing.T) {
	const text, again = "x = 1\ny = 1\nz = 1\n", "x = 1\ny = 2\nz = 1\n"
	unnamed, hunk := "So:\n```python\n"+again+"```\n", "```diff\n@@ @@\n-x = 1\n+x = 3\n```\n"
	for what, c := range map[string]struct {
		chat   []string
		reply  string
		listed bool
	}{
		"alone":                 {[]string{"b.py"}, unnamed, true},
		"beside an edit":        {[]string{"b.py"}, unnamed + hunk, false},
		"with others":           {[]string{"b.py", "c.py"}, unnamed, false},
		"in no chat":            {nil, unnamed, false},
		"named":                 {nil, "b.py\n" + strings.TrimPrefix(unnamed, "So:\n"), true},
		"another edit's file":   {[]string{"b.py"}, unnamed + "\n" + written[auto.Diff].edit(1), false},
		"named, and another's":  {[]string{"b.py"}, "b.py\n" + strings.TrimPrefix(unnamed, "So:\n") + "\n" + written[auto.Diff].edit(1), true},
		"named, beside an edit": {[]string{"b.py"}, "b.py\n" + strings.TrimPrefix(unnamed, "So:\n") + "\n" + hunk, false},
	} {
		for _, format := range []string{"diff", "udiff", "patch", "func"} {
			f, _ := formats.ByName(format)
			list, _ := edits.Parse(f, c.reply, edits.Ended, edits.ParseOptions{Chat: c.chat, Files: editstest.Files{"b.py": text, "c.py": text}})
			listed := false
			for _, e := range list {
				listed = listed || e.Kind == edits.KindWhole && e.Replace == again
			}
			if listed != c.listed {
				t.Errorf("%s in %s: %+v", what, format, list)
			}
		}
	}
}
