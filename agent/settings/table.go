package settings

import (
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/model"
	"coauthor/edits/formats"
)

func modelRows() []Row {
	return []Row{
		{
			Name: "model.name", Bare: true, Type: String, Default: "", Scope: Workspace, Flag: "model",
			Doc:   "The model to use: an entry in `models`, an alias, `provider/model`, or a model ID that the endpoint supports. Default: a model of the first provider with an API key.",
			field: func(s *Settings) any { return &s.Model },
		},
		{
			Name: "model.weak", Type: String, Default: "", Scope: Workspace,
			Doc:   "A cheaper model for commit messages, summaries and questions about Coauthor. Default: the main model's `weakModel`.",
			field: func(s *Settings) any { return &s.WeakModel },
		},
		{
			Name: "model.editor", Type: String, Default: "", Scope: Workspace, Flag: "editor-model",
			Doc:   "The model that writes the edits of an `architect` plan. Default: the main model's `editorModel`.",
			field: func(s *Settings) any { return &s.EditorModel },
		},
		{
			Name: "model.reasoningEffort", Type: Enum, Default: "auto", Scope: User, Flag: "reasoning-effort",
			Enum:  []string{"auto", "none", "minimal", "low", "medium", "high", "xhigh", "max"},
			Doc:   "How hard the model thinks. `auto` means the model's default. Sent only to models known to support it; for others, set it in their entry in `models`.",
			field: func(s *Settings) any { return &s.ReasoningEffort },
		},
		{
			Name: "model.thinkingTokens", Type: Tokens, Default: 0, Scope: User, Max: mostThinking, Flag: "thinking-tokens",
			Doc:   "Maximum number of thinking tokens, such as `8k`. 0 means the model's default. Sent only to models known to support it.",
			field: func(s *Settings) any { return &s.ThinkingTokens },
		},
		{
			Name: "model.showThinking", Type: Bool, Default: true, Scope: User, field: func(s *Settings) any { return &s.ShowThinking },
			Doc: "Show the model's thinking while it streams, in terminals and in Neovim's chat.",
		},
		{
			Name: "model.temperature", Type: Number, Default: (*float64)(nil), Scope: Workspace, Max: 2, Flag: "temperature",
			Doc:   "Sampling temperature. Default: the model's value, usually 0.",
			field: func(s *Settings) any { return &s.Temperature },
		},
		{
			Name: "model.cacheKeepalivePings", Type: Int, Default: 0, Scope: User, Max: 100,
			Doc:   "Maximum number of prompt-cache refreshes while you are idle, one every five minutes. Each costs one cache read. Applies only to models with `cacheMarks`.",
			field: func(s *Settings) any { return &s.CacheKeepalivePings },
		},
		{
			Name: "models", Type: Models, Default: map[string]model.UserModel(nil), Scope: User,
			Doc:   "Custom models, short names for models and changes to built-in models, by name.",
			field: func(s *Settings) any { return &s.Models },
		},
		{
			Name: "apiBase", Type: String, Default: "", Scope: User, Flag: "api-base",
			Doc:   "URL of an OpenAI-compatible server, with or without `/v1`, for models that do not set their own. Default: the provider's endpoint.",
			field: func(s *Settings) any { return &s.APIBase },
		},
		{
			Name: "apiKeyEnv", Type: String, Default: "", Scope: User,
			Doc:   "Environment variable that contains the API key for `apiBase`, or `none`. Default: the provider's variable; `none` for servers on this machine.",
			field: func(s *Settings) any { return &s.APIKeyEnv },
		},
		{
			Name: "apiKeyCommand", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "Shell command that prints the API key for `apiBase` on the first line, such as `pass show openai`. It runs in your home folder.",
			field: func(s *Settings) any { return &s.APIKeyCommand },
		},
		{
			Name: "editFormat", Type: Enum, Default: "auto", Scope: Workspace, Flag: "format",
			Enum:  append([]string{"auto"}, formats.Choices()...),
			Doc:   "Format of the model's edits, such as `diff` (search-and-replace blocks) or `whole` (whole files). `auto` selects the best format for the model.",
			field: func(s *Settings) any { return &s.EditFormat },
		},
	}
}

