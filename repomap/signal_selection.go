package repomap

import (
	"coauthor/repomap/record"
	"coauthor/repomap/vocab"
)

// selectedSignal prefers files that define what the definition under the user's cursor uses. The
// benchmark has no cursor, so it brings nothing there; in an editor it is the strongest hint of all.
func selectedSignal(q *scoring) []float64 {
	names := q.selection()
	if len(names) == 0 {
		return nil
	}
	out := make([]float64, len(q.files()))
	in := vocab.NewSet(q.s.names.Len())
	for n := range names {
		in.Add(n)
	}
	q.eachFile(func(i int, f *record.Record) {
		if f.Class == record.Prose {
			return
		}
		f.Defines(func(name uint32) {
			if in.Has(name) && q.g.ndef.At(name) > 0 {
				out[i] += float64(q.g.idf(name)) / float64(q.g.ndef.At(name))
			}
		})
	})
	return out
}

// selection are the words of the innermost definition around the selection, or of all definitions
// that it touches when it is larger than one.
func (q *scoring) selection() map[uint32]bool {
	s := q.r.Selection
	if s == nil {
		return nil
	}
	i, ok := q.s.find(s.Path)
	if !ok {
		return nil
	}
	f := q.files()[i]
	names := map[uint32]bool{}
	add := func(def int) {
		for _, n := range f.BodyOf(def) {
			names[f.Terms[n]] = true
		}
		delete(names, f.Defs[def].Name)
	}
	first, last := uint32(max(0, s.First)), uint32(max(0, s.Last))
	inner := -1
	for k, d := range f.Defs {
		if d.First <= first && last <= d.Last && (inner < 0 || d.Last-d.First <= f.Defs[inner].Last-f.Defs[inner].First) {
			inner = k
		}
	}
	if inner >= 0 {
		first, last = f.Defs[inner].First, f.Defs[inner].Last // with what is in a type
	}
	for k, d := range f.Defs {
		if d.First <= last && first <= d.Last && (inner < 0 || d.First >= first && d.Last <= last) {
			add(k)
		}
	}
	return names
}
