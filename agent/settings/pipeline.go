package settings

import "time"

// Pipeline is how whole projects are generated, improved and run.
type Pipeline struct {
	Preprompts   string // a folder with texts of the user's own; "" has none
	MaxQuestions int    // that clarify asks before it goes on by itself
	RunTimeout   time.Duration
	UseCache     bool // answers are kept, and taken again for the same request

	NumberLines    bool // files are shown with the number of each line
	MaxRefinements int  // how often the model is asked again for what does not fit
	MaxAttempts    int  // how often a program that fails is repaired
	SuccessCodes   []string
	StartedAfter   int            // seconds; a program that still runs then works; 0 waits for its end
	Exec           []string       // how scripts are run; nil is the usual
	Memory         string         // a folder with notes for every step; "" has none
	Format         []CheckCommand // that run before the model sees the files
}

func pipelineRows() []Row {
	return []Row{
		{
			Name: "pipeline.preprompts", Type: String, Default: "", Scope: User, Flag: "preprompts",
			Doc:   "A folder with texts of your own that steer `generate` and its steps, relative to the workspace: each file in it takes the place of the built-in text of that name. `coauthor preprompts eject` writes the built-in ones there to begin with.",
			field: func(s *Settings) any { return &s.Pipeline.Preprompts },
		},
		{
			Name: "pipeline.maxQuestions", Type: Int, Default: 10, Scope: Workspace, Min: 1, Max: 100,
			Doc:   "How many questions the model may ask before a project is generated. After the last one it goes on with assumptions of its own, which are shown.",
			field: func(s *Settings) any { return &s.Pipeline.MaxQuestions },
		},
		{
			Name: "pipeline.runTimeout", Type: Duration, Default: 2 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "How long a generated program may run. Then it is ended, with all that it started.",
			field: func(s *Settings) any { return &s.Pipeline.RunTimeout },
		},
		{
			Name: "pipeline.useCache", Type: Bool, Default: false, Scope: User, Flag: "use-cache",
			Doc:   "Whether the answers of `generate` and its steps are kept in the state folder, and taken again when the same model is sent the same request. The model is then not asked, and nothing is charged.",
			field: func(s *Settings) any { return &s.Pipeline.UseCache },
		},
		{
			Name: "pipeline.numberLines", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Whether `improve` and `selfHeal` show the model each line behind its number, which helps it to say where a change goes and costs tokens. Numbers that come back in an answer are taken off.",
			field: func(s *Settings) any { return &s.Pipeline.NumberLines },
		},
		{
			Name: "pipeline.maxRefinements", Type: Int, Default: 3, Scope: Workspace, Max: 10,
			Doc:   "How often `improve`, and each attempt of `selfHeal`, asks the model again for the edits that do not fit, for a change where the answer held none, and for what the checks found.",
			field: func(s *Settings) any { return &s.Pipeline.MaxRefinements },
		},
		{
			Name: "pipeline.maxAttempts", Type: Int, Default: 10, Scope: User, Min: 1, Max: 50,
			Doc:   "How often `selfHeal` has a program repaired that still fails. It also stops when it fails in the same way three times.",
			field: func(s *Settings) any { return &s.Pipeline.MaxAttempts },
		},
		{
			Name: "pipeline.successCodes", Type: List, Default: []string(nil), Scope: User,
			Doc:   "Exit statuses beside 0 with which a script has done what it should. gpt-engineer also takes 2 for a success.",
			field: func(s *Settings) any { return &s.Pipeline.SuccessCodes },
		},
		{
			Name: "pipeline.startedAfter", Type: Int, Default: 0, Scope: User, Max: 86400,
			Doc:   "After how many seconds a script that still runs counts as one that works, for programs that do not end by themselves, such as servers. It is ended then. 0 waits for its end, at most for `pipeline.runTimeout`.",
			field: func(s *Settings) any { return &s.Pipeline.StartedAfter },
		},
		{
			Name: "pipeline.exec", Type: List, Default: []string(nil), Scope: User,
			Doc:   "The command by which scripts are run, as a list of words in which `{dir}` stands for the folder with the copy of the project, and `{script}` for the file in it that holds the script, such as `[podman, run, --rm, -v, \"{dir}:/work\", -w, /work, python:3, sh, \"{script}\"]`. You are asked about each script before it runs. Without this, a shell runs them in that copy with your own rights; on Linux with limits of memory, processes and disk, elsewhere with a limit of time. Where there is no shell, as on Windows, this names what runs scripts.",
			field: func(s *Settings) any { return &s.Pipeline.Exec },
		},
		{
			Name: "pipeline.memory", Type: String, Default: "", Scope: User,
			Doc:   "A folder with notes, relative to the workspace: its Markdown files go along with every step of `generate`, `improve` and `selfHeal`. At most 32 KiB in all.",
			field: func(s *Settings) any { return &s.Pipeline.Memory },
		},
		{
			Name: "pipeline.format", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Formatters that run over the files before `improve` shows them to the model, written as in `verify.lint`: `black -q {files}` for instance is `{run: [black, -q, \"{files}\"], files: [\"*.py\"]}`. They run on a copy, and only after you have agreed; what they change is part of the change that you are shown. The line `\"linting\" = \"off\"` in `file_selection.toml` switches them off for a project.",
			field: func(s *Settings) any { return &s.Pipeline.Format },
		},
	}
}
