package settings

import (
	"strings"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/model"
	"coauthor/edits/formats"
)

func modelRows() []Row {
	return []Row{
		{
			Name: "model.name", Bare: true, Type: String, Default: "", Scope: Workspace, Flag: "model",
			Doc:   "The model to work with: a name of `models`, an alias, `provider/model`, or the name that the endpoint gives it. Empty takes the first provider whose key is in the environment. A workspace that is not trusted may choose only among models that your own settings name, that answer where yours does, or, while you have chosen none, whose key you have. `model: gpt-5` is short for it.",
			field: func(s *Settings) any { return &s.Model },
		},
		{
			Name: "model.weak", Was: "weakModel", Type: String, Default: "", Scope: Workspace,
			Doc:   "The cheaper model for what needs no better one: messages of commits, and questions about Coauthor itself. Empty takes what the table gives for `model.name`.",
			field: func(s *Settings) any { return &s.WeakModel },
		},
		{
			Name: "model.editor", Was: "editorModel", Type: String, Default: "", Scope: Workspace, Flag: "editor-model",
			Doc:   "The model that carries out an architect's plan. Empty takes what `models` says for that of `model.name`, else that one itself.",
			field: func(s *Settings) any { return &s.EditorModel },
		},
		{
			Name: "model.fallback", Was: "fallbackModel", Type: String, Default: "", Scope: User,
			Doc:   "The model that answers when the chosen one cannot be had: it is overloaded, out of reach, silent, no longer offered, or its account is empty. You are told each time. For five minutes after that it is asked at once.",
			field: func(s *Settings) any { return &s.FallbackModel },
		},
		{
			Name: "model.reasoningEffort", Was: "reasoningEffort", Type: Enum, Default: "auto", Scope: User, Flag: "reasoning-effort",
			Enum:  []string{"auto", "none", "minimal", "low", "medium", "high", "xhigh", "max"},
			Doc:   "How hard the model thinks before it answers. `auto` leaves it to the model. It is sent to models that are known to take that value; for others set it in their entry of `models`, which stands above this. The flag, and the command for the session, stand above that.",
			field: func(s *Settings) any { return &s.ReasoningEffort },
		},
		{
			Name: "model.thinkingTokens", Was: "thinkingTokens", Type: Tokens, Default: 0, Scope: User, Max: mostThinking, Flag: "thinking-tokens",
			Doc:   "How many tokens the model may think with before it answers, such as `8k`. 0 leaves it to the model. It is sent to models that are known to take it; for others set it in their entry of `models`, which stands above this. The flag, and the command for the session, stand above that.",
			field: func(s *Settings) any { return &s.ThinkingTokens },
		},
		{
			Name: "model.temperature", Was: "temperature", Type: Number, Default: (*float64)(nil), Scope: Workspace, Max: 2, Flag: "temperature",
			Doc:   "Randomness of the model. Unset takes the model's own, which is 0 for most.",
			field: func(s *Settings) any { return &s.Temperature },
		},
		{
			Name: "model.cacheKeepalivePings", Was: "cacheKeepalivePings", Type: Int, Default: 0, Scope: User, Max: 100,
			Doc:   "How often the beginning of the last prompt is sent again while you do nothing, every five minutes and with an answer of one token, so that the provider keeps it in its cache and the next request is cheap and quick. Each time costs what reading the prompt from the cache costs. It ends with your next request, and only models whose cache is told what to keep (`cacheMarks`) get it: of another you are told once that it does not. 0 is never.",
			field: func(s *Settings) any { return &s.CacheKeepalivePings },
		},
		{
			Name: "models", Type: Models, Default: map[string]model.UserModel(nil), Scope: User,
			Doc:   "Models of your own, by the name you give them; see below for the fields of an entry.",
			field: func(s *Settings) any { return &s.Models },
		},
		{
			Name: "model.aliases", Was: "aliases", Type: Names, Default: map[string]string(nil), Scope: User,
			Doc:   "Short names for models: each stands for a name of `models`, `provider/model`, or any other name of a model. A name of `models` stands above an alias.",
			field: func(s *Settings) any { return &s.Aliases },
		},
		{
			Name: "apiBase", Type: String, Default: "", Scope: User, Flag: "api-base",
			Doc:   "URL of an OpenAI-compatible server, with or without `/v1`, for all models that do not name their own. Empty takes the endpoint of the model's provider; for OpenAI's models the variables `OPENAI_BASE_URL` and `OPENAI_API_BASE` count too, together with `OPENAI_API_KEY`.",
			field: func(s *Settings) any { return &s.APIBase },
		},
		{
			Name: "apiKeyEnv", Type: String, Default: "", Scope: User,
			Doc:   "Name of the environment variable that holds the API key for `apiBase`; `none` if that server needs no key. Empty takes the provider's own variable where it belongs to the host and none on this machine; any other server gets no key that this setting does not name, `OPENAI_API_KEY` included. The key itself never stands in a setting.",
			field: func(s *Settings) any { return &s.APIKeyEnv },
		},
		{
			Name: "apiKeyCommand", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "A command whose first line of output is the API key for `apiBase`, such as `pass show openai`, instead of a variable. The shell runs it in your home folder when the first request needs the key, and again when the server refuses the key. It is read from your own settings only, never from a workspace's; for a model of `models` it stands in that entry.",
			field: func(s *Settings) any { return &s.APIKeyCommand },
		},
		{
			Name: "editFormat", Type: Enum, Default: "auto", Scope: Workspace, Flag: "format",
			Enum:  append([]string{"auto"}, formats.Choices()...),
			Doc:   "How the model writes edits: `diff` are search and replace blocks, `whole` whole files. `auto` takes what suits the model. A model that does best with whole files is asked for those when its first edits in another format do not fit and the files are not long.",
			field: func(s *Settings) any { return &s.EditFormat },
		},
	}
}

