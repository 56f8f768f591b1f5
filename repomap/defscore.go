package repomap

import (
	"math"
	"slices"

	"coauthor/repomap/syntax/tag"
)

// defSignal is one reason to show a definition rather than another one of its file.
type defSignal int

const (
	defInside    defSignal = iota // it is a method, or inside a type
	defNested                     // it is inside a function
	defContainer                  // it is a type
	defValue                      // it is a line of data
	defTable                      // it is several lines of data
	defRequest                    // its text has stems of the request
	defRequestLog
	defChat     // its text has words of the chat files
	defUses     // its text uses what a chat file defines
	defUsed     // other files use its name; in an overview only
	defHunks    // past changes name it
	defNamed    // a chat file has its name
	defName     // its own name has stems of the request
	defSelected // the definition under the cursor uses its name
)

// defSignals is the table for definitions. Facts are 0 or 1 and requestLog a logarithm; the others are
// scaled to 0..1 over the definitions of the file. Behind each stands what it brings, as with signals;
// request and requestLog were left out together.
var defSignals = [...]struct {
	name   string
	weight float64
}{
	defInside:     {"def.inside", 1.8},     // -0.4 +1.0  +0.0 -4.0
	defNested:     {"def.nested", -1.5},    // +0.0 +0.0  +0.0 +0.6
	defContainer:  {"def.container", -0.8}, // +0.0 -0.3  +0.0 +0.8
	defValue:      {"def.value", -1.5},     // +0.0 +0.0  +0.0 +0.0
	defTable:      {"def.table", -0.3},     // +0.0 +0.0  +0.0 +0.0
	defRequest:    {"def.request", 1.5},    // +1.7 +6.3  +0.0 +0.0
	defRequestLog: {"def.requestLog", 1},
	defChat:       {"def.chat", 1},     // +0.7 +1.1  +0.0 +3.8
	defUses:       {"def.uses", 0.5},   // +0.0 +0.4  +0.3 +0.4, on 160 tasks
	defUsed:       {"def.used", 2},     // the benchmark has a chat file
	defHunks:      {"def.hunks", 1},    // +0.0 -2.6  +0.0 +0.3
	defNamed:      {"def.named", 0.7},  // +0.0 -0.9  +0.4 +1.9
	defName:       {"def.name", 0.5},   // +0.0 -0.4  +0.0 +0.0
	defSelected:   {"def.selected", 2}, // the benchmark has no editor
}

// tableLines is how long a variable is that holds more than a value.
const tableLines = 5

// defScoring scores definitions file by file, and re-uses what does not depend on the file.
type defScoring struct {
	q    *scoring
	w    [len(defSignals)]float64
	chat map[uint32]inChat // symbol -> what it is to the chat files
	said set               // the symbols that are in chat
	near map[uint32]bool
}

// inChat is what a symbol is to the chat files: its idf where one has it, and shared by all definers
// where one defines it.
type inChat struct{ has, defines float32 }

func newDefScoring(q *scoring) *defScoring {
	d := &defScoring{q: q, chat: map[uint32]inChat{}, said: newSet(q.s.names.len()), near: q.selection()}
	for k, sig := range defSignals {
		if !slices.Contains(q.r.Without, sig.name) {
			d.w[k] = sig.weight
		}
	}
	if q.overview() {
		// Types say what a repository is about; there is no telling yet which method will be wanted.
		d.w[defInside], d.w[defContainer] = 0, -d.w[defContainer]
	} else {
		d.w[defUsed] = 0
	}
	for _, c := range q.chat {
		for _, t := range q.files()[c].terms {
			in := d.chat[t]
			in.has = q.g.idf(t)
			d.chat[t] = in
			d.said.add(t)
		}
		q.files()[c].defines(func(name uint32) {
			if n := q.g.ndef.at(name); n > 0 {
				in := d.chat[name]
				in.defines = q.g.idf(name) / float32(n)
				d.chat[name] = in
				d.said.add(name)
			}
		})
	}
	return d
}

