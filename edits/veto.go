package edits

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/edits/match"
)

// veto is a reason not to change a file as an edit says, though it is clear where.
type veto func(a *attempt) *objection

// objection is what a veto says; the message tells the model what to do.
type objection struct{ reason, message string }

// vetoes are asked in this order about an edit that has its place. What only the whole reply shows, a
// definition that goes and is still called, is asked at the end (dropped.go).
var vetoes = []veto{
	(*attempt).holdsControl,
	(*attempt).holdsLookAlikes,
	(*attempt).holdsDivider,
	(*attempt).holdsMarkup,
	(*attempt).leavesOut,
	(*attempt).partsBlock,
}

// vetoed asks all vetoes and records the first objection.
func (a *attempt) vetoed() bool {
	for _, no := range vetoes {
		if o := no(a); o != nil {
			a.r.report.refuse(a.e, a.path, o.reason, o.message)
			return true
		}
	}
	return false
}

func (a *attempt) holdsControl() *objection { return a.f.controls(a.e, a.p.Signed('+')) }

// holdsLookAlikes objects to new lines with typographic characters that the old ones have in the place of those that people
// type, or that the file does not have there: most likely all of the text was made so on its way.
func (a *attempt) holdsLookAlikes() *objection {
	if a.at.Rung != match.RungUnicode && a.at.Rung != match.RungSimilar {
		return nil
	}
	there := a.f.body.Lines()[a.at.From:a.at.To]
	for _, text := range a.p.Signed('+') {
		for _, c := range text {
			if match.IsLookAlike(c) && !slices.ContainsFunc(there, func(text string) bool { return strings.ContainsRune(text, c) }) {
				return &objection{ReasonNoMatch, fmt.Sprintf("the new lines hold %q (%U), and %s has no such character there; write the lines with the characters of the file", c, c, a.path)}
			}
		}
	}
	return nil
}

func (a *attempt) holdsDivider() *objection {
	if a.e.Kind != KindReplace || !strayDivider(match.Lines(a.e.Search), match.Lines(a.e.Replace)) {
		return nil
	}
	return &objection{ReasonMalformed, "the new lines hold a divider line; write the block again with one divider"}
}

func (a *attempt) holdsMarkup() *objection { return marked(a.path, a.f, a.p.Signed('+')) }

func (a *attempt) leavesOut() *objection {
	o, some := omitted(a.p.Lines, a.f.body.Lines())
	if o.lost {
		return &objection{ReasonElision, fmt.Sprintf("%q stands for code that is there now; write the code out", o.text)}
	}
	if some && removes(a.p.Lines) {
		a.r.report.say(a.e, maybeOmitted, o.text, a.path)
	}
	return nil
}

func (a *attempt) partsBlock() *objection {
	if !a.f.body.PartsBlock(a.p, a.at) {
		return nil
	}
	return &objection{ReasonAmbiguous, fmt.Sprintf("below line %d the new lines would stand between the head of a block and its body; give the lines after them as well", a.at.To)}
}

// strayDivider says whether the new lines hold a marker that the old ones do not have and that is no
// underline of a heading: it would end up in the file.
func strayDivider(search, replace []string) bool {
	const divider = "======="
	if slices.Contains(search, divider) {
		return false
	}
	for i, text := range replace {
		if text != divider {
			continue
		}
		if i == 0 || match.IsBlank(replace[i-1]) || match.Indent(replace[i-1]) != "" || len(replace[i-1]) > len(divider) {
			return true
		}
	}
	return false
}

// listing is the new text of a whole file that is there.
type listing struct {
	r    *run
	e    *Edit
	path string
	f    *file
	list []string // its lines
	// What differs between the file and the listing. Nil until asked for.
	differs *[]span
}

// spans are the runs of lines in which the file and the listing differ. Whoever asks first has the work of
// comparing them, of which there is only so much.
func (l *listing) spans() []span {
	if l.differs == nil {
		spans := diffWithin(l.f.body.Lines(), l.list, &l.r.spare)
		l.differs = &spans
	}
	return *l.differs
}

// listingVetoes are those of a listing, in the order in which they are asked.
var listingVetoes = []func(l *listing) *objection{
	(*listing).holdsControl,
	(*listing).empty,
	(*listing).holdsMarkup,
	(*listing).leavesOut,
	(*listing).drops,
	(*listing).replaces,
}

func (l *listing) vetoed() bool {
	for _, no := range listingVetoes {
		if o := no(l); o != nil {
			l.r.report.refuse(l.e, l.path, o.reason, o.message)
			return true
		}
	}
	return false
}

func (l *listing) holdsControl() *objection { return l.f.controls(l.e, nil) }

func (l *listing) empty() *objection {
	if strings.TrimSpace(l.e.Replace) != "" || l.f.body.Blank() {
		return nil
	}
	return &objection{ReasonMalformed, "the listing is empty, and " + l.path + " is not; write the whole file out"}
}

// holdsMarkup looks at each run of lines that are new.
func (l *listing) holdsMarkup() *objection {
	if !slices.ContainsFunc(l.list, func(text string) bool { return MarkupOf(text) != "" }) {
		return nil
	}
	for _, s := range l.spans() {
		if o := marked(l.path, l.f, l.list[s.b0:s.b1]); o != nil {
			return o
		}
	}
	return nil
}

func (l *listing) leavesOut() *objection {
	o, some := omittedIn(l.f.body.Lines(), l.list, &l.r.spare)
	if o.lost {
		return &objection{ReasonElision, fmt.Sprintf("%q stands for code that is there now; write the whole file out", o.text)}
	}
	if some {
		l.r.report.say(l.e, maybeOmitted, o.text, l.path)
	}
	return nil
}

func (l *listing) drops() *objection {
	if gone, lost := orphaned(l.path, l.f.body.Lines(), l.list); lost {
		return &objection{ReasonDropped, fmt.Sprintf("the new text leaves out %s, but still calls it in line %d (%s); "+
			"keep it or change each call of it, and write the whole file out", gone.name, gone.line, gone.call)}
	}
	return nil
}

// replaces objects to a new file where another one is.
func (l *listing) replaces() *objection {
	if have := l.f.body; l.e.Op != OpCreate || have.Blank() || have.String() == l.e.Replace {
		return nil
	}
	return &objection{ReasonExists, "the file is there already; write its change as hunks"}
}
