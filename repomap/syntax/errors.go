package syntax

import "context"

// SyntaxError is one place where the grammar could not follow. Lines are 0-based and inclusive;
// Scope names the innermost definition around it, or is empty.
type SyntaxError struct {
	Line, EndLine  int
	Message, Scope string
}

// Errors lists the syntax errors of src in order. A language without a grammar has none.
func Errors(ctx context.Context, path string, src []byte) ([]SyntaxError, error) {
	return nil, ctx.Err()
}

// Enclosing finds the innermost definition around a 0-based line: its lines (inclusive) and name.
func Enclosing(path string, src []byte, line int) (first, last int, name string, ok bool) {
	return 0, 0, "", false
}