func turnRows() []Row {
	return []Row{
		{
			Name: "turn.coder", Was: "coder", Type: Enum, Default: coder.Default, Scope: Workspace, Enum: coder.All().Names(),
			Doc:   "What a request does when it does not say." + coders(),
			field: func(s *Settings) any { return &s.Coder },
		},
		{
			Name: "turn.language", Was: "language", Type: String, Default: "", Scope: Workspace,
			Doc:   "The language of the model's answers, as a name (`German`) or a code (`de`). Empty takes the language of each request, and where that does not tell, the one that your editor says it is shown in, or that of your system.",
			field: func(s *Settings) any { return &s.Language },
		},
		{
			Name: "turn.maxReflections", Was: "maxReflections", Type: Int, Default: 3, Scope: Workspace, Max: 10,
			Doc:   "How many retries one request has for edits that were refused and checks that failed. One file gets at most two of them.",
			field: func(s *Settings) any { return &s.MaxReflections },
		},
		{
			Name: "turn.maxFiles", Was: "maxFilesPerTurn", Type: Int, Default: 20, Scope: Workspace, Min: 1, Max: 1000,
			Doc:   "How many files one turn should change at most. A change of more is proposed with a warning, so that it is looked at first.",
			field: func(s *Settings) any { return &s.MaxFiles },
		},
		{
			Name: "architect.confirm", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether a turn of `architect` shows its plan and asks before it writes the edits.",
			field: func(s *Settings) any { return &s.Architect.Confirm },
		},
		{
			Name: "auto.propose", Type: Enum, Default: "end", Scope: User, Enum: []string{"end", "round"},
			Doc:   "When a turn of `auto` proposes its changes: all of them at the `end`, or those of each `round` as soon as it has ended. Who discards the change of a round ends the turn after the one that runs.",
			field: func(s *Settings) any { return &s.Auto.Propose },
		},
		{
			Name: "auto.rounds", Type: Int, Default: 8, Scope: User, Min: 1, Max: 20,
			Doc:   "How many rounds a turn of `auto` has at most, without those in which the model corrects its edits.",
			field: func(s *Settings) any { return &s.Auto.Rounds },
		},
		{
			Name: "auto.tokens", Type: Int, Default: 0, Scope: User, Max: 1_000_000_000,
			Doc:   "After how many tokens, of prompts and answers together, a turn of `auto` asks the model no more. 0 is no limit.",
			field: func(s *Settings) any { return &s.Auto.Tokens },
		},
		{
			Name: "auto.time", Type: Duration, Default: 10 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "After what time a turn of `auto` ends, also in the middle of a reply: the edits that are whole by then are proposed with a warning.",
			field: func(s *Settings) any { return &s.Auto.Time },
		},
		{
			Name: "auto.cost", Type: Number, Default: (*float64)(nil), Scope: User, Max: 10000,
			Doc:   "After what cost, in US dollars, a turn of `auto` asks the model no more, where the model's price is known. Unset or 0 is no limit.",
			field: func(s *Settings) any { return &s.Auto.Cost },
		},
		{
			Name: "actions", Type: Actions, Default: []Action(nil), Scope: User,
			Doc:   "Code actions and commands of your own; see below for the fields of an entry. They are for what fits into a line; a longer one is a Markdown file in the folder `commands` beside your `config.yaml` (see `coauthor.runAction`). Entries of several places add up; of two with one name the later counts.",
			field: func(s *Settings) any { return &s.Actions },
		},
		{
			Name: "shell.suggest", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Whether the model may end its answer with commands for your shell, such as one that installs a dependency. They are shown, and run only when you say so. Only edit formats with search and replace blocks leave room for them, and models that write whole files are not told.",
			field: func(s *Settings) any { return &s.Shell.Suggest },
		},
		{
			Name: "shell.allow", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Commands that `/run` runs without a question, in their exact text; one that ends with ` *`, such as `go test *`, stands for every command that begins so and goes on in plain words. This is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.Shell.Allow },
		},
		{
			Name: "comments.watch", Was: "watchComments", Type: Enum, Default: "action", Scope: User, Enum: []string{"off", "action", "onSave"},
			Doc:   "What becomes of comments that are marked with `AI!` (an instruction) or `AI?` (a question), at the beginning or the end of a line of them: nothing (`off`), a code action on them (`action`), or, besides, a turn as soon as their file is saved (`onSave`): one for each comment, unless it is in the last commit or came with a change of the model. Comments marked with `AI` alone go along with the others. A turn also takes in the marked comments of other open documents and of files that are not committed, and takes instructions out of the files when it has carried them out.",
			field: func(s *Settings) any { return &s.WatchComments },
		},
		{
			Name: "verify.level", Type: Enum, Default: "lint", Scope: User, Enum: []string{"off", "syntax", "lint", "full"}, Bare: true,
			Doc:   "What is checked before a change is shown: nothing (`off`), or the syntax of the changed places, definitions that a reply leaves out (they are put back, or the model is asked), names that a file calls without an import (the import is written where it follows from the change: one of the files shown defines the name, or the library of Python or Go; and what Go no longer uses is not imported any more), imports of names that the other file does not have (a new script is given the export), and names that the request asks for and no file has (`syntax`); `lint` also runs the commands of `verify.lint`, and `full` those of `verify.test` too. `verify: full` is short for it. What a change broke goes back to the model, and the result stands with the change.",
			field: func(s *Settings) any { return &s.Verify },
		},
		{
			Name: "verify.lint", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Linters that check a change before it is shown, a command each: `go vet ./...`, or `{run: [ruff, check, \"{files}\"], files: [\"*.py\"]}`, where `files` are globs of the files that the command is about. No shell reads a command. `{files}` stands for the changed files, `{dirs}` for the folders that they are in. You are asked once for each folder and command before it runs. A command runs with the change in place, but what it writes is dropped: your files stay as they are. It has none of your keys, and on a Linux that allows namespaces it runs in a sandbox: it has no network, reaches no other program, and of your home folder sees only toolchains and build caches (`verify.visible` adds to them). Elsewhere it runs in a copy of the folder without a sandbox, which is kept and brought up to date, and nothing keeps it from the network and from your other files: the question and the result say so. A script of `package.json` that is run by its name is asked about again when its text changes. The model is told what you lint and test with. While neither this nor `verify.test` is set, the linters and tests that a folder shows to use (its `go.mod`, `pyproject.toml`, `package.json`, `Cargo.toml` and the like, also in folders below) are offered once, in their exact text, after the first change has landed there; none runs without your yes.",
			field: func(s *Settings) any { return &s.Checks.Lint },
		},
		{
			Name: "verify.test", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Tests that run on a change before it is shown, with `verify: full`: commands as in `verify.lint`. `{report}` stands for a temporary file to which a test runner writes what its tests came to as JUnit XML, such as `--junitxml={report}` (pytest is told so without your saying it): it is read in place of the runner's words.",
			field: func(s *Settings) any { return &s.Checks.Test },
		},
		{
			Name: "verify.visible", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "What the commands of `verify.lint` and `verify.test`, and the scripts of the pipelines, may see besides: folders and files outside of the project, as absolute paths or such as `~/data`, and files of the project that may hold secrets, by their exact paths in it, such as `.env.test`. In the sandbox your home folder is empty except for toolchains and build caches, `/tmp` and `/run` are empty, and files with names that usually hold secrets (`.env`, keys, credentials) are empty; the result of a check names those. This is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.Checks.Visible },
		},
		{
			Name: "verify.lintTimeout", Type: Duration, Default: time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "How long one command of `verify.lint` may take.",
			field: func(s *Settings) any { return &s.Checks.LintTime },
		},
		{
			Name: "verify.testTimeout", Type: Duration, Default: 5 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "How long one command of `verify.test` may take.",
			field: func(s *Settings) any { return &s.Checks.TestTime },
		},
	}
}

