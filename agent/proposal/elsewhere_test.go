package proposal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the living and those on other machines have applied is elsewhere, until it is undone; what the dead have left is
// not, nor what is ours.
func TestAppliedElsewhere(t *testing.T) {
	far := owner(7)
	far.Host = "11223344"
	intent := `{"v":1,"kind":"intent","delivery":"d","root":"/root","turn":"t","op":"apply","files":[{"path":"a","op":"update","before":"a","after":"b"}]}` + "\n"
	for name, c := range map[string]struct {
		file, text string
		want       bool
	}{
		"alive":           {owner(6).Name() + "-1.jsonl", intent, true},
		"another machine": {far.Name() + "-1.jsonl", intent, true},
		"dead":            {owner(7).Name() + "-1.jsonl", intent, false},
		"ours":            {owner(8).Name() + "-1.jsonl", intent, false},
		"another turn":    {owner(6).Name() + "-1.jsonl", strings.Replace(intent, `"turn":"t"`, `"turn":"u"`, 1), false},
		"another root":    {owner(6).Name() + "-1.jsonl", strings.Replace(intent, "/root", "/other", 1), false},
		"never landed": {owner(6).Name() + "-1.jsonl", intent +
			`{"v":1,"kind":"result","delivery":"d","files":[{"path":"a","state":"absent"}]}` + "\n", false},
		"landed": {owner(6).Name() + "-1.jsonl", intent +
			`{"v":1,"kind":"result","delivery":"d","files":[{"path":"a","state":"landed"}]}` + "\n", true},
		"undone": {owner(6).Name() + "-1.jsonl", intent +
			`{"v":1,"kind":"result","delivery":"d","files":[{"path":"a","state":"landed","reversed":true}]}` + "\n", false},
		"no journal": {"", "", false},
	} {
		dir := t.TempDir()
		if c.file != "" {
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := journalled(t, openJournal(t, dir, 8, 7))
		adopt := s.AdoptLater()
		if _, err := adopt(); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Sent.AppliedElsewhere(context.Background(), []string{"x", "t"}); got != c.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
