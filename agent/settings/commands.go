package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// asCommands reads a list of commands. Each is a text of plain words, a list of the words, or a map with run
// and files. What a shell would have to read is an error, because no shell reads it.
func asCommands(v any) ([]CheckCommand, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	single := 0
	var out []CheckCommand
	for _, item := range list {
		c, err := asCommand(item)
		if err != nil {
			return nil, err
		}
		if _, text := item.(string); text && len(c.Run) == 1 {
			single++
		}
		out = append(out, c)
	}
	if single > 1 { // [go, vet] are two commands, and nobody means that
		return nil, fmt.Errorf("must be a list of commands; write each command as a list, such as [[go, vet, ./...]], or as a string, such as [\"go vet ./...\"]")
	}
	return out, nil
}

func asCommand(v any) (c CheckCommand, err error) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch name {
			case "run":
				c.Run, err = asWords(v[name])
			case "files":
				c.Files, err = Row{}.asList(v[name])
			default:
				err = fmt.Errorf("contains a command with the unknown field %q%s", name, didYouMean(name, []string{"run", "files"}))
			}
			if err != nil {
				return c, err
			}
		}
	default:
		if c.Run, err = asWords(v); err != nil {
			return c, err
		}
	}
	if len(c.Run) == 0 || c.Run[0] == "" {
		return c, fmt.Errorf("contains an empty command; write it like [go, vet, ./...]")
	}
	for _, g := range c.Files {
		if !doublestar.ValidatePattern(g) {
			return c, fmt.Errorf("contains the invalid glob %q; use a glob such as *.py", g)
		}
	}
	return c, nil
}

// shellMarks are what a shell gives a meaning to.
const shellMarks = "|&;<>()$`\\\"'*?[]#~\n\r\x00"

// asWords reads the words of a command.
func asWords(v any) ([]string, error) {
	switch v := v.(type) {
	case string:
		if strings.ContainsAny(v, shellMarks) {
			return nil, fmt.Errorf("contains the command %s, but commands run without a shell; write it as a list, such as [sh, -c, %s]", show(v), show(v))
		}
		return strings.Fields(v), nil
	case []any:
		var words []string
		for _, w := range v {
			switch w := w.(type) {
			case string:
				if strings.ContainsRune(w, 0) {
					return nil, fmt.Errorf("contains a command with a NUL byte; remove the byte")
				}
				words = append(words, w)
			case bool, int, int64, uint64, float64:
				words = append(words, fmt.Sprint(w))
			default:
				return nil, fmt.Errorf("contains a command with %s instead of a word", show(w))
			}
		}
		return words, nil
	}
	return nil, fmt.Errorf("must be a list of commands, such as [\"go vet ./...\"], not %s", show(v))
}
