package command

import (
	"coauthor/agent/chosen"
	"coauthor/agent/coder"
	"coauthor/agent/command/arg"
)

// sessionActions are the commands that people write in the place of an instruction, as they do in aider: each changes what
// the session uses, or shows something of it. They need nothing of an editor, so that one function does their work there, in
// prompt documents and on the command line.
func sessionActions(coders coder.Table) []Action {
	return append(append(fileActions(), modelActions(coders)...), lookActions()...)
}

func fileActions() []Action {
	return []Action{
		{
			ID: "addFile", Group: GroupContext, Title: "Add files to the chat", Word: "add", Aider: []string{"add"},
			Differs: "Does not create missing files. The model creates new files, and you review each one first.",
			Doc:     "Adds files to the chat. The model sees them in all later requests and can change them.",
			More:    "A folder stands for all files in it. A glob matches files that git does not ignore. Images and PDF files require a model that supports them; a folder adds them only if it contains no other files.",
			Args:    ArgsOf[filesArgs](),
			Result:  `InForce`, Run: With(runAdd), Chooses: true,
		},
		{
			ID: "addReadOnly", Group: GroupContext, Title: "Add read-only files to the chat", Word: "read-only", Aider: []string{"read-only"},
			Doc:    "Adds files to the chat that the model can see but not change. Without names, makes all files in the chat read-only.",
			Args:   ArgsOf[filesArgs](),
			Result: `InForce`, Run: With(runReadOnly), Chooses: true,
		},
		{
			ID: "dropFile", Group: GroupContext, Title: "Remove files from the chat", Word: "drop", Aider: []string{"drop"},
			Differs: "Accepts paths, folders, globs and full file names, but no partial names.",
			Doc:     "Removes files and web pages from the chat. Without names, removes all of them.",
			Args:    arg.Described(ArgsOf[filesArgs](), "files", "Paths, folders, globs, file names or page URLs."),
			Result:  `InForce`, Run: With(runDrop), Chooses: true,
		},
		{
			ID: "listFiles", Group: GroupContext, Title: "List the files in the chat", Word: "ls", Aider: []string{"ls"},
			Doc:    "Lists the files and web pages in the chat, and the other files of the folder.",
			Args:   ArgsOf[Folder](),
			Result: `{files: string[], readOnly: string[], pages: string[], others: string[]}`, Run: With(runList),
		},
		{
			ID: "saveChat", Group: GroupContext, Title: "Save the files in the chat", Word: "save", Aider: []string{"save"},
			Differs: "Saves to Coauthor's own storage instead of a file in the project.",
			Doc:     "Saves the chat's file list, coder and models under a name. Restore them with `load`.",
			Args:    ArgsOf[saveArgs](),
			Result:  `{name}`, Run: With(runSave),
		},
		{
			ID: "loadChat", Group: GroupContext, Title: "Load files into the chat", Word: "load", Aider: []string{"load"},
			Differs: "Runs only commands that set files, models or other request options.",
			Doc:     "Restores a saved chat setup, or runs the commands in a file, one per line. The file can use `/add`, `/drop`, `/model` and other commands that set request options.",
			More:    "Coauthor skips empty lines and lines that start with `#`.",
			Args:    ArgsOf[loadArgs](),
			Result:  `InForce`, Run: With(runLoad),
		},
	}
}

