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
			Doc:   "The model to use: a name from `models`, an alias, `provider/model`, or a name that the endpoint knows. Default: the first provider whose API key is set.",
			field: func(s *Settings) any { return &s.Model },
		},
		{
			Name: "model.weak", Was: "weakModel", Type: String, Default: "", Scope: Workspace,
			Doc:   "A cheaper model for commit messages, summaries and questions about Coauthor. Default: the main model's `weakModel`.",
			field: func(s *Settings) any { return &s.WeakModel },
		},
		{
			Name: "model.editor", Was: "editorModel", Type: String, Default: "", Scope: Workspace, Flag: "editor-model",
			Doc:   "The model that writes the edits of an `architect` plan. Default: the main model's `editorModel`.",
			field: func(s *Settings) any { return &s.EditorModel },
		},
		{
			Name: "model.fallback", Was: "fallbackModel", Type: String, Default: "", Scope: User,
			Doc:   "The model to use for five minutes when the main one is overloaded, unreachable, silent or gone, or its account is empty. Coauthor tells you each time.",
			field: func(s *Settings) any { return &s.FallbackModel },
		},
		{
			Name: "model.reasoningEffort", Was: "reasoningEffort", Type: Enum, Default: "auto", Scope: User, Flag: "reasoning-effort",
			Enum:  []string{"auto", "none", "minimal", "low", "medium", "high", "xhigh", "max"},
			Doc:   "How hard the model thinks; `auto` leaves it to the model. Sent only to models known to accept it; for other models, set it in their `models` entry.",
			field: func(s *Settings) any { return &s.ReasoningEffort },
		},
		{
			Name: "model.thinkingTokens", Was: "thinkingTokens", Type: Tokens, Default: 0, Scope: User, Max: mostThinking, Flag: "thinking-tokens",
			Doc:   "Maximum tokens for thinking, such as `8k`; 0 leaves it to the model. Sent only to models known to accept it.",
			field: func(s *Settings) any { return &s.ThinkingTokens },
		},
		{
			Name: "model.temperature", Was: "temperature", Type: Number, Default: (*float64)(nil), Scope: Workspace, Max: 2, Flag: "temperature",
			Doc:   "Sampling temperature. Default: the model's own, mostly 0.",
			field: func(s *Settings) any { return &s.Temperature },
		},
		{
			Name: "model.cacheKeepalivePings", Was: "cacheKeepalivePings", Type: Int, Default: 0, Scope: User, Max: 100,
			Doc:   "How many times to refresh the provider's prompt cache while you are idle, every five minutes. Each refresh costs a cache read. Only for models with `cacheMarks`.",
			field: func(s *Settings) any { return &s.CacheKeepalivePings },
		},
		{
			Name: "models", Type: Models, Default: map[string]model.UserModel(nil), Scope: User,
			Doc:   "Your own models, by name, and corrections to built-in ones.",
			field: func(s *Settings) any { return &s.Models },
		},
		{
			Name: "model.aliases", Was: "aliases", Type: Names, Default: map[string]string(nil), Scope: User,
			Doc:   "Short names for models. An entry of `models` takes precedence.",
			field: func(s *Settings) any { return &s.Aliases },
		},
		{
			Name: "apiBase", Type: String, Default: "", Scope: User, Flag: "api-base",
			Doc:   "URL of an OpenAI-compatible server, with or without `/v1`, for models without their own. Default: the provider's endpoint.",
			field: func(s *Settings) any { return &s.APIBase },
		},
		{
			Name: "apiKeyEnv", Type: String, Default: "", Scope: User,
			Doc:   "The environment variable with the API key for `apiBase`, or `none`. Default: the provider's variable; none on this machine.",
			field: func(s *Settings) any { return &s.APIKeyEnv },
		},
		{
			Name: "apiKeyCommand", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "A command that prints the API key for `apiBase` on its first line, such as `pass show openai`. A shell runs it in your home folder.",
			field: func(s *Settings) any { return &s.APIKeyCommand },
		},
		{
			Name: "editFormat", Type: Enum, Default: "auto", Scope: Workspace, Flag: "format",
			Enum:  append([]string{"auto"}, formats.Choices()...),
			Doc:   "How the model writes edits, such as `diff` (search-and-replace blocks) or `whole` (whole files). `auto` picks what suits the model.",
			field: func(s *Settings) any { return &s.EditFormat },
		},
	}
}

