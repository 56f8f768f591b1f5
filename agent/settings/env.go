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
			Doc:   "Variables to read from `env.files`, such as `OPENAI_API_KEY`. Environment variables take precedence.",
			field: func(s *Settings) any { return &s.EnvFiles.Keys },
		},
		{
			Name: "env.files", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Files to read `env.keys` from, such as `~/work/.env`, with `NAME=value` lines. The first file that contains a key applies.",
			field: func(s *Settings) any { return &s.EnvFiles.Files },
		},
	}
}
