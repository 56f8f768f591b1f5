package command

// Arg is one field of a command's argument object. A command is given the fields of its row and
// nothing else, whatever the client sends.
type Arg struct {
	Name    string
	Also    []string // other names of the field, which some clients use
	Bare    bool     // plain strings beside or in the place of the object are this field's
	Type    string   // string, string[], integer, integer[], boolean, range, object[]
	Values  []string // of a string, all that it may be; nil: any
	Setting string   // the setting whose values it may be
	Doc     string
}

// SharedArgs returns the fields that many commands take, each with what it means where the row of a command says nothing
// else. The result is the caller's own.
func SharedArgs() []Arg {
	return []Arg{
		{Name: "instruction", Also: []string{"text"}, Bare: true, Type: "string", Doc: "The user's instruction. Commands such as `explain` and `addTests` use it as additional instructions."},
		{Name: "uri", Also: []string{"textDocument"}, Type: "string", Doc: "The document that the command applies to, or any document in the folder that it applies to. Default: the last focused document."},
		{Name: "range", Type: "range", Doc: "The selection or position in the document. Default: the whole document."},
		{Name: "version", Type: "integer", Doc: "The document version that `range` refers to."},
		{Name: "files", Also: []string{"file"}, Type: "string[]", Doc: "Additional files that the model can see and change."},
		{Name: "readOnly", Type: "string[]", Doc: "Files that the model can see but not change."},
		{Name: "diagnostics", Type: "object[]", Doc: "Diagnostics to fix. `true` means all diagnostics in the selection."},
		{Name: "model", Type: "string", Doc: "The model for this request."},
		{Name: "preview", Type: "string", Setting: "preview.mode", Doc: "How to show the change."},
		{Name: "format", Also: []string{"editFormat"}, Type: "string", Setting: "editFormat", Doc: "The edit format."},
		{Name: "turnId", Type: "string", Doc: "The request that made the change. Default: the newest pending change."},
		{Name: "proposalId", Type: "string", Doc: "The change ID."},
		{Name: "revision", Type: "integer", Doc: "The revision that the user saw. Default: the last one shown."},
		{Name: "hunks", Type: "integer[]", Doc: "Limit the command to these hunk numbers. Requires exactly one file."},
		{Name: "quiet", Type: "boolean", Doc: "Return the result without opening a document."},
	}
}

// SharedArg is one of them; it panics where there is none of that name.
func SharedArg(name string) Arg {
	for _, a := range SharedArgs() {
		if a.Name == name {
			return a
		}
	}
	panic("no shared argument " + name)
}

// sharedArgs are several of them.
func sharedArgs(names ...string) []Arg {
	var list []Arg
	for _, name := range names {
		list = append(list, SharedArg(name))
	}
	return list
}

// argMeaning is a shared field with what it means in one command.
func argMeaning(name, doc string) Arg {
	a := SharedArg(name)
	a.Doc = doc
	return a
}

// folderArg names the folder that a command is for.
func folderArg() Arg { return SharedArg("uri") }

// instructionArg is the field for the user's own words.
func instructionArg(doc string) Arg { return argMeaning("instruction", doc) }

// filesArg is a field that names several files.
func filesArg(doc string) Arg { return argMeaning("files", doc) }

// turnArg names a turn.
func turnArg(doc string) Arg { return argMeaning("turnId", doc) }

// placeArgs are the fields that say what a prompt document or a turn is about.
func placeArgs(more ...Arg) []Arg { return append(more, sharedArgs("uri", "range", "version")...) }

// RequestArgs returns the fields by which every command that starts a request about code says where and how. The result is
// the caller's own.
func RequestArgs() []Arg { return startArgs(SharedArg("instruction")) }

func startArgs(said Arg, more ...Arg) []Arg {
	return append(placeArgs(said), append(sharedArgs("files", "readOnly", "diagnostics", "model", "preview"), more...)...)
}

// selectorArgs are the fields that choose a proposal and parts of it.
func selectorArgs() []Arg {
	return append(sharedArgs("turnId", "proposalId", "revision"), filesArg("Limit the command to these files."), SharedArg("hunks"), folderArg())
}

// refusedArgs are the fields that choose a refused edit.
func refusedArgs() []Arg {
	return append([]Arg{
		turnArg("The request with the refused hunk. Default: the request of the hunk at the position."),
		{Name: "hunk", Type: "integer", Doc: "The hunk's number among the request's refused hunks, starting at 1."},
	}, sharedArgs("uri", "range")...)
}

// Bare returns the name of the field that plain strings are; "" for none.
func (a Action) Bare() string {
	for _, arg := range a.Args {
		if arg.Bare {
			return arg.Name
		}
	}
	return ""
}