func turnRows() []Row {
	return []Row{
		{
			Name: "turn.coder", Was: "coder", Type: Enum, Default: coder.Default, Scope: Workspace, Enum: coder.All().Names(),
			Doc:      "What a request does by default.",
			EnumDocs: coderDocs(),
			field:    func(s *Settings) any { return &s.Coder },
		},
		{
			Name: "turn.language", Was: "language", Type: String, Default: "", Scope: Workspace,
			Doc:   "Language of the answers, such as `German` or `de`. Default: the language of the request; if unclear, of your editor or system.",
			field: func(s *Settings) any { return &s.Language },
		},
		{
			Name: "turn.maxReflections", Was: "maxReflections", Type: Int, Default: 3, Scope: Workspace, Max: 10,
			Doc:   "Maximum retries per request when edits do not match or checks fail; at most two per file.",
			field: func(s *Settings) any { return &s.MaxReflections },
		},
		{
			Name: "turn.maxFiles", Was: "maxFilesPerTurn", Type: Int, Default: 20, Scope: Workspace, Min: 1, Max: 1000,
			Doc:   "Maximum files that a request may change without a warning.",
			field: func(s *Settings) any { return &s.MaxFiles },
		},
		{
			Name: "architect.confirm", Type: Bool, Default: false, Scope: User,
			Doc:   "Show the plan of an `architect` request and ask before writing the edits.",
			field: func(s *Settings) any { return &s.Architect.Confirm },
		},
		{
			Name: "auto.propose", Type: Enum, Default: "end", Scope: User, Enum: []string{"end", "round"},
			Doc:   "When an `auto` request shows its changes: all at the `end`, or after each `round`. Discarding one ends the request after the current round.",
			field: func(s *Settings) any { return &s.Auto.Propose },
		},
		{
			Name: "auto.rounds", Type: Int, Default: 8, Scope: User, Min: 1, Max: 20,
			Doc:   "Maximum rounds of an `auto` request, not counting retries.",
			field: func(s *Settings) any { return &s.Auto.Rounds },
		},
		{
			Name: "auto.tokens", Type: Int, Default: 0, Scope: User, Max: 1_000_000_000,
			Doc:   "Token limit of an `auto` request, prompts and answers together; 0 means none.",
			field: func(s *Settings) any { return &s.Auto.Tokens },
		},
		{
			Name: "auto.time", Type: Duration, Default: 10 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "Time limit of an `auto` request. Edits that are complete by then are shown with a warning.",
			field: func(s *Settings) any { return &s.Auto.Time },
		},
		{
			Name: "auto.cost", Type: Number, Default: (*float64)(nil), Scope: User, Max: 10000,
			Doc:   "Cost limit of an `auto` request in US dollars, if the model's price is known. Default: none.",
			field: func(s *Settings) any { return &s.Auto.Cost },
		},
		{
			Name: "actions", Type: Actions, Default: []Action(nil), Scope: User,
			Doc:   "Your own code actions and commands. Longer ones can be Markdown files in `commands` next to `config.yaml`. If two have the same name, the later one counts.",
			field: func(s *Settings) any { return &s.Actions },
		},
		{
			Name: "shell.suggest", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Let the model suggest shell commands at the end of an answer. Each runs only if you agree. Only with search-and-replace formats.",
			field: func(s *Settings) any { return &s.Shell.Suggest },
		},
		{
			Name: "shell.allow", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Commands that `/run` runs without asking. One that ends with ` *`, such as `go test *`, may be followed by any plain words.",
			field: func(s *Settings) any { return &s.Shell.Allow },
		},
		{
			Name: "comments.watch", Was: "watchComments", Type: Enum, Default: "action", Scope: User, Enum: []string{"off", "action", "onSave"},
			Doc: "What to do with comments marked `AI!` (an instruction) or `AI?` (a question).",
			EnumDocs: []string{
				"Nothing.",
				"Offer a code action on them.",
				"Also start a request when you save the file, if you wrote the comment in the editor. Coauthor only reports comments that come from git, a patch or another program.",
			},
			field: func(s *Settings) any { return &s.WatchComments },
		},
		{
			Name: "verify.level", Type: Enum, Default: "lint", Scope: User, Enum: []string{"off", "syntax", "lint", "full"}, Bare: true,
			Doc: "What to check before a change is shown. Problems go back to the model; the result is shown with the change.",
			EnumDocs: []string{
				"Nothing.",
				"Syntax, missing definitions, missing or wrong imports, and requested names that no file has.",
				"Also the commands in `verify.lint`.",
				"Also the commands in `verify.test`.",
			},
			field: func(s *Settings) any { return &s.Verify },
		},
		{
			Name: "verify.lint", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Linters to run on a change, one command each: `go vet ./...`, or `{run: [ruff, check, \"{files}\"], files: [\"*.py\"]}`.",
			field: func(s *Settings) any { return &s.Checks.Lint },
		},
		{
			Name: "verify.test", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Tests for `verify: full`, written like `verify.lint`. `{report}` stands for a temporary JUnit XML file, as in `--junitxml={report}`; pytest gets it automatically.",
			field: func(s *Settings) any { return &s.Checks.Test },
		},
		{
			Name: "verify.visible", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "More files and folders that checks and project scripts may see, such as `~/data`, or files that may hold secrets, such as `.env.test`.",
			field: func(s *Settings) any { return &s.Checks.Visible },
		},
		{
			Name: "verify.lintTimeout", Type: Duration, Default: time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "Time limit per command in `verify.lint`.",
			field: func(s *Settings) any { return &s.Checks.LintTime },
		},
		{
			Name: "verify.testTimeout", Type: Duration, Default: 5 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "Time limit per command in `verify.test`.",
			field: func(s *Settings) any { return &s.Checks.TestTime },
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
			Name: "repoMap.enabled", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Send the model a map of the repository.",
			field: func(s *Settings) any { return &s.RepoMap.Enabled },
		},
		{
			Name: "repoMap.tokens", Type: Int, Default: 0, Scope: Workspace, Max: 100_000, Flag: "map-tokens",
			Doc:   "Map size in tokens; 0 means an eighth of the context window, from 1024 to 4096. It may double while the context has no files.",
			field: func(s *Settings) any { return &s.RepoMap.Tokens },
		},
		{
			Name: "repoMap.refresh", Type: Enum, Default: "auto", Scope: Workspace, Enum: []string{"auto", "always", "files", "manual"},
			Doc: "When to redraw the map.",
			EnumDocs: []string{
				"For each request; useful parts stay in place, for the prompt cache.",
				"For each request, from scratch.",
				"When files join or leave the context or the repository.",
				"Only by `coauthor.showRepoMap` with `refresh`.",
			},
			field: func(s *Settings) any { return &s.RepoMap.Refresh },
		},
		{
			Name: "repoMap.exclude", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Globs of files to leave out of the map, such as `vendor/**` or `*.pb.go`, at any depth. To keep files from the model, use `files.denyGlobs`.",
			field: func(s *Settings) any { return &s.RepoMap.Exclude },
		},
		{
			Name: "repoMap.maxFiles", Type: Int, Default: 0, Scope: Workspace, Max: 10_000_000,
			Doc:   "Maximum files in the map, those nearest the root first; 0 means all.",
			field: func(s *Settings) any { return &s.RepoMap.MaxFiles },
		},
		{
			Name: "context.openDocuments", Type: Enum, Default: "all", Scope: Workspace, Enum: []string{"all", "none"},
			Doc:   "Whether to send other open documents.",
			field: func(s *Settings) any { return &s.Context.OpenDocuments },
		},
		{
			Name: "context.maxFiles", Type: Int, Default: 40, Scope: Workspace, Min: 1, Max: 1000,
			Doc:   "Maximum files to send.",
			field: func(s *Settings) any { return &s.Context.MaxFiles },
		},
		{
			Name: "context.maxTokens", Type: Int, Default: 0, Scope: Workspace, Max: 10_000_000,
			Doc:   "Maximum tokens of file content to send. 0 means half of the model's input limit.",
			field: func(s *Settings) any { return &s.Context.MaxTokens },
		},
		{
			Name: "context.readOnly", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Paths, folders or globs of files that the model always sees and may not change.",
			field: func(s *Settings) any { return &s.Context.ReadOnly },
		},
		{
			Name: "context.addMentioned", Was: "addMentioned", Type: Enum, Default: "ask", Scope: User, Enum: []string{"ask", "always", "never"},
			Doc:   "Whether to add files that the model mentions but has not seen. Files named in your request are added anyway; with `never`, only as `@path`.",
			field: func(s *Settings) any { return &s.AddMentioned },
		},
		{
			Name: "context.tools", Was: "tools", Type: Enum, Default: "auto", Scope: User, Enum: []string{"auto", "never"},
			Doc:   "Let the model look up files, definitions, diagnostics and git history before it answers. `auto` means for questions and plans, and if the model supports it.",
			field: func(s *Settings) any { return &s.Tools },
		},
		{
			Name: "context.rulesFiles", Was: "rulesFiles", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Send rules files such as `AGENTS.md` and `CLAUDE.md`, up to 32 KiB. Those of an untrusted workspace are sent only if you agree.",
			field: func(s *Settings) any { return &s.RulesFiles },
		},
		{
			Name: "files.encoding", Was: "encoding", Type: String, Default: "utf-8", Scope: Workspace,
			Doc:   "Encoding of files that are not UTF-8, such as `windows-1252`.",
			field: func(s *Settings) any { return &s.Encoding },
		},
		{
			Name: "files.allowIgnored", Was: "allowIgnored", Type: Bool, Default: false, Scope: User,
			Doc:   "Read and send files even if `.gitignore`, `.aiderignore`, `.coauthorignore` or `files.ignoreFiles` excludes them.",
			field: func(s *Settings) any { return &s.AllowIgnored },
		},
		{
			Name: "files.ignoreFiles", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "More ignore files for every folder, such as `.cursorignore`. They cannot bring back an excluded file.",
			field: func(s *Settings) any { return &s.IgnoreFiles },
		},
		{
			Name: "files.redactSecrets", Type: Bool, Default: true, Scope: User, Own: true,
			Doc:   "Replace possible API keys by placeholders such as `REDACTED_1_…` before sending, and restore them in the answer.",
			field: func(s *Settings) any { return &s.RedactSecrets },
		},
		{
			Name: "files.denyGlobs", Was: "denyGlobs", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Globs of additional files that are sent only if you agree to each.",
			field: func(s *Settings) any { return &s.DenyGlobs },
		},
		{
			Name: "files.protectedGlobs", Was: "protectedGlobs", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Globs of additional files that are changed only if you agree to each.",
			field: func(s *Settings) any { return &s.ProtectedGlobs },
		},
	}
}