func turnRows() []Row {
	return []Row{
		{
			Name: "turn.coder", Type: Enum, Default: coder.Default, Scope: Workspace, Enum: coder.All().Names(),
			Doc:      "The coder that handles requests by default.",
			EnumDocs: coderDocs(),
			field:    func(s *Settings) any { return &s.Coder },
		},
		{
			Name: "turn.language", Type: String, Default: "", Scope: Workspace,
			Doc:   "Language of answers, such as `German` or `de`. Default: the language of your request or, if unclear, of your editor or system.",
			field: func(s *Settings) any { return &s.Language },
		},
		{
			Name: "turn.maxReflections", Type: Int, Default: 3, Scope: Workspace, Max: 10,
			Doc:   "Maximum number of retries per request when edits do not match or checks fail, also in each attempt of `selfHeal`. Each file gets up to two retries.",
			field: func(s *Settings) any { return &s.MaxReflections },
		},
		{
			Name: "turn.stepwise", Type: Bool, Default: false, Scope: User,
			Doc:   "Stop after each step: confirm an `architect` plan before its edits, and show the changes of an `auto` request after each step. If you discard one, the request ends after the current step.",
			field: func(s *Settings) any { return &s.Stepwise },
		},
		{
			Name: "auto.rounds", Type: Int, Default: 8, Scope: User, Min: 1, Max: 20,
			Doc:   "Maximum number of steps in an `auto` request, not counting retries.",
			field: func(s *Settings) any { return &s.Auto.Rounds },
		},
		{
			Name: "auto.time", Type: Duration, Default: 10 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "Time limit for an `auto` request. At the limit, Coauthor shows the completed edits with a warning.",
			field: func(s *Settings) any { return &s.Auto.Time },
		},
		{
			Name: "auto.cost", Type: Number, Default: (*float64)(nil), Scope: User, Max: 10000,
			Doc:   "Cost limit for an `auto` request in US dollars. Requires a model with a known price. Default: none.",
			field: func(s *Settings) any { return &s.Auto.Cost },
		},
		{
			Name: "actions", Type: Actions, Default: []Action(nil), Scope: User,
			Doc:   "Custom code actions and commands. Longer ones can be Markdown files in `commands` next to `config.yaml`.",
			field: func(s *Settings) any { return &s.Actions },
		},
		{
			Name: "shell.suggest", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Let the model suggest shell commands at the end of an answer. Each runs only if you agree. Requires a search-and-replace edit format.",
			field: func(s *Settings) any { return &s.Shell.Suggest },
		},
		{
			Name: "shell.allow", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Commands that `/run` runs without asking, and that run with `--yes` if an answer suggests them. A command that ends with ` *`, such as `go test *`, allows any plain arguments.",
			field: func(s *Settings) any { return &s.Shell.Allow },
		},
		{
			Name: "comments.watch", Type: Enum, Default: "action", Scope: User, Enum: []string{"off", "action", "onSave"},
			Doc: "What to do with comments marked `AI!` (instruction) or `AI?` (question).",
			EnumDocs: []string{
				"Nothing.",
				"Offer a code action for them.",
				"Also start a request when you save a file with a comment that you wrote in the editor. Coauthor only reports other new comments.",
			},
			field: func(s *Settings) any { return &s.WatchComments },
		},
		{
			Name: "verify.level", Type: Enum, Default: "lint", Scope: User, Enum: []string{"off", "syntax", "lint", "full"}, Bare: true,
			Doc: "What to check before showing a change. Coauthor sends problems back to the model and shows the result with the change.",
			EnumDocs: []string{
				"Nothing.",
				"Check syntax, definitions and imports, and that names in your request exist.",
				"Also run the commands in `verify.lint` and `verify.format`.",
				"Also run the commands in `verify.test`.",
			},
			field: func(s *Settings) any { return &s.Verify },
		},
		{
			Name: "verify.lint", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Linter commands to run on a change, such as `go vet ./...` or `{run: [ruff, check, \"{files}\"], files: [\"*.py\"]}`.",
			field: func(s *Settings) any { return &s.Checks.Lint },
		},
		{
			Name: "verify.format", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Formatter commands to run on the files of a change before you see it, in the same format as `verify.lint`. Coauthor formats only new files and files that were formatted before.",
			field: func(s *Settings) any { return &s.Checks.Format },
		},
		{
			Name: "verify.test", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Test commands for `verify: full`, in the same format as `verify.lint`. `{report}` stands for a temporary JUnit XML file, as in `--junitxml={report}`. Coauthor adds it for pytest.",
			field: func(s *Settings) any { return &s.Checks.Test },
		},
		{
			Name: "verify.visible", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Additional files and folders that checks and project scripts can access, such as `~/data`, or `.env.test` despite its secrets.",
			field: func(s *Settings) any { return &s.Checks.Visible },
		},
		{
			Name: "verify.timeout", Type: Duration, Default: 5 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "Time limit for each command in `verify.test`. Commands in `verify.lint` and `verify.format` get a fifth of it, and generated programs two fifths.",
			field: func(s *Settings) any { return &s.Checks.Timeout },
		},
	}
}

