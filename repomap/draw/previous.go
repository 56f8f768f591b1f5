package draw

import (
	"slices"
	"strings"
)

// keepWorth is the share of the best map's worth that the previous map must still have to stay: then
// what a provider has cached of the prompt is good for all of it. Nothing measures it: a tenth of the worth is given for that.
const keepWorth = 0.9

// section is what a map says of one file.
type section struct {
	path  string
	lines []string // signatures
	names []string
}

// sections reads a map that was drawn of these candidates. What it does not know is left out.
func sections(text string, list []File) []section {
	known := make(map[string]bool, len(list))
	for _, c := range list {
		known[c.Path] = true
	}
	var out []section
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, moreMark):
			if len(out) > 0 {
				out[len(out)-1].names = strings.Split(line[len(moreMark):], ", ")
			}
		case strings.HasPrefix(line, moreSignature[1:]):
			if len(out) > 0 && len(out[len(out)-1].lines) > 0 {
				last := &out[len(out)-1].lines
				(*last)[len(*last)-1] += "\n" + line
			}
		case strings.HasPrefix(line, " "):
			if len(out) > 0 {
				last := &out[len(out)-1]
				last.lines = append(last.lines, strings.TrimLeft(line, " "))
			}
		default:
			sec, ok := headLine(line, known)
			if !ok {
				sec.path = line
			}
			out = append(out, sec)
		}
	}
	return out
}

// headLine reads the line that begins a section. A colon may be part of the path.
func headLine(line string, known map[string]bool) (section, bool) {
	for i := len(line); i >= 0; i = strings.LastIndexByte(line[:i], ':') {
		if known[line[:i]] {
			sec := section{path: line[:i]}
			if rest, ok := strings.CutPrefix(line[i:], ": "); ok {
				sec.names = strings.Split(rest, ", ")
			}
			return sec, true
		}
	}
	return section{}, false
}

// previous gives the map of the turn before if it still serves: its every line is true, it fills the
// budget, and it is worth nearly as much as the best one.
func (f *Fitter) previous(best Drawing) (Drawing, bool) {
	full := leastFill * float64(f.Budget)
	if f.Before == "" || float64(best.Tokens) < full {
		return best, false // there was none, or everything there is fits
	}
	was := make(map[string]section)
	for _, sec := range sections(f.Before, f.List) {
		was[sec.path] = sec
	}
	var p plan
	for k, c := range f.List {
		sec, ok := was[c.Path]
		if !ok {
			continue
		}
		shapes := make([]shape, len(c.Defs))
		for i, d := range c.Defs {
			switch {
			case slices.Contains(sec.lines, d.Text):
				shapes[i] = signed
			case slices.Contains(sec.names, d.Name):
				shapes[i] = named
			}
		}
		p.files, p.shapes = append(p.files, k), append(p.shapes, shapes)
	}
	if worth(f.List, p) < keepWorth*worth(f.List, best.plan) {
		return best, false
	}
	d := f.draw(p)
	return d, d.Text == f.Before && d.Tokens <= f.Budget && float64(d.Tokens) >= full
}
