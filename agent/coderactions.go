package agent

import "coauthor/agent/coder"

// coderActions are the commands of the coders that users can name, made from their rows.
func coderActions(coders coder.Table) []Action {
	var list []Action
	for _, c := range coders.Offered() {
		a := Action{ID: c.Name, Title: c.Title + "…", Args: startArgs(instructionArg(c.Said)),
			Doc:    c.Doc + " Its turns run beside one that edits.",
			Result: `{turnId, status: "started"|"needsInput"}`,
		}
		kind := kindRefactor
		if c.Proposes() {
			kind = kindRewrite
			a.Args = append(a.Args, formatArg())
			a.Doc = c.Doc + " Without an instruction the client's input box asks for one, or the answer is needsInput."
			a.Result = `{turnId, status: "started"|"busy"|"needsInput"}`
		}
		if c.Menu != "" {
			a.CodeActions = []CodeActionRow{{Title: "Coauthor: " + c.Menu, Kind: kind, When: WhenCode}}
		}
		list = append(list, a)
	}
	return list
}

// formatArg is the field for the edit format of a turn.
func formatArg() Arg {
	return Arg{Name: "format", Also: []string{"editFormat"}, Type: "string", Setting: "editFormat", Doc: "The edit format of this turn."}
}

// switchArgs are what can be switched for a session.
func switchArgs(coders coder.Table) []Arg {
	return []Arg{
		{Name: "coder", Also: []string{"instruction"}, Bare: true, Type: "string", Values: coders.Names(), Doc: "The coder of requests that name none."},
		formatArg(),
		{Name: "model", Type: "string", Doc: "The model."},
		{Name: "weakModel", Type: "string", Doc: "The model for what needs no better one."},
		{Name: "editorModel", Type: "string", Doc: "The model that writes the edits of a plan."},
		{Name: "mapTokens", Type: "integer", Doc: "The size of the repository map; 0 sends none."},
		filesArg("Documents to add to the chat, which the model may edit."),
		{Name: "readOnly", Type: "string[]", Doc: "Documents to add that the model only sees."},
		{Name: "drop", Type: "string[]", Doc: "Documents to take out again."},
		{Name: "reset", Type: "boolean", Doc: "Goes back to what the settings say, without files, before the rest."},
		folderArg(),
	}
}
