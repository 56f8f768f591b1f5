package settings

// Web says what pages may be fetched.
type Web struct {
	Fetch        string // ask, always or never
	PrivateHosts []string
}

func webRows() []Row {
	return []Row{
		{
			Name: "web.fetch", Type: Enum, Default: "ask", Scope: User, Enum: []string{"ask", "always", "never"}, Own: true,
			Doc:   "Whether to fetch web pages that a request mentions. `never` also disables `/web`. Coauthor always asks before following a redirect to another host.",
			field: func(s *Settings) any { return &s.Web.Fetch },
		},
		{
			Name: "web.privateHosts", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Private hosts that Coauthor can fetch pages from, such as `localhost:8080` or `wiki.corp.example`.",
			field: func(s *Settings) any { return &s.Web.PrivateHosts },
		},
	}
}
