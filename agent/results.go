package agent

// Shape is a part of results that many commands share: the row of a command has it by its name.
type Shape struct{ Name, Fields, Doc string }

// Shapes returns the named parts of the results. The result is the caller's own.
func Shapes() []Shape {
	return []Shape{
		{"File", `{uri, op, state, reason?}`, "The outcome for one file of a change; `reason` says why it was not applied or undone."},
		{"InForce", `{coder, editFormat, model, weakModel, editorModel, mapTokens, files: string[], readOnly: string[], pages: string[], reasoningEffort, thinkingTokens}`, "The coder, models, files and options of the next request."},
		{"Map", `{text, tokens, budget, complete, generation, files: [{path, uri, score, shown, names?, signals: [{name, value, weight}]}]}`, "`complete` is the share of the files read so far."},
		{"Part", `{name, tokens, cost, files?: [{path, tokens, cost}]}`, "One part of a prompt."},
		{"Use", `{in, out, cost?}`, "Tokens sent and received, and the cost in US dollars if known."},
		{"Checks", `{ok, checks: [{name, ok, message, advice?}]}`, "The checks, and how to fix the problems they found."},
		{"Findings", `{status: "ran"|"skipped", verdict, findings: [{check, path?, line?, text}], skipped: string[]}`, "The findings of linters or tests."},
		{"Ran", `{command, status: "ran"|"skipped", code, output, added, seconds}`, "The result of a command. `added` says whether its output was added to the conversation."},
	}
}

// Statuses returns what the field status of a result can be. The result is the caller's own.
func Statuses() []Meaning {
	return []Meaning{
		{"started", "The request is running. A result without `turnId` means that the command takes longer; its outcome is shown later."},
		{"queued", "It starts when the running request ends."},
		{"busy", "Not started: another request that edits is running in the folder. Requests that only answer are never busy."},
		{"needsInput", "Not started: an instruction is missing. Coauthor opened a place to write it."},
		{"none", "There was nothing to do."},
		{"pending", "The change, or the rest of it, still waits for a decision."},
		{"partial", "Done for some files; `state` and `reason` of each say which."},
		{"conflict", "Not done: the user changed the same lines."},
		{"unverified", "The editor did not confirm the change; check the files."},
	}
}

// Meaning is a word of the protocol and what it means.
type Meaning struct{ Name, Doc string }
