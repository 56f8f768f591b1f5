package command

import (
	"context"
	"fmt"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
)

// UsageLine is what something used of the models.
type UsageLine struct {
	In        int     `json:"in"` // tokens
	Out       int     `json:"out"`
	CacheRead int     `json:"cacheRead,omitempty"`
	Estimated bool    `json:"estimated,omitempty"`
	Cost      float64 `json:"cost,omitempty"` // US dollars; absent when unknown, and when it is free
}

// TurnUsage is what a turn of the conversation used.
type TurnUsage struct {
	TurnID string `json:"turnId"`
	Number int    `json:"number"`
	Said   string `json:"said"`
	Model  string `json:"model"`
	UsageLine
}

// UsageReport is what was used, to look at.
type UsageReport struct {
	// Session is what this process used in the folder, with what belongs to no request, such as messages of commits;
	// Conversation is what the requests of Turns used, also those of an earlier process.
	Session      UsageLine   `json:"session"`
	Conversation UsageLine   `json:"conversation"`
	Turns        []TurnUsage `json:"turns"`
}

func usageLine(u event.Usage) UsageLine {
	return UsageLine{In: u.Prompt, Out: u.Completion, CacheRead: u.CacheRead, Estimated: u.Estimated, Cost: u.Cost}
}

// cells are the line in a table.
func (u UsageLine) cells() []string {
	about, cost := "", ""
	if u.Estimated {
		about = "about "
	}
	if u.Cost > 0 {
		cost = fmt.Sprintf("$%.4f", u.Cost)
	}
	return []string{about + event.Thousands(u.In), event.Thousands(u.Out), cost}
}

// Usage says what the requests of the conversation used, and this process in all.
func Usage(ctx context.Context, s *agent.Session) (UsageReport, error) {
	list, err := s.Conversation.Exchanges(ctx)
	if err != nil {
		return UsageReport{}, err
	}
	out := UsageReport{Session: usageLine(s.Turns.Usage()), Turns: []TurnUsage{}}
	var all event.Usage
	for _, x := range list {
		all = all.Add(x.Usage)
		out.Turns = append(out.Turns, TurnUsage{TurnID: x.Turn, Number: x.Number, Said: proposal.Label(x.User), Model: x.Model, UsageLine: usageLine(x.Usage)})
	}
	out.Conversation = usageLine(all)
	return out, nil
}

// runUsage shows what was used.
func runUsage(ctx context.Context, s *agent.Session, _ Call, _ Folder) (Answer, error) {
	r, err := Usage(ctx, s)
	if err != nil {
		return Answer{}, err
	}
	t := Table{Head: []string{"request", "model", "tokens in", "out", "cost"}, Right: []int{2, 3, 4}}
	add := func(what, model string, u UsageLine) {
		t.Rows = append(t.Rows, append([]string{what, model}, u.cells()...))
	}
	for _, x := range r.Turns {
		add(fmt.Sprintf("%d. %s", x.Number, x.Said), x.Model, x.UsageLine)
	}
	add("all requests in the conversation", "", r.Conversation)
	if r.Session != (UsageLine{}) {
		add("all requests since the program started", "", r.Session)
	}
	return listing("usage.md", "", Listing{Title: "Coauthor: usage", Sections: []Section{{Table: t}, {Text: "Costs appear only for models with known prices."}}}, r), nil
}
