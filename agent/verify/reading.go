package verify

import (
	"encoding/json"
	"fmt"
	slashpath "path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// reading is the output of a command on its way to findings.
type reading struct {
	name     string
	dir      string   // in which the command ran, relative to the root; "" is the root
	roots    []string // the folder as the command may name it: absolute, with slashes, without one at the end
	exists   func(path string) bool
	out, err string
	report   string // what it wrote to the file that it was given the name of; "" where there is none

	list   []Finding
	passed int // tests
}

var escape = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]`)

// stripped takes colours and other control characters out of a program's output.
func stripped(text string) string {
	return escape.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
}

// Bounds of what is kept of one finding.
const (
	mostText  = 1200
	mostLines = 12
)

// all notes the end of an output that nothing else could be read from.
func (r *reading) all(what string) {
	text := what + ": " + tail(r.out+"\n"+r.err)
	r.list = append(r.list, Finding{Check: r.name, Text: text + " (" + r.name + ")", key: "\x00" + numbers.ReplaceAllString(text, "#")})
}

// tail is the end of an output, without the ends of overlong lines.
func tail(text string) string {
	const most, longest = 60, 300
	lines := strings.Split(last(text, most), "\n")
	for i, line := range lines {
		if len(line) > longest {
			lines[i] = strings.ToValidUTF8(line[:longest], "") + "…"
		}
	}
	text = strings.Join(lines, "\n")
	if len(text) > 4*mostText {
		text = "…" + strings.ToValidUTF8(text[len(text)-4*mostText:], "")
	}
	return text
}

// add notes a finding; a place outside of the folder is none. line counts from 1.
func (r *reading) add(path string, line, last int, text string) {
	text = brief(text)
	if path != "" {
		inside, ok := r.inside(path)
		if !ok {
			return
		}
		path = inside
	}
	f := Finding{Check: r.name, Path: path, Text: text + " (" + r.name + ")"}
	f.key = path + "\x00" + numbers.ReplaceAllString(text, "#")
	if path != "" && line > 0 {
		f.First, f.Last = line, max(line, last)
		f.Text = fmt.Sprintf("line %d: %s", line, f.Text)
	}
	r.list = append(r.list, f)
}

// numbers change with every line that comes or goes, and with every run.
var numbers = regexp.MustCompile(`(?:0x[0-9a-f]+|\d+)(?:[.:]\d+)*`)

// brief cuts a text to what a model needs.
func brief(text string) string { return briefTo(text, mostLines, mostText) }

func briefTo(text string, most, size int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "…")
	}
	text = strings.Join(lines, "\n")
	if len(text) > size {
		text = strings.ToValidUTF8(text[:size], "") + "…"
	}
	return text
}

// inside makes a path of a program's output one relative to the root; false for one that leaves it.
func (r *reading) inside(path string) (string, bool) {
	path = filepath.ToSlash(strings.TrimSpace(path))
	absolute := strings.HasPrefix(path, "/")
	for _, root := range r.roots {
		if rest, ok := strings.CutPrefix(path, root+"/"); ok {
			path, absolute = rest, true
			break
		}
	}
	path = filepath.ToSlash(filepath.Clean(path))
	if !absolute && r.dir != "" { // some tools name what they find from elsewhere
		if here := slashpath.Join(r.dir, path); r.exists(here) || !r.exists(path) {
			path = here
		}
	}
	if path == "." || !filepath.IsLocal(filepath.FromSlash(path)) || strings.HasPrefix(path, "/") {
		return "", false
	}
	return path, true
}

// file is inside for a path that must be a file of the folder.
func (r *reading) file(path string) (string, bool) {
	path, ok := r.inside(path)
	return path, ok && r.exists(path)
}

// eachJSON calls f with every line that is a JSON object, and returns the others.
func eachJSON(text string, f func(line []byte) bool) (rest string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "{") || !f([]byte(line)) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// document decodes the one JSON value in a text that may have other lines around it.
func document(text string, v any) bool {
	for _, open := range []string{"{", "["} {
		for at := 0; at < len(text); {
			i := strings.Index(text[at:], open)
			if i < 0 {
				break
			}
			if at += i; at == 0 || text[at-1] == '\n' {
				if json.NewDecoder(strings.NewReader(text[at:])).Decode(v) == nil {
					return true
				}
			}
			at++
		}
	}
	return false
}

// The forms of lines that name a place.
var (
	lineColon  = regexp.MustCompile(`^((?:[A-Za-z]:[\\/])?[^\s:(][^:\n]*):(\d+)(?::(\d+))?(?::|\s+-)\s*(\S.*)$`)
	lineParens = regexp.MustCompile(`^((?:[A-Za-z]:[\\/])?[^\s(:][^(\n]*)\((\d+),(\d+)\):\s*(\S.*)$`)
	lineMaven  = regexp.MustCompile(`^\[ERROR\]\s+((?:[A-Za-z]:)?[^:\[]+):\[(\d+),(\d+)\]\s*(\S.*)$`)
	lineStyle  = regexp.MustCompile(`^\s+(\d+):(\d+)\s+(?:error|warning)\s+(\S.*)$`)
	linePython = regexp.MustCompile(`^\s*File "([^"\n]+)", line (\d+)`)
	linePanic  = regexp.MustCompile(`panicked at ([^\s:][^:\n]*):(\d+):(\d+):?\s*(.*)$`)
)

// readLines reads the forms that most tools write for people.
func readLines(r *reading) { r.lines(r.out + "\n" + r.err) }

func (r *reading) lines(text string) {
	var styled string // the file of the lines that follow
	note := func(path string, line, text string) bool {
		name, ok := r.file(strings.TrimPrefix(path, "file://"))
		if !ok {
			return false
		}
		r.add(name, number(line), 0, text)
		return true
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		next := ""
		if i+1 < len(lines) {
			next = strings.TrimSpace(lines[i+1])
		}
		bare := strings.TrimPrefix(line, "vet: ") // go vet on what does not compile
		switch m := lineColon.FindStringSubmatch(bare); {
		case m != nil && note(m[1], m[2], m[4]):
		case r.match(lineParens, bare, note), r.match(lineMaven, bare, note):
		case lineStyle.MatchString(line) && styled != "":
			m := lineStyle.FindStringSubmatch(line)
			r.add(styled, number(m[1]), 0, strings.Join(strings.Fields(m[3]), " "))
		case linePanic.MatchString(line):
			m := linePanic.FindStringSubmatch(line)
			if m[4] == "" {
				m[4] = next
			}
			note(m[1], m[2], "panicked: "+m[4])
		case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			r.indented(line)
		default:
			if styled = ""; len(line) < 1024 {
				styled, _ = r.file(line)
			}
			if styled != "" && !r.exists(styled) {
				styled = ""
			}
		}
	}
}

func (r *reading) match(pattern *regexp.Regexp, line string, note func(path, line, text string) bool) bool {
	m := pattern.FindStringSubmatch(line)
	return m != nil && note(m[1], m[2], m[4])
}

// indented puts a line behind the finding that it belongs to.
func (r *reading) indented(line string) {
	if len(r.list) == 0 {
		return
	}
	f := &r.list[len(r.list)-1]
	text := strings.TrimSuffix(f.Text, " ("+r.name+")")
	if strings.Count(text, "\n") < mostLines && len(text) < mostText {
		f.Text = text + "\n" + brief(line) + " (" + r.name + ")"
	}
}

func number(digits string) int {
	n := 0
	for _, d := range digits {
		if n = n*10 + int(d-'0'); n > 1<<30 {
			return 0
		}
	}
	return n
}

// last returns the last lines of a text.
func last(text string, most int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// settle puts the findings in order: those of the changed files first, each once, and not too many.
func settle(list []Finding, changed map[string]bool) []Finding {
	const most = 20
	slices.SortStableFunc(list, func(a, b Finding) int {
		switch {
		case changed[a.Path] == changed[b.Path]:
			return 0
		case changed[a.Path]:
			return -1
		}
		return 1
	})
	seen := map[string]bool{}
	list = slices.DeleteFunc(list, func(f Finding) bool {
		id := f.Path + "\x00" + f.Text
		again := seen[id]
		seen[id] = true
		return again
	})
	return list[:min(len(list), most)]
}