func modelActions(coders coder.Table) []Action {
	return []Action{
		{
			ID: "setModel", Group: GroupModel, Title: "Choose the model", Word: "model", Aider: []string{"model"},
			Doc:    "Sets the model for later requests. Without a name, shows the current model.",
			Args:   ArgsOf[modelArgs](),
			Result: `InForce`, Run: setting[modelArgs]("model", func(c *chosen.Choice, v string) { c.Model = v }, func(f chosen.InForce) string { return f.Model }), Chooses: true,
		},
		{
			ID: "setWeakModel", Group: GroupModel, Title: "Choose the weak model", Word: "weak-model", Aider: []string{"weak-model"},
			Doc:    "Sets the model for simple tasks such as commit messages. Without a name, shows the current model.",
			Args:   arg.Described(ArgsOf[modelArgs](), "model", "The model name, as in the `model.weak` setting."),
			Result: `InForce`, Run: setting[modelArgs]("weak model", func(c *chosen.Choice, v string) { c.WeakModel = v }, func(f chosen.InForce) string { return f.WeakModel }), Chooses: true,
		},
		{
			ID: "setEditorModel", Group: GroupModel, Title: "Choose the editor model", Word: "editor-model", Aider: []string{"editor-model"},
			Doc:    "Sets the model that writes the edits for a plan. Without a name, shows the current model.",
			Args:   arg.Described(ArgsOf[modelArgs](), "model", "The model name, as in the `model.editor` setting."),
			Result: `InForce`, Run: setting[modelArgs]("editor model", func(c *chosen.Choice, v string) { c.EditorModel = v }, func(f chosen.InForce) string { return f.EditorModel }), Chooses: true,
		},
		{
			ID: "setCoder", Group: GroupModel, Title: "Choose the coder", Word: "chat-mode", Aider: []string{"chat-mode"},
			Doc:    "Sets the coder or edit format for later requests. Without a name, shows the current and available ones.",
			Args:   ArgsOf[modeArgs](),
			Result: `InForce`, Run: With(runChatMode), Chooses: true,
		},
		{
			ID: "setReasoningEffort", Group: GroupModel, Title: "Choose the reasoning effort", Word: "reasoning-effort", Aider: []string{"reasoning-effort"},
			Doc:    "Sets the model's reasoning effort for later requests. Without a value, shows the current effort.",
			Args:   ArgsOf[effortArgs](),
			Result: `InForce`,
			Run:    setting[effortArgs]("reasoning effort", func(c *chosen.Choice, v string) { c.Effort = v }, func(f chosen.InForce) string { return f.Effort }), Chooses: true,
		},
		{
			ID: "setThinkTokens", Group: GroupModel, Title: "Choose the thinking budget", Word: "think-tokens", Aider: []string{"think-tokens"},
			Doc:    "Sets the model's thinking budget in tokens, for example `8k`. `0` lets the model decide. Without a number, shows the current budget.",
			Args:   ArgsOf[thinkArgs](),
			Result: `InForce`, Run: With(runThink), Chooses: true,
		},
		{
			ID: "listModels", Group: GroupModel, Title: "List models", Word: "models", Aider: []string{"models"},
			Doc:    "Lists known models and their aliases.",
			Args:   ArgsOf[searchArgs](),
			Result: `{models: string[]}`, Run: With(runModels),
		},
	}
}

