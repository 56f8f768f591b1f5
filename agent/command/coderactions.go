package command

import (
	"coauthor/agent/coder"
)

// coderActions are the commands of the coders that users can name, made from their rows: of all but the default one, for which
// edit stands.
func coderActions(coders coder.Table) []Action {
	var list []Action
	for _, c := range coders.Offered() {
		if c.Name == coder.Default {
			continue
		}
		a := Action{ID: c.Name, Group: GroupAsk, Title: c.Title + "…", Doc: c.Doc, Args: startArgs[Start](c.Said),
			Result: `{turnId, status: "started"|"needsInput"}`,
		}
		if c.Proposes() {
			a.Group = GroupChange
			a.Args = startArgs[EditArgs](c.Said)
			a.Result = `{turnId, status: "started"|"busy"|"needsInput"}`
		}
		list = append(list, a)
	}
	return list
}

// commentActions is the command that has them done.
func commentActions() []Action {
	return []Action{{
		ID: "doComments", Group: GroupChange, Title: "Carry out AI comments", Word: "comments",
		Doc: "Carries out comments marked `AI!` and removes them. If there are none, answers comments marked `AI?`.",
		More: "Put the marker at the start or end of a line in the comment. Unsaved text is included. Comments marked only `AI` give the model more context. " +
			"If you give a range, only its comments are used. Otherwise the command also uses comments in other open documents and uncommitted files. If you give no document, it uses comments in all files of the folder.",
		Args:   ArgsOf[DoCommentsArgs](),
		Result: `{turnId, status: "started"|"busy"|"none"} or {status: "started"}`,
	}}
}

// DoCommentsArgs are the arguments of doComments.
type DoCommentsArgs struct {
	_       string   `arg:"uri" doc:"The document. Default: all files of the folder."`
	_       struct{} `arg:"range" doc:"Use only the comments in this range."`
	_       struct{} `arg:"version"`
	Model   string   `arg:"model"`
	Preview string   `arg:"preview"`
}