// coders says what each coder is for.
func coders() string {
	var text strings.Builder
	for _, c := range coder.All().Offered() {
		text.WriteString(" `" + c.Name + "`: " + c.Doc)
	}
	return text.String()
}

func contextRows() []Row {
	return []Row{
		{
			Name: "repoMap.enabled", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Whether the model gets a map of the repository.",
			field: func(s *Settings) any { return &s.RepoMap.Enabled },
		},
		{
			Name: "repoMap.tokens", Type: Int, Default: 0, Scope: Workspace, Max: 100_000, Flag: "map-tokens",
			Doc:   "Size of the map in tokens. 0 takes an eighth of the model's context window, between 1024 and 4096; more than twice that is warned of once. While no file is in the chat, and for the coder `context`, the map takes twice the size, as far as the window has room.",
			field: func(s *Settings) any { return &s.RepoMap.Tokens },
		},
		{
			Name: "repoMap.refresh", Type: Enum, Default: "auto", Scope: Workspace, Enum: []string{"auto", "always", "files", "manual"},
			Doc:   "When the map is redrawn. `auto`: for each request, and within one for what comes next, but what still serves stays as and where it was, so that the provider's prompt cache holds. `always`: for each request, the best map, whatever the last one was. `files`: when other files are in the chat or files come or go. `manual`: only by `coauthor.showRepoMap` with `refresh`. Whatever it says, each look of the coder `context` has one of its own.",
			field: func(s *Settings) any { return &s.RepoMap.Refresh },
		},
		{
			Name: "repoMap.exclude", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Files that the map leaves out, as globs, such as `vendor/**` or `*.pb.go`, at any depth and in whatever letters. The model may still see them where they are named, open or asked for; `files.denyGlobs` and ignore files keep them from it.",
			field: func(s *Settings) any { return &s.RepoMap.Exclude },
		},
		{
			Name: "repoMap.maxFiles", Type: Int, Default: 0, Scope: Workspace, Max: 10_000_000,
			Doc:   "Of how many files the map is made at most, for folders so large that reading them takes too long: those with the fewest folders above them. 0 is all of them. It counts as soon as the folder is looked at again, which takes seconds.",
			field: func(s *Settings) any { return &s.RepoMap.MaxFiles },
		},
		{
			Name: "context.openDocuments", Type: Enum, Default: "all", Scope: Workspace, Enum: []string{"all", "none"},
			Doc:   "Whether open documents go to the model beside the one you work on. Ignored and secret files never do.",
			field: func(s *Settings) any { return &s.Context.OpenDocuments },
		},
		{
			Name: "context.maxFiles", Type: Int, Default: 40, Scope: Workspace, Min: 1, Max: 1000,
			Doc:   "How many files go to the model at most.",
			field: func(s *Settings) any { return &s.Context.MaxFiles },
		},
		{
			Name: "context.maxTokens", Type: Int, Default: 0, Scope: Workspace, Max: 10_000_000,
			Doc:   "How many tokens of files go to the model at most. 0 takes half of the room that the model has.",
			field: func(s *Settings) any { return &s.Context.MaxTokens },
		},
		{
			Name: "context.readOnly", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Files that the model always sees and may not change: paths, folders, or globs such as `docs/api/**/*.md`. Those that a folder does not have are passed over, and so are ignored and secret files.",
			field: func(s *Settings) any { return &s.Context.ReadOnly },
		},
		{
			Name: "context.addMentioned", Was: "addMentioned", Type: Enum, Default: "ask", Scope: User, Enum: []string{"ask", "always", "never"},
			Doc:   "Whether existing files that the model was not shown are added to the conversation when it wants to change them, or names them in a reply without edits or in a plan. A file that your own text names, by its path or by a name that no other file has, goes along without a question while there is room; with `never` only one that it names as `@path` does.",
			field: func(s *Settings) any { return &s.AddMentioned },
		},
		{
			Name: "context.tools", Was: "tools", Type: Enum, Default: "auto", Scope: User, Enum: []string{"auto", "never"},
			Doc:   "Whether the model may look around before it answers: list and read files, search, see definitions, diagnostics, and what git knows. It sees only what may be sent and changes nothing. `auto` is for questions and plans, and for models that can do it (the field `tools` of an entry in `models`); `never` shows the model only the files and the map that the request begins with.",
			field: func(s *Settings) any { return &s.Tools },
		},
		{
			Name: "context.rulesFiles", Was: "rulesFiles", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Whether the model gets the rules of the project and your own: of `AGENTS.override.md` and `AGENTS.md` the nearest above each file of the chat; `CONVENTIONS.md`; `CLAUDE.md` with what it imports by `@path`; `.github/copilot-instructions.md`; what in `.cursor/rules` and `.github/instructions` is for these files; and `AGENTS.md` beside your own `config.yaml`. At most 32 KiB in all. Those of a workspace that is not trusted are sent only if you agree.",
			field: func(s *Settings) any { return &s.RulesFiles },
		},
		{
			Name: "files.encoding", Was: "encoding", Type: String, Default: "utf-8", Scope: Workspace,
			Doc:   "Encoding of files that are neither UTF-8 nor marked by a byte order mark, by its usual name, such as `windows-1252`.",
			field: func(s *Settings) any { return &s.Encoding },
		},
		{
			Name: "files.allowIgnored", Was: "allowIgnored", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether files that `.gitignore`, `.aiderignore`, `.coauthorignore` or a file of `files.ignoreFiles` exclude may be read and sent.",
			field: func(s *Settings) any { return &s.AllowIgnored },
		},
		{
			Name: "files.ignoreFiles", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "Names of more ignore files, such as `.cursorignore`, which are read in every folder as `.coauthorignore` is. `.gitignore`, `.aiderignore` and `.coauthorignore` are read in any case, and no file of these names brings back what another one excludes.",
			field: func(s *Settings) any { return &s.IgnoreFiles },
		},
		{
			Name: "files.redactSecrets", Type: Bool, Default: true, Scope: User, Own: true,
			Doc:   "Whether models are not shown what looks like a key: tokens in the forms of well-known services, and private keys in PEM form. A name such as `REDACTED_1_…` stands for each in all that is sent; where the model writes that name, its answer has the key again, so that lines with keys can be changed. It is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.RedactSecrets },
		},
		{
			Name: "files.denyGlobs", Was: "denyGlobs", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "More files, as globs, that are sent only if you agree to each of them by name, beside the built-in list of keys and secrets. The map never has them.",
			field: func(s *Settings) any { return &s.DenyGlobs },
		},
		{
			Name: "files.protectedGlobs", Was: "protectedGlobs", Type: List, Default: []string(nil), Scope: WorkspaceAdds,
			Doc:   "More files whose change needs a consent that names them, as globs, beside the built-in list.",
			field: func(s *Settings) any { return &s.ProtectedGlobs },
		},
	}
}

