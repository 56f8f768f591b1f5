package auto

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
)

// candidates are what the parsers of all forms found in a reply, weighed against each other when it has ended.
type candidates struct {
	asked    Form
	files    *files
	fences   fences
	named    []int        // first lines of the listings that came below a name, in this order
	calls    []edits.Edit // of tool calls that are written out
	lists    [forms][]edits.Edit
	problems [forms][]edits.Problem
}

// settle weighs the listings against what came in other forms.
func (h *candidates) settle() {
	passed := h.passOverCalls()
	others, wrong := 0, 0
	for f := range h.lists {
		if Form(f) != Listings {
			others += len(h.lists[f])
			wrong += len(h.problems[f])
		}
	}
	switch {
	case h.asked == Unasked && others == 0 && wrong == 0:
	case h.asked == Listings && others > 0:
		// Beside edits, what has no name is an illustration.
		h.lists[Listings] = slices.DeleteFunc(h.lists[Listings], func(e edits.Edit) bool { return !h.isNamed(e) })
		h.problems[Listings] = slices.DeleteFunc(h.problems[Listings], func(x edits.Problem) bool { return x.Reason == edits.ReasonNoName })
	case h.asked == Listings:
	default:
		if h.asked == Call && len(h.lists[Call]) == 0 {
			wrong -= len(h.problems[Call]) // most likely the braces of a listing
		}
		h.lists[Listings] = h.ofFiles(others+wrong == 0)
		h.problems[Listings] = nil // code beside edits, or in an answer
		if h.asked == Call && len(h.lists[Call]) == 0 && others+len(h.lists[Listings]) > 0 {
			h.problems[Call] = nil
		}
	}
	h.problems[Call] = append(h.problems[Call], passed...)
}

// passOverCalls refuses the whole files of calls that nobody offered, where the text of the reply edits the same file.
func (h *candidates) passOverCalls() (passed []edits.Problem) {
	if h.asked == Call || len(h.calls) == 0 {
		return nil
	}
	edited := map[string]bool{}
	for f := range h.lists {
		for _, e := range h.lists[f] {
			if Form(f) != Call {
				edited[h.files.means(e)] = true
			}
		}
	}
	h.lists[Call] = slices.DeleteFunc(h.lists[Call], func(e edits.Edit) bool {
		if e.Kind != edits.KindWhole || !edited[h.files.means(e)] && !edited[""] { // an edit without a name may be of any file
			return false
		}
		passed = append(passed, edits.Problem{Edit: -1, Path: e.Path, Reason: edits.ReasonMalformed, First: e.First, Last: e.Last,
			Message: "the tool call was not offered, and the text edits the same file; write all edits of it in the text"})
		return true
	})
	return passed
}

// ofFiles are the listings that are files, where none were asked for. alone says that nothing in the reply is an edit, or was
// meant to be one.
func (h *candidates) ofFiles(alone bool) []edits.Edit {
	if h.files.o.Files == nil || len(h.lists[Listings]) == 0 {
		return nil
	}
	edited := map[string]bool{}
	for f := range h.lists {
		for _, e := range h.lists[f] {
			if Form(f) == Listings {
				continue
			}
			if file, ok := h.files.named(h.files.nameOf(e)); ok {
				edited[file] = true
			}
			edited[""] = edited[""] || e.Path == "" // it may be of any file
		}
	}
	var out []edits.Edit
	for _, e := range h.lists[Listings] {
		file, ok := h.files.named(h.files.nameOf(e))
		switch {
		case strings.TrimSpace(e.Replace) == "":
		case !ok: // a new file needs a name
			if e.Path != "" && (h.isNamed(e) || slices.Contains(h.files.o.Chat, e.Path)) {
				out = append(out, e)
			}
		case edited[file] || edited[""]: // the listing shows what the edits make of it
		case h.isAgain(file, e, alone):
			out = append(out, e)
		}
	}
	return out
}

// isAgain says whether a listing is a file again as a whole: it has half of its lines, and stands below its name or alone.
// What it leaves out is for the guard against loss.
func (h *candidates) isAgain(file string, e edits.Edit, alone bool) bool {
	if !alone && !h.isNamed(e) {
		return false
	}
	before, ok := h.files.read(file)
	return ok && edits.HasHalf(before, e.Replace)
}

// isNamed says whether a listing came below a name.
func (h *candidates) isNamed(e edits.Edit) bool {
	_, ok := slices.BinarySearch(h.named, e.First)
	return ok
}

// withdrawDoubtful takes back what stands below a listing whose end cannot be told: nothing says whether it still goes on
// there, and shows an edit or another file.
func (h *candidates) withdrawDoubtful(listings edits.Parser) {
	doubter, ok := listings.(interface {
		InDoubt() (line int, path string)
	})
	if !ok {
		return
	}
	line, path := doubter.InDoubt()
	if line == 0 {
		return
	}
	message := fmt.Sprintf("it may be a part of the listing of %s above, whose end cannot be told; send both again, that file between longer fences", path)
	h.withdraw([]Form{Blocks, Listings, Diff, Patch, Call}, func(first int) string {
		if first > line {
			return message
		}
		return ""
	})
}

// withdraw makes problems of the edits of some forms: of those for whose first line there is a reason.
func (h *candidates) withdraw(of []Form, why func(line int) string) {
	for _, f := range of {
		h.lists[f] = slices.DeleteFunc(h.lists[f], func(e edits.Edit) bool {
			message := why(e.First)
			if message == "" {
				return false
			}
			h.problems[f] = append(h.problems[f], edits.Problem{Edit: -1, Path: e.Path, Reason: edits.ReasonMalformed, First: e.First, Last: e.Last, Message: message})
			return true
		})
		for i := range h.lists[f] {
			h.lists[f][i].Index = i
		}
	}
}

// merge puts what the readers found in the order of the reply, and says what came in another form than
// the asked one.
func (h *candidates) merge() ([]edits.Edit, []edits.Problem) {
	n, of := 0, h.asked
	for f := range h.lists {
		if len(h.lists[f])+len(h.problems[f]) > 0 {
			n++
			of = Form(f)
		}
		if len(h.lists[f]) > 0 && h.asked != Unasked && Form(f) != h.asked {
			h.remark(&h.lists[f][0], Form(f))
		}
	}
	if n <= 1 && (of != Call || len(h.calls) == 0) {
		return h.lists[of], h.problems[of]
	}
	var all []edits.Edit
	var wrong []edits.Problem
	for f := range h.lists {
		all = append(all, h.lists[f]...)
		wrong = append(wrong, h.problems[f]...)
	}
	slices.SortStableFunc(all, func(x, y edits.Edit) int { return cmp.Compare(x.First, y.First) })
	slices.SortStableFunc(wrong, func(x, y edits.Problem) int { return cmp.Compare(x.First, y.First) })
	for i := range all {
		all[i].Index = i
	}
	for i := range wrong {
		wrong[i].Edit = -1 // the number was one among the edits of its form
	}
	return all, wrong
}

// remark says of an edit that it came in a form that was not asked for.
func (h *candidates) remark(e *edits.Edit, f Form) {
	e.Note = fmt.Sprintf("the model used %s instead of %s; its edits were read anyway", f, h.asked)
}
