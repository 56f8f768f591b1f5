package verify

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// goEvent is a line of go test -json.
type goEvent struct {
	Action, Package, Test, Output, ImportPath string
}

var goPlace = regexp.MustCompile(`^\s+(\S+\.go):(\d+): ?(.*)$`)

// readGoTest reads go test -json: for each test that failed what it wrote with its places, and what did not
// compile.
func readGoTest(r *reading) {
	output := map[[2]string]*strings.Builder{}
	var build strings.Builder
	var failed [][2]string
	inTests := map[string]bool{} // packages of which a test failed
	rest := eachJSON(r.out, func(line []byte) bool {
		var e goEvent
		if json.Unmarshal(line, &e) != nil || e.Action == "" {
			return false
		}
		id := [2]string{e.Package, e.Test}
		switch e.Action {
		case "build-output":
			build.WriteString(e.Output)
		case "output":
			if output[id] == nil {
				output[id] = &strings.Builder{}
			}
			if output[id].Len() < mostText*16 {
				output[id].WriteString(e.Output)
			}
		case "pass":
			if e.Test != "" && !strings.Contains(e.Test, "/") {
				r.passed++
			}
		case "fail":
			failed = append(failed, id)
			if e.Test != "" {
				inTests[e.Package] = true
			}
		}
		return true
	})
	r.lines(build.String())
	broken := len(r.list) > 0
	for i, id := range failed {
		text := ""
		if output[id] != nil {
			text = stripped(output[id].String())
		}
		switch {
		case id[1] == "" && !inTests[id[0]] && !broken: // it ended in the middle, or before its tests
			r.add("", 0, 0, fmt.Sprintf("the tests of %s fail: %s", id[0], last(text, mostLines)))
		case id[1] != "" && !r.goTest(id, text) && !parentOfFailed(failed[:i], id):
			r.goPanic(id, text)
		}
	}
	if rest = strings.TrimSpace(rest); len(r.list) == 0 {
		r.lines(rest + "\n" + r.err)
	}
}

// parentOfFailed says whether a test failed for one of its subtests, which end before it.
func parentOfFailed(before [][2]string, id [2]string) bool {
	for _, b := range before {
		if b[0] == id[0] && strings.HasPrefix(b[1], id[1]+"/") {
			return true
		}
	}
	return false
}

// goTest notes the places at which a test complained.
func (r *reading) goTest(id [2]string, text string) (found bool) {
	var file, line, said string
	flush := func() {
		if name, ok := r.goFile(id[0], file); ok && file != "" {
			r.fails(failure{test: id[1], said: said, frames: []frame{{name, number(line)}}})
			r.list[len(r.list)-1].test = id[0] + "." + id[1] // other packages have tests of this name
			found = true
		}
		file = ""
	}
	for one := range strings.Lines(text) {
		one = strings.TrimRight(one, "\r\n")
		if m := goPlace.FindStringSubmatch(one); m != nil {
			flush()
			file, line, said = m[1], m[2], m[3]
		} else if file != "" && strings.HasPrefix(one, "        ") {
			said += "\n" + strings.TrimSpace(one)
		} else {
			flush()
		}
	}
	flush()
	return found
}

// goPanic notes a test that names no place by itself: where it panicked, else the last lines of what it wrote.
func (r *reading) goPanic(id [2]string, text string) {
	f := failure{test: id[1], said: last(text, mostLines)}
	if _, stack, ok := strings.Cut("\n"+text, "\npanic: "); ok {
		said, _, _ := strings.Cut(stack, "\n\n")
		f.said = "panic: " + said
		_, f.frames = r.stacked(stack)
	}
	r.fails(f)
	r.list[len(r.list)-1].test = id[0] + "." + id[1] // other packages have tests of this name
}

