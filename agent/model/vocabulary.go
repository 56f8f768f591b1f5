package model

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// vocabulary is a tokenizer that knows again the lines that it has counted: of a prompt nearly all stand in the one
// before it, and of a map in the drafts before it. It is safe for concurrent use.
type vocabulary struct {
	codec func() (tokenizer.Codec, error)

	mu            sync.Mutex
	recent, older map[string]int // tokens of lines; guarded by mu
	size          int            // bytes of the lines in recent; guarded by mu
}

const (
	longestLine = 512 // bytes; of a longer one nothing is kept
	keptLines   = 16 << 10
	keptBytes   = 1 << 20
)

// newVocabulary names a vocabulary. It takes 0.2 s and some megabytes, so it is built at the first count.
func newVocabulary(encoding tokenizer.Encoding) *vocabulary {
	return &vocabulary{codec: sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(encoding) })}
}

// count counts the tokens of a text, line by line, which gives what counting it as a whole does.
func (v *vocabulary) count(text string) (int, error) {
	codec, err := v.codec()
	if err != nil {
		return 0, err
	}
	sum := 0
	for text != "" {
		line := text[:lineEnd(text)]
		text = text[len(line):]
		n, known := v.known(line)
		if !known {
			if n, err = codec.Count(line); err != nil {
				return 0, err
			}
			v.keep(line, n)
		}
		sum += n
	}
	return sum, nil
}

func (v *vocabulary) known(line string) (n int, ok bool) {
	if len(line) > longestLine {
		return 0, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if n, ok = v.recent[line]; ok {
		return n, true
	}
	if n, ok = v.older[line]; ok {
		v.note(line, n)
	}
	return n, ok
}

func (v *vocabulary) keep(line string, n int) {
	if len(line) > longestLine {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.note(strings.Clone(line), n) // which would keep the whole text
}

// note is called with mu held. What was not asked for since as much was noted again is forgotten.
func (v *vocabulary) note(line string, n int) {
	if v.recent == nil || len(v.recent) >= keptLines || v.size >= keptBytes {
		v.recent, v.older, v.size = make(map[string]int), v.recent, 0
	}
	v.recent[line] = n
	v.size += len(line)
}

// lineEnd is where a text can be cut so that no token lies across: behind the first line break that ends what
// tokenizers take for one piece. Such a piece holds line breaks at its end alone: all of a blank stretch but the
// indentation after its last break, or those behind punctuation with the slashes that follow.
func lineEnd(text string) int {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '\n')
		if i < 0 {
			return len(text)
		}
		from += i + 1
		rest := text[from:]
		if strings.HasPrefix(rest, "/") {
			continue
		}
		for rest != "" {
			r, size := utf8.DecodeRuneInString(rest)
			if r == '\n' || r == '\r' {
				break
			}
			if !unicode.IsSpace(r) {
				return from
			}
			rest = rest[size:]
		}
		if rest == "" {
			return len(text)
		}
	}
}
