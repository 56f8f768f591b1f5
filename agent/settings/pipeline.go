package settings

// Pipeline is how whole projects are generated, improved and run.
type Pipeline struct {
	Preprompts   string   // a folder with texts of the user's own; "" has none
	UseCache     bool     // answers are kept, and taken again for the same request
	StartedAfter int      // seconds; a program that still runs then works; 0 waits for its end
	Run          string   // RunAsk or RunAlways
	Exec         []string // how scripts are run; nil is the usual
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
			Name: "pipeline.useCache", Type: Bool, Default: false, Scope: User, Flag: "use-cache",
			Doc:   "In `generate` and its steps, reuse an earlier answer of the same model to the same request, at no cost.",
			field: func(s *Settings) any { return &s.Pipeline.UseCache },
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
	}
}
