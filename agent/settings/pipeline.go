package settings

import "time"

// Pipeline is how whole projects are generated, improved and run.
type Pipeline struct {
	Preprompts   string // a folder with texts of the user's own; "" has none
	MaxQuestions int    // that clarify asks before it goes on by itself
	RunTimeout   time.Duration
	UseCache     bool // answers are kept, and taken again for the same request
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
	}
}
