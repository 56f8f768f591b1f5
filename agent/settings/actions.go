package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/agent/coder"
)

// Action is a command of the user's own that stands in the settings.
type Action struct {
	Name, Title, Prompt string
	Coder, Model, Kind  string // "" leaves it to whoever runs it
	Languages           []string
	Hint                string // of what is written behind it
	NeedsSelection      bool
}

// ActionFieldDocs documents the fields of an entry of the setting actions.
func ActionFieldDocs() []FieldDoc {
	return []FieldDoc{
		{Name: "name", Type: "string", Doc: "Command name; type it as `/name`."},
		{Name: "title", Type: "string", Doc: "Title in the editor's menu. Default: the name and the first line of the prompt."},
		{Name: "prompt", Type: "string", Doc: "The prompt. `$ARGUMENTS` stands for the text after the name, and `$1` to `$9` for its words. Without any of these, Coauthor adds the text at the end."},
		{Name: "coder", Type: "string", Doc: "A value of `turn.coder`, such as `ask`. Default: the current coder."},
		{Name: "model", Type: "string", Doc: "The model to use. Default: the current model."},
		{Name: "kind", Type: "string", Doc: "Kind of the code action: `refactor`, `refactor.rewrite`, `quickfix`, `source`, or a subkind. Default: `refactor.rewrite`, or `refactor` if the coder makes no changes."},
		{Name: "languages", Type: "list", Doc: "Language IDs of documents in which to offer the action. Default: all."},
		{Name: "needsSelection", Type: "bool", Doc: "Offer and run the action only with a selection."},
		{Name: "hint", Type: "string", Doc: "A short description of the text after the name."},
	}
}

// maxName is how many characters the name of a custom command or of a saved chat may have.
const maxName = 64

// ActionName says whether a text can be the name of a custom command: at most 64 letters, digits and ":._-", of which the first
// is a letter or a digit. It is no regular expression, since one that counts letters of every script takes 2 MB and 4 ms of each
// start of the program.
func ActionName(name string) bool {
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune(":._-", r)) {
			return false
		}
	}
	return name != "" && utf8.RuneCountInString(name) <= maxName
}

// kinds of code actions that editors know, and what may not be offered as one: editors run these when a file is saved.
var (
	actionKinds = []string{"refactor", "quickfix", "source"}
	savedKinds  = []string{"source.fixAll", "source.organizeImports"}
)

// ValidateActionKind says what is wrong with a kind of code action; nil for nothing.
func ValidateActionKind(kind string) error {
	base, _, _ := strings.Cut(kind, ".")
	for _, saved := range savedKinds {
		if kind == saved || strings.HasPrefix(kind, saved+".") {
			return fmt.Errorf("kind cannot be %s, because editors run such actions on save; remove it or use source", kind)
		}
	}
	if kind != "" && !slices.Contains(actionKinds, base) {
		return fmt.Errorf("kind must be one of %s, or a subkind such as refactor.rewrite, not %s", strings.Join(actionKinds, ", "), show(kind))
	}
	return nil
}

// dropInvalid leaves out the entries of the setting actions that are wrong, and tells why.
func (l *loader) dropInvalid(e entry) any {
	list, ok := e.value.([]any)
	if !ok {
		return e.value
	}
	var good []any
	first := map[string]int{}
	for i, item := range list {
		a, err := asAction(item)
		if before := first[a.Name]; err == nil && before > 0 {
			err = fmt.Errorf("it has the same name as entry %d; rename one of them", before)
		}
		if err != nil {
			which := fmt.Sprintf("entry %d", i+1)
			if a.Name != "" {
				which += " (" + a.Name + ")"
			}
			l.warn(e, "%s: %s: %v; this entry is ignored", e.key, which, err)
			continue
		}
		first[a.Name] = i + 1
		good = append(good, item)
	}
	return good
}

// asActions reads a list of actions.
func asActions(v any) ([]Action, error) {
	if v == nil {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("must be a list of actions, each with a name and a prompt, not %s", show(v))
	}
	out := []Action{}
	for i, item := range list {
		a, err := asAction(item)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		out = append(out, a)
	}
	return out, nil
}

// asAction reads one.
func asAction(v any) (a Action, err error) {
	fields, ok := v.(map[string]any)
	if !ok {
		return a, fmt.Errorf("it must be a map of fields such as {name: tidy, prompt: \"Tidy this up.\"}, not %s", show(v))
	}
	text := map[string]*string{"name": &a.Name, "title": &a.Title, "prompt": &a.Prompt, "coder": &a.Coder, "model": &a.Model, "kind": &a.Kind, "hint": &a.Hint}
	a.Name, _ = fields["name"].(string)
	a.Name = strings.TrimPrefix(strings.TrimSpace(a.Name), "/")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := fields[name]
		switch p, isText := text[name]; {
		case value == nil:
		case name == "name":
			if _, ok := value.(string); !ok {
				return a, fmt.Errorf("the name must be a string, not %s", show(value))
			}
		case isText:
			s, err := asString(value)
			if err != nil {
				return a, fmt.Errorf("the %s %w", name, err)
			}
			*p = strings.TrimSpace(s)
		case name == "languages":
			if a.Languages, err = (Row{}).asList(value); err != nil {
				return a, fmt.Errorf("languages %w", err)
			}
		case name == "needsSelection":
			if a.NeedsSelection, err = asBool(value); err != nil {
				return a, fmt.Errorf("needsSelection %w", err)
			}
		case name == "mode": // so others call it
			return a, fmt.Errorf("unknown field %q (did you mean coder?)", name)
		default:
			var names []string
			for _, d := range ActionFieldDocs() {
				names = append(names, d.Name)
			}
			return a, fmt.Errorf("unknown field %q%s", name, didYouMean(name, names))
		}
	}
	return a, a.validate()
}

// validate says what keeps an action from its work; nil for nothing.
func (a Action) validate() error {
	switch {
	case a.Name == "":
		return fmt.Errorf("the name is missing")
	case !ActionName(a.Name):
		return fmt.Errorf("the name %s is not valid; use up to 64 letters, digits, dots, colons, hyphens and underscores", show(a.Name))
	case a.Prompt == "":
		return fmt.Errorf("the prompt is missing")
	}
	if a.Coder != "" {
		if _, err := coder.All().Offered().ByName(a.Coder); err != nil {
			return err
		}
	}
	if err := ValidateActionKind(a.Kind); err != nil {
		return err
	}
	return nil
}

// mergeLayers puts the actions of one layer over those of the layers below: one of a name that is there takes its place.
func mergeLayers(below, list []Action) []Action {
	all := slices.Clone(below)
	for _, a := range list {
		if i := slices.IndexFunc(all, func(b Action) bool { return b.Name == a.Name }); i >= 0 {
			all[i] = a
			continue
		}
		all = append(all, a)
	}
	return all
}
