package prompt

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
)

// Reflection is everything that the model must hear after one of its replies, and the one place where that is worded.
// All reasons of a round go into one message, because each message costs a whole call.
type Reflection struct {
	Fence     edits.Fence   // of the prompt that the message stands in
	Format    *edits.Format // in which the model answers
	Short     bool          // it gets the short form of prompts
	Questions []Question
	Applied   []string          // files whose other edits were taken over
	Similar   []edits.Candidate // places of edits that were carried out although lines of theirs differ
	Added     []string          // files that the user has now added
	Declined  []string          // files that the user did not add
	Cut       bool              // the reply ended at the model's length limit
	// Files knows the files as they are now; nil says nothing of them.
	Files Files
}

// Files is what a Reflection may know of the files beside the places that it is given.
type Files interface {
	Read(path string) (string, error)
	// Around returns the first line of the definition that a line is in and that begins before it, with its number from 1; ""
	// for none.
	Around(path string, line int) (head string, at int)
}

// Question is one thing that the model is asked to put right: an edit that was not applied, or what is wrong with a
// file after its edits. It says which, why, what stands there, and what to send.
type Question struct {
	Path   string // the file; "" where it is about none
	Why    string // a sentence that names the file
	Wrote  string // the edit as the model wrote it; "" where there is none
	Places []Place
	Line   string // the one line that it is about, for a model that is shown no others; "" for none
	Send   string // what to send, in whole sentences
	Once   bool   // it may be right as it is, so the model is asked once: what it sends then is its answer
	Goal   bool   // it keeps the turn from its goal: it is asked as often as the turn may ask, and its place need not be what is wrong
	// Kind says what it is about: the reason of a failure, or the name of a check. Two with the same Kind and Path are one
	// question.
	Kind string

	refused bool // it is about an edit that was not applied
	told    string
	named   bool // sending the whole file would not answer it
	form    bool // the rules of the format are told again
}

// Place is what stands in a file.
type Place struct {
	Path    string
	Line    int    // of the first line of Text, from 1; 0 for a Text that says itself which lines it has
	Text    string // whole lines
	Differs string // the lines in which it is not as the model wrote it: - the model's, + the file's
}

// Refused is the question about an edit that was not applied. Only those that are Askable have an answer.
func Refused(f edits.Failure) Question {
	r := remedies[f.Reason]
	q := Question{Path: f.Path, Why: notApplied(f), Wrote: f.Block, Send: r.send, Once: r.once, Kind: f.Reason, refused: true, told: r.told, named: r.named, form: r.form}
	if f.Already {
		q.Why += " The new text stands there already; if nothing is left to do, leave this edit out."
	}
	for _, c := range f.Nearest {
		q.Places = append(q.Places, Place{Path: c.Path, Line: c.Line, Text: c.Text, Differs: difference(c.Diff)})
	}
	return q
}

// HeldBack is the question about an edit of a file that the model had not been shown, and is shown now.
func HeldBack(f edits.Failure) Question {
	return Question{Path: f.Path, Kind: f.Reason, Wrote: f.Block, refused: true, told: "needed a file that was not shown",
		Why:  "Your edit of " + f.Path + " was not applied, because you had not been shown that file. You are shown it now.",
		Send: "Send the edit again, written against the text of the file."}
}

func notApplied(f edits.Failure) string {
	return Question{Path: f.Path}.which() + " was not applied: " + strings.TrimSuffix(f.Message, ".") + "."
}

// which names the edit that a question is about.
func (q Question) which() string {
	if q.Path == "" {
		return "An edit of yours"
	}
	return "Your edit of " + q.Path
}

// Refused says whether the question is about an edit that was not applied.
func (q Question) Refused() bool { return q.refused }

// withdrawable says whether the model may answer without the edit: one that it was asked about once may be right as it is, and is told
// what to answer then.
func (q Question) withdrawable() bool { return q.refused && !q.Once }

// Told says for the user what is wrong with the edit that was not applied, to be read behind a number of edits: "did not
// match". It is "" for a question that is about no such edit.
func (q Question) Told() string { return q.told }

// Empty says that there is nothing to tell.
func (r Reflection) Empty() bool { return len(r.Questions) == 0 && len(r.Added) == 0 && !r.Cut }

// Refenced tells a model to use another fence from now on, because files that it has just seen hold the one that it was told.
func Refenced(told, now edits.Fence) string {
	return fmt.Sprintf("A file that you have seen holds %s itself. So from now on begin each block with %s and end it with %s, whatever was said above.", told.Open, now.Open, now.Close)
}

// toldAtOnce is how many questions one message asks: of hundreds of edits that do not fit most have one
// reason, and a message of all of them would fit no model.
const toldAtOnce = 50