func historyRows() []Row {
	return []Row{
		{
			Name: "history.save", Type: Bool, Default: true, Scope: User,
			Doc:   "Whether conversations are kept on disk: what you asked and what the model answered, as Markdown, in one file for each folder that only you can read. It lies below `$XDG_STATE_HOME/coauthor/history` (without that variable `~/.local/state/coauthor/history`), and nothing in it is ever removed. What looks like a key is left out.",
			field: func(s *Settings) any { return &s.History.Save },
		},
		{
			Name: "history.inWorkspace", Type: Bool, Default: false, Scope: User, Own: true,
			Doc:   "Whether that file lies in the folder itself, as `.coauthor/history.md`, where git passes it over. In a workspace that is not trusted it is written and never read. This is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.History.InWorkspace },
		},
		{
			Name: "history.restore", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether the first request in a folder goes on with the last conversation there, as `--continue` does on the command line.",
			field: func(s *Settings) any { return &s.History.Restore },
		},
		{
			Name: "history.summarize", Type: Bool, Default: true, Scope: User,
			Doc:   "Whether the oldest part of a long conversation is summed up by the weak model (the main one where that fails), after a request and while you read on. Without it the oldest requests are not sent any more. You are told of both, and `history` shows all requests in any case.",
			field: func(s *Settings) any { return &s.History.Summarize },
		},
		{
			Name: "history.tokens", Type: Int, Default: 0, Scope: User, Max: 1_000_000,
			Doc:   "From how many tokens on a conversation is too long to be sent as it is; half of that stays as it was said. 0 is a sixteenth of the model's context window, at least 1024 and at most 8192.",
			field: func(s *Settings) any { return &s.History.Tokens },
		},
	}
}