// coderDocs says what each coder is for.
func coderDocs() []string {
	var docs []string
	for _, c := range coder.All().Offered() {
		docs = append(docs, c.Doc)
	}
	return docs
}

func contextRows() []Row {
	return []Row{
		{
			Name: "repoMap.tokens", Type: Int, Default: MapByModel, Scope: Workspace, Min: MapByModel, Max: 100_000, Flag: "map-tokens",
			Doc:   "Size of the repository map in tokens. 0 sends no map; -1 means an eighth of the context window, 1024 to 4096 (3000 if the model has tools). The size can double while the context contains no files.",
			field: func(s *Settings) any { return &s.RepoMap.Tokens },
		},
		{
			Name: "repoMap.refresh", Type: Enum, Default: "auto", Scope: Workspace, Enum: []string{"auto", "always", "files", "manual"},
			Doc: "When to update the map.",
			EnumDocs: []string{
				"For each request, keeping useful parts in place for the prompt cache.",
				"For each request, rebuilding the map from scratch.",
				"When files are added to or removed from the context or repository.",
				"Only when you run `/map-refresh`.",
			},
			field: func(s *Settings) any { return &s.RepoMap.Refresh },
		},
		{
			Name: "context.readOnly", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Paths, folders or globs of files that the model always sees but cannot change.",
			field: func(s *Settings) any { return &s.ReadOnly },
		},
		{
			Name: "context.addMentioned", Type: Enum, Default: "ask", Scope: User, Enum: []string{"ask", "always", "never"},
			Doc:   "Whether to add files that the model mentions but has not seen. Coauthor always adds files that your request mentions; with `never`, only those written as `@path`.",
			field: func(s *Settings) any { return &s.AddMentioned },
		},
		{
			Name: "context.rulesFiles", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Send rules files such as `AGENTS.md`, up to 32 KiB in total. Files in an untrusted workspace need your consent.",
			field: func(s *Settings) any { return &s.RulesFiles },
		},
		{
			Name: "files.encoding", Type: String, Default: "utf-8", Scope: Workspace,
			Doc:   "Encoding of files that are not UTF-8, such as `windows-1252`.",
			field: func(s *Settings) any { return &s.Encoding },
		},
		{
			Name: "files.allowIgnored", Type: Bool, Default: false, Scope: User,
			Doc:   "Read and send files that `.gitignore`, `.aiderignore`, `.coauthorignore` or `files.ignoreFiles` excludes.",
			field: func(s *Settings) any { return &s.AllowIgnored },
		},
		{
			Name: "files.ignoreFiles", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Names of additional ignore files, such as `.cursorignore`, in any folder. They cannot re-include excluded files.",
			field: func(s *Settings) any { return &s.IgnoreFiles },
		},
		{
			Name: "files.redactSecrets", Type: Bool, Default: true, Scope: User, Own: true,
			Doc:   "Replace possible API keys with placeholders such as `REDACTED_1_…` before sending, and restore them in the answer.",
			field: func(s *Settings) any { return &s.RedactSecrets },
		},
		{
			Name: "files.denyGlobs", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Globs of additional files that Coauthor sends only with your consent.",
			field: func(s *Settings) any { return &s.DenyGlobs },
		},
		{
			Name: "files.protectedGlobs", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Globs of additional files that Coauthor changes only with your consent.",
			field: func(s *Settings) any { return &s.ProtectedGlobs },
		},
	}
}

