package tool

import (
	"encoding/json"
	"slices"

	"coauthor/agent/llm"
)

// The names of the tools.
const (
	List        = "list"
	Read        = "read"
	Search      = "search"
	Map         = "map"
	Tree        = "tree"
	Symbol      = "symbol"
	Uses        = "uses"
	Diagnostics = "diagnostics"
	Git         = "git"
	Check       = "check"
)

// Tool is one row of the table.
type Tool struct {
	Name       string
	Doc        string // for the model
	Parameters []Parameter
	run        func(*looking, Args) error
}

// Parameter is one argument of a tool.
type Parameter struct {
	Name     string
	Doc      string
	Type     string // string, integer or boolean
	Required bool
	Enum     []string
	Others   []string // names that models give it
}

// All returns the tools, always in the same order, so that providers can cache them. The result is the
// caller's own.
func All() []Tool {
	path := func(doc string) Parameter {
		return Parameter{Name: "path", Type: "string", Doc: doc,
			Others: []string{"file", "filename", "file_path", "filepath", "relative_path", "target_file", "dir", "directory", "folder"}}
	}
	offset := func(of string) Parameter {
		return Parameter{Name: "offset", Type: "integer", Doc: "How many " + of + " to skip, to see the next ones."}
	}
	name := func(doc string) Parameter {
		return Parameter{Name: "name", Type: "string", Required: true, Doc: doc, Others: []string{"symbol", "identifier", "query"}}
	}
	at := Parameter{Name: "at", Type: "string", Others: []string{"location", "position"},
		Doc: "A place where the name stands, such as src/main.go:12. In an editor, its language server then tells which one of that name is meant."}
	required := func(p Parameter) Parameter { p.Required = true; return p }
	return []Tool{
		{Name: List, Doc: "Lists the files and folders below a folder, with the number of files in each folder.", run: (*looking).list,
			Parameters: []Parameter{path("The folder, relative to the root. Default: the root."),
				{Name: "depth", Type: "integer", Doc: "How many levels. Default 2."}, offset("entries")}},
		{Name: Read, Doc: "Shows lines of a file, with their numbers. A large file without a range is shown as an outline.", run: (*looking).read,
			Parameters: []Parameter{required(path("The file, relative to the root.")),
				{Name: "start", Type: "integer", Doc: "The first line, from 1.", Others: []string{"line", "start_line", "startLine", "offset", "first", "from", "line_start"}},
				{Name: "lines", Type: "integer", Doc: "How many lines. Default: as many as are shown at once.", Others: []string{"limit", "count", "num_lines", "n", "max_lines"}},
				{Name: "ranges", Type: "string", Doc: "Several ranges of lines at once, such as 10-40, 200-260.", Others: []string{"line_ranges", "view_range", "range", "line_range"}}}},
		{Name: Search, Doc: "Finds lines by a regular expression (RE2), and shows them with the lines around, in code first, then in tests and documents.", run: (*looking).search,
			Parameters: []Parameter{
				{Name: "pattern", Type: "string", Required: true, Doc: "The regular expression.", Others: []string{"query", "regex", "q", "text", "keyword", "search", "words"}},
				path("A file or folder to search in. Default: everything."),
				{Name: "glob", Type: "string", Doc: "Only files whose name fits, such as *.go or src/**/*.ts.", Others: []string{"include", "file_pattern", "file_glob"}},
				{Name: "context", Type: "integer", Doc: "How many lines before and after each hit. Default 2, at most 10.", Others: []string{"context_lines", "around"}}, offset("hits")}},
		{Name: Map, Doc: "Shows the most important definitions of the repository for some words.", run: (*looking).overview,
			Parameters: []Parameter{{Name: "words", Type: "string", Doc: "What it is about: names, words.", Others: []string{"query", "text", "keywords"}}}},
		{Name: Tree, Doc: "Shows the tree of folders, with the number of files in each and their most frequent endings.", run: (*looking).tree,
			Parameters: []Parameter{path("The folder, relative to the root. Default: the root."),
				{Name: "depth", Type: "integer", Doc: "How many levels. Default: as many as are shown at once."}}},
		{Name: Symbol, Doc: "Shows where a function, type or variable is defined, with its whole text.", run: (*looking).symbol,
			Parameters: []Parameter{name("Its name; Type.method for a method of a type."), at}},
		{Name: Uses, Doc: "Shows which lines call or mention a name, and in which definitions: code first, then tests and documents.", run: (*looking).uses,
			Parameters: []Parameter{name("The name."), at, path("Only in this file or folder."), offset("files")}},
		{Name: Diagnostics, Doc: "Shows what the editor's other tools complain about, errors first.", run: (*looking).diagnostics,
			Parameters: []Parameter{path("Only for this file.")}},
		{Name: Git, Doc: "Shows the latest commits (log), what is not committed yet (diff), what a commit says and changed (show), who last changed which line (blame), or the state of the branch (status).", run: (*looking).git,
			Parameters: []Parameter{
				{Name: "what", Type: "string", Required: true, Enum: []string{"log", "diff", "show", "blame", "status"}, Doc: "Which of them.", Others: []string{"command", "action", "subcommand", "cmd"}},
				{Name: "rev", Type: "string", Doc: "A commit, branch or tag: the one to show, where log begins, or what diff compares with. Default: the last commit.", Others: []string{"ref", "commit", "revision", "hash", "sha", "branch", "tag"}},
				path("Only for this file; blame needs one."),
				{Name: "lines", Type: "string", Doc: "The lines of blame, such as 10-40.", Others: []string{"range", "line"}}}},
		{Name: Check, Doc: "Runs the linters and tests that the user has allowed on your edits so far, and shows what these broke.", run: (*looking).check},
	}
}

// ByName returns the tool of that name.
func ByName(name string) (Tool, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// Names returns the names of the tools, in the order of All.
func Names() []string {
	var names []string
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// Offer returns the tools as a model is offered them.
func Offer() []llm.Tool {
	var list []llm.Tool
	for _, t := range All() {
		list = append(list, t.offer())
	}
	return list
}

// OfferFinisher returns Finisher as a model is offered it.
func OfferFinisher() llm.Tool { return Finisher().offer() }

func (t Tool) offer() llm.Tool {
	return llm.Tool{Name: t.Name, Description: t.Doc, Schema: t.schema()}
}

// schema is the JSON schema of the arguments.
func (t Tool) schema() []byte {
	properties, required := map[string]any{}, []string{}
	for _, p := range t.Parameters {
		one := map[string]any{"type": p.Type, "description": p.Doc}
		if len(p.Enum) > 0 {
			one["enum"] = p.Enum
		}
		properties[p.Name] = one
		if p.Required {
			required = append(required, p.Name)
		}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	if err != nil {
		panic(err) // the table above is all that is in it
	}
	return raw
}

// parameter finds the parameter that a model means by a name.
func (t Tool) parameter(name string) (Parameter, bool) {
	for _, p := range t.Parameters {
		if p.Name == name {
			return p, true
		}
	}
	for _, p := range t.Parameters {
		if slices.Contains(p.Others, name) {
			return p, true
		}
	}
	return Parameter{}, false
}
