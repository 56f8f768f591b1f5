package command

import (
	"path"
	"sync"

	"coauthor/agent"
	"coauthor/agent/command/arg"
)

// Arg is one field of a command's argument object.
type Arg = arg.Arg

// shared are the arguments that many commands take, each with what it means where the struct of a command says nothing else.
type shared struct {
	Instruction string    `arg:"instruction" also:"text" bare:"yes" doc:"The user's instruction. Commands such as {explain} and {addTests} use it as additional instructions."`
	URI         string    `arg:"uri" also:"textDocument" doc:"The document that the command applies to, or any document in the folder that it applies to. Default: the last focused document."`
	_           struct{}  `arg:"range" type:"range" doc:"The selection or position in the document. Default: the whole document."`
	_           struct{}  `arg:"version" type:"integer" doc:"The document version that {range} refers to."`
	Files       arg.Files `arg:"files" also:"file" doc:"Additional files that the model can see and change."`
	ReadOnly    arg.Files `arg:"readOnly" doc:"Files that the model can see but not change."`
	_           struct{}  `arg:"pictures" type:"object[]" doc:"Images and PDF files that are not in the folder, such as pasted ones: objects with {name} and {data}; {data} is in base64."`
	_           struct{}  `arg:"diagnostics" type:"object[]" doc:"Diagnostics to fix. {true} means all diagnostics in the selection."`
	Model       string    `arg:"model" doc:"The model for this request."`
	Preview     string    `arg:"preview" setting:"preview.mode" doc:"How to show the change."`
	Format      string    `arg:"format" also:"editFormat" setting:"editFormat" doc:"The edit format."`
	TurnID      string    `arg:"turnId" doc:"The request that made the change. Default: the newest pending change."`
	ProposalID  string    `arg:"proposalId" doc:"The change ID."`
	Revision    int       `arg:"revision" doc:"The revision that the user saw. Default: the last one shown."`
	Hunks       []int     `arg:"hunks" doc:"Limit the command to these hunk numbers. Requires exactly one file."`
	Quiet       bool      `arg:"quiet" doc:"Return the result without opening a document."`
}

// SharedArgs returns the fields that many commands take, each with what it means where the row of a command says nothing
// else. The result is the caller's own.
func SharedArgs() []Arg { return arg.Of[shared]() }

// sharedArgs are those, read from their struct once, since each command asks for them.
var sharedArgs = sync.OnceValue(SharedArgs)

// ArgsOf returns the fields that a struct stands for: what its tags leave out is as in SharedArgs. The result is the caller's
// own.
func ArgsOf[T any]() []Arg { return arg.Of[T](sharedArgs()...) }

// Folder is the field that names the folder which a command is for. The server reads it, as all blank fields.
type Folder struct {
	_ string `arg:"uri"`
}

// Place are the fields that say what a prompt document or a turn is about.
type Place struct {
	Folder
	_ struct{} `arg:"range"`
	_ struct{} `arg:"version"`
}

// Start are the fields by which every command that starts a request about code says where and how.
type Start struct {
	Instruction string `arg:"instruction"`
	Place
	Files    arg.Files `arg:"files"`
	ReadOnly arg.Files `arg:"readOnly"`
	Pictures Pictures  `arg:"pictures" type:"object[]"`
	_        struct{}  `arg:"diagnostics"`
	Model    string    `arg:"model"`
	Preview  string    `arg:"preview"`
}

// Pictures are images and documents that are no files.
type Pictures []struct {
	Name string `json:"name"`
	Data []byte `json:"data"` // in base64
}

// Asked returns them as a request takes them.
func (p Pictures) Asked() (list []agent.Picture) {
	for _, one := range p {
		list = append(list, agent.Picture{Name: path.Base(one.Name), Data: one.Data})
	}
	return list
}

// EditArgs are those of a request whose answer may be a change.
type EditArgs struct {
	Start
	Format string `arg:"format"`
}

// startArgs are the fields of a command that starts a request, with what its instruction means.
func startArgs[T any](instruction string) []Arg {
	return arg.Described(ArgsOf[T](), "instruction", instruction)
}

// Selector are the fields that choose a proposal and parts of it.
type Selector struct {
	TurnID     string    `arg:"turnId"`
	ProposalID string    `arg:"proposalId"`
	Revision   int       `arg:"revision"`
	Files      arg.Files `arg:"files" doc:"Limit the command to these files."`
	Hunks      []int     `arg:"hunks"`
	Folder
}

// Refused are the fields that choose a refused edit.
type Refused struct {
	TurnID string `arg:"turnId" doc:"The request with the refused hunk. Default: the request of the hunk at the position."`
	Hunk   int    `arg:"hunk" doc:"The hunk's number among the request's refused hunks, starting at 1."`
	Folder
	_ struct{} `arg:"range"`
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
