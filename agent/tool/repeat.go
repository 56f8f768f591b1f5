package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"coauthor/edits"
	"fmt"
)

// Verdict says what to do with a call that was made before.
type Verdict string

// The verdicts.
const (
	New    Verdict = "new"    // run it
	Same   Verdict = "same"   // its result is above: do not run it
	Nudge  Verdict = "nudge"  // tell the model to do something else
	GiveUp Verdict = "giveup" // the model is stuck: go on with what is there
)

// Rules of being stuck.
const (
	alternations = 3 // of two calls in turn
	mostBad      = 3 // calls running that could not be carried out
)

// Repeats follows the calls of a turn and tells when the model goes in a circle. A call is the same when it
// asks the same of the same text; the same tool with other arguments never is. The zero value has seen
// nothing.
type Repeats struct {
	seen map[string]int
	last []string
	bad  int
}

// See takes in a call on a state of the files, which tree names.
func (r *Repeats) See(c Call, tree string) Verdict {
	key := c.Key() + "\n" + tree
	if r.seen == nil {
		r.seen = map[string]int{}
	}
	r.seen[key]++
	r.last = append(r.last, key)
	if len(r.last) > 2*alternations {
		r.last = r.last[1:]
	}
	switch n := r.seen[key]; {
	case n > 3 || r.alternates():
		return GiveUp
	case n == 3:
		return Nudge
	case n == 2:
		return Same
	}
	return New
}

// Forget says that the result of a call is not there any more, or was not whole: it may be made again.
func (r *Repeats) Forget(c Call, tree string) { delete(r.seen, c.Key()+"\n"+tree) }

// Ran takes in whether a call could be carried out, and says whether the model is stuck.
func (r *Repeats) Ran(bad bool) (stuck bool) {
	if !bad {
		r.bad = 0
		return false
	}
	r.bad++
	return r.bad >= mostBad
}

// alternates says whether the last calls are two different ones in turn.
func (r *Repeats) alternates() bool {
	if len(r.last) < 2*alternations || r.last[0] == r.last[1] {
		return false
	}
	for i := 2; i < len(r.last); i++ {
		if r.last[i] != r.last[i-2] {
			return false
		}
	}
	return true
}

// Digest names a text.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// StateOf names the state of the files that changes lead to.
func StateOf(changes []edits.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s %s %s\n%s\n", c.Op, c.Path, c.To, c.After)
	}
	return Digest(b.String())
}