func editorRows() []Row {
	return []Row{
		{
			Name: "preview.mode", Bare: true, Type: Enum, Default: "auto", Scope: User, Enum: []string{"auto", "native", "diff", "inline", "none"},
			Doc:   "How a change is shown: in the editor's own preview (`native`), as a document with the diff (`diff`), or not at all: `none` applies it at once, and `inline` does so and lets you look at it afterwards, in your files, where each hunk can be kept or undone. `auto` takes what the editor can do and never applies unseen. `preview: diff` is short for it.",
			field: func(s *Settings) any { return &s.Preview },
		},
		{
			Name: "preview.marks", Type: Enum, Default: "auto", Scope: User, Enum: []string{"auto", "hints", "diagnostics", "none"},
			Doc:   "How changes that were applied at once (`preview: inline`) are marked in your files until you keep or undo them: as inlay hints (`hints`) or as notes beside the problems of other servers (`diagnostics`). `auto` marks them where the editor shows no code lenses by itself.",
			field: func(s *Settings) any { return &s.PreviewMarks },
		},
		{
			Name: "client.name", Bare: true, Type: Enum, Default: "auto", Scope: Client,
			Enum:  []string{"auto", "vscode", "neovim", "helix", "eglot", "lsp-mode", "coc", "vim-lsp", "sublime", "kakoune", "zed", "generic"},
			Doc:   "The editor whose behaviour the server expects. `auto` goes by the name that the editor gives. `client: helix` is short for it. It counts from the start of the server.",
			field: func(s *Settings) any { return &s.Client },
		},
		{
			Name: "client.quirks", Was: "clientQuirks", Type: Switches, Default: map[string]bool(nil), Scope: Client,
			Doc:   "Known peculiarities of the editor, switched on or off one by one; `coauthor.doctor` lists those in force. They count from the start of the server. `noVirtualDocuments: true`, for instance, has previews shown as files.",
			field: func(s *Settings) any { return &s.ClientQuirks },
		},
	}
}

