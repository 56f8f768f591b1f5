package repomap

import (
	"math"
	"slices"

	"coauthor/repomap/record"
	"coauthor/repomap/store"
	"coauthor/repomap/vocab"
)

// defSignal is one reason to show a definition rather than another one of its file.
type defSignal int

const (
	defRequest   defSignal = iota // its text has stems of the request
	defChat                       // its text has words of the chat files
	defSelected                   // the definition under the cursor uses its name
	defContainer                  // it is a type
	defValue                      // it is a line of data
	defUsed                       // other files use its name
)

// defSignals is the table for definitions: which of a file's definitions a change touches, given that it
// touches the file. A definition's share of its file is the exponential of its score, so weights are
// logarithms of odds. The two sums come in as ln(1 + sum of idf), the rest as 0 or 1.
//
// The weights of request and chat are from a conditional logit fit to the innermost definitions of any kind
// that 320 commits touched, on one half of the eight histories and checked on the other, where they came
// out between 0.8 and 1.1. On the same footing nothing more was to be had from being a method, a type,
// nested, a value or a table, from names of past hunks, from using what the chat file defines, from standing
// in the chat file by name, or from length. The weights of an overview and of the selection, which no
// history can tell, are a judgement.
//
// Behind each stands what it brings, as with signals.
var defSignals = [...]struct {
	name     string
	weight   float64
	overview float64 // the weight where nothing is asked and no file is shown
}{
	defRequest:   {name: "def.request", weight: 0.8}, // +3.0 -2.8   +0.0 +0.0
	defChat:      {name: "def.chat", weight: 0.8},    // +3.3 -5.5  +11.4 -3.0
	defSelected:  {name: "def.selected", weight: 1.5},
	defContainer: {name: "def.container", overview: 0.4},
	defValue:     {name: "def.value", overview: -1},
	defUsed:      {name: "def.used", overview: 0.6},
}

// defScoring scores definitions file by file, and re-uses what does not depend on the file.
type defScoring struct {
	q    *scoring
	w    [len(defSignals)]float64
	chat vocab.Set // the symbols that a chat file has
	near map[uint32]bool
}

// defMemory is used for one file after the other.
type defMemory struct {
	terms  []told
	scores []float64
}

func newDefScoring(q *scoring) *defScoring {
	d := &defScoring{q: q, chat: vocab.NewSet(q.s.names.Len()), near: q.selection()}
	for k, sig := range defSignals {
		switch {
		case slices.Contains(q.r.Without, sig.name):
		case q.overview():
			d.w[k] = sig.overview
		default:
			d.w[k] = sig.weight
		}
	}
	for _, c := range q.chat {
		for _, t := range q.files()[c].Terms {
			d.chat.Add(t)
		}
	}
	return d
}

// told is what a word of a file tells of the definitions in whose text it stands.
type told struct{ asked, chat float64 }

// scores gives each definition of a file its score. It is safe for concurrent use, each with a memory of its own,
// in which the scores lie.
func (d *defScoring) scores(file int, memory *defMemory) []float64 {
	f := d.q.files()[file]
	out := store.Room(&memory.scores, len(f.Defs))
	// A word stands in many bodies of a file, and is looked up once.
	terms := store.Room(&memory.terms, len(f.Terms))
	for n, t := range f.Terms {
		terms[n] = told{asked: d.q.asked.tells(t)}
		if d.chat.Has(t) {
			terms[n].chat = float64(d.q.g.idf(t))
		}
	}
	for i, def := range f.Defs {
		request, shared := 0.0, 0.0
		for _, n := range f.BodyOf(i) {
			request += terms[n].asked
			shared += terms[n].chat
		}
		out[i] = d.facts(def) + d.w[defRequest]*math.Log1p(request) + d.w[defChat]*math.Log1p(shared) + d.w[defUsed]*d.used(def.Name)
	}
	return out
}

// facts are what a definition is, whatever its text says.
func (d *defScoring) facts(def record.Definition) float64 {
	sum := 0.0
	switch kind := def.Kind.Tag(); {
	case record.Value(kind):
		sum += d.w[defValue]
	case kind.Container():
		sum += d.w[defContainer]
	}
	if d.near[def.Name] {
		sum += d.w[defSelected]
	}
	return sum
}

// used is how many files have a name, for each that defines it; in an overview only.
func (d *defScoring) used(name uint32) float64 {
	if d.w[defUsed] == 0 {
		return 0
	}
	plain := vocab.Plainness(d.q.s.names.Bytes(name))
	return math.Log1p(float64(plain) * float64(d.q.g.df.At(name)) / float64(max(1, d.q.g.ndef.At(name))))
}
