package agent

import "coauthor/agent/coder"

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
			ID: "addFile", Group: GroupContext, Title: "Add files to the chat", Word: "add", Aider: []string{"add"},
			Differs: "Does not create missing files: the model creates new files, and you see each one first.",
			Doc:     "Adds files to the chat: the model sees them in all later requests and may change them.",
			More:    "A folder stands for the files in it, and a glob for the matching files that git does not ignore.",
			Args:    []Arg{chatFilesArg("Paths, folders or globs."), folderArg()},
			Result:  `InForce`, Run: runAdd, Chooses: true,
		},
		{
			ID: "addReadOnly", Group: GroupContext, Title: "Add read-only files to the chat", Word: "read-only", Aider: []string{"read-only"},
			Doc:    "Adds files to the chat that the model sees but may not change. Without names, makes all files in the chat read-only.",
			Args:   []Arg{chatFilesArg("Paths, folders or globs."), folderArg()},
			Result: `InForce`, Run: runReadOnly, Chooses: true,
		},
		{
			ID: "dropFile", Group: GroupContext, Title: "Take files out of the chat", Word: "drop", Aider: []string{"drop"},
			Differs: "A name is a path, a folder, a glob or a file's whole name, never a part of one.",
			Doc:     "Takes files and web pages out of the chat; without names, all of them.",
			Args:    []Arg{chatFilesArg("Paths, folders, globs, names of files in the chat, or URLs of pages."), folderArg()},
			Result:  `InForce`, Run: runDrop, Chooses: true,
		},
		{
			ID: "listFiles", Group: GroupContext, Title: "List the files of the chat", Word: "ls", Aider: []string{"ls"},
			Doc:    "Lists the files and web pages in the chat, and the other files of the folder.",
			Args:   []Arg{folderArg()},
			Result: `{files: string[], readOnly: string[], pages: string[], others: string[]}`, Run: runList,
		},
		{
			ID: "saveChat", Group: GroupContext, Title: "Save the files of the chat", Word: "save", Aider: []string{"save"},
			Differs: "Writes no file of the project: what you save is stored with the folder's other records.",
			Doc:     "Saves the files in the chat, and your choice of coder and models, under a name for `load`.",
			Args:    []Arg{{Name: "name", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "The name: letters, digits, dots and hyphens."}, folderArg()},
			Result:  `{name}`, Run: runSave,
		},
		{
			ID: "loadChat", Group: GroupContext, Title: "Load files into the chat", Word: "load", Aider: []string{"load"},
			Differs: "Runs only commands that change what requests use.",
			Doc:     "Restores what `save` saved, or runs the commands in a file, one per line: `/add`, `/drop`, `/model` and others that change what requests use.",
			More:    "Empty lines and lines that start with `#` are skipped.",
			Args:    []Arg{{Name: "name", Also: []string{"instruction", "file"}, Bare: true, Type: "string", Doc: "The saved name, or the path of the file."}, folderArg()},
			Result:  `InForce`, Run: runLoad,
		},
	}
}