func historyRows() []Row {
	return []Row{
		{
			Name: "history.save", Type: Bool, Default: true, Scope: User,
			Doc:   "Keep conversations on disk, in a Markdown file per folder that only you can read. It contains no API keys and is never deleted.",
			field: func(s *Settings) any { return &s.History.Save },
		},
		{
			Name: "history.inWorkspace", Type: Bool, Default: false, Scope: User, Own: true,
			Doc:   "Keep conversations in the folder itself, as `.coauthor/history.md`, ignored by git. In an untrusted workspace that file is never read.",
			field: func(s *Settings) any { return &s.History.InWorkspace },
		},
		{
			Name: "history.restore", Type: Bool, Default: false, Scope: User,
			Doc:   "Continue a folder's last conversation with the first request, like `--continue`.",
			field: func(s *Settings) any { return &s.History.Restore },
		},
		{
			Name: "history.summarize", Type: Bool, Default: true, Scope: User,
			Doc:   "Let the weak model summarize the start of a long conversation. Otherwise, the oldest requests are dropped.",
			field: func(s *Settings) any { return &s.History.Summarize },
		},
		{
			Name: "history.tokens", Type: Int, Default: 0, Scope: User, Max: 1_000_000,
			Doc:   "Tokens above which a conversation is shortened to half; 0 means a sixteenth of the context window, from 1024 to 8192.",
			field: func(s *Settings) any { return &s.History.Tokens },
		},
	}
}

