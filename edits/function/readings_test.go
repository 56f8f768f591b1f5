package function_test

import (
	"encoding/json"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/function"
)

func TestReadings(t *testing.T) { editstest.CheckReadings(t, "testdata/readings.txtar", function.New) }

// An entry is given as soon as it is closed, whatever its text has of what closes one, and however it comes.
func TestEntriesWhileTheArgumentsGrow(t *testing.T) {
	texts := []string{"plain\n", "a \"quoted\" }]}\n", "one \" alone {[\n", "\\", "\\\"", "\\\\\"}]\n", "é\t“”\n", ""}
	for n := 1; n < 40; n++ {
		p := function.New(edits.ParseOptions{})
		write := func(text string) (given []edits.Edit) {
			for text != "" {
				piece := text[:min(n, len(text))]
				text = text[len(piece):]
				given = append(given, p.Write(piece)...)
			}
			return given
		}
		write(`{"files": [`)
		for _, text := range texts {
			content, _ := json.Marshal(text)
			want := text
			if text != "" && text[len(text)-1] != '\n' {
				want += "\n"
			}
			if got := write(`{"path": "a", "content": ` + string(content) + `},`); len(got) != 1 || got[0].Replace != want {
				t.Errorf("in pieces of %d, %q: %+v", n, text, got)
			}
		}
	}
}