func historyRows() []Row {
	return []Row{
		{
			Name: "history.mode", Type: Enum, Default: HistorySave, Scope: User, Enum: []string{HistoryOff, HistorySave, HistoryRestore},
			Doc: "What to do with each folder's conversations.",
			EnumDocs: []string{
				"Forget them when Coauthor ends.",
				"Save them in a Markdown file that only you can read. It contains no API keys, and Coauthor never deletes it.",
				"Also resume the last one with the first request, like `--continue`.",
			},
			field: func(s *Settings) any { return &s.History.Mode },
		},
		{
			Name: "history.tokens", Type: Int, Default: 0, Scope: User, Max: 1_000_000,
			Doc:   "Number of tokens at which the weak model summarizes half of a conversation. 0 means a sixteenth of the context window, between 1024 and 8192.",
			field: func(s *Settings) any { return &s.History.Tokens },
		},
	}
}

func editorRows() []Row {
	return []Row{
		{
			Name: "preview.mode", Bare: true, Type: Enum, Default: "auto", Scope: User, Enum: []string{"auto", "native", "diff", "inline", "none"},
			Doc: "How to show a change.",
			EnumDocs: []string{
				"The best preview that the editor supports. Coauthor applies nothing before you see it.",
				"The editor's own preview.",
				"A document that contains the diff.",
				"Apply immediately, then keep or undo each hunk in your files.",
				"Apply immediately without a preview.",
			},
			field: func(s *Settings) any { return &s.Preview },
		},
		{
			Name: "client.name", Bare: true, Type: Enum, Default: "auto", Scope: Client,
			Enum:  []string{"auto", "vscode", "neovim", "helix", "eglot", "lsp-mode", "coc", "vim-lsp", "sublime", "kakoune", "zed", "generic"},
			Doc:   "Your editor. `auto` detects it by name.",
			field: func(s *Settings) any { return &s.Client },
		},
		{
			Name: "client.quirks", Type: Switches, Default: map[string]bool(nil), Scope: Client,
			Doc:   "Editor quirks to turn on or off, such as `noVirtualDocuments: true` for previews in files. `/doctor` lists the active quirks.",
			field: func(s *Settings) any { return &s.ClientQuirks },
		},
	}
}

func systemRows() []Row {
	return []Row{
		{
			Name: "network.requestTimeout", Type: Duration, Default: 10 * time.Minute, Scope: Workspace, Min: 1, Max: 86400,
			Doc:   "Time limit for an answer, including retries. Slow machines need more. The first part must arrive within half of it, or 5 minutes if that is longer.",
			field: func(s *Settings) any { return &s.RequestTimeout },
		},
		{
			Name: "network.allowInsecureHttp", Type: Bool, Default: false, Scope: User,
			Doc:   "Allow sending prompts and keys to other machines over plain HTTP.",
			field: func(s *Settings) any { return &s.AllowInsecureHTTP },
		},
		{
			Name: "network.caFile", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "PEM file of certificates to trust in addition to the system's. Use an absolute path or one that starts with `~/`.",
			field: func(s *Settings) any { return &s.CAFile },
		},
		{
			Name: "network.proxy", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "Proxy for requests to models, such as `http://proxy.example:3128` or `socks5://127.0.0.1:1080`, or `none`. Default: the value of `HTTPS_PROXY` or `HTTP_PROXY`.",
			field: func(s *Settings) any { return &s.Proxy },
		},
		{
			Name: "trust.roots", Bare: true, Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Trusted folders, including their subfolders, or `always` or `never` for all of them. What the editor says takes precedence over a list of folders.",
			field: func(s *Settings) any { return &s.Trust },
		},
		{
			Name: "log.level", Type: Enum, Default: "info", Scope: User, Own: true, Enum: []string{"debug", LogPrompts, "info", "warn", "error"},
			Doc:   "Minimum level of log messages. `prompts` is `info` with prompts and answers in `log.file`. They contain your code, but no API keys.",
			field: func(s *Settings) any { return &s.Log.Level },
		},
		{
			Name: "log.file", Type: String, Default: "", Scope: User,
			Doc:   "Log file. Default: standard error.",
			field: func(s *Settings) any { return &s.Log.File },
		},
	}
}
