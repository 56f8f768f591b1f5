package settings

import "time"

// Web says what pages may be fetched.
type Web struct {
	Fetch        string // ask, always or never
	PrivateHosts []string
	Timeout      time.Duration
}

func webRows() []Row {
	return []Row{
		{
			Name: "web.fetch", Type: Enum, Default: "ask", Scope: User, Enum: []string{"ask", "always", "never"}, Own: true,
			Doc:   "Whether a page of the web that your text names is fetched and shown to the model, as Markdown: after a question for its address (`ask`), without one (`always`), or never, which holds for `/web` too. An address that a page redirects to on another host is asked about in any case. A page is fetched once and stays with the conversation until you drop it. Nothing of yours is sent, and no proxy is used. This is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.Web.Fetch },
		},
		{
			Name: "web.privateHosts", Type: List, Default: []string(nil), Scope: User, Own: true,
			Doc:   "Hosts whose pages may be fetched although they lie on this machine or in a private network, such as `localhost:8080` or `wiki.corp.example`, each with a port or for all. All others there are refused, whatever name or redirect leads to them. This is read from your own settings only, never from a workspace's.",
			field: func(s *Settings) any { return &s.Web.PrivateHosts },
		},
		{
			Name: "web.timeout", Type: Duration, Default: 20 * time.Second, Scope: User, Min: 1, Max: 600,
			Doc:   "How long a page may take to come.",
			field: func(s *Settings) any { return &s.Web.Timeout },
		},
	}
}
