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
	Run            string         // RunAsk or RunAlways
	Exec           []string       // how scripts are run; nil is the usual
	Memory         string         // a folder with notes for every step; "" has none
	Format         []CheckCommand // that run before the model sees the files
}

// Whether scripts run without a question, for Pipeline.Run.
const (
	RunAsk    = "ask"
	RunAlways = "always"
)

func pipelineRows() []Row {
	return []Row{
		{
			Name: "pipeline.preprompts", Type: String, Default: "", Scope: User, Flag: "preprompts",
			Doc:   "Workspace folder with custom generation prompts. Each replaces the built-in prompt of the same name. `coauthor preprompts eject` copies the built-in prompts there.",
			field: func(s *Settings) any { return &s.Pipeline.Preprompts },
		},
		{
			Name: "pipeline.maxQuestions", Type: Int, Default: 10, Scope: Workspace, Min: 1, Max: 100,
			Doc:   "Maximum number of questions before generating a project. After that, the model lists its assumptions.",
			field: func(s *Settings) any { return &s.Pipeline.MaxQuestions },
		},
		{
			Name: "pipeline.runTimeout", Type: Duration, Default: 2 * time.Minute, Scope: User, Min: 1, Max: 86400,
			Doc:   "Time limit for running a generated program.",
			field: func(s *Settings) any { return &s.Pipeline.RunTimeout },
		},
		{
			Name: "pipeline.useCache", Type: Bool, Default: false, Scope: User, Flag: "use-cache",
			Doc:   "In `generate` and its steps, reuse an earlier answer of the same model to the same request, at no cost.",
			field: func(s *Settings) any { return &s.Pipeline.UseCache },
		},
		{
			Name: "pipeline.numberLines", Type: Bool, Default: true, Scope: Workspace,
			Doc:   "Add line numbers to files that `improve` and `selfHeal` send. They help the model place edits but cost tokens.",
			field: func(s *Settings) any { return &s.Pipeline.NumberLines },
		},
		{
			Name: "pipeline.maxRefinements", Type: Int, Default: 3, Scope: Workspace, Max: 10,
			Doc:   "Maximum number of retries in `improve` and in each attempt of `selfHeal`.",
			field: func(s *Settings) any { return &s.Pipeline.MaxRefinements },
		},
		{
			Name: "pipeline.maxAttempts", Type: Int, Default: 10, Scope: User, Min: 1, Max: 50,
			Doc:   "Maximum number of attempts by `selfHeal`.",
			field: func(s *Settings) any { return &s.Pipeline.MaxAttempts },
		},
		{
			Name: "pipeline.successCodes", Type: List, Default: []string(nil), Scope: User,
			Doc:   "Nonzero exit codes that count as success.",
			field: func(s *Settings) any { return &s.Pipeline.SuccessCodes },
		},
		{
			Name: "pipeline.startedAfter", Type: Int, Default: 0, Scope: User, Max: 86400,
			Doc:   "Seconds after which Coauthor stops a running program, such as a server, and treats it as working. 0 waits until the program exits.",
			field: func(s *Settings) any { return &s.Pipeline.StartedAfter },
		},
		{
			Name: "pipeline.run", Type: Enum, Default: RunAsk, Scope: User, Own: true, Enum: []string{RunAsk, RunAlways}, Flag: "run",
			Doc: "Whether Coauthor asks before it runs a script.",
			EnumDocs: []string{
				"Ask each time.",
				"Run scripts without asking, in the sandbox or with the command in `pipeline.exec`. Without either, nothing runs.",
			},
			field: func(s *Settings) any { return &s.Pipeline.Run },
		},
		{
			Name: "pipeline.exec", Type: List, Default: []string(nil), Scope: User,
			Doc:   "Command that runs scripts, as a list of words. `{dir}` stands for the copy of the project and `{script}` for the script in it. Default: a shell.",
			field: func(s *Settings) any { return &s.Pipeline.Exec },
		},
		{
			Name: "pipeline.memory", Type: String, Default: "", Scope: User,
			Doc:   "Workspace folder with Markdown notes to send with every step, up to 32 KiB in total.",
			field: func(s *Settings) any { return &s.Pipeline.Memory },
		},
		{
			Name: "pipeline.format", Type: Commands, Default: []CheckCommand(nil), Scope: User,
			Doc:   "Formatters to run before `improve` sends files, in the same format as `verify.lint`. With your consent, they run on a copy. You also review their changes.",
			field: func(s *Settings) any { return &s.Pipeline.Format },
		},
	}
}
