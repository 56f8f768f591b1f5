package repomap

import (
	"math"

	"coauthor/repomap/syntax/tag"
)

// defWeights weigh the signals that choose definitions within a file. Those without a remark are
// scaled to 0..1 over the file's definitions.
var defWeights = struct {
	inside, nested, container, value, table float64 // facts, 0 or 1
	request, requestLog, chat, hunks        float64
	named                                   float64 // its name occurs in a chat file: 0 or 1
	nameMatch                               float64 // its own name has stems of the request
	selected                                float64 // the definition under the cursor uses its name: 0 or 1
}{
	inside: 1.8, nested: -1.5, container: -0.8, value: -1.5, table: -0.3,
	request: 1.5, requestLog: 1, chat: 1, hunks: 1, named: 0.7, nameMatch: 0.5, selected: 2,
}

// tableLines is how long a variable is that holds more than a value.
const tableLines = 5

// defScoring scores definitions file by file, and re-uses what does not depend on the file.
type defScoring struct {
	q    *scoring
	chat []float32 // symbol -> its idf where a chat file has it
	stem []float64 // symbol -> idf of the request's stems in it
	near map[uint32]bool
}

func newDefScoring(q *scoring) *defScoring {
	d := &defScoring{q: q, chat: make([]float32, q.s.names.len()), stem: make([]float64, len(q.hit)), near: q.selection()}
	for _, c := range q.chat {
		for _, t := range q.files()[c].terms {
			d.chat[t] = q.g.idf(t)
		}
	}
	for n, hit := range q.hit {
		if hit {
			for _, t := range q.s.names.stemsOf(uint32(n)) {
				if k := q.stemOf[t]; k >= 0 {
					d.stem[n] += q.stems[k].idf
				}
			}
		}
	}
	return d
}

// scores gives each definition of a file its score.
func (d *defScoring) scores(file int) []float64 {
	f := d.q.files()[file]
	out := make([]float64, len(f.defs))
	request := make([]float64, len(f.defs))
	shared := make([]float64, len(f.defs))
	hunks := d.hunks(f)
	names := make([]float64, len(f.defs))
	for i := range f.defs {
		for _, n := range f.bodyOf(i) {
			t := f.terms[n]
			request[i] += d.stem[t]
			shared[i] += float64(d.chat[t])
		}
		names[i] = d.stem[f.defs[i].name]
	}
	for i, def := range f.defs {
		out[i] = d.facts(f, def) + defWeights.requestLog*math.Log(1+request[i])
	}
	addScaled(out, request, defWeights.request)
	addScaled(out, shared, defWeights.chat)
	addScaled(out, hunks, defWeights.hunks)
	addScaled(out, names, defWeights.nameMatch)
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
		if sum += defWeights.table; def.last-def.first < tableLines {
			sum += defWeights.value - defWeights.table
		}
	case tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module:
		sum += defWeights.container
	case tag.Method:
		sum += defWeights.inside
	case tag.Function:
		if around.Container() {
			sum += defWeights.inside
		}
	case tag.Call, tag.Use:
	}
	if around == tag.Function || around == tag.Method {
		sum += defWeights.nested
	}
	if d.near[def.name] {
		sum += defWeights.selected
	}
	if d.chat[def.name] > 0 {
		sum += defWeights.named
	}
	return sum
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
		out[i] = math.Log(1 + count[d.q.s.names.string(def.name)])
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
