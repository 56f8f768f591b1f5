package settings

func envRows() []Row {
	return []Row{
		{
			Name: "env.files", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Files to read API keys from, such as `~/work/.env`, with `NAME=value` lines. The first file that contains a key applies; environment variables take precedence.",
			field: func(s *Settings) any { return &s.EnvFiles },
		},
	}
}
