package agent

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

// documentArg is the field that names a document.
func documentArg(doc string) Arg {
	return Arg{Name: "uri", Also: []string{"textDocument"}, Type: "string", Doc: doc + "; without it the one that was focused last."}
}

// folderArg names the folder that a command is about.
func folderArg() Arg { return documentArg("A document of the folder in question") }

// instructionArg is the field for the user's own words.
func instructionArg(doc string) Arg {
	return Arg{Name: "instruction", Also: []string{"text"}, Bare: true, Type: "string", Doc: doc}
}

// filesArg is a field that names several.
func filesArg(doc string) Arg {
	return Arg{Name: "files", Also: []string{"file"}, Type: "string[]", Doc: doc}
}

// turnArg names a turn.
func turnArg(doc string) Arg { return Arg{Name: "turnId", Type: "string", Doc: doc} }

// placeArgs are the fields that say what a prompt document or a turn is about.
func placeArgs(more ...Arg) []Arg {
	return append(more,
		documentArg("The document"),
		Arg{Name: "range", Type: "range", Doc: "The selection; without it the whole document."},
		Arg{Name: "version", Type: "integer", Doc: "The document's version that the range belongs to."},
	)
}

// startArgs are the fields by which every command that starts a turn says where and how.
func startArgs(said Arg, more ...Arg) []Arg {
	return append(placeArgs(said), append([]Arg{
		filesArg("More documents that the model may edit."),
		{Name: "readOnly", Type: "string[]", Doc: "Documents that the model sees and may not edit."},
		{Name: "diagnostics", Type: "object[]", Doc: "Diagnostics to fix; true takes those that the client told of the selection."},
		modelArg(), previewArg(),
	}, more...)...)
}

// selectorArgs are the fields that choose a proposal and parts of it.
func selectorArgs() []Arg {
	return []Arg{
		turnArg("The turn whose proposal is meant; without it the pending change, of several the newest."),
		{Name: "proposalId", Type: "string", Doc: "The proposal itself."},
		{Name: "revision", Type: "integer", Doc: "The revision that was shown; without it the one shown last."},
		filesArg("Only these files."),
		{Name: "hunks", Type: "integer[]", Doc: "Only these hunks, with exactly one file."},
		folderArg(),
	}
}

// refusedArgs are the fields that choose a refused edit.
func refusedArgs() []Arg {
	return []Arg{
		turnArg("The turn that ended without it; without it the one that is marked at the place."),
		{Name: "hunk", Type: "integer", Doc: "Its number among those that the turn ended without, from 1."},
		documentArg("The document"),
		{Name: "range", Type: "range", Doc: "The place in the document."},
	}
}

func modelArg() Arg { return Arg{Name: "model", Type: "string", Doc: "The model of this turn."} }

func previewArg() Arg {
	return Arg{Name: "preview", Type: "string", Setting: "preview.mode", Doc: "How to show the result of this turn."}
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
