//go:build cgo

package syntax

import (
	"fmt"
	"regexp"
	"slices"

	sitter "github.com/smacker/go-tree-sitter"
)

// test is one predicate of a pattern, read once so that a match costs no interpretation.
type test struct {
	capture uint32
	pass    func(text []byte) bool
	other   int // for eq? of two captures: the second one, else -1
	want    bool
}

// pass tells whether a match stands up to all predicates of its pattern.
func (p pattern) pass(list []capture, src []byte) bool {
	for _, t := range p {
		for _, c := range list {
			if c.id != t.capture {
				continue
			}
			var ok bool
			if t.other >= 0 {
				ok = sameText(list, uint32(t.other), src, c)
			} else {
				ok = t.pass(src[c.start:c.end])
			}
			if ok != t.want {
				return false
			}
		}
	}
	return true
}

func sameText(list []capture, other uint32, src []byte, c capture) bool {
	for _, o := range list {
		if o.id == other {
			return string(src[o.start:o.end]) == string(src[c.start:c.end])
		}
	}
	return false
}

// compilePredicates reads the predicates of one pattern. An operator that is not listed here is an
// error, since the binding would ignore it in silence.
func compilePredicates(q *sitter.Query, number uint32) (pattern, error) {
	var p pattern
	for _, steps := range q.PredicatesForPattern(number) {
		if len(steps) == 0 {
			continue
		}
		operator := q.StringValueForId(steps[0].ValueId)
		if len(steps) < 3 || steps[1].Type != sitter.QueryPredicateStepTypeCapture {
			return nil, fmt.Errorf("#%s wants a capture and a value", operator)
		}
		t := test{capture: steps[1].ValueId, other: -1, want: true}
		var values []string
		for _, s := range steps[2:] {
			switch s.Type {
			case sitter.QueryPredicateStepTypeString:
				values = append(values, q.StringValueForId(s.ValueId))
			case sitter.QueryPredicateStepTypeCapture:
				t.other = int(s.ValueId)
			default: // the end of the steps
			}
		}
		switch operator {
		case "not-eq?", "not-match?", "not-any-of?":
			t.want = false
		}
		switch operator {
		case "eq?", "not-eq?", "any-of?", "not-any-of?":
			t.pass = func(text []byte) bool { return slices.Contains(values, string(text)) }
		case "match?", "not-match?":
			if len(values) != 1 {
				return nil, fmt.Errorf("#%s wants one expression", operator)
			}
			rx, err := regexp.Compile(values[0])
			if err != nil {
				return nil, fmt.Errorf("#%s: %w", operator, err)
			}
			t.pass = rx.Match
		default:
			return nil, fmt.Errorf("unknown predicate #%s", operator)
		}
		p = append(p, t)
	}
	return p, nil
}
