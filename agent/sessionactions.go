package agent

import "coauthor/agent/coder"

// inForceResult is the answer of the commands that change what is in force.
const inForceResult = `{coder, editFormat, model, weakModel, editorModel, mapTokens, files: string[], readOnly: string[], pages: string[], reasoningEffort, thinkingTokens}`

// sessionActions are the commands that people write in the place of an instruction, as they do in aider: each changes what
// the session uses, or shows something of it. They need nothing of an editor, so that one function does their work there, in
// prompt documents and on the command line.
func sessionActions(coders coder.Table) []Action {
	return append(append(fileActions(), modelActions(coders)...), lookActions()...)
}

// chatFilesArg names files of the chat.
func chatFilesArg(doc string) Arg {
	return Arg{Name: "files", Also: []string{"file", "uris", "globs"}, Bare: true, Type: "string[]", Doc: doc}
}

func fileActions() []Action {
	return []Action{
		{
			ID: "addFile", Title: "Add files to the chat", Word: "add", Aider: []string{"add"},
			Differs: "A file that is not there is not made: the model makes new files, and each is shown first.",
			Doc:     "Adds files to the chat, for all requests that follow: the model sees them and may change them. Folders stand for the files in them, globs for the files that git would show.",
			Args:    []Arg{chatFilesArg("Paths, folders or globs."), folderArg()},
			Result:  inForceResult, Run: runAdd, Chooses: true,
		},
		{
			ID: "addReadOnly", Title: "Add files to look at", Word: "read-only", Aider: []string{"read-only"},
			Doc:    "Adds files to the chat that the model sees and may not change. Without a name it makes all files of the chat such files.",
			Args:   []Arg{chatFilesArg("Paths, folders or globs."), folderArg()},
			Result: inForceResult, Run: runReadOnly, Chooses: true,
		},
		{
			ID: "dropFile", Title: "Take files out of the chat", Word: "drop", Aider: []string{"drop"},
			Differs: "A name means a path, a folder, a glob or the name of a file, and no part of one.",
			Doc:     "Takes files and pages out of the chat; without a name all of them.",
			Args:    []Arg{chatFilesArg("Paths, folders, globs, names of files that are in the chat, or addresses of pages."), folderArg()},
			Result:  inForceResult, Run: runDrop, Chooses: true,
		},
		{
			ID: "listFiles", Title: "List the files of the chat", Word: "ls", Aider: []string{"ls"},
			Doc:    "Lists the files of the chat, the pages that are shown to the model, and the files of the folder that are not in the chat.",
			Args:   []Arg{folderArg()},
			Result: `{files: string[], readOnly: string[], pages: string[], others: string[]}`, Run: runList,
		},
		{
			ID: "saveChat", Title: "Save the files of the chat", Word: "save", Aider: []string{"save"},
			Differs: "What is saved lies under a name beside the other records of the folder, so that no file of the project is written.",
			Doc:     "Saves the files of the chat, and the coder and the models that you chose, under a name, for `loadChat`.",
			Args:    []Arg{{Name: "name", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A word of letters, digits, dots and dashes."}, folderArg()},
			Result:  `{name}`, Run: runSave,
		},
		{
			ID: "loadChat", Title: "Load files of the chat", Word: "load", Aider: []string{"load"},
			Differs: "It runs the commands that change the session, and no others.",
			Doc:     "Runs what was saved under a name, else the commands of a file of the folder, one a line: `/add`, `/drop`, `/read-only` and the others that change what is in force. Empty lines and those that begin with `#` are passed over.",
			Args:    []Arg{{Name: "name", Also: []string{"instruction", "file"}, Bare: true, Type: "string", Doc: "The name, or the path of a file."}, folderArg()},
			Result:  inForceResult, Run: runLoad,
		},
	}
}

func modelActions(coders coder.Table) []Action {
	model := func(doc string) Arg {
		return Arg{Name: "model", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: doc}
	}
	return []Action{
		{
			ID: "setModel", Title: "Choose the model", Word: "model", Aider: []string{"model"},
			Doc:    "Chooses the model for the requests that follow; without a name it says which one is in force.",
			Args:   []Arg{model("Its name, as in the setting `model`."), folderArg()},
			Result: inForceResult, Run: setting("model", func(c *Choice, v string) { c.Model = v }, func(f InForce) string { return f.Model }), Chooses: true,
		},
		{
			ID: "setWeakModel", Title: "Choose the weak model", Word: "weak-model", Aider: []string{"weak-model"},
			Doc:    "Chooses the model for what needs no better one, such as messages of commits; without a name it says which one is in force.",
			Args:   []Arg{model("Its name, as in the setting `model.weak`."), folderArg()},
			Result: inForceResult, Run: setting("weak model", func(c *Choice, v string) { c.WeakModel = v }, func(f InForce) string { return f.WeakModel }), Chooses: true,
		},
		{
			ID: "setEditorModel", Title: "Choose the editor model", Word: "editor-model", Aider: []string{"editor-model"},
			Doc:    "Chooses the model that writes the edits of a plan; without a name it says which one is in force.",
			Args:   []Arg{model("Its name, as in the setting `model.editor`."), folderArg()},
			Result: inForceResult, Run: setting("editor model", func(c *Choice, v string) { c.EditorModel = v }, func(f InForce) string { return f.EditorModel }), Chooses: true,
		},
		{
			ID: "setCoder", Title: "Choose the coder", Word: "chat-mode", Aider: []string{"chat-mode"},
			Doc:    "Chooses the coder for the requests that follow, or the form in which the model writes its edits; without a name it says what is in force and what there is.",
			Args:   []Arg{{Name: "coder", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A coder, or an edit format."}, folderArg()},
			Result: inForceResult, Run: runChatMode, Chooses: true,
		},
		{
			ID: "setReasoningEffort", Title: "Choose how hard the model thinks", Word: "reasoning-effort", Aider: []string{"reasoning-effort"},
			Doc:    "Chooses how hard the model thinks, in the requests that follow; without a word it says what is in force.",
			Args:   []Arg{{Name: "effort", Also: []string{"instruction"}, Bare: true, Type: "string", Setting: "model.reasoningEffort", Doc: "How hard."}, folderArg()},
			Result: inForceResult,
			Run:    setting("reasoning effort", func(c *Choice, v string) { c.Effort = v }, func(f InForce) string { return f.Effort }), Chooses: true,
		},
		{
			ID: "setThinkTokens", Title: "Choose how much the model thinks", Word: "think-tokens", Aider: []string{"think-tokens"},
			Doc:    "Chooses how many tokens the model may think with, in the requests that follow, such as `8k`; 0 leaves it to the model. Without a number it says what is in force.",
			Args:   []Arg{{Name: "amount", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A number, as in the setting `model.thinkingTokens`."}, folderArg()},
			Result: inForceResult, Run: runThink, Chooses: true,
		},
		{
			ID: "listModels", Title: "List models", Word: "models", Aider: []string{"models"},
			Doc: "Lists the models that are known and whose names hold what you look for, with their aliases.",
			Args: []Arg{{Name: "search", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A part of the name; without it all."},
				{Name: "quiet", Type: "boolean", Doc: "The result alone, for a list of your own: no document is opened."}, folderArg()},
			Result: `{models: string[]}`, Run: runModels,
		},
	}
}

func lookActions() []Action {
	return []Action{
		{
			ID: "tokens", Title: "Show what the prompt takes", Word: "tokens", Aider: []string{"tokens"},
			Doc:    "Shows how many tokens, at what price, each part of the next prompt takes and each file in it, and what room is left. Nothing is sent.",
			Args:   placeArgs(),
			Result: `{model, tokens, room, over, cost, parts: [{name, tokens, cost, files?: [{path, tokens, cost}]}]}`, Run: runTokens,
		},
		{
			ID: "usage", Title: "Show what was used", Word: "usage",
			Doc:    "Shows how many tokens each request of the conversation took and gave, and what it cost where the price is known, and what was used in all.",
			Args:   []Arg{folderArg()},
			Result: `{session: {in, out, cost?}, conversation: {in, out, cost?}, turns: [{turnId, number, said, model, in, out, cost?}]}`, Run: runUsage,
		},
		{
			ID: "settings", Title: "Show the settings", Word: "settings", Aider: []string{"settings"},
			Doc:    "Shows every setting with the value that is in force, and what is known of the model.",
			Args:   []Arg{folderArg()},
			Result: `{settings: [{name, value, changed}]}`, Run: runSettings,
		},
		{
			ID: "listCommands", Title: "List the commands", Word: "commands", Alone: "help", Aider: []string{"help"},
			Differs: "With a question behind it, `/help` is the coder of that name.",
			Doc:     "Lists the commands that can be written in the place of an instruction, those of your own among them, with what is wrong in their files.",
			Args:    []Arg{folderArg()},
			Result:  `{commands: [{word, doc}], own: [{name, doc, hint?, file}], problems: string[]}`, Run: runCommands,
		},
		{
			ID: "copy", Title: "Show the last answer", Word: "copy", Aider: []string{"copy"},
			Differs: "No language server reaches the clipboard: the answer is opened as a document, and printed on the command line.",
			Doc:     "Shows the model's last answer as it came, to copy it.",
			Args:    []Arg{folderArg()},
			Result:  `{text}`, Run: runCopy,
		},
		{
			ID: "copyContext", Title: "Show the prompt to copy it", Word: "copy-context", Aider: []string{"copy-context"},
			Differs: "All of the prompt is in it, with what tells the model how to write edits, so that `pasteAnswer` can take the answer in.",
			Doc:     "Shows the whole prompt that a request would send now as one text, to paste it into a chat in the browser; `pasteAnswer` takes the answer in. Nothing is sent.",
			Args:    placeArgs(instructionArg("What the request would say.")),
			Result:  `{text, tokens}`, Run: runCopyContext,
		},
		{
			ID: "pasteAnswer", Title: "Take in an answer from elsewhere", Word: "paste", Aider: []string{"paste"}, Turns: true,
			Differs: "It takes text. Pictures are files that a request names.",
			Doc:     "Takes an answer that a model gave elsewhere as if it had come just now: its edits become a proposal. No model is asked.",
			Args:    append(placeArgs(Arg{Name: "answer", Also: []string{"text", "instruction"}, Bare: true, Type: "string", Doc: "The answer, as it came."}), formatArg()),
			Result:  `{turnId, status: "started"|"busy"}`, Run: runPaste,
		},
		{
			ID: "run", Title: "Run a command", Word: "run", Aider: []string{"run"}, Turns: true, Runs: true,
			Differs: "It asks before it runs, unless `shell.allow` names the command, and the command sees no key of a model.",
			Doc:     "Runs a command in your shell, in the folder and on your own files, after it has asked. Its output is shown as it comes, and offered to the conversation; of one that fails the model can be asked to fix the cause.",
			Args:    []Arg{{Name: "command", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "The command, as you would type it."}, folderArg()},
			Result:  `{command, status: "ran"|"skipped", code, output, added, seconds} or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: runRun,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: run {command}", Kind: kindRefactor, When: WhenSuggested},
			},
		},
		{
			ID: "git", Title: "Run git", Word: "git", Aider: []string{"git"}, Turns: true, Runs: true,
			Differs: "It asks as `run` does.",
			Doc:     "Runs git with what stands behind the word, in the folder, after it has asked. Its output is shown, and not added to the conversation.",
			Args:    []Arg{{Name: "command", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "What stands behind `git`."}, folderArg()},
			Result:  `{command, status: "ran"|"skipped", code, output, added, seconds} or {status: "started"}`, Run: runGit,
		},
		{
			ID: "web", Title: "Show the model a page", Word: "web", Aider: []string{"web"},
			Differs: "It stays beside the conversation until `/drop` takes it out.",
			Doc:     "Fetches a page of the web and shows it to the model, as Markdown, with the requests that follow. Scripts are not run, and nothing of yours is sent. The address need not stand in a command: one that a request names is fetched when you agree (the setting `web.fetch`).",
			Args:    []Arg{{Name: "url", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "The address."}, folderArg()},
			Result:  `{url, title, text, tokens, cut} or {status: "started"}`, Run: runWeb,
		},
		{
			ID: "lint", Title: "Run the linters", Word: "lint", Aider: []string{"lint"}, Turns: true, Runs: true,
			Differs: "Nothing is committed, and all findings go into one request.",
			Doc:     "Runs your linters on the files as they are, unsaved text included, after it has asked for each command, and offers what they say to the model to fix. They are those of the setting `verify.lint`, else those that the folder shows to use. They run apart from your files, as before a change is shown: what they write is dropped.",
			Args:    []Arg{chatFilesArg("What to check: paths, folders or globs. Without them the files of the chat, else those that changed since the last commit, else all."), folderArg()},
			Result:  `{status: "ran"|"skipped", verdict, findings: [{check, path?, line?, text}], skipped: string[]} or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: runLint,
		},
		{
			ID: "test", Title: "Run the tests", Word: "test", Aider: []string{"test"}, Turns: true, Runs: true,
			Differs: "The tests run apart from your files, and what they say is sent when you agree.",
			Doc:     "Runs your tests on the files as they are, as `lint` runs linters, and offers what they say to the model to fix. They are those of the setting `verify.test`, else those that the folder shows to use, or the command that you write.",
			Args:    []Arg{{Name: "command", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "A program with its arguments, in the place of the tests that are set."}, folderArg()},
			Result:  `{status: "ran"|"skipped", verdict, findings: [{check, path?, line?, text}], skipped: string[]} or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: runTest,
		},
		{
			ID: "regenerate", Title: "Regenerate", Word: "regenerate", Turns: true,
			Doc: "Sends the last request again, to the same model or to another one. What comes takes the place of the last answer in the conversation, and of the pending change as its next revision; until then both stay. A change that is in your files already is to be undone first.",
			Args: []Arg{{Name: "model", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "The model to ask this time."},
				{Name: "choose", Type: "boolean", Doc: "Ask which model, where `model` names none."}, folderArg()},
			Result: `{turnId, status: "started"|"busy"} or {status: "started"|"none"}`, Run: runRegenerate,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: regenerate pending change", Kind: kindRewrite, When: WhenRegenerable},
				{Title: "Coauthor: regenerate with another model…", Kind: kindRewrite, When: WhenAnotherModel},
			},
		},
		{
			ID: "goAhead", Title: "Make the change that was described", Word: "ok", Aider: []string{"ok"}, Turns: true,
			Doc:    "Has the model make the change that it described in its last answer.",
			Args:   []Arg{{Name: "instruction", Also: []string{"text"}, Bare: true, Type: "string", Doc: "What to mind, if anything."}, folderArg()},
			Result: `{turnId, status: "started"|"busy"}`, Run: runGoAhead,
		},
	}
}
