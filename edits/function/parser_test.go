package function_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/function"
)

// Arguments of both tools, wrapped, cut, and no JSON at all.
func FuzzParser(f *testing.F) {
	for _, reply := range []string{
		`{"explanation":"x","files":[{"path":"c","content":"y\n"},{"path":"n","content":""}]}`,
		`{"edits":[{"path":"a.py","original_lines":["    return 1"],"updated_lines":["    return 2\n"]}]}`,
		`{"path":"c","content":"\u00e9 \"{[ y`,
		"{\"files\":[{\"path\":\"c\",\n\"content\":\"1\"},{\"path\":\"b.txt\",\"content\":\"tw",
		`{"name":"write_file","arguments":"{\"path\":\"c\",\"content\":\"z\"}"} and more`,
		`{"files":[{"files":[{"path":"c"}]}]}}}{"files":[{"path":"c","content":"1"}]}`,
		`{"notes":[{"path":"c","content":"no file"}],"files":[{"path":"c","content":"1"}],"files":[{"path":"c"}]}`,
		`{"edits":[{"path":"c","original_lines":"x","updated_lines":"z"}],"files":[{"path":"n","content":"1"}]}`,
	} {
		f.Add(reply, uint8(3))
	}
	f.Fuzz(func(t *testing.T, reply string, step uint8) { editstest.CheckParser(t, function.New, reply, step) })
}