// asked is the idf of the request's stems in a symbol.
func (d *defScoring) asked(symbol uint32) float64 {
	q, sum := d.q, 0.0
	if q.hit.has(symbol) {
		for _, t := range q.s.names.stemsOf(symbol) {
			if k := q.stemOf[t]; k >= 0 {
				sum += q.stems[k].idf
			}
		}
	}
	return sum
}

// scores gives each definition of a file its score. It is safe for concurrent use.
func (d *defScoring) scores(file int) []float64 {
	f := d.q.files()[file]
	out := make([]float64, len(f.defs))
	request := make([]float64, len(f.defs))
	shared := make([]float64, len(f.defs))
	uses := make([]float64, len(f.defs))
	hunks := d.hunks(f)
	names := make([]float64, len(f.defs))
	// A word stands in many bodies of a file, and is looked up once.
	type told struct{ asked, chat, own float64 }
	terms := make([]told, len(f.terms))
	for n, t := range f.terms {
		terms[n].asked = d.asked(t)
		if d.said.has(t) {
			in := d.chat[t]
			terms[n].chat, terms[n].own = float64(in.has), float64(in.defines)
		}
	}
	for i := range f.defs {
		for _, n := range f.bodyOf(i) {
			t := &terms[n]
			request[i] += t.asked
			shared[i] += t.chat
			uses[i] += t.own
		}
		names[i] = d.asked(f.defs[i].name)
	}
	for i, def := range f.defs {
		out[i] = d.facts(f, def) + d.w[defRequestLog]*math.Log(1+request[i])
	}
	addScaled(out, request, d.w[defRequest])
	addScaled(out, shared, d.w[defChat])
	addScaled(out, uses, d.w[defUses])
	addScaled(out, d.used(f), d.w[defUsed])
	addScaled(out, hunks, d.w[defHunks])
	addScaled(out, names, d.w[defName])
	return out
}

// facts are what a definition is, whatever the request.
func (d *defScoring) facts(f *record, def definition) float64 {
	sum := 0.0
	around := tag.Kind("")
	if def.parent >= 0 {
		around = f.defs[def.parent].kind.tag()
	}
	switch def.kind.tag() {
	case tag.Constant, tag.Variable, tag.Field, tag.Macro, tag.Key, tag.Heading:
		if sum += d.w[defTable]; def.last-def.first < tableLines {
			sum += d.w[defValue] - d.w[defTable]
		}
	case tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module:
		sum += d.w[defContainer]
	case tag.Method:
		sum += d.w[defInside]
	case tag.Function:
		if around.Container() {
			sum += d.w[defInside]
		}
	case tag.Call, tag.Use:
	}
	if around == tag.Function || around == tag.Method {
		sum += d.w[defNested]
	}
	if d.near[def.name] {
		sum += d.w[defSelected]
	}
	if d.chat[def.name].has > 0 {
		sum += d.w[defNamed]
	}
	return sum
}

// used is how many files have the name of each definition, for each that defines it.
func (d *defScoring) used(f *record) []float64 {
	out := make([]float64, len(f.defs))
	if d.w[defUsed] == 0 {
		return out
	}
	for i, def := range f.defs {
		plain := plainness(d.q.s.names.bytes(def.name))
		out[i] = math.Log(1 + float64(plain)*float64(d.q.g.df.at(def.name))/float64(max(1, d.q.g.ndef.at(def.name))))
	}
	return out
}

// hunks counts how often the past changed each definition.
func (d *defScoring) hunks(f *record) []float64 {
	past := d.q.s.history.hunks[f.path]
	out := make([]float64, len(f.defs))
	if len(past) == 0 {
		return out
	}
	count := make(map[string]float64, len(past))
	for _, name := range past {
		count[name]++
	}
	for i, def := range f.defs {
		out[i] = math.Log(1 + count[string(d.q.s.names.bytes(def.name))])
	}
	return out
}

func addScaled(to, v []float64, weight float64) {
	if len(v) == 0 {
		return
	}
	low, high := v[0], v[0]
	for _, x := range v {
		low, high = min(low, x), max(high, x)
	}
	if high <= low {
		return
	}
	for i, x := range v {
		to[i] += weight * (x - low) / (high - low)
	}
}