// Landed says where edits landed although lines of theirs are not those of the file; "" for none.
func (r Reflection) Landed() (string, error) {
	r.Similar = r.Similar[:min(len(r.Similar), toldAtOnce)]
	return render("similar", r)
}

// Text words the message.
func (r Reflection) Text() (string, error) {
	alike, err := r.Landed()
	if err != nil {
		return "", err
	}
	type place struct {
		Place
		Around string // the definition that the place is in, with its line; "" for none
		Again  bool   // the same lines were shown at another place
	}
	type question struct {
		Question
		Places []place
	}
	var questions []question
	asked := r.simplest(r.Questions[:min(len(r.Questions), toldAtOnce)])
	for _, q := range asked {
		one := question{Question: q}
		one.Wrote = r.shown(q.Wrote)
		for _, p := range q.Places {
			again := slices.ContainsFunc(one.Places, func(x place) bool { return x.Path == p.Path && x.Text == p.Text })
			one.Places = append(one.Places, place{p, r.around(p), again})
		}
		questions = append(questions, one)
	}
	rules := ""
	if r.Format != nil && slices.ContainsFunc(asked, func(q Question) bool { return q.form }) {
		text, err := fill(r.Format.Name+" rules", r.Format.Rules, templateData{Fence: r.Fence, Tool: r.Format.Tool(), Short: r.Short, Small: small(r.Short, r.Format)})
		if err != nil {
			return "", err
		}
		rules = text
	}
	return render("reflect", struct {
		Reflection
		Questions                []question
		More                     int // questions that are not asked
		Applied, Added, Declined string
		Alike, Rules             string
		Withdrawn                bool // the model is told how it takes an edit back
	}{r, questions, len(r.Questions) - min(len(r.Questions), toldAtOnce), names(r.Applied), names(r.Added), names(r.Declined), alike, rules, !r.Short && slices.ContainsFunc(asked, Question.withdrawable)})
}

// simplest has a model that writes whole files asked for those files, once for each, and shows it no lines of them: it
// takes such lines for all of the file.
func (r Reflection) simplest(list []Question) []Question {
	if r.Format == nil || !WritesWhole(*r.Format) {
		return list
	}
	var out []Question
	at := map[string]int{}
	for _, q := range list {
		if q.Line != "" {
			q.Why += " (the line is: " + q.Line + ")"
		}
		if told := remedies[q.Kind]; r.Short && q.refused && told.plain {
			q.Why = q.which() + " was not applied: it " + told.told + "."
		}
		if q.form && (q.Path == "" || q.named) {
			q.Wrote, q.Places, q.form = "", nil, false
			q.Send = fmt.Sprintf("Send the whole file between %s and %s, with its path on the line before.", r.Fence.Open, r.Fence.Close)
		}
		if q.Path == "" || q.named || q.Once || q.Goal {
			out = append(out, q)
			continue
		}
		if i, ok := at[q.Path]; ok {
			out[i].Why += "\n" + q.Why
			continue
		}
		at[q.Path] = len(out)
		fence := r.fenceFor(q.Path)
		q.Wrote, q.Places, q.form = "", nil, false
		q.Send = fmt.Sprintf("Send the whole file %s between %s and %s, with its path on the line before.", q.Path, fence.Open, fence.Close)
		out = append(out, q)
	}
	return out
}

// WritesWhole says whether what is written in a format is whole files between fences.
func WritesWhole(f edits.Format) bool { return f.Name == "whole" || f.Name == "editor-whole" }

// fenceFor is the fence around a file: that of the prompt, made longer than every such run in the file.
func (r Reflection) fenceFor(path string) edits.Fence {
	f := r.Fence
	sign := strings.TrimLeft(f.Open, "`")
	if sign != "" || f.Open == "" || r.Files == nil {
		return f
	}
	text, err := r.Files.Read(path)
	if err != nil {
		return f
	}
	for strings.Contains(text, f.Open) {
		f.Open += "`"
	}
	return edits.Fence{Open: f.Open, Close: f.Open}
}

// around names the definition that a place is in, where its head does not stand in the place itself.
func (r Reflection) around(p Place) string {
	if r.Files == nil || p.Line < 1 {
		return ""
	}
	head, at := r.Files.Around(p.Path, p.Line)
	if head == "" || at >= p.Line {
		return ""
	}
	return fmt.Sprintf("`%s` (line %d)", head, at)
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
func (r Reflection) shown(block string) string {
	if strings.TrimSpace(block) == "" {
		return ""
	}
	if strings.Contains(block, r.Fence.Open) {
		return strings.TrimRight(block, "\n")
	}
	return fenced(r.Fence, block)
}
