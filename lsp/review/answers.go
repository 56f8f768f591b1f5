package review

import (
	"strings"
	"sync"
)

// Answers are the texts of the answers that are shown as virtual documents, by their URIs. Only the
// newest are kept.
type Answers struct {
	mu    sync.Mutex
	order []string          // guarded by mu
	text  map[string]string // guarded by mu
	size  int               // guarded by mu; bytes of all texts
}

// What is kept of answers in memory.
const (
	keptAnswers     = 50
	keptAnswerBytes = 16 << 20
)

// KeptAnswerFiles is how many answers are kept below .coauthor.
const KeptAnswerFiles = 20

// Put keeps the text of a document and says whether there was another text by that name.
func (a *Answers) Put(uri, text string) (replaced bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.text == nil {
		a.text = map[string]string{}
	}
	before, known := a.text[uri]
	if !known {
		a.order = append(a.order, uri)
	}
	a.size += len(text) - len(before)
	a.text[uri] = text
	for len(a.order) > 1 && (len(a.order) > keptAnswers || a.size > keptAnswerBytes) {
		a.size -= len(a.text[a.order[0]])
		delete(a.text, a.order[0])
		a.order = a.order[1:]
	}
	return known && before != text
}

// Get returns the text of a document.
func (a *Answers) Get(uri string) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, ok := a.text[uri]
	return text, ok
}

// AnswerPrefix begins the names of documents that hold answers.
const AnswerPrefix = "answer-"

// AnswerDocument is the document with an answer: the question as a quote and the answer. Model text is data, so the
// links of it that would run a command or load an image from elsewhere are taken apart.
func AnswerDocument(question, answer string) string {
	var b strings.Builder
	b.WriteString(quoted(question))
	b.WriteString("\n")
	b.WriteString(Harmless(strings.TrimSpace(answer)))
	b.WriteString("\n")
	return b.String()
}
