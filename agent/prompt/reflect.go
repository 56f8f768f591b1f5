package prompt

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
)

// Reflection is everything that the model must hear after one of its replies. All reasons of a
// round go into one message, because each message costs a whole call.
type Reflection struct {
	Fence    edits.Fence
	Format   *edits.Format
	Failures []edits.Failure // edits that were refused
	Applied  []string        // files whose other edits were taken over
	Added    []string        // files that the user has now added
	Declined []string        // files that the user did not add
	Findings []Finding       // what checks say about the result
	Cut      bool            // the reply ended at the model's length limit
}

// Finding is a complaint of a check, with the lines it is about.
type Finding struct {
	Path, Text, Lines string
}

// Empty says that there is nothing to tell.
func (r Reflection) Empty() bool {
	return len(r.Failures) == 0 && len(r.Added) == 0 && len(r.Findings) == 0 && !r.Cut
}

// Restart words what a model has to mind that is asked the same again, after a reply of which nothing is kept.
// It does not see that reply: it would copy it. wrong is what was wrong with it, a whole sentence.
func Restart(wrong string) string {
	return wrong + " Say first, in one or two sentences, which lines above must become different, and how. Then change just these lines."
}

// Refenced tells a model to use another fence from now on, because files that it has just seen hold the one that it was told.
func Refenced(told, now edits.Fence) string {
	return fmt.Sprintf("A file that you have seen holds %s itself. So from now on begin each block with %s and end it with %s, whatever was said above.", told.Open, now.Open, now.Close)
}

// toldAtOnce is how many failures one message tells: of hundreds of edits that do not fit most have one
// reason, and a message of all of them would fit no model.
const toldAtOnce = 50

// Text words the message.
func (r Reflection) Text() (string, error) {
	type nearest struct {
		edits.Candidate
		Differs string // what of it is not as the model wrote it
	}
	type failure struct {
		edits.Failure
		Shown, Told string
		Nearest     []nearest
	}
	var failures []failure
	for _, f := range r.Failures[:min(len(r.Failures), toldAtOnce)] {
		one := failure{Failure: f, Shown: r.shown(f), Told: Told(f)}
		for _, c := range f.Nearest {
			one.Nearest = append(one.Nearest, nearest{c, difference(c.Diff)})
		}
		failures = append(failures, one)
	}
	reminder := ""
	if r.Format != nil && r.malformed() {
		text, err := fill(r.Format.Name+" rules", r.Format.Rules, templateData{Fence: r.Fence})
		if err != nil {
			return "", err
		}
		reminder = text
	}
	return render("reflect", struct {
		Reflection
		Failures                 []failure
		More                     int // failures that are not told
		Applied, Added, Declined string
		Rules                    string
	}{r, failures, len(r.Failures) - len(failures), names(r.Applied), names(r.Added), names(r.Declined), reminder})
}

// names lists files as far as they fit.
func names(list []string) string {
	if n := len(list) - toldAtOnce; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:toldAtOnce], ", "), n)
	}
	return strings.Join(list, ", ")
}

// mostDifferent is how many lines of a difference are told; where more differ, the place was not meant.
const mostDifferent = 40

// difference is the lines of a unified diff that differ, without its heads.
func difference(diff string) string {
	var out strings.Builder
	head, n := 2, 0
	for line := range strings.Lines(diff) {
		if head--; head >= 0 || !strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "+") {
			continue
		}
		if n++; n > mostDifferent {
			return ""
		}
		out.WriteString(line)
	}
	return out.String()
}

// Told is a failure in one sentence that names the file.
func Told(f edits.Failure) string {
	text := strings.TrimSuffix(f.Message, ".") + "."
	if f.Path == "" || strings.Contains(text, f.Path) {
		return text
	}
	return f.Path + ": " + text
}

// shown is the refused block as the model wrote it. A block that brings its own fences is not
// fenced again.
func (r Reflection) shown(f edits.Failure) string {
	if strings.TrimSpace(f.Block) == "" {
		return ""
	}
	if strings.Contains(f.Block, r.Fence.Open) {
		return strings.TrimRight(f.Block, "\n")
	}
	return fenced(r.Fence, f.Block)
}

func (r Reflection) malformed() bool {
	return slices.ContainsFunc(r.Failures, func(f edits.Failure) bool {
		switch f.Reason {
		case edits.ReasonMalformed, edits.ReasonUnclosed, edits.ReasonNoName, edits.ReasonNoEdits:
			return true
		}
		return false
	})
}