func editorRows() []Row {
	return []Row{
		{
			Name: "preview.mode", Bare: true, Type: Enum, Default: "auto", Scope: User, Enum: []string{"auto", "native", "diff", "inline", "none"},
			Doc: "How a change is shown.",
			EnumDocs: []string{
				"The best way that the editor supports. Nothing is applied unseen.",
				"In the editor's own preview.",
				"As a document with the diff.",
				"Applied at once; keep or undo each hunk in your files.",
				"Applied at once, without a preview.",
			},
			field: func(s *Settings) any { return &s.Preview },
		},
		{
			Name: "preview.marks", Type: Enum, Default: "auto", Scope: User, Enum: []string{"auto", "hints", "diagnostics", "none"},
			Doc: "How `preview: inline` marks applied hunks until you keep or undo them.",
			EnumDocs: []string{
				"Marked if the editor shows no code lenses by default.",
				"Inlay hints.",
				"Diagnostics.",
				"No marks.",
			},
			field: func(s *Settings) any { return &s.PreviewMarks },
		},
		{
			Name: "client.name", Bare: true, Type: Enum, Default: "auto", Scope: Client,
			Enum:  []string{"auto", "vscode", "neovim", "helix", "eglot", "lsp-mode", "coc", "vim-lsp", "sublime", "kakoune", "zed", "generic"},
			Doc:   "The editor to adapt to; `auto` recognizes it by name.",
			field: func(s *Settings) any { return &s.Client },
		},
		{
			Name: "client.quirks", Was: "clientQuirks", Type: Switches, Default: map[string]bool(nil), Scope: Client,
			Doc:   "Quirks of the editor to turn on or off, such as `noVirtualDocuments: true` for previews in files. `coauthor.doctor` lists those in use.",
			field: func(s *Settings) any { return &s.ClientQuirks },
		},
	}
}

