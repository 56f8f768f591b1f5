package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
)

// TestAnEditThatWasCutOffGoesOn: an edit block whose second half comes with the continuation is one edit, where
// the model's entry says how to go on; elsewhere it is refused, and the file stays.
func TestAnEditThatWasCutOffGoesOn(t *testing.T) {
	for prefill, want := range map[string]string{"plain": "a = 2\nb = 3\n", "none": "a = 1\nb = 1\n"} {
		script, err := llmtest.Parse([]byte("finish: length\n-- 1.md --\nx.py\n```\n<<<<<<< SEARCH\na = 1\nb = 1\n=======\na = 2\n" +
			"-- 2.md --\n\nb = 3\n>>>>>>> REPLACE\n```\n-- 2.yaml --\nfinish: stop\n-- 3.md --\nNo.\n-- 3.yaml --\nrepeat: true\nfinish: stop\n"))
		if err != nil {
			t.Fatal(err)
		}
		server := llmtest.Start(script)
		defer server.Close()
		root, home := t.TempDir(), t.TempDir()
		file := filepath.Join(root, "x.py")
		config := filepath.Join(home, ".config", "coauthor", "config.yaml")
		if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			file:   "a = 1\nb = 1\n",
			config: "model: m\neditFormat: diff\nturn.maxReflections: 0\nmodels: {m: {apiBase: '" + server.URL + "', prefill: " + prefill + "}}\n",
		} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		run(t.Context(), []string{"edit", "-m", "two", "--yes", "--root", root, file}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs,
			Env: func(n string) string { return map[string]string{"HOME": home, "XDG_STATE_HOME": home}[n] }})
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v\n%s%s", prefill, got, err, out.String(), errs.String())
		}
	}
}
