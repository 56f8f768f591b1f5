package prompt

import (
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/edits"
)

// remedy is what a model is told to send in the place of an edit that was refused for one reason, and the user of it.
type remedy struct {
	told  string // what is wrong with the edit, for the user: in the past, behind a number of edits
	send  string
	once  bool // it is asked once for this, and what it sends then is its answer
	named bool // what is wrong is the name of the file, not its text
	form  bool // the rules of the format are told again
	plain bool // what is wrong is plain, without how the failure words it, to who is to write the whole file again
}

// remedies has a row for each reason that another wording of the edit can mend. A reason without one says what the edit
// wants and may not have; the model is not asked about those.
var remedies = map[string]remedy{
	edits.ReasonNoMatch:   {told: "did not match", send: "Send it again, with the old lines exactly as they stand in the file."},
	edits.ReasonAmbiguous: {told: "matched several places", send: "Send it again with more of the lines around the place, so that they stand in the file only once."},
	edits.ReasonNoFile:    {told: "named no file of the project", send: "Send it again under the path of a file that exists.", named: true},
	edits.ReasonNoName:    {told: "had no file name", send: "Send it again with the path of its file.", named: true, form: true, plain: true},
	edits.ReasonExists:    {told: "named a file that exists already", send: "Send an edit of the file that is there, or use another path.", named: true},
	edits.ReasonOtherFile: {told: "named the wrong file", send: "Send it again under the path of the file that it changes.", named: true},
	edits.ReasonWrongName: {told: "may have named the wrong file", send: "Send it again under the path of the file that it changes.", named: true, once: true},
	edits.ReasonExample:   {told: "repeated an example", send: "Send the edits of the project's own files.", named: true},
	edits.ReasonElision:   {told: "left out code", send: "Send it again with every line written out.", plain: true},
	edits.ReasonDropped:   {told: "would drop code in use", send: "Send it again with everything in it that the file still uses."},
	edits.ReasonLoss:      {told: "would remove much of a file", send: "Send it again with everything in it that stays.", once: true},
	edits.ReasonMalformed: {told: "did not follow the format", send: "Send it again in the format described below.", form: true, plain: true},
	edits.ReasonUnclosed:  {told: "ended early", send: "Send it again, from its first line to its last, with its end.", form: true, plain: true},
	edits.ReasonControl:   {told: "contained control characters", send: "Send it again without those characters, or with an escape of the language."},
	edits.ReasonMarkup:    {told: "contained edit markers", send: "Send it again in the format described below, with nothing but the file's own lines as its text.", form: true, plain: true},
	edits.ReasonNoEdits:   {told: "did not follow the format", send: "Send each edit in the format described below.", form: true, plain: true},
}

// Askable says whether another wording of a refused edit could help: some are refused for what they want.
func Askable(f edits.Failure) bool {
	_, ok := remedies[f.Reason]
	return ok
}

// Final says whether no wording of a refused edit could help.
func Final(f edits.Failure) bool { return !Askable(f) }

// Reasons says in a few words why there is another round: "2 edits did not match, 1 edit had no file name".
func (r Reflection) Reasons() string {
	var list, kinds []string
	refused, found := map[string]int{}, 0
	for _, q := range r.Questions {
		told := q.Told()
		switch {
		case told == "":
			found++
		case refused[told] == 0:
			kinds = append(kinds, told)
			fallthrough
		default:
			refused[told]++
		}
	}
	for _, told := range kinds {
		list = append(list, display.Count(refused[told], "edit")+" "+told)
	}
	if n := len(r.Added); n > 0 {
		list = append(list, display.Count(n, "file")+" added")
	}
	if found > 0 {
		list = append(list, display.Count(found, "problem")+" found")
	}
	if r.Cut {
		list = append(list, "the reply was cut off")
	}
	return strings.Join(list, ", ")
}

// Withdrawn says for the user that the model was asked to correct edits, and has sent none: so it takes back what is not needed.
func Withdrawn(list []edits.Failure) string {
	var paths []string
	for _, f := range list {
		if f.Path != "" && !slices.Contains(paths, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	text := "When asked to correct it, the model left out the refused edit"
	if len(list) > 1 {
		text = "When asked to correct them, the model left out the refused edits"
	}
	if len(paths) > 0 {
		text += " of " + names(paths)
	}
	return text + "."
}
