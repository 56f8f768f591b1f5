package edits

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"coauthor/edits/match"
)

// Landing is an instruction that was carried out. A model that is asked to correct a part of its reply
// often sends all of it again; what landed then must not land twice.
type Landing struct {
	path  string
	key   instruction
	whole bool   // it was about the file as a whole
	place window // where it landed, as it was before
	stood int    // how often that stood in the file
	gone  bool   // it stood less often afterwards, so that its return can be told
	sure  sure
}

// Path is the file in which the instruction landed.
func (l Landing) Path() string { return l.path }

// sure says when an instruction that comes twice is the same once more, and not meant for another place.
type sure struct {
	always bool // there was one place
	line   int  // the line number in its header has decided; 0 if it has not
}

// memory knows which instructions have landed.
type memory struct {
	remember bool // what lands is told to the caller
	// landed holds the edits that landed, here or in an earlier reply, and whether they found the only place
	// there was: written twice, these count once.
	landed  map[string]bool
	key     instruction // of the edit or the hunk whose turn it is
	earlier []Landing   // that did not come again yet
	steps   int         // left for comparing windows
	list    []Landing   // what landed here
}

// told notes that an instruction has landed.
func (m *memory) told(key string, s sure) {
	m.landed[key] = s.always
	if s.line > 0 {
		m.landed[lined(key, s.line)] = true
	}
}

// lined is the key of an instruction with a line number.
func lined(key string, line int) string { return fmt.Sprintf("%s\x00%d", key, line) }

// twice says whether an instruction of this reply comes once more.
func (m *memory) twice(key string, line int) bool {
	return m.landed[key] || line > 0 && m.landed[lined(key, line)]
}

func (o *report) sayTwice(e *Edit, path string) {
	o.res.Rungs[RungAlready]++
	o.say(e, "it is the same edit as an earlier one; %s has it already", path)
}

// instruction is what was to be done, apart from the file.
type instruction [sha256.Size]byte

// window are the lines at a place and around it.
type window struct {
	lines      []string
	start, end bool // at the start and the end of the file
}

// Around a place, so many lines tell it from others.
const aroundLines = 2

// windowSteps bounds how many lines are compared for all windows of one Apply.
const windowSteps = 1 << 24

func instructionOf(parts ...string) instruction {
	return sha256.Sum256([]byte(strings.Join(parts, "\x00")))
}

// key of the edit as a whole.
func (e *Edit) key() instruction {
	return instructionOf(string(e.Kind), string(e.Op), e.Search, e.Replace, e.To)
}

func (c *Chunk) key() instruction {
	var out strings.Builder
	for _, l := range c.Lines {
		fmt.Fprintf(&out, "%c%s\n", l.Sign, l.Text)
	}
	return instructionOf(append([]string{"chunk", out.String()}, c.Scopes...)...)
}

// windowOf is the place between two lines of a file.
func windowOf(lines []string, from, to int) window {
	start, end := max(0, from-aroundLines), min(len(lines), to+aroundLines)
	return window{lines: slices.Clone(lines[start:end]), start: start == 0, end: end == len(lines)}
}

// count is how often the window stands in a file.
func (m *memory) count(lines []string, w window) int {
	n := 0
	for at := 0; at+len(w.lines) <= len(lines) && m.steps > 0; at++ {
		if w.start && at > 0 {
			break
		}
		if w.end && at+len(w.lines) < len(lines) {
			m.steps--
			continue
		}
		same := true
		for i := range w.lines {
			if m.steps--; lines[at+i] != w.lines[i] {
				same = false
				break
			}
		}
		if same {
			n++
		}
	}
	return n
}

// landing notes that an instruction is about to land between two lines of a file. The function that it
// returns is called when it has.
func (m *memory) landing(path string, b *match.Text, from, to int, s sure) func() {
	if !m.remember {
		return func() {}
	}
	w := windowOf(b.Lines(), from, to)
	before, key := m.count(b.Lines(), w), m.key
	return func() {
		m.list = append(m.list, Landing{path: path, key: key, place: w, stood: before, gone: m.count(b.Lines(), w) < before, sure: s})
	}
}

// landedWhole notes that an instruction about a file as a whole was carried out.
func (m *memory) landedWhole(path string, key instruction) {
	if m.remember {
		m.list = append(m.list, Landing{path: path, key: key, whole: true})
	}
}

// repeated says whether an instruction landed in an earlier reply and what it made was not taken back
// since. Each landing counts for one repetition, and for more where there was one place for it. The key
// is the one by which twice knows it.
func (r *run) repeated(e *Edit, path string, f *file, key string) bool {
	i := slices.IndexFunc(r.memory.earlier, func(l Landing) bool { return l.path == path && l.key == r.memory.key && !l.whole })
	if i < 0 || f.body == nil {
		return false
	}
	l := r.memory.earlier[i]
	r.memory.earlier = slices.Delete(r.memory.earlier, i, i+1)
	if l.gone && r.memory.count(f.body.Lines(), l.place) >= l.stood {
		return false // somebody took it back
	}
	r.memory.told(key, l.sure)
	r.report.sayRepeated(e, path)
	return true
}

// repeatedWhole is repeated for a file as a whole: the last such instruction for that file must have
// been the same.
func (r *run) repeatedWhole(e *Edit, path string, key instruction) bool {
	for _, l := range slices.Backward(r.memory.earlier) {
		if l.path == path && l.whole {
			if l.key == key {
				r.report.sayRepeated(e, path)
			}
			return l.key == key
		}
	}
	return false
}

func (o *report) sayRepeated(e *Edit, path string) {
	o.res.Rungs[RungAlready]++
	o.say(e, "it was applied in an earlier reply, and comes again; %s has it already", path)
}
