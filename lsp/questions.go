package lsp

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent/event"
	"coauthor/lsp/review"
)

// questions are those that wait for an answer. The zero value is ready.
type questions struct {
	mu    sync.Mutex
	open  map[string]*openQuestion // guarded by mu; by id
	asked int                      // guarded by mu; how many were put
}

type openQuestion struct {
	event.Question
	root     *rootState        // in which it was asked; nil for none
	order    int               // later ones have larger numbers
	answered chan event.Answer // room for one: the first answer counts
}

// put opens a question of a root, or of none.
func (q *questions) put(r *rootState, one event.Question) *openQuestion {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked++
	o := &openQuestion{Question: one, root: r, order: q.asked, answered: make(chan event.Answer, 1)}
	if q.open == nil {
		q.open = map[string]*openQuestion{}
	}
	q.open[one.ID] = o
	return o
}

// in returns the questions that are open in a root, the oldest first.
func (q *questions) in(r *rootState) []event.Question {
	q.mu.Lock()
	defer q.mu.Unlock()
	var list []*openQuestion
	for _, o := range q.open {
		if o.root == r {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *openQuestion) int { return cmp.Compare(a.order, b.order) })
	asked := make([]event.Question, len(list))
	for i, o := range list {
		asked[i] = o.Question
	}
	return asked
}

func (q *questions) drop(o *openQuestion) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[o.ID] == o {
		delete(q.open, o.ID)
	}
}

// find returns the question with an id, or the only one without.
func (q *questions) find(id string) (*openQuestion, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if id != "" {
		return q.open[id], nil
	}
	if len(q.open) > 1 {
		var lines []string
		for _, o := range q.open {
			lines = append(lines, o.Text)
		}
		slices.Sort(lines)
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%d questions are open; answer each with its code action:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for _, o := range q.open {
		return o, nil
	}
	return nil, nil
}

// answerTitle is the code action that answers a question with one of its choices.
func answerTitle(q *event.Question, choice string) string {
	title := "Coauthor: " + q.Title(choice)
	if len(q.Titles) == 0 {
		title += " (" + review.Cut(q.Text, 80) + ")"
	}
	return title
}

// answer takes an answer that fits the question; later ones are dropped.
func (o *openQuestion) answer(choice, text string) error {
	word := strings.TrimSpace(cmp.Or(choice, text))
	given, ok := o.Choose(word)
	switch {
	case choice == "" && text != "" && o.FreeText:
		given, ok = event.Answer{Text: text}, true
	case word == "" && len(o.Choices) > 0:
		ok = false // what a terminal's Enter means, a command without words does not
	}
	for _, c := range o.Choices {
		if strings.EqualFold(word, o.Title(c)) {
			given, ok = event.Answer{Choice: c}, true
		}
	}
	if !ok {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is not one of the choices; choose one of: %s", word, strings.Join(o.Choices, ", "))
	}
	select {
	case o.answered <- given:
	default:
	}
	return nil
}

// answer takes an answer to the question with an id, or to the only one without. "none" says that there is none.
func (q *questions) answer(id, choice, text string) (status string, err error) {
	o, err := q.find(id)
	if err != nil {
		return "", err
	}
	if o == nil {
		return "none", nil
	}
	if err := o.answer(choice, text); err != nil {
		return "", err
	}
	return "answered", nil
}
