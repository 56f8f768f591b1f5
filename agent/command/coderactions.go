package command

import (
	"coauthor/agent/coder"
)

// coderActions are the commands of the coders that users can name, made from their rows.
func coderActions(coders coder.Table) []Action {
	var list []Action
	for _, c := range coders.Offered() {
		a := Action{ID: c.Name, Group: GroupAsk, Title: c.Title + "…", Doc: c.Doc, Args: startArgs(instructionArg(c.Said)),
			Result: `{turnId, status: "started"|"needsInput"}`,
		}
		if c.Proposes() {
			a.Group = GroupChange
			a.Args = append(a.Args, SharedArg("format"))
			a.Result = `{turnId, status: "started"|"busy"|"needsInput"}`
		}
		list = append(list, a)
	}
	return list
}

// switchArgs are what can be switched for a session.
func switchArgs(coders coder.Table) []Arg {
	return []Arg{
		{Name: "coder", Also: []string{"instruction"}, Bare: true, Type: "string", Values: coders.Names(), Doc: "The default coder for requests."},
		SharedArg("format"),
		argMeaning("model", "The main model."),
		{Name: "weakModel", Type: "string", Doc: "The model for simple tasks."},
		{Name: "editorModel", Type: "string", Doc: "The model that writes the edits for a plan."},
		{Name: "mapTokens", Type: "integer", Doc: "The repository map size in tokens; 0 sends no map."},
		filesArg("Files to add to the chat. The model can change them."),
		argMeaning("readOnly", "Read-only files to add to the chat."),
		{Name: "drop", Type: "string[]", Doc: "Files to remove from the chat."},
		{Name: "reset", Type: "boolean", Doc: "First restore the configured values and remove all files from the chat."},
		folderArg(),
	}
}

// commentActions is the command that has them done.
func commentActions() []Action {
	return []Action{{
		ID: "doComments", Group: GroupChange, Title: "Carry out AI comments", Word: "comments",
		Doc: "Carries out comments marked `AI!` and removes them. If there are none, answers comments marked `AI?`.",
		More: "Put the marker at the start or end of a line in the comment. Unsaved text is included. Comments marked only `AI` give the model more context. " +
			"If you give a range, only its comments are used. Otherwise the command also uses comments in other open documents and uncommitted files. If you give no document, it uses comments in all files of the folder.",
		Args: append([]Arg{
			argMeaning("uri", "The document. Default: all files of the folder."),
			argMeaning("range", "Use only the comments in this range."),
		}, sharedArgs("version", "model", "preview")...),
		Result: `{turnId, status: "started"|"busy"|"none"} or {status: "started"}`,
	}}
}
