package repomap

import (
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/repomap/record"
	"coauthor/repomap/syntax/tag"
	"coauthor/repomap/vocab"
)

// useSignal is one reason to think that a change will newly use a definition of another file.
type useSignal int

const (
	useBase      useSignal = iota // of any definition
	useSpread                     // the likely files use its name already
	useFiles                      // so do other files
	useDefiners                   // other files define the name too
	useReach                      // the chat files can use it
	useNamed                      // a chat file has its name, so using it is not new
	useName                       // its own name has stems of the request
	useMentioned                  // the request names it, letter for letter
)

// useSignals is the table for what a change will newly use: a sum of logarithms of odds, which is the
// likelihood itself and needs no comparison with other definitions.
//
// The weights are rounded from a logit fit to the names that 320 commits of eight histories newly use and
// that one or two other files define, one half fitted and the other checked. The base is -12 by the fit;
// half a unit more costs what is touched nothing and brings five points of what is used. The likelihood of
// the file, its imports, the kind of definition and how plain its name is brought nothing beside these.
// mentioned is a judgement: names are mentioned to be seen.
//
// Behind each stands what it brings, as with signals; behind use what all of them bring.
var useSignals = [...]struct {
	name   string
	weight float64
}{
	useBase:      {"use", -11.5},         // -0.2 +22.6  -1.1 +18.8
	useSpread:    {"use.spread", 0.4},    // -0.5 +16.0  -1.1 +18.7
	useFiles:     {"use.files", 0.5},     // +0.0 +10.7  -0.7 +11.7
	useDefiners:  {"use.definers", -1.4}, // +2.2  +2.9  +4.4  +4.1
	useReach:     {"use.reach", 2.4},     // -0.3 +19.8  -0.9 +18.5
	useNamed:     {"use.named", -3},      // -0.1  +3.9  +0.8  +5.3
	useName:      {"use.name", 1.7},      // -0.4  +2.9  +0.0  +0.0
	useMentioned: {"use.mentioned", 8},
}

const (
	useLookAt  = 200  // the likeliest files, whose words tell what is used around here
	spreadUnit = 1e-3 // of the likelihood of files; less than that tells nothing
)

// useScoring says how likely a change is to use a definition for the first time in its file. Unlike what
// a change touches, that depends little on the file in which the definition stands.
type useScoring struct {
	q      *scoring
	w      [len(useSignals)]float64
	silent bool
	chat   vocab.Set          // the symbols that a chat file has
	said   map[string]float64 // the identifiers that the request names
	spread vocab.Sparse       // symbol -> sum of the likelihoods of the files that have it
	looked []bool             // file -> it is in that sum
}

// newUseScoring looks at the best files; total is what the likelihoods of all are shares of.
func newUseScoring(q *scoring, scores []float64, best []int, total float64) *useScoring {
	u := &useScoring{q: q, silent: q.overview() || slices.Contains(q.r.Without, useSignals[useBase].name)}
	if u.silent {
		return u
	}
	for k, sig := range useSignals {
		if !slices.Contains(q.r.Without, sig.name) {
			u.w[k] = sig.weight
		}
	}
	u.said = q.question.mentionedNames()
	u.chat = vocab.NewSet(q.s.names.Len())
	for _, c := range q.chat {
		for _, t := range q.files()[c].Terms {
			u.chat.Add(t)
		}
	}
	u.spread = vocab.NewSparse(q.s.names.Len())
	u.looked = make([]bool, len(q.files()))
	for _, i := range best {
		f := q.files()[i]
		if f.Class == record.Prose {
			continue
		}
		u.looked[i] = true
		share := float32(shareOf(scores[i]-scores[best[0]], total))
		for _, t := range f.Terms {
			u.spread.Add(t, share)
		}
	}
	return u
}

// likely gives for each definition of a file the likelihood that the change newly uses it. share is that
// of the file. It is safe for concurrent use.
func (u *useScoring) likely(file int, share float64) []float64 {
	q := u.q
	f := q.files()[file]
	out := make([]float64, len(f.Defs))
	if u.silent || f.Class == record.Prose {
		return out
	}
	far, near := u.reachable(f)
	near = near || path.Ext(f.Path) != ".go" // elsewhere names do not tell
	for i, def := range f.Defs {
		spread := float64(u.spread.At(def.Name))
		if u.looked[file] {
			spread -= share // its own definition is no use
		}
		z := u.w[useBase] + u.w[useSpread]*math.Log1p(max(0, spread)/spreadUnit) +
			u.w[useFiles]*math.Log(float64(max(1, q.g.df.At(def.Name)))) +
			u.w[useDefiners]*math.Log(float64(max(1, q.g.ndef.At(def.Name)))) +
			u.w[useName]*math.Log1p(q.asked.tells(def.Name))
		if far && (near || !private(q.s.names.Bytes(def.Name))) && !local(f, def) {
			z += u.w[useReach]
		}
		if u.chat.Has(def.Name) {
			z += u.w[useNamed]
		}
		if len(u.said) > 0 {
			z += u.w[useMentioned] * u.said[string(q.s.names.Bytes(def.Name))]
		}
		out[i] = 1 / (1 + math.Exp(-z))
	}
	return out
}

// reachable says whether a chat file can use what a file defines, and whether it may be private to their
// folder. Without a chat file anything may be used.
func (u *useScoring) reachable(f *record.Record) (far, near bool) {
	if len(u.q.chat) == 0 {
		return true, true
	}
	for _, c := range u.q.chat {
		from := u.q.files()[c]
		if family(f.Path) == family(from.Path) && (f.Class != record.Test || from.Class == record.Test) {
			far = true
			near = near || path.Dir(f.Path) == path.Dir(from.Path)
		}
	}
	return far, near
}

// private says that a name is known in its folder alone, as Go's are that begin with no capital.
func private(name []byte) bool {
	first, _ := utf8.DecodeRune(name)
	return !unicode.IsUpper(first)
}

// local says that a definition stands in a function, which nobody outside can name.
func local(f *record.Record, def record.Definition) bool {
	if def.Parent < 0 {
		return false
	}
	around := f.Defs[def.Parent].Kind.Tag()
	return around == tag.Function || around == tag.Method
}

// family is the same for files that can use each other's definitions as they are: those of one language,
// or of languages that are made for it.
func family(file string) string {
	ext := strings.ToLower(path.Ext(file))
	if name, ok := families[ext]; ok {
		return name
	}
	return ext
}

var families = map[string]string{
	".h": ".c", ".cc": ".c", ".cpp": ".c", ".cxx": ".c", ".hh": ".c", ".hpp": ".c", ".hxx": ".c", ".m": ".c", ".mm": ".c",
	".jsx": ".js", ".mjs": ".js", ".cjs": ".js", ".ts": ".js", ".tsx": ".js", ".mts": ".js", ".cts": ".js", ".vue": ".js", ".svelte": ".js",
	".kt": ".java", ".kts": ".java", ".scala": ".java", ".groovy": ".java", ".pyi": ".py", ".mli": ".ml",
}
