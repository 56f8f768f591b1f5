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
			Doc:   "Names of variables that hold keys of models, such as `OPENAI_API_KEY`, and that may also stand in one of `env.files`. Nothing else is read from there, and what the environment itself has comes first. This is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.EnvFiles.Keys },
		},
		{
			Name: "env.files", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Files with variables, a `NAME=value` a line, such as `~/work/.env`: absolute paths, or such that begin with `~/`. They are read for the names in `env.keys` when a key is needed, the first file that has one first. No `.env` is looked for by itself: a repository could bring one. This is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.EnvFiles.Files },
		},
	}
}