// goFile finds a file of a package, of which only the import path is known: the folder is the end of that.
func (r *reading) goFile(pkg, name string) (string, bool) {
	if file, ok := r.file(name); ok && strings.Contains(name, "/") {
		return file, true
	}
	for dir := pkg; ; {
		if file, ok := r.file(path.Join(dir, name)); ok {
			return file, true
		}
		_, rest, more := strings.Cut(dir, "/")
		if !more {
			return r.file(name)
		}
		dir = rest
	}
}

var (
	pyHead   = regexp.MustCompile(`^_{2,} (?:ERROR (?:at \w+ of|collecting) )?(.+?) _{2,}$`)
	pyPlace  = regexp.MustCompile(`^(\S.*\.py):(\d+):(?: (\S.*)?)?$`)
	pyFailed = regexp.MustCompile(`^(?:FAILED|ERROR) ([^\s:]+\.py)(?:::(\S+))?(?: - (.*))?$`)
	pyCount  = regexp.MustCompile(`(?P<passed>\d+) passed\b`)
)

// readPytest reads the report, or without one the sections of the failed tests, and the summary for those that name no place.
func readPytest(r *reading) {
	if r.readReport(func(test, text string) bool {
		p := &pytest{r: r, test: test}
		for one := range strings.Lines(text) {
			p.line(strings.TrimRight(one, "\r\n"))
		}
		return p.told[test]
	}) {
		if len(r.list) == 0 {
			readLines(r)
		}
		return
	}
	p := &pytest{r: r}
	for one := range strings.Lines(r.out) {
		one = strings.TrimRight(one, "\r\n")
		if m := pyHead.FindStringSubmatch(one); m != nil {
			p.test, p.said, p.callers = m[1], nil, nil
		} else if p.line(one) {
			continue
		} else if m := pyFailed.FindStringSubmatch(one); m != nil {
			short := m[2][strings.LastIndexByte(m[2], ':')+1:]
			if !p.told[short] && !p.told[strings.ReplaceAll(m[2], "::", ".")] && !p.told[m[1]] {
				if name, ok := r.file(m[1]); ok {
					r.fails(failure{test: m[2], said: m[3], file: name})
				}
			}
		}
	}
	r.counted(pyCount, last(r.out, 3))
	if len(r.list) == 0 {
		readLines(r)
	}
}

// pytest reads the section of a failed test.
type pytest struct {
	r       *reading
	test    string
	said    []string        // its words for what failed, until a place follows
	callers []frame         // of the place that follows, the outermost first
	told    map[string]bool // tests with a finding
}

// line reads one line, and says whether that belongs to a section.
func (p *pytest) line(one string) bool {
	if strings.HasPrefix(one, "E  ") {
		text := strings.TrimSpace(strings.TrimPrefix(one, "E"))
		p.said = append(p.said, text)
		if m := linePython.FindStringSubmatch(text); m != nil { // it does not even compile
			p.note(m[1], m[2], "cannot be loaded")
		}
		return true
	}
	m := pyPlace.FindStringSubmatch(one)
	switch {
	case m == nil || strings.HasPrefix(m[3], "in "):
		return false
	case m[3] != "":
		p.note(m[1], m[2], m[3])
	default:
		if name, ok := p.r.file(m[1]); ok {
			p.callers = append(p.callers, frame{name, number(m[2])})
		}
	}
	return true
}

func (p *pytest) note(file, line, text string) {
	callers := p.callers
	p.callers = nil
	name, ok := p.r.file(file)
	if !ok && len(callers) == 0 {
		return
	}
	if len(p.said) > 0 {
		text = strings.Join(p.said, "\n")
	}
	slices.Reverse(callers)
	if ok {
		callers = append([]frame{{name, number(line)}}, callers...)
	}
	if p.test == "" {
		p.r.add(p.r.roots[0]+"/"+callers[0].path, callers[0].line, 0, text)
	} else {
		p.r.fails(failure{test: p.test, said: text, frames: callers})
	}
	if p.told == nil {
		p.told = map[string]bool{}
	}
	p.told[p.test] = true
	p.said = nil
}