func systemRows() []Row {
	return []Row{
		{
			Name: "network.requestTimeout", Was: "requestTimeout", Type: Duration, Default: 10 * time.Minute, Scope: Workspace, Min: 1, Max: 86400,
			Doc:   "How long one answer of the model may take, with its retries.",
			field: func(s *Settings) any { return &s.RequestTimeout },
		},
		{
			Name: "network.connectTimeout", Was: "connectTimeout", Type: Duration, Default: 15 * time.Second, Scope: Workspace, Min: 1, Max: 600,
			Doc:   "How long it may take to reach the endpoint.",
			field: func(s *Settings) any { return &s.ConnectTimeout },
		},
		{
			Name: "network.firstTokenTimeout", Was: "firstTokenTimeout", Type: Duration, Default: 5 * time.Minute, Scope: Workspace, Min: 1, Max: 86400,
			Doc:   "How long the model may think before the first piece of its answer. Small machines read long prompts slowly.",
			field: func(s *Settings) any { return &s.FirstTokenTimeout },
		},
		{
			Name: "network.idleTimeout", Was: "idleTimeout", Type: Duration, Default: 2 * time.Minute, Scope: Workspace, Min: 1, Max: 86400,
			Doc:   "How long an answer may pause in the middle.",
			field: func(s *Settings) any { return &s.IdleTimeout },
		},
		{
			Name: "network.retries", Was: "retries", Type: Int, Default: 3, Scope: Workspace, Max: 10,
			Doc:   "How often a call is tried again when the endpoint is overloaded or the connection breaks before the answer began.",
			field: func(s *Settings) any { return &s.Retries },
		},
		{
			Name: "network.allowInsecureHttp", Was: "allowInsecureHttp", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether prompts and keys may go over plain http to another machine.",
			field: func(s *Settings) any { return &s.AllowInsecureHTTP },
		},
		{
			Name: "network.caFile", Was: "caFile", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "A file of certificates in PEM form that are trusted beside the system's, for servers with a certificate of their own: an absolute path, or one that begins with `~/`. It is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.CAFile },
		},
		{
			Name: "network.proxy", Type: String, Default: "", Scope: User, Own: true,
			Doc:   "The proxy through which models are asked, such as `http://proxy.example:3128` or `socks5://127.0.0.1:1080`; servers on this machine are asked without, and so are the hosts that the variable `NO_PROXY` names. Empty takes what the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say, `none` goes without. Pages of the web are fetched without a proxy in any case. It is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.Proxy },
		},
		{
			Name: "trust.mode", Bare: true, Type: Enum, Default: "auto", Scope: User, Own: true, Enum: []string{"auto", "always", "never"},
			Doc:   "Whether workspaces are trusted: by the editor's word and `trust.roots`, always, or never. In an untrusted workspace its file sets only harmless settings, and so do the settings of an editor that a repository can write too. `trust: always` is short for it.",
			field: func(s *Settings) any { return &s.Trust },
		},
		{
			Name: "trust.roots", Was: "trustedRoots", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Folders whose workspaces are trusted, with everything below them.",
			field: func(s *Settings) any { return &s.TrustedRoots },
		},
		{
			Name: "log.level", Type: Enum, Default: "info", Scope: User, Enum: []string{"debug", "info", "warn", "error"},
			Doc:   "What is logged.",
			field: func(s *Settings) any { return &s.Log.Level },
		},
		{
			Name: "log.file", Type: String, Default: "", Scope: User,
			Doc:   "A file for the log, which the server opens when it starts. Empty logs to standard error, which editors keep.",
			field: func(s *Settings) any { return &s.Log.File },
		},
		{
			Name: "log.prompts", Type: Bool, Default: false, Scope: User, Own: true,
			Doc:   "Whether what models are asked and answer is written into `log.file`, with `log.level` at `info` or `debug`. Your code stands in it; the keys of models, and what looks like a key, are cut out. It is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.Log.Prompts },
		},
	}
}
