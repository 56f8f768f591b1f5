package settings

// EnvFiles says what is read of files of variables, such as .env.
type EnvFiles struct {
	Keys  []string // names of variables; no others are read
	Files []string // absolute paths, or such that begin with ~/
}

func envRows() []Row {
	return []Row{
		{
			Name: "env.keys", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Variables to read from `env.files`, such as `OPENAI_API_KEY`. The environment takes precedence.",
			field: func(s *Settings) any { return &s.EnvFiles.Keys },
		},
		{
			Name: "env.files", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Files with `NAME=value` lines to read `env.keys` from, such as `~/work/.env`. The first file that has a key counts.",
			field: func(s *Settings) any { return &s.EnvFiles.Files },
		},
	}
}
