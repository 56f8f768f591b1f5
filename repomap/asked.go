package repomap

import (
	"math"
	"strings"
	"sync"

	"coauthor/repomap/vocab"
)

// The parts of what is said, in the order in which they count: the message, what was said besides, and from ofEarlier
// on what was asked before. The message is the request; the others must not drown it, however long they are.
const (
	ofMessage = iota
	ofBesides
	ofEarlier
)

// What a part may tell, in words that only one file has. What was said besides tells as much as the message, or this
// where that is shorter. What was asked before makes up for what all that was said since lacks of the other: one such
// word says where to look.
const (
	leastBesides = 4
	mostEarlier  = 1
)

// mostBesides is how many stems of a request may be of other texts than the message, where that has more than enough.
const mostBesides = vocab.MaxQuery / 4

// queryStem is one stem of the request.
type queryStem struct {
	text  string
	part  int     // the first one that has it
	tells float64 // its idf by files whose text has it, by the weight of its part
}

// question is what a request says, in stems.
type question struct {
	request Request
	stems   []queryStem
	parts   []float64 // what each part of what is said weighs
}

// readRequest finds the stems of the request in all files.
func (q *scoring) readRequest() {
	q.question.parts = make([]float64, ofEarlier+len(q.r.Earlier))
	q.question.parts[ofMessage] = 1
	q.question.listStems()
	stemOf := make([]int16, q.s.stems.Len()) // stem -> place in stems, or -1
	for i := range stemOf {
		stemOf[i] = -1
	}
	known := make(map[string]uint32, len(q.question.stems))
	for _, t := range q.question.stems {
		known[t.text] = ^uint32(0)
	}
	q.s.stems.FindAll(known)
	for i, t := range q.question.stems {
		if n := known[t.text]; n != ^uint32(0) {
			stemOf[n] = int16(i)
		}
	}
	q.inText = make([]uint16, len(q.files())*len(q.question.stems))
	q.inName = make([]uint16, len(q.inText))
	q.words, q.named = make([]uint32, len(q.files())), make([]uint32, len(q.files()))
	q.like = newLikeness(q)
	if len(q.question.stems) == 0 && q.like == nil {
		return
	}
	var group sync.WaitGroup // the table of paths is made on one processor, once, and is not needed before
	group.Go(func() { q.s.paths.table() })
	defer group.Wait()
	q.markAll(stemOf)
	q.eachFile(q.readFile)
	if q.like != nil {
		q.like.done()
	}
	q.weigh()
	q.asked.weigh(q.question.stems)
}

// listStems lists the stems of all parts, each once.
func (k *question) listStems() {
	message := k.request.Message
	for _, id := range k.request.MentionedIdents {
		message += "\n" + id
	}
	texts := k.texts()
	texts[ofMessage] = message
	seen := map[string]bool{}
	var own, others []queryStem
	for part, text := range texts {
		for _, t := range vocab.Query(text) {
			if seen[t] {
				continue
			}
			if seen[t] = true; part == ofMessage {
				own = append(own, queryStem{text: t, part: part})
			} else {
				others = append(others, queryStem{text: t, part: part})
			}
		}
	}
	own = own[:min(len(own), vocab.MaxQuery-min(len(others), mostBesides))]
	k.stems = append(own, others[:min(len(others), vocab.MaxQuery-len(own))]...)
}

// texts are those of all parts.
func (k *question) texts() []string {
	return append([]string{k.request.Message, k.request.Besides}, k.request.Earlier...)
}

// weigh says what each part and each stem tells. What all stems of a part tell together is the sum of their idf; what
// no file has tells nothing.
func (q *scoring) weigh() {
	df := make([]int, len(q.question.stems))
	for i := range q.files() {
		for k, n := range q.counts(q.inText, i) {
			if n > 0 {
				df[k]++
			}
		}
	}
	sums := make([]float64, len(q.question.parts))
	for k := range q.question.stems {
		t := &q.question.stems[k]
		t.tells = idf(df[k], len(q.files()))
		if df[k] > 0 {
			sums[t.part] += t.tells
		}
	}
	rare := idf(1, len(q.files()))
	said := sums[ofMessage]
	for part, sum := range sums {
		switch part {
		case ofMessage:
			continue
		case ofBesides:
			q.question.parts[part] = atMost(sum, max(leastBesides*rare, said))
		default:
			q.question.parts[part] = atMost(sum, mostEarlier*rare-said)
		}
		said += q.question.parts[part] * sum
	}
	for k := range q.question.stems {
		q.question.stems[k].tells *= q.question.parts[q.question.stems[k].part]
	}
}

// atMost is the weight by which a sum is no more than a limit.
func atMost(sum, limit float64) float64 {
	switch {
	case limit <= 0:
		return 0
	case sum <= limit:
		return 1
	}
	return limit / sum
}

func idf(df, total int) float64 {
	return math.Log(1 + (float64(total)-float64(df)+0.5)/(float64(df)+0.5))
}

// saidText is a part of what is said, to look for names of files in.
type saidText struct {
	lower  string
	begins beginnings
	tells  float64
}

// said lists the texts of the parts that tell something, in their order.
func (k *question) said() (list []saidText) {
	for part, text := range k.texts() {
		if text == "" || k.parts[part] == 0 {
			continue
		}
		lower := strings.ToLower(text)
		list = append(list, saidText{lower, beginningsOf(lower), k.parts[part]})
	}
	return list
}

// mentionedNames are the names in the identifiers that the request mentions, of which a.b has two, and the words of the
// other parts, with what each tells.
func (k *question) mentionedNames() map[string]float64 {
	names := map[string]float64{}
	for _, id := range k.request.MentionedIdents {
		for _, name := range strings.FieldsFunc(id, func(r rune) bool { return r < 0x80 && !vocab.InWord(byte(r)) }) {
			names[name] = 1
		}
	}
	for part, text := range k.texts() {
		if tells := k.parts[part]; part != ofMessage && tells > 0 {
			vocab.Words([]byte(text), func(start, end int) { names[text[start:end]] = max(names[text[start:end]], tells) })
		}
	}
	return names
}
