package lsp_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/lsp/lsptest"
)

// variants are the archives that an archive stands for, with the line in which each is its own: where it has a line "each", one
// for each of the lines in that, which | parts; else itself.
func variants(ar *txtar.Archive) iter.Seq2[string, *txtar.Archive] {
	return func(yield func(string, *txtar.Archive) bool) {
		_, from, several := strings.Cut(string(ar.Comment), "\neach ")
		if !several {
			yield("", ar)
			return
		}
		each, _, _ := strings.Cut(from, "\n")
		for line := range strings.SplitSeq(each, " | ") {
			one := &txtar.Archive{Comment: []byte(strings.Replace(string(ar.Comment), "\neach "+each, "\n"+line, 1)), Files: ar.Files}
			if !yield(line, one) {
				return
			}
		}
	}
}

// parsePlay reads an archive: the comment holds the set-up and the steps, the files are below root/ (or the folders
// that the set-up names), model/ and want/.
func parsePlay(ar *txtar.Archive) (*play, error) {
	p := &play{
		roots: []string{"root"}, settings: map[string]any{}, files: map[string]string{},
		env: map[string]string{"OPENAI_API_KEY": "sk-test-0123456789"},
	}
	p.profiles = lsptest.ProfileNames()
	script := &txtar.Archive{}
	for _, f := range ar.Files {
		if _, again := p.files[f.Name]; again {
			return nil, fmt.Errorf("%s: there are two of this name", f.Name)
		}
		p.files[f.Name] = unescaped(f.Name, string(f.Data))
		if name, ok := strings.CutPrefix(f.Name, "model/"); ok {
			if name == "server" {
				script.Comment = f.Data
				continue
			}
			script.Files = append(script.Files, txtar.File{Name: name, Data: f.Data})
		}
	}
	if len(script.Files) == 0 {
		script.Files = []txtar.File{{Name: "1.md", Data: []byte("Nobody asked.\n")}}
	}
	p.script = txtar.Format(script)
	n := 0
	for line := range strings.Lines(string(ar.Comment)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		args, err := words(rest)
		if err != nil && name != "command" {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		known, err := p.setUp(name, rest, args)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if known {
			continue
		}
		if _, ok := steps[name]; !ok {
			return nil, fmt.Errorf("line %d: no step %q", n, name)
		}
		if name == "other" {
			if _, err := otherStep(playStep{rest: strings.TrimSpace(rest)}); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
		p.steps = append(p.steps, playStep{line: n, name: name, args: args, rest: strings.TrimSpace(rest)})
	}
	if len(p.steps) == 0 {
		return nil, fmt.Errorf("no steps")
	}
	for name := range p.files {
		if top, _, below := strings.Cut(name, "/"); !below || !slices.Contains(append([]string{"outside", "commands", "model", "want", "web"}, p.roots...), top) {
			return nil, fmt.Errorf("%s: nothing reads this file", name)
		}
	}
	return p, nil
}

// unescaped gives files whose name ends in ~crlf carriage returns, which do not survive in an archive of text.
func unescaped(name, data string) string {
	if strings.HasSuffix(name, ".crlf.txt") {
		return strings.ReplaceAll(data, "\n", "\r\n")
	}
	return data
}

// setUp reads a line that is no step.
func (p *play) setUp(name, rest string, args []string) (bool, error) {
	switch name {
	case "profiles", "except":
		for _, n := range args {
			if _, err := lsptest.LoadProfile(n); err != nil {
				return true, err
			}
		}
		if name == "profiles" {
			p.profiles = args
			break
		}
		p.profiles = slices.DeleteFunc(slices.Clone(p.profiles), func(n string) bool { return slices.Contains(args, n) })
	case "roots":
		p.roots = args
	case "rootless":
		p.rootless = true
	case "module":
		p.module, p.announced = true, args
	case "map":
		p.mapped = true
	case "environ":
		p.environ = true
	case "unreviewed":
		p.unset = true
	case "encodings":
		p.encodings = args
	case "hurry":
		factor, err := strconv.ParseFloat(args[0], 64)
		p.hurry = factor
		return true, err
	case "env":
		p.env[args[0]] = strings.Join(args[1:], " ")
	case "setting":
		key, value, _ := strings.Cut(rest, " ")
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			return true, fmt.Errorf("setting %s: %w", key, err)
		}
		p.settings[key] = v
	case "quirk":
		key, value, _ := strings.Cut(rest, " ")
		var probe lsptest.Quirks
		text := []byte(key + ": " + value)
		if err := yaml.UnmarshalWithOptions(text, &probe, yaml.Strict()); err != nil {
			return true, fmt.Errorf("quirk %s: %w", key, err)
		}
		p.quirks = append(p.quirks, func(q *lsptest.Quirks) {
			_ = yaml.Unmarshal(text, q) // it was parsed above
		})
	default:
		return false, nil
	}
	return true, nil
}

// words splits a line at blanks; a word in double quotes is a Go string.
func words(line string) ([]string, error) {
	var out []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			word, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", quoted, err)
			}
			out = append(out, word)
			line = line[len(quoted):]
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		out = append(out, word)
		line = rest
	}
	return out, nil
}

func seconds(list []time.Duration) []string {
	out := make([]string, 0, len(list))
	for _, d := range list {
		out = append(out, d.Round(time.Second).String())
	}
	return out
}