func systemRows() []Row {
	return []Row{
		{
			Name: "network.requestTimeout", Was: "requestTimeout", Type: Duration, Default: 10 * time.Minute, Scope: Workspace, Min: 1, Max: 86400,
			Doc:   "Time limit for an answer, including retries.",
			field: func(s *Settings) any { return &s.RequestTimeout },
		},
		{
			Name: "network.connectTimeout", Was: "connectTimeout", Type: Duration, Default: 15 * time.Second, Scope: Workspace, Min: 1, Max: 600,
			Doc:   "Time limit for connecting to the endpoint.",
			field: func(s *Settings) any { return &s.ConnectTimeout },
		},
		{
			Name: "network.firstTokenTimeout", Was: "firstTokenTimeout", Type: Duration, Default: 5 * time.Minute, Scope: Workspace, Min: 1, Max: 86400,
			Doc:   "How long to wait for an answer to begin. Small machines need longer.",
			field: func(s *Settings) any { return &s.FirstTokenTimeout },
		},
		{
			Name: "network.idleTimeout", Was: "idleTimeout", Type: Duration, Default: 2 * time.Minute, Scope: Workspace, Min: 1, Max: 86400,
			Doc:   "How long an answer may pause.",
			field: func(s *Settings) any { return &s.IdleTimeout },
		},
		{
			Name: "network.retries", Was: "retries", Type: Int, Default: 3, Scope: Workspace, Max: 10,
			Doc:   "Maximum retries when the endpoint is overloaded or the connection breaks before an answer.",
			field: func(s *Settings) any { return &s.Retries },
		},
		{
			Name: "network.allowInsecureHttp", Was: "allowInsecureHttp", Type: Bool, Default: false, Scope: User,
			Doc:   "Allow prompts and keys to go to other machines over plain HTTP.",
			field: func(s *Settings) any { return &s.AllowInsecureHTTP },
		},
		{
			Name: "network.caFile", Was: "caFile", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "PEM file with certificates to trust in addition to the system's. The path is absolute or starts with `~/`.",
			field: func(s *Settings) any { return &s.CAFile },
		},
		{
			Name: "network.proxy", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "Proxy for requests to models, such as `http://proxy.example:3128` or `socks5://127.0.0.1:1080`, or `none`. Default: the variables `HTTPS_PROXY` and `HTTP_PROXY`.",
			field: func(s *Settings) any { return &s.Proxy },
		},
		{
			Name: "trust.mode", Bare: true, Type: Enum, Default: "auto", Scope: User, Own: true, Enum: []string{"auto", "always", "never"},
			Doc:   "Whether workspaces are trusted. `auto` asks the editor, then checks `trust.roots`.",
			field: func(s *Settings) any { return &s.Trust },
		},
		{
			Name: "trust.roots", Was: "trustedRoots", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Folders that are trusted, with everything below them.",
			field: func(s *Settings) any { return &s.TrustedRoots },
		},
		{
			Name: "log.level", Type: Enum, Default: "info", Scope: User, Enum: []string{"debug", "info", "warn", "error"},
			Doc:   "How much to log.",
			field: func(s *Settings) any { return &s.Log.Level },
		},
		{
			Name: "log.file", Type: String, Default: "", Scope: User,
			Doc:   "Log file. Default: standard error, which editors keep.",
			field: func(s *Settings) any { return &s.Log.File },
		},
		{
			Name: "log.prompts", Type: Bool, Default: false, Scope: User, Own: true,
			Doc:   "Write prompts and answers to `log.file`, at `log.level` `info` or `debug`. They contain your code, but no API keys.",
			field: func(s *Settings) any { return &s.Log.Prompts },
		},
	}
}
