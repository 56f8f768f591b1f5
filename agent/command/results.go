package command

// Shape is a part of results that many commands share: the row of a command has it by its name.
type Shape struct{ Name, Fields, Doc string }

// Shapes returns the named parts of the results. The result is the caller's own.
func Shapes() []Shape {
	return []Shape{
		{"File", `{uri, op, state, reason?}`, "The outcome for one file in a change. `reason` explains why the change was not applied or undone."},
		{"InForce", `{coder, editFormat, model, weakModel, editorModel, mapTokens, files: string[], readOnly: string[], pages: string[], reasoningEffort, thinkingTokens}`, "The coder, models, files and options of the next request."},
		{"Map", `{text, tokens, budget, complete, generation, files: [{path, uri, score, shown, names?, signals: [{name, value, weight}]}]}`, "`complete` is the fraction of files read so far."},
		{"Part", `{name, tokens, cost, files?: [{path, tokens, cost}]}`, "One part of a prompt."},
		{"Use", `{in, out, cost?}`, "Tokens sent and received, and the cost in US dollars if known."},
		{"Checks", `{ok, checks: [{name, ok, message, advice?}]}`, "The checks, with advice for fixing problems."},
		{"Findings", `{status: "ran"|"skipped", verdict, findings: [{check, path?, line?, text}], skipped: string[]}`, "Findings from linters or tests."},
		{"Ran", `{command, status: "ran"|"skipped", code, output, added, seconds}`, "The result of a shell command. `added` indicates whether its output was added to the conversation."},
	}
}

// Statuses returns what the field status of a result can be. The result is the caller's own.
func Statuses() []Meaning {
	return []Meaning{
		{"started", "The request is running. Without `turnId`, the command needs more time and shows its outcome later."},
		{"queued", "The request starts when the running one ends."},
		{"busy", "Not started because another editing request is running in the folder. Requests that only answer never return this."},
		{"needsInput", "Not started because the instruction is missing. Coauthor asks the user for it."},
		{"none", "Nothing to do."},
		{"pending", "The change, or part of it, still needs a decision."},
		{"partial", "Done for some files. See each file's `state` and `reason`."},
		{"conflict", "Not done because the user edited the same lines."},
		{"unverified", "The editor did not confirm the change; check the files."},
	}
}

// Meaning is a word of the protocol and what it means.
type Meaning struct{ Name, Doc string }
