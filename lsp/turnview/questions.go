package turnview

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/lsp/review"
)

// Questions are those that wait for an answer. The zero value is ready.
type Questions struct {
	mu    sync.Mutex
	open  map[string]*Question // guarded by mu; by id
	asked int                  // guarded by mu; how many were put
}

// Question is one that waits for an answer.
type Question struct {
	event.Question
	session  *agent.Session    // in which it was asked; nil for none
	order    int               // later ones have larger numbers
	answered chan event.Answer // room for one: the first answer counts
}

// Session is that of the folder in which it was asked; nil for none.
func (o *Question) Session() *agent.Session { return o.session }

// Answered gives the first answer.
func (o *Question) Answered() <-chan event.Answer { return o.answered }

// Put opens a question of a folder, by its session, or of none.
func (q *Questions) Put(s *agent.Session, one event.Question) *Question {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked++
	o := &Question{Question: one, session: s, order: q.asked, answered: make(chan event.Answer, 1)}
	if q.open == nil {
		q.open = map[string]*Question{}
	}
	q.open[one.ID] = o
	return o
}

// In returns the questions that are open in a folder, the oldest first.
func (q *Questions) In(s *agent.Session) []event.Question {
	q.mu.Lock()
	defer q.mu.Unlock()
	var list []*Question
	for _, o := range q.open {
		if o.session == s {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *Question) int { return cmp.Compare(a.order, b.order) })
	asked := make([]event.Question, len(list))
	for i, o := range list {
		asked[i] = o.Question
	}
	return asked
}

// blocks says whether a turn of a folder waits for the user's answer.
func (q *Questions) blocks(s *agent.Session) bool {
	return slices.ContainsFunc(q.In(s), func(one event.Question) bool { return one.Turn != "" })
}

// Drop forgets a question.
func (q *Questions) Drop(o *Question) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[o.ID] == o {
		delete(q.open, o.ID)
	}
}

// Find returns the question with an id, or the only one without.
func (q *Questions) Find(id string) (*Question, error) {
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

// AnswerTitle is the code action that answers a question with one of its choices.
func AnswerTitle(q *event.Question, choice string) string {
	title := "Coauthor: " + q.Title(choice)
	if len(q.Titles) == 0 {
		title += " (" + review.Cut(q.Text, 80) + ")"
	}
	return title
}

// answer takes an answer that fits the question; later ones are dropped.
func (o *Question) answer(choice, text string) error {
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
	if !ok && word == "" && len(o.Choices) == 0 {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the answer is empty; type one")
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

// Answer takes an answer to the question with an id, or to the only one without. "none" says that there is none.
func (q *Questions) Answer(id, choice, text string) (status string, err error) {
	o, err := q.Find(id)
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

// AnswersOne says whether words answer a question that is open in a folder, and gives them to the newest that they can be
// for.
func (q *Questions) AnswersOne(s *agent.Session, words string) bool {
	if strings.HasPrefix(words, "/") {
		return false
	}
	for _, one := range slices.Backward(q.In(s)) {
		fits := one.FreeText || len(one.Choices) == 0 || slices.ContainsFunc(one.Choices, func(c string) bool {
			return strings.EqualFold(c, words) || strings.EqualFold(one.Title(c), words)
		})
		if !fits {
			continue
		}
		if status, err := q.Answer(one.ID, "", words); err == nil && status == "answered" {
			return true
		}
	}
	return false
}
