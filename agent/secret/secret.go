// Package secret knows what keys and tokens look like: the one place that does. What models are not shown, and what is left
// out of transcripts, journals, labels, logs and messages, is found here.
//
// It is a leaf: every room may use it, and it knows nothing of where a text goes. Start at Replace and Without.
package secret

import (
	"regexp"
	"strings"
	"unicode"
)

// wellKnown finds keys by the forms that their makers gave them.
var wellKnown = regexp.MustCompile(`\b(?:sk-[A-Za-z0-9_-]{20,}|(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}|` +
	`glpat-[A-Za-z0-9_-]{20,}|xox[abprs]-[A-Za-z0-9-]{20,}|AIza[A-Za-z0-9_-]{35}|hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|` +
	`[sr]k_live_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,})`)

// Of a private key the lines between its ends are secret, each by itself: they may stand behind numbers.
var (
	privateKey = regexp.MustCompile(`(?s)-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----.+?-----END (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	keyLine    = regexp.MustCompile(`[A-Za-z0-9+/=]{16,}`)
)

// Replace puts something in the place of every key in a text.
func Replace(text string, by func(key string) string) string {
	if strings.Contains(text, "PRIVATE KEY") {
		text = privateKey.ReplaceAllStringFunc(text, func(block string) string { return keyLine.ReplaceAllStringFunc(block, by) })
	}
	return wellKnown.ReplaceAllStringFunc(text, func(found string) string {
		if !random(found) {
			return found
		}
		return by(found)
	})
}

// shape finds what may be a key of any maker.
var shape = regexp.MustCompile(
	`(?i)\b(?:sk|pk|rk|gsk|xai|key|hf|AIza)[-_][A-Za-z0-9_*.-]{8,}|AIza[A-Za-z0-9_-]{20,}|(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)

// Mark stands for a key that was left out.
const Mark = "[key]"

func mark(string) string { return Mark }

// Without leaves the keys out of a text to keep, also what may be one and is not written as words are: names such as
// key_of_something stay, since without a long run of letters and digits they are none.
func Without(text string) string {
	return shape.ReplaceAllStringFunc(Replace(text, mark), func(found string) string {
		if random(found) {
			return Mark
		}
		return found
	})
}

// WithoutAny leaves out of a text all that may be a key, names too. It is for what servers say, who like to repeat a wrong
// key in part.
func WithoutAny(text string) string { return shape.ReplaceAllString(Replace(text, mark), Mark) }

// run is the part of a key that no word of a text has: letters and digits in no order.
var run = regexp.MustCompile(`[A-Za-z0-9]{16,}`)

// random says whether a text has a part that no word has.
func random(text string) bool {
	for _, part := range run.FindAllString(text, -1) {
		if strings.ContainsAny(part, "0123456789") && strings.ContainsFunc(part, unicode.IsLetter) {
			return true
		}
	}
	return false
}
