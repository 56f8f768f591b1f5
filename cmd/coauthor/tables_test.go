package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/doctor"
	"coauthor/agent/model"
)

// unwrapped is a text of a table with one blank between two words.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

// sized is an output of so many columns.
type sized struct {
	text  bytes.Buffer
	width int
}

func (s *sized) Write(text []byte) (int, error) { return s.text.Write(text) }
func (s *sized) Width() int                     { return s.width }

// inColumns are the commands that print tables, each with what is a name in its JSON.
var inColumns = map[string]func(data map[string]any) []string{
	"usage": func(d map[string]any) []string { return fields(d["turns"], "model") },
	"tokens": func(d map[string]any) []string {
		return append(fields(d["parts"], "name"), "a.py", "src/deep/parser.py")
	},
	"settings": func(d map[string]any) []string {
		return fields(d["settings"], "name")
	},
	"commands": func(d map[string]any) []string { return fields(d["commands"], "word") },
	"models --offline": func(d map[string]any) []string {
		return append(fields(d["known"], "name"), fields(d["inForce"], "name")...)
	},
	"doctor": func(d map[string]any) []string { return fields(d["checks"], "name") },
}

// fields are the values of a field of the objects of a list.
func fields(list any, name string) (out []string) {
	all, _ := list.([]any)
	for _, x := range all {
		object, _ := x.(map[string]any)
		if value, is := object[name].(string); is {
			out = append(out, value)
		}
	}
	return out
}

// TestTablesFit: at every width no line is wider than the terminal, and each name stands there as a whole.
func TestTablesFit(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nIt is one.\n")
	h.home = t.TempDir()
	h.put("src/deep/parser.py", "y = 1\n")
	for _, args := range [][]string{
		{"ask", "-m", "Why is the parser so much slower than it was in the release before this one, and what is to be done?"},
		{"add", filepath.Join(h.root, "a.py"), filepath.Join(h.root, "src/deep/parser.py")},
	} {
		if code := h.run(args...); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, h.err.String())
		}
	}
	env := noEnvironment(t)
	in := func(width int, args ...string) string {
		out := &sized{width: width}
		var errs bytes.Buffer
		args = append(args, "--root", h.root, "--model", "local", "--api-base", h.server.URL)
		home := map[string]string{"HOME": h.home, "XDG_STATE_HOME": filepath.Join(h.home, "state"), "XDG_CONFIG_HOME": filepath.Join(h.home, "config")}
		code := run(t.Context(), args, Streams{In: strings.NewReader(""), Out: out, Err: &errs, Env: func(name string) string {
			if value := home[name]; value != "" {
				return value
			}
			return env(name)
		}})
		if code != 0 {
			t.Fatalf("%v: exit %d: %s%s", args, code, out.text.String(), errs.String())
		}
		return out.text.String()
	}
	for command, names := range inColumns {
		args := strings.Fields(command)
		var data map[string]any
		if err := json.Unmarshal([]byte(in(80, append(args, "--json")...)), &data); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		all := names(data)
		if len(all) == 0 {
			t.Fatalf("%s: its JSON has no names: %v", command, data)
		}
		for width := 40; width <= 300; width += 13 {
			text := in(width, args...)
			words := strings.Fields(text)
			for _, name := range all {
				for _, word := range strings.Fields(name) {
					if !slices.Contains(words, word) && !slices.Contains(words, "/"+word) {
						t.Errorf("%s at %d columns: %s is not there as a whole:\n%s", command, width, name, text)
					}
				}
			}
			for line := range strings.Lines(text) {
				if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > width || strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d columns: %q", command, width, line)
				}
			}
		}
	}
}

// TestTablesAsTheyAre: what the tables look like. UPDATE=1 writes the files again: then look at them.
func TestTablesAsTheyAre(t *testing.T) {
	price := func(in, out float64) *model.Price { return &model.Price{In: in, Out: out} }
	models := modelLists{
		InForce: []listedModel{{Role: "main", Name: "sonnet", ID: "claude-sonnet-4-5", Window: 200000, Format: "diff", Price: price(3, 15), Checked: "2026-07-02"}, {Role: "weak", Name: "local", Format: "whole"}},
		Yours:   []listedModel{{Name: "own", ID: "Qwen/Qwen2.5-Coder-32B-Instruct", Endpoint: "http://127.0.0.1:9/v1/chat/completions", Window: 32768, Format: "whole"}},
		Known:   []listedModel{{Name: "gpt-4.1", Window: 1047576, Format: "diff", Price: price(2, 8), Checked: "2026-07-02"}},
	}
	checks := []doctor.Check{
		{Name: "system", OK: true, Text: "coauthor devel, linux/amd64, 2 processors, git version 2.39.5, shell /bin/bash"},
		{Name: "settings", Text: "/home/somebody/projects/of/last/year/shop/.coauthor.yaml:1:1: unknown setting modal (did you mean model?)", Advice: "Fix the setting. lsp/SETTINGS.md lists all settings."},
		{Name: "git", OK: true, Text: "the folder is a git repository"},
	}
	for name, list := range map[string]func(Streams) error{
		"models": func(s Streams) error { return s.list(models.listing()) },
		"doctor": func(s Streams) error { return s.list(checksListing(checks)) },
	} {
		for _, width := range []int{40, 80, 200} {
			out := &sized{width: width}
			if err := list(Streams{Out: out, Env: noEnvironment(t)}); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "tables", fmt.Sprintf("%s-%d.txt", name, width))
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, out.text.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), out.text.String()); err != nil || diff != "" {
				t.Errorf("%s at %d columns, %v (-want +got):\n%s", name, width, err, diff)
			}
		}
	}
}

// TestJSONOfTables: the fields that cmd/README.md names are those that are there.
func TestJSONOfTables(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	h := newShell(t, "repeat: true\n-- 1.md --\nIt is one.\n")
	h.home = t.TempDir()
	if code := h.run("ask", "-m", "Why?"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	for command := range inColumns {
		args := strings.Fields(command)
		h.run(append(args, "--json")...)
		var data map[string]any
		if err := json.Unmarshal(h.out.Bytes(), &data); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, h.out.String())
		}
		_, row, found := strings.Cut(string(page), "\n| `"+args[0]+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		if !found {
			t.Errorf("%s: its JSON is not in cmd/README.md", command)
		}
		documented := strings.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune("`|,:[]{}? ", r) })
		for field, value := range data {
			if !slices.Contains(documented, field) {
				t.Errorf("%s: cmd/README.md has no field %s", command, field)
			}
			list, _ := value.([]any)
			for _, x := range list {
				object, _ := x.(map[string]any)
				for inner := range object {
					if !slices.Contains(documented, inner) {
						t.Errorf("%s: cmd/README.md has no field %s of %s", command, inner, field)
					}
				}
			}
		}
	}
}
