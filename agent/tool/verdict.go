package tool

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
)

// Finish is the name of the tool by which a model says how far its task is.
const Finish = "finish"

// Finisher is that tool. It shows nothing, so it is none of All: it is offered behind them to the models of
// coders that go on by themselves.
func Finisher() Tool {
	return Tool{Name: Finish, Doc: "Ends this reply and says how far the task is. Call it once, behind all edits of the reply.",
		Parameters: []Parameter{
			{Name: "done", Type: "boolean", Required: true, Doc: "true when nothing of the task is left.",
				Others: []string{"finished", "complete", "completed", "is_done", "isDone", "task_done", "all_done", "status"}},
			{Name: "next", Type: "string", Doc: "When something is left: the step that comes next, in a few words.",
				Others: []string{"next_step", "nextStep", "next_steps", "then", "plan", "todo", "remaining"}},
			{Name: "summary", Type: "string", Doc: "For the user: what was done, or why nothing had to be done, in a sentence or two.",
				Others: []string{"result", "message", "answer", "text", "reason", "explanation", "comment"}},
		}}
}

// finishers are names by which models call it, from the tools they know.
var finishers = []string{Finish, "attempt_completion", "task_complete", "complete_task", "task_done", "task_finished", "finish_task", "finished", "complete", "done", "submit", "final_answer"}

// Finishes says whether a call is one of Finisher, whatever its arguments are.
func Finishes(c llm.Call) bool { return finishes(c.Name) }

func finishes(name string) bool {
	_, ok := meant(name, func(name string) (Tool, bool) { return Finisher(), slices.Contains(finishers, name) })
	return ok
}

// The forms of a verdict as the last line of a text.
var (
	doneLine = regexp.MustCompile(`^(?i:done|task (?:is )?(?:done|complete|completed)|all done)(?:[.!:]|\s+[-–—]|$)`)
	nextLine = regexp.MustCompile(`^(?:NEXT|Next|next)(?: step)?\s*[:：]\s*(.*)$`)
	// nothing is how models say that nothing comes next.
	nothing = regexp.MustCompile(`^(?i:none|finish(?:ed)?|nothing(?: (?:else|more|left|remains).*)?|n/a|-)?[.!]?$`)
)

// Limits of a verdict.
const (
	verdictLines = 4    // from the end of a text, in which a NEXT may begin
	mostNext     = 2000 // characters of what comes next
)

// ReadVerdict reads what a reply says about the task: prose is the reply without its edits, calls are those
// of Finisher that came beside it. A call counts above one that was written into the text, and that above a
// last line DONE or NEXT; of several the last that can be read. A reply with none of them says nothing. The
// error is for the model: it called, and neither the call nor the text can be read.
func ReadVerdict(prose string, calls []llm.Call) (coder.Verdict, error) {
	v, err := called(calls)
	if v.Said {
		return v, nil
	}
	written, rest := Finishing(prose)
	if v, _ := called(written); v.Said { // nobody answers to a text
		return v, nil
	}
	if v := lastLines(rest); v.Said {
		return v, nil
	}
	return coder.Verdict{}, err
}

// Finishing finds the calls of Finisher that a model wrote into its reply, and returns the text without them.
func Finishing(text string) (calls []llm.Call, rest string) { return inShapes(text, finishes) }

// called reads the last call that can be read; the error is that of the last one when none can.
func called(calls []llm.Call) (coder.Verdict, error) {
	var failed error
	for _, c := range slices.Backward(calls) {
		v, err := verdictOf(c)
		if err == nil {
			return v, nil
		}
		if failed == nil {
			failed = err
		}
	}
	return coder.Verdict{}, failed
}

// verdictOf reads one call. Who says nothing of what comes next has finished, unless it says otherwise.
func verdictOf(c llm.Call) (coder.Verdict, error) {
	raw, err := arguments(c.Arguments)
	if err != nil {
		return coder.Verdict{}, err
	}
	args, err := Finisher().args(raw)
	if err != nil {
		return coder.Verdict{}, err
	}
	v := coder.Verdict{Said: true, Summary: strings.TrimSpace(args.text("summary"))}
	next := strings.TrimSpace(args.text("next"))
	done, told := args["done"].(bool)
	switch {
	case told && done, !told && next == "", next != "" && isNothing(next):
		v.Done = true
	default:
		v.Next = limited(next)
	}
	return v, nil
}

func isNothing(next string) bool { return doneLine.MatchString(next) || nothing.MatchString(next) }

func limited(next string) string {
	if r := []rune(next); len(r) > mostNext {
		return string(r[:mostNext-1]) + "…"
	}
	return next
}

// lastLines reads the end of a text. What comes after "NEXT:" may go on over the last lines.
func lastLines(prose string) coder.Verdict {
	lines := strings.Split(strings.TrimRight(prose, " \t\r\n`~"), "\n")
	for back := range min(len(lines), verdictLines) {
		line := plain(lines[len(lines)-1-back])
		if m := nextLine.FindStringSubmatch(line); m != nil {
			next := strings.TrimSpace(strings.Join(append([]string{m[1]}, lines[len(lines)-back:]...), "\n"))
			if next = strings.Trim(next, " \t*_`"); isNothing(next) {
				return coder.Verdict{Said: true, Done: true}
			}
			return coder.Verdict{Said: true, Next: limited(next)}
		}
		if back == 0 && doneLine.MatchString(line) {
			return coder.Verdict{Said: true, Done: true}
		}
	}
	return coder.Verdict{}
}

// plain is a line without what models put around a marker.
func plain(line string) string {
	line = strings.Trim(line, " \t\r*_`#>-")
	for _, label := range []string{"Status:", "STATUS:"} {
		line = strings.TrimSpace(strings.TrimPrefix(line, label))
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "**:", ":"), ":**", ":")
}

// Written is a reply with its verdict as text, as a model without tools ends it. Later rounds see it so: a
// call without a result is an error to most servers.
func Written(text string, v coder.Verdict) string {
	parts := []string{strings.TrimRight(text, " \t\r\n")}
	if v.Summary != "" && !strings.Contains(text, v.Summary) {
		parts = append(parts, v.Summary)
	}
	said := lastLines(text)
	switch {
	case !v.Said, said.Said && said.Done == v.Done && said.Next == v.Next:
	case v.Done:
		parts = append(parts, "DONE")
	case v.Next != "":
		parts = append(parts, "NEXT: "+v.Next)
	default:
		parts = append(parts, "NEXT: the rest of the task")
	}
	return strings.TrimLeft(strings.Join(parts, "\n\n"), "\n")
}

// asBool reads a truth value as models write it.
func asBool(name string, v any) (bool, error) {
	switch strings.ToLower(strings.Trim(asText(v), " \t\r\n.!\"'`")) {
	case "true", "yes", "y", "1", "done", "complete", "completed", "finished", "success":
		return true, nil
	case "false", "no", "n", "0", "not done", "not_done", "incomplete", "unfinished", "partial", "in progress", "in_progress", "pending", "continue":
		return false, nil
	}
	return false, fmt.Errorf("%q must be true or false, not %s", name, shorten(fmt.Sprint(v), 40))
}
