package model

import (
	"strings"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"

	"coauthor/agent/event"
)

// Counter counts the tokens of a text. It is safe for concurrent use.
type Counter interface {
	Count(text string) int
}

// The vocabularies are the same for all, and large, so there is one of each in a process.
var o200k, cl100k = newVocabulary(tokenizer.O200kBase), newVocabulary(tokenizer.Cl100kBase)

// Tokenizers are the names that NewCounter knows; "estimate" stands for no tokenizer.
func Tokenizers() []string { return []string{"chars4", "cl100k", "o200k", "estimate"} }

// NewCounter returns a counter for a tokenizer by name: "o200k" and "cl100k" (with or without
// "_base") count, "chars4" takes four characters for a token, and every other name, also "", estimates
// by the bytes. It costs nothing until it counts.
func NewCounter(name string) Counter {
	switch strings.TrimSuffix(strings.ToLower(name), "_base") {
	case "o200k":
		return exact{o200k}
	case "cl100k":
		return exact{cl100k}
	case "chars4":
		return chars4{}
	}
	return Estimate{}
}

type exact struct{ *vocabulary }

// Texts beyond countedWhole are counted in samples: a megabyte takes half a second, and is further from
// any limit than the samples are wrong.
const (
	countedWhole = 256 << 10
	samples      = 8
	sampleSize   = 16 << 10
)

// Count implements Counter. Should the tokenizer give up, the estimate stands in.
func (e exact) Count(text string) int {
	if len(text) <= countedWhole {
		return e.whole(text)
	}
	n := 0
	for i := range samples {
		start := (len(text) - sampleSize) / (samples - 1) * i
		n += e.whole(text[start : start+sampleSize])
	}
	return int(float64(n) * float64(len(text)) / (samples * sampleSize))
}

func (e exact) whole(text string) int {
	n, err := e.count(text)
	if err != nil {
		return Estimate{}.Count(text)
	}
	return n
}

type chars4 struct{}

func (chars4) Count(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

// Estimate guesses tokens by the length: code and prose in Latin script take about 3.8 bytes for a
// token, other scripts about one token for one and a half characters.
type Estimate struct{}

// Count implements Counter.
func (Estimate) Count(text string) int {
	runes := utf8.RuneCountInString(text)
	if len(text) > 2*runes {
		return (runes*2 + 2) / 3
	}
	return (len(text)*10 + 37) / 38
}

// Cost is what u costs at price p, in US dollars; 0 when the price is unknown. Reading from and writing
// to the cache costs like any input where no price of its own is known.
func Cost(p Price, u event.Usage) float64 {
	read, write := p.CacheRead, p.CacheWrite
	if read == 0 {
		read = p.In
	}
	if write == 0 {
		write = p.In
	}
	plain := max(0, u.Prompt-u.CacheRead-u.CacheWrite)
	return (float64(plain)*p.In + float64(u.CacheRead)*read + float64(u.CacheWrite)*write +
		float64(u.Completion)*p.Out) / 1e6
}