func modelActions(coders coder.Table) []Action {
	model := func(doc string) Arg {
		return Arg{Name: "model", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: doc}
	}
	return []Action{
		{
			ID: "setModel", Group: GroupModel, Title: "Choose the model", Word: "model", Aider: []string{"model"},
			Doc:    "Sets the model for later requests; without a name, shows the current one.",
			Args:   []Arg{model("Its name, as in the setting `model`."), folderArg()},
			Result: `InForce`, Run: setting("model", func(c *Choice, v string) { c.Model = v }, func(f InForce) string { return f.Model }), Chooses: true,
		},
		{
			ID: "setWeakModel", Group: GroupModel, Title: "Choose the weak model", Word: "weak-model", Aider: []string{"weak-model"},
			Doc:    "Sets the model for simple tasks such as commit messages; without a name, shows the current one.",
			Args:   []Arg{model("Its name, as in the setting `model.weak`."), folderArg()},
			Result: `InForce`, Run: setting("weak model", func(c *Choice, v string) { c.WeakModel = v }, func(f InForce) string { return f.WeakModel }), Chooses: true,
		},
		{
			ID: "setEditorModel", Group: GroupModel, Title: "Choose the editor model", Word: "editor-model", Aider: []string{"editor-model"},
			Doc:    "Sets the model that writes the edits of a plan; without a name, shows the current one.",
			Args:   []Arg{model("Its name, as in the setting `model.editor`."), folderArg()},
			Result: `InForce`, Run: setting("editor model", func(c *Choice, v string) { c.EditorModel = v }, func(f InForce) string { return f.EditorModel }), Chooses: true,
		},
		{
			ID: "setCoder", Group: GroupModel, Title: "Choose the coder", Word: "chat-mode", Aider: []string{"chat-mode"},
			Doc:    "Sets the coder or the edit format for later requests; without a name, shows the current ones and all there are.",
			Args:   []Arg{{Name: "coder", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A coder or an edit format."}, folderArg()},
			Result: `InForce`, Run: runChatMode, Chooses: true,
		},
		{
			ID: "setReasoningEffort", Group: GroupModel, Title: "Choose how hard the model thinks", Word: "reasoning-effort", Aider: []string{"reasoning-effort"},
			Doc:    "Sets how hard the model thinks in later requests; without a value, shows the current one.",
			Args:   []Arg{{Name: "effort", Also: []string{"instruction"}, Bare: true, Type: "string", Setting: "model.reasoningEffort", Doc: "The effort."}, folderArg()},
			Result: `InForce`,
			Run:    setting("reasoning effort", func(c *Choice, v string) { c.Effort = v }, func(f InForce) string { return f.Effort }), Chooses: true,
		},
		{
			ID: "setThinkTokens", Group: GroupModel, Title: "Choose how much the model thinks", Word: "think-tokens", Aider: []string{"think-tokens"},
			Doc:    "Sets how many tokens the model may spend on thinking, such as `8k`; `0` lets the model decide. Without a number, shows the current one.",
			Args:   []Arg{{Name: "amount", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A number, as in the setting `model.thinkingTokens`."}, folderArg()},
			Result: `InForce`, Run: runThink, Chooses: true,
		},
		{
			ID: "listModels", Group: GroupModel, Title: "List models", Word: "models", Aider: []string{"models"},
			Doc: "Lists the known models, with their aliases.",
			Args: []Arg{{Name: "search", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A part of the name. Default: all models."},
				SharedArg("quiet"), folderArg()},
			Result: `{models: string[]}`, Run: runModels,
		},
	}
}

func lookActions() []Action {
	return []Action{
		{
			ID: "tokens", Group: GroupContext, Title: "Show token counts", Word: "tokens", Aider: []string{"tokens"},
			Doc:    "Shows the tokens and price of each part and file of the next prompt, and how much still fits. Nothing is sent.",
			Args:   placeArgs(),
			Result: `{model, tokens, room, over, cost, parts: [Part]}`, Run: runTokens,
		},
		{
			ID: "usage", Group: GroupTalk, Title: "Show usage", Word: "usage",
			Doc:    "Shows the tokens and cost of each request in the conversation, and the totals.",
			Args:   []Arg{folderArg()},
			Result: `{session: Use, conversation: Use, turns: [{turnId, number, said, model, …Use}]}`, Run: runUsage,
		},
		{
			ID: "settings", Group: GroupModel, Title: "Show the settings", Word: "settings", Aider: []string{"settings"},
			Doc:    "Shows all settings with their current values, and details of the model.",
			Args:   []Arg{folderArg()},
			Result: `{settings: [{name, value, changed}]}`, Run: runSettings,
		},
		{
			ID: "listCommands", Group: GroupTalk, Title: "List the commands", Word: "commands", Alone: "help", Aider: []string{"help"},
			Differs: "With a question after it, `/help` answers questions about Coauthor.",
			Doc:     "Lists all slash commands, your custom ones included, and the problems in their files.",
			Args:    []Arg{folderArg()},
			Result:  `{commands: [{word, doc}], own: [{name, doc, hint?, file}], problems: string[]}`, Run: runCommands,
		},
		{
			ID: "copy", Group: GroupTalk, Title: "Show the last answer", Word: "copy", Aider: []string{"copy"},
			Differs: "A language server cannot reach the clipboard: the answer opens as a document, or is printed on the command line.",
			Doc:     "Shows the model's last answer unchanged, for copying.",
			Args:    []Arg{folderArg()},
			Result:  `{text}`, Run: runCopy,
		},
		{
			ID: "copyContext", Group: GroupContext, Title: "Show the prompt for copying", Word: "copy-context", Aider: []string{"copy-context"},
			Differs: "The text is the whole prompt, with the instructions for writing edits, so that `/paste` can read the answer.",
			Doc:     "Shows the whole prompt as one text to paste into another chat. Bring its answer back with `paste`. Nothing is sent.",
			Args:    placeArgs(instructionArg("The instruction of the request.")),
			Result:  `{text, tokens}`, Run: runCopyContext,
		},
		{
			ID: "pasteAnswer", Group: GroupChange, Title: "Paste an answer", Word: "paste", Aider: []string{"paste"}, Turns: true,
			Differs: "Takes text only; for pictures, name the files in a request.",
			Doc:     "Turns an answer from another chat into a change, as if your model had just sent it. No model is asked.",
			Args:    append(placeArgs(Arg{Name: "answer", Also: []string{"text", "instruction"}, Bare: true, Type: "string", Doc: "The answer, unchanged."}), SharedArg("format")),
			Result:  `{turnId, status: "started"|"busy"}`, Run: runPaste,
		},
		{
			ID: "run", Group: GroupRun, Title: "Run a command", Word: "run", Aider: []string{"run"}, Turns: true, Runs: true,
			Differs: "Asks before it runs the command, unless `shell.allow` lists it. The command sees no API keys.",
			Doc:     "Asks you, then runs a shell command in the folder, on your real files and not on a copy. You see its output live, and can add it to the conversation.",
			More:    "If the command fails, Coauthor offers to have the model fix the cause.",
			Args:    []Arg{{Name: "command", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "The command, as you would type it."}, folderArg()},
			Result:  `Ran or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: runRun,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: run {command}", Kind: kindRefactor, When: WhenSuggested},
			},
		},
		{
			ID: "git", Group: GroupGit, Title: "Run git", Word: "git", Aider: []string{"git"}, Turns: true, Runs: true,
			Differs: "Asks first, as `/run` does.",
			Doc:     "Runs git in the folder after asking, and shows its output. The output is not added to the conversation.",
			Args:    []Arg{{Name: "command", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "The arguments of git."}, folderArg()},
			Result:  `Ran or {status: "started"}`, Run: runGit,
		},
		{
			ID: "web", Group: GroupContext, Title: "Add a web page", Word: "web", Aider: []string{"web"},
			Differs: "The page stays in the chat until `/drop` takes it out.",
			Doc:     "Fetches a web page as Markdown; the model sees it in later requests.",
			More:    "Scripts are not run, and nothing of yours is sent. You can also name a page in a request: Coauthor fetches it if you agree (`web.fetch`).",
			Args:    []Arg{{Name: "url", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "The URL."}, folderArg()},
			Result:  `{url, title, text, tokens, cut} or {status: "started"}`, Run: runWeb,
		},
		{
			ID: "lint", Group: GroupRun, Title: "Run the linters", Word: "lint", Aider: []string{"lint"}, Turns: true, Runs: true,
			Differs: "Commits nothing, and sends all findings in one request.",
			Doc:     "Runs your linters after asking, and offers their findings to the model to fix.",
			More:    "The linters are those of `verify.lint`, else those the folder is set up for. They run on a copy of your files, unsaved text included; anything they write is discarded.",
			Args:    []Arg{chatFilesArg("Paths, folders or globs. Default: the files in the chat, else those changed since the last commit, else all."), folderArg()},
			Result:  `Findings or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: runLint,
		},
		{
			ID: "test", Group: GroupRun, Title: "Run the tests", Word: "test", Aider: []string{"test"}, Turns: true, Runs: true,
			Differs: "The tests run on a copy of your files. Their output is sent to the model only if you agree.",
			Doc:     "Runs your tests after asking, and offers the failures to the model to fix.",
			More:    "The tests are those of `verify.test`, else those the folder is set up for, or the given command. They run on a copy of your files, unsaved text included; anything they write is discarded.",
			Args:    []Arg{{Name: "command", Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "A program with its arguments, to run instead."}, folderArg()},
			Result:  `Findings or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: runTest,
		},
		{
			ID: "regenerate", Group: GroupReview, Title: "Regenerate", Word: "regenerate", Turns: true,
			Doc:  "Sends the last request again, to the same model or another one.",
			More: "The new answer replaces the last one and its pending change; until it arrives, both stay. Undo an applied change first.",
			Args: []Arg{{Name: "model", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "The model to ask. Default: the same."},
				{Name: "choose", Type: "boolean", Doc: "Ask the user for the model if `model` names none."}, folderArg()},
			Result: `{turnId, status: "started"|"busy"} or {status: "started"|"none"}`, Run: runRegenerate,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: regenerate pending change", Kind: kindRewrite, When: WhenRegenerable},
				{Title: "Coauthor: regenerate with another model…", Kind: kindRewrite, When: WhenAnotherModel},
			},
		},
		{
			ID: "goAhead", Group: GroupChange, Title: "Make the described change", Word: "ok", Aider: []string{"ok"}, Turns: true,
			Doc:    "Makes the change that the model described in its last answer.",
			Args:   []Arg{{Name: "instruction", Also: []string{"text"}, Bare: true, Type: "string", Doc: "What to keep in mind."}, folderArg()},
			Result: `{turnId, status: "started"|"busy"}`, Run: runGoAhead,
		},
	}
}