func lookActions() []Action {
	return []Action{
		{
			ID: "tokens", Group: GroupContext, Title: "Show token counts", Word: "tokens", Aider: []string{"tokens"},
			Doc:    "Shows the tokens and price of each part and file in the next prompt, and the remaining space. Nothing is sent.",
			Args:   ArgsOf[Place](),
			Result: `{model, tokens, room, over, cost, parts: [Part]}`, Run: With(runTokens),
		},
		{
			ID: "usage", Group: GroupTalk, Title: "Show usage", Word: "usage",
			Doc:    "Shows the tokens and cost of each request in the conversation, and the totals.",
			Args:   ArgsOf[Folder](),
			Result: `{session: Use, conversation: Use, turns: [{turnId, number, said, model, …Use}]}`, Run: With(runUsage),
		},
		{
			ID: "settings", Group: GroupModel, Title: "Show the settings", Word: "settings", Aider: []string{"settings"},
			Doc:    "Shows all settings with their current values, and details about the model.",
			Args:   ArgsOf[Folder](),
			Result: `{settings: [{name, value, changed}]}`, Run: With(runSettings),
		},
		{
			ID: "listCommands", Group: GroupTalk, Title: "List the commands", Word: "commands", Alone: "help", Aider: []string{"help"},
			Differs: "If you add a question, `/help` answers it from Coauthor's documentation.",
			Doc:     "Lists all slash commands, including custom ones, and any problems in their files.",
			Args:    ArgsOf[Folder](),
			Result:  `{commands: [{word, doc}], own: [{name, doc, hint?, file}], problems: string[]}`, Run: With(runCommands),
		},
		{
			ID: "copy", Group: GroupTalk, Title: "Show the last answer", Word: "copy", Aider: []string{"copy"},
			Differs: "Opens the answer as a document or prints it on the command line. A language server cannot access the clipboard.",
			Doc:     "Shows the model's last answer, unchanged, for you to copy.",
			Args:    ArgsOf[Folder](),
			Result:  `{text}`, Run: With(runCopy),
		},
		{
			ID: "copyContext", Group: GroupContext, Title: "Show the prompt for copying", Word: "copy-context", Aider: []string{"copy-context"},
			Differs: "Shows the complete prompt, including the edit instructions. `/paste` can then read the answer.",
			Doc:     "Shows the complete prompt for you to copy into another chat. Use `paste` to bring back the answer. Nothing is sent.",
			Args:    ArgsOf[askedArgs](),
			Result:  `{text, tokens}`, Run: With(runCopyContext),
		},
		{
			ID: "pasteAnswer", Group: GroupChange, Title: "Paste an answer", Word: "paste", Aider: []string{"paste"}, Turns: true,
			Differs: "Accepts only text. To send images, name their files in a request.",
			Doc:     "Turns an answer from another chat into a change, without sending anything to a model.",
			Args:    ArgsOf[pasteArgs](),
			Result:  `{turnId, status: "started"|"busy"}`, Run: With(runPaste),
		},
		{
			ID: "run", Group: GroupRun, Title: "Run a command", Word: "run", Aider: []string{"run"}, Turns: true, Runs: true,
			Differs: "In editors, asks before running the command unless `shell.allow` lists it. The command cannot see your API keys.",
			Doc:     "Runs a shell command on your actual files, after asking you. You see the output live and can add it to the conversation.",
			More:    "If the command fails, Coauthor offers to ask the model for a fix. Without a command, lists the commands that the last answer suggests, for you to choose one.",
			Args:    ArgsOf[runArgs](),
			Result:  `Ran or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: With(runRun),
		},
		{
			ID: "git", Group: GroupGit, Title: "Run git", Word: "git", Aider: []string{"git"}, Turns: true, Runs: true,
			Differs: "Asks before running, like `/run`.",
			Doc:     "Runs git in the folder after asking you, and shows the output. Does not add the output to the conversation.",
			Args:    arg.Described(ArgsOf[runArgs](), "command", "The git arguments."),
			Result:  `Ran or {status: "started"}`, Run: With(runGit),
		},
		{
			ID: "web", Group: GroupContext, Title: "Add a web page", Word: "web", Aider: []string{"web"},
			Differs: "The page stays in the chat until you remove it with `/drop`.",
			Doc:     "Adds a web page to the chat as Markdown. The model sees it in all later requests.",
			More:    "Coauthor fetches the page without cookies and does not run scripts. You can also include a URL in a request. Coauthor then fetches the page if you agree (`web.fetch`).",
			Args:    ArgsOf[webArgs](),
			Result:  `{url, title, text, tokens, cut} or {status: "started"}`, Run: With(runWeb),
		},
		{
			ID: "lint", Group: GroupRun, Title: "Run the linters", Word: "lint", Aider: []string{"lint"}, Turns: true, Runs: true,
			Differs: "Does not commit, and sends all findings in one request.",
			Doc:     "Runs your linters after asking you, and offers to have the model fix the findings.",
			More:    "Coauthor uses the linters in `verify.lint` or, if there are none, the linters configured in the folder. They run on a copy of your files that includes unsaved text. Anything they write is discarded.",
			Args:    arg.Described(ArgsOf[filesArgs](), "files", "Paths, folders or globs. Default: the files in the chat, else the files changed since the last commit, else all files."),
			Result:  `Findings or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: With(runLint),
		},
		{
			ID: "test", Group: GroupRun, Title: "Run the tests", Word: "test", Aider: []string{"test"}, Turns: true, Runs: true,
			Differs: "The tests run on a copy of your files. Their output is sent to the model only if you agree.",
			Doc:     "Runs your tests after asking you, and offers to have the model fix the failures.",
			More:    "Coauthor runs the given command, else the tests in `verify.test`, else the tests configured in the folder. They run on a copy of your files that includes unsaved text. Anything they write is discarded.",
			Args:    arg.Described(ArgsOf[runArgs](), "command", "A program and its arguments to run instead."),
			Result:  `Findings or {turnId, status: "started"|"busy"} or {status: "started"}`, Run: With(runTest),
		},
		{
			ID: "regenerate", Group: GroupReview, Title: "Regenerate", Word: "regenerate", Turns: true,
			Doc:    "Sends the last request again to the same model or another one.",
			More:   "When the new answer arrives, it replaces the last answer and its pending change. Undo an applied change first.",
			Args:   ArgsOf[regenerateArgs](),
			Result: `{turnId, status: "started"|"busy"} or {status: "started"|"none"}`, Run: With(runRegenerate),
		},
		{
			ID: "goAhead", Group: GroupChange, Title: "Make the described change", Word: "ok", Aider: []string{"ok"}, Turns: true,
			Doc:    "Makes the change that the model described in its last answer.",
			Args:   ArgsOf[goAheadArgs](),
			Result: `{turnId, status: "started"|"busy"}`, Run: With(runGoAhead),
		},
	}
}
