// Package yamltext reads YAML that somebody else wrote: settings, and the heads of prompt documents. The library panics on
// some texts, and takes all memory for others; here both are errors. It knows nothing of what the text means, and what is
// embedded in the program needs none of this.
package yamltext

import (
	"errors"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// ErrUnreadable says that a text is beyond the library.
var ErrUnreadable = errors.New("it cannot be read; the usual cause is a tag such as !name before a value: remove it")

// Decode reads a text into a value. Its errors are those of the library, a TooMuchError, and ErrUnreadable.
func Decode(text []byte, into any, o ...yaml.DecodeOption) error {
	if why := tooMuch(text); why != "" {
		return why
	}
	return guarded(func() error { return yaml.UnmarshalWithOptions(text, into, o...) })
}

// Parse reads a text into its nodes, with the errors of Decode.
func Parse(text []byte) (f *ast.File, err error) {
	if why := tooMuch(text); why != "" {
		return nil, why
	}
	err = guarded(func() (err error) { f, err = parser.ParseBytes(text, 0); return err })
	return f, err
}

// Value reads a node of Parse into a value.
func Value(n ast.Node, into any) error {
	return guarded(func() error { return yaml.NodeToValue(n, into) })
}

// guarded runs what calls the library. What that panics with says nothing to a user.
func guarded(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = ErrUnreadable
		}
	}()
	return f()
}
