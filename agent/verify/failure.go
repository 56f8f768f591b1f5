package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// failure is a test that failed, as its runner tells it.
type failure struct {
	test   string  // its name
	said   string  // the assertion that did not hold, or the error
	frames []frame // the calls that led there, the innermost first; those of the project alone
	file   string  // of the test, relative to the root, for one without frames; "" where that is not known
}

// frame is a line of a file of the project.
type frame struct {
	path string
	line int
}

// fails notes a failed test at the innermost place of the project, with the places from which that was called.
func (r *reading) fails(f failure) {
	text := f.test + " fails: " + briefTo(f.said, mostLines-2, mostText-mostCallers)
	at := frame{path: f.file}
	if len(f.frames) > 0 {
		at = f.frames[0]
		var callers []string
		for _, c := range f.frames[1:min(len(f.frames), 1+mostFrames)] {
			callers = append(callers, fmt.Sprintf("%s:%d", c.path, c.line))
		}
		if called := strings.Join(callers, ", "); called != "" && len(called) < mostCallers {
			text += "\ncalled from " + called
		}
	}
	if at.path != "" {
		at.path = r.roots[0] + "/" + at.path
	}
	r.add(at.path, at.line, 0, text)
	last := &r.list[len(r.list)-1]
	last.test = f.test
	for _, c := range append(f.frames, frame{path: f.file}) {
		if c.path != "" && c.path != last.Path && !slices.Contains(last.Named, c.path) {
			last.Named = append(last.Named, c.path)
		}
	}
}

// Bounds of what is said of the callers of a place: how many, and in how many bytes.
const (
	mostFrames  = 6
	mostCallers = 400
)

// The forms in which a line of a stack of calls names its place: the file, and its line.
var stackForms = []*regexp.Regexp{
	linePython,
	regexp.MustCompile(`^\s*at .*?\(?((?:file://)?(?:[A-Za-z]:)?[^\s():]+):(\d+):\d+\)?$`), // node, and Rust's backtraces
	regexp.MustCompile(`^\s*(?:# )?((?:[A-Za-z]:)?[^\s:]+\.rb):(\d+):in .*$`),
	regexp.MustCompile(`^\s*(?:#\d+ )?((?:[A-Za-z]:)?[^\s:()]+\.php)(?::|\()(\d+)\)?:?.*$`),
	regexp.MustCompile(`^\s*at .* in (.+):line (\d+)\s*$`),                     // .NET
	regexp.MustCompile(`^\t((?:[A-Za-z]:)?\S+\.go):(\d+)(?: \+0x[0-9a-f]+)?$`), // Go
}

// stackJava is a line of a stack that names a class, and the file without its folder.
var stackJava = regexp.MustCompile(`^\s*at (?:[\w.$-]+/)?(?:([\w.$]+)\.)?[\w$]+\.[\w$<>]+\(([\w$-]+\.(?:java|kt|scala|groovy)):(\d+)\)\s*$`)

// stackOther is a call that names no file of the project.
var stackOther = regexp.MustCompile(`^\s*at (?:async |new )?[\w.$<>]+ ?\(.*\)$`)

// sources are the folders in which Maven and Gradle have the packages of a project.
var sources = []string{"src/test/java", "src/main/java", "src/test/kotlin", "src/main/kotlin", "src/test/scala", "src/main/scala", "src/test/groovy", "src", "test", ""}

// frame reads a line of a stack. isFrame says that it is one, ok that its place is in the project.
func (r *reading) frame(line string) (f frame, isFrame, ok bool) {
	for _, form := range stackForms {
		if m := form.FindStringSubmatch(line); m != nil {
			if strings.Contains(m[1], "node_modules/") {
				return frame{}, true, false
			}
			path, ok := r.file(strings.TrimPrefix(m[1], "file://"))
			return frame{path, number(m[2])}, true, ok
		}
	}
	m := stackJava.FindStringSubmatch(line)
	if m == nil {
		return frame{}, stackOther.MatchString(line), false
	}
	folder := strings.ReplaceAll(m[1], ".", "/") + "/"
	if m[1] == "" {
		folder = ""
	}
	for _, source := range sources {
		if source != "" {
			source += "/"
		}
		if path, ok := r.file(source + folder + m[2]); ok {
			return frame{path, number(m[3])}, true, true
		}
	}
	return frame{}, true, false
}

// stacked parts what was written about a failure into its words and the project's places in the stacks of calls, the
// innermost first. Of several stacks, as of an error that led to another, the last is meant.
func (r *reading) stacked(text string) (said string, frames []frame) {
	var words []string
	python := false
	for one := range strings.Lines(text) {
		one = strings.TrimRight(one, " \t\r\n")
		if strings.HasPrefix(strings.TrimSpace(one), "Traceback (most recent call last)") {
			python, words, frames = true, nil, nil
			continue
		}
		f, isFrame, ok := r.frame(one)
		switch {
		case ok:
			if n := len(frames); n == 0 || frames[n-1] != f {
				frames = append(frames, f)
			}
		case isFrame, python && strings.HasPrefix(one, "  ") && len(words) == 0: // the line of code below a place
		default:
			words = append(words, one)
		}
	}
	if python {
		slices.Reverse(frames)
	}
	return strings.TrimSpace(strings.Join(words, "\n")), frames
}
