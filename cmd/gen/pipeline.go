package main

import (
	"bytes"
	"fmt"
	"strings"

	"coauthor/agent/pipeline"
)

// exampleProgram is the program that the page of the pipelines shows, up to where it makes its engine.
const (
	exampleProgram = "agent/pipeline/own/own_test.go"
	exampleBegin   = "// shelf keeps"
	exampleEnd     = "// engine asks"
)

// pipelineDoc is the page of whole projects: logs, steps as values, and what differs from gpt-engineer.
func pipelineDoc(example []byte) []byte {
	var b bytes.Buffer
	b.WriteString("# Whole projects\n\n<!-- " + notice + " -->\n\nFor the commands, see [Generate a project](../../cmd/README.md#generate-a-project). For the steps of each command, see [Steps](../../lsp/COMMANDS.md#steps).\n")
	b.WriteString("\n## Logs\n\nEvery run is a conversation: `coauthor history` lists it, `coauthor usage` counts its tokens, and `coauthor rewind` restores the files and the conversation to before it.\n\n" +
		"Each run also has a log folder, `~/.local/state/coauthor/pipeline/PROJECT/RUN`, or `$XDG_STATE_HOME/coauthor/pipeline/PROJECT/RUN` if that variable is set. `PROJECT` is the name of the folder and a hash of its path; `RUN` is the UTC time and the ID of the request. Only you can read the logs. Coauthor removes API keys from them and keeps the last 20 runs of a project.\n\n")
	for _, l := range pipeline.LogDocs() {
		fmt.Fprintf(&b, "- `%s`: %s\n", l.Name, l.Doc)
	}
	b.WriteString("\n## Steps as values\n\nA Go program can import `coauthor/agent/pipeline`, replace any step with its own function, and replace the project folder with its own `Memory`. " +
		"The names of the steps are `StepClarify`, `StepGenerate`, `StepLite`, `StepEntrypoint`, `StepRun` (runs the program), `StepImprove`, `StepHeal` and `StepSelect`. " +
		"A step gets a `Work`: the prompt, the files so far, the model, and a way to run scripts. `Work.BuiltIn` calls the built-in step. Without `Memory`, a `Program` works on `Folder` on disk.\n\n")
	text := string(example)
	if _, rest, ok := strings.Cut(text, exampleBegin); ok {
		part, _, _ := strings.Cut(rest, exampleEnd)
		fmt.Fprintf(&b, "```go\n%s```\n\nThis example is a [test](own/own_test.go), which also shows how to create the engine.\n", strings.TrimRight(exampleBegin+part, "\n")+"\n")
	}
	b.WriteString("\n## Coming from gpt-engineer\n\nThese things differ on purpose:\n\n")
	for _, d := range pipeline.Differences() {
		fmt.Fprintf(&b, "- **%s.** %s\n", d.Name, d.Doc)
	}
	return b.Bytes()
}
