package edits_test

import (
	"path/filepath"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// oneEnd says whether all lines of a text end alike, in a line feed.
func oneEnd(text string) bool {
	return !strings.ContainsAny(text, "\r"+byteOrderMark) && strings.Contains(text, "\n")
}

// The golden scenarios of the formats come to the same in files whose lines end in another way, in
// files with a byte order mark, and where the reply itself has other line ends.
func TestScenariosWithOtherLineEnds(t *testing.T) {
	for _, name := range editstest.Scenarios(t, "formats/testdata") {
		s := editstest.LoadScenario(t, name)
		f, ok := formats.ByName(s.Format)
		if !ok {
			t.Fatalf("there is no format %q", s.Format)
		}
		plain := oneEnd(s.Reply)
		for _, text := range s.Before {
			plain = plain && oneEnd(text)
		}
		for variant, of := range map[string]struct{ file, reply func(string) string }{
			"as they are": {same, same}, "CRLF": {crlf, same}, "CRLF in the reply": {same, crlf}, "CRLF in both": {crlf, crlf},
			"lone CR": {loneCR, same}, "byte order mark": {marked, same},
		} {
			if variant != "as they are" && (!plain || strings.Contains(name, "delete-then-add")) {
				continue // such a file is a new one
			}
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+variant, func(t *testing.T) {
				v := s
				v.Before, v.After = map[string]string{}, map[string]string{}
				for path, text := range s.Before {
					v.Before[path] = of.file(text)
				}
				for path, text := range s.Want() {
					_, old := s.Before[path]
					if v.After[path] = text; old || movedHere(s, path) {
						v.After[path] = of.file(text) // a new file has plain ends
					}
				}
				for path := range s.Before {
					if s.After[path] == "gone\n" {
						v.After[path] = "gone\n"
					}
				}
				v.Reply = of.reply(s.Reply)
				v.Check(t, f)
			})
		}
	}
}

func same(text string) string   { return text }
func loneCR(text string) string { return strings.ReplaceAll(text, "\n", "\r") }
func marked(text string) string { return byteOrderMark + text }

// movedHere says whether a new path is that of a file that was renamed.
func movedHere(s editstest.Scenario, path string) bool {
	f, _ := formats.ByName(s.Format)
	list, problems := edits.Parse(f, s.Reply, s.Ending, s.ParseOptions())
	for _, c := range edits.Apply(files(s.Before), list, problems, edits.Options{Chat: s.Chat}).Changes {
		if c.Op == edits.OpRename && c.To == path {
			return true
		}
	}
	return false
}
