package event

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// Question is what a turn wants to know from the user.
type Question struct {
	ID       string   `json:"id"`
	Turn     string   `json:"turn,omitempty"`
	Text     string   `json:"text"`
	Body     string   `json:"body,omitempty"` // what Text speaks of, such as a script: all of it is shown, line by line, before the answer
	Choices  []string `json:"choices,omitempty"`
	Titles   []string `json:"titles,omitempty"`   // what each choice does, for a menu: "add cli.py to the chat"
	Keys     []string `json:"keys,omitempty"`     // the letter or number that stands before each choice in Text; it picks that choice
	FreeText bool     `json:"freeText,omitempty"` // a text of the user's own is welcome
	Default  string   `json:"default,omitempty"`  // never one that writes or runs anything
	// Explicit says that going on costs something: an empty line is no answer.
	Explicit bool `json:"explicit,omitempty"`
}

// Answer is the user's reply. Defaulted says that nobody answered.
type Answer struct {
	Choice    string `json:"choice,omitempty"`
	Text      string `json:"text,omitempty"`
	Defaulted bool   `json:"defaulted,omitempty"`
}

// Title returns what a choice does, in words for a menu; the choice itself where nothing else is said.
func (q Question) Title(choice string) string {
	if i := slices.Index(q.Choices, choice); i >= 0 && i < len(q.Titles) {
		return q.Titles[i]
	}
	return choice
}

// Numbered returns the choices that are bare numbers, for who shows choices without their titles: a number says nothing of what
// it stands for.
func (q Question) Numbered() (list []string) {
	for i, choice := range q.Choices {
		if choice == strconv.Itoa(i+1) && q.Title(choice) != choice {
			list = append(list, choice)
		}
	}
	return list
}

// Keyed returns the choice that a key stands before, whatever its case; "" for none.
func (q Question) Keyed(key string) string {
	for i, k := range q.Keys[:min(len(q.Keys), len(q.Choices))] {
		if k != "" && strings.EqualFold(k, key) {
			return q.Choices[i]
		}
	}
	return ""
}

// Slow says that the user has something to read or to write before they can answer.
func (q Question) Slow() bool { return q.Body != "" || q.FreeText }

// DefaultAnswer returns q's default as an answer nobody gave.
func (q Question) DefaultAnswer() Answer {
	if len(q.Choices) > 0 && !slices.Contains(q.Choices, q.Default) {
		return Answer{Text: q.Default, Defaulted: true}
	}
	return Answer{Choice: q.Default, Defaulted: true}
}

// Choose reads an answer as people type it: a key of a choice; a choice or its beginning, whatever the case, as long as no
// other choice begins the same, or no other one of a single word; y and yes, n and no; nothing for the default, where the question is not explicit. Where two choices are
// given, yes is the one that is not the default, since a default never writes or runs anything. A text
// is taken where a free one is welcome. It returns false when the word is no answer, so that the
// question can be put again.
func (q Question) Choose(word string) (Answer, bool) {
	word = strings.TrimSpace(word)
	if word == "" {
		return q.DefaultAnswer(), !q.Explicit
	}
	if len(q.Choices) == 0 {
		return Answer{Text: word}, true
	}
	if choice := q.Keyed(word); choice != "" {
		return Answer{Choice: choice}, true
	}
	for _, choice := range q.Choices {
		if strings.EqualFold(choice, word) {
			return Answer{Choice: choice}, true
		}
	}
	if at := slices.Index(q.Choices, q.Default); at >= 0 && len(q.Choices) == 2 {
		switch strings.ToLower(word) {
		case "y", "yes":
			return Answer{Choice: q.Choices[1-at]}, true
		case "n", "no":
			return Answer{Choice: q.Default}, true
		}
	}
	var fits []string
	for _, choice := range q.Choices {
		if len(word) <= len(choice) && strings.EqualFold(choice[:len(word)], word) {
			fits = append(fits, choice)
		}
	}
	if words := slices.DeleteFunc(slices.Clone(fits), func(c string) bool { return strings.Contains(c, " ") }); len(words) == 1 && !q.FreeText {
		fits = words
	}
	switch {
	case len(fits) == 1:
		return Answer{Choice: fits[0]}, true
	case q.FreeText:
		return Answer{Text: word}, true
	}
	return Answer{}, false
}

// Asker puts a question to the user. Without an answer (no dialog, a closed one, a timeout) it
// returns the default; an error means that the turn should end, which for a cancelled ctx is
// ctx.Err().
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Default returns an Asker that asks nobody and always answers the default.
func Default() Asker { return defaultAsker{} }

type defaultAsker struct{}

func (defaultAsker) Ask(ctx context.Context, q Question) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	return q.DefaultAnswer(), nil
}
