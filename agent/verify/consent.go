package verify

import (
	"context"
	"regexp"
	"strconv"
	"strings"
)

// Command is a program and its arguments, as they are run: no shell reads them.
type Command []string

var plainWord = regexp.MustCompile(`^[\pL\pN_@%+=:,./-]+$`)

// String is the command in exactly one way, as the user reads it before saying yes: no other command
// has the same text, and nothing in it is hidden.
func (c Command) String() string {
	words := make([]string, len(c))
	for i, w := range c {
		if !plainWord.MatchString(w) {
			w = strconv.Quote(w)
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// Consent says whether the user lets exactly this command run, and may ask. Without an answer it is
// false; an error means that checking should end, which for a cancelled ctx is ctx.Err().
type Consent func(ctx context.Context, c Command) (bool, error)

// May says whether the user lets a command run. A check runs nothing without it.
func (in Input) May(ctx context.Context, c Command) (bool, error) {
	if len(c) == 0 || in.Consent == nil {
		return false, ctx.Err()
	}
	return in.Consent(ctx, c)
}
