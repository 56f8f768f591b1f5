package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/web"
)

// Pages of the web that the user's text names, or that the command web fetches. Each is fetched once in a session, after
// the user has agreed to its address, and shown to the model as something to look at, until it is dropped.

// webPages takes in the pages that the user's text names, and those of the requests before.
func (g *gathering) webPages(ctx context.Context, before []string) error {
	room := unknownRoom / 2
	if g.c.Model.Profile.ContextWindow > 0 {
		room = g.c.Model.Room / 4
	}
	shown, err := g.d.pages.Choose(ctx, web.Wanted{
		URLs: g.newPages(before), Before: before, Settings: g.c.Settings, Ask: g.d.put, Looking: g.d.looking,
		InFile: g.c.Request.comments != nil, Room: room, Count: g.c.Model.Counter.Count,
	})
	g.c.Pages, g.c.Unfetched = append(g.c.Pages, shown.Pages...), append(g.c.Unfetched, shown.Unfetched...)
	g.c.fetched = shown.Fetched
	g.c.Notes = append(g.c.Notes, shown.Notes...)
	for _, l := range shown.Left {
		g.leave(l.What, l.Why)
	}
	return err
}

// newPages are the addresses of the user's text that are not shown yet.
func (g *gathering) newPages(before []string) []string {
	r := g.c.Request
	if r.quotes || r.Given != "" || r.Changes != nil {
		return nil // the text is not the user's own, or nobody is asked
	}
	return slices.DeleteFunc(mention.URLs(r.Instruction), func(url string) bool {
		return slices.ContainsFunc(before, func(known string) bool { return web.Address(known) == web.Address(url) })
	})
}

// runWeb fetches a page and shows it to the model from now on.
func runWeb(ctx context.Context, s *Session, c Call) (Answer, error) {
	url := c.Text
	if url != "" && !strings.Contains(url, "://") {
		url = "https://" + url
	}
	switch {
	case url == "":
		return Answer{}, errors.New("add a URL, for example: /web https://go.dev/doc/effective_go")
	case strings.ContainsFunc(url, unicode.IsSpace):
		return Answer{}, errors.New("/web accepts only one URL")
	}
	set := s.settings()
	if set.Web.Fetch == "never" {
		return Answer{}, fmt.Errorf("cannot fetch %s because web.fetch is set to never", url)
	}
	run, stop := context.WithCancel(s.life.ctx) // it ends with the session, and with who waits for it
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	f := s.chosen.pages.For(set, func(ctx context.Context, q event.Question) (event.Answer, error) { return s.put(ctx, c.Ports, q) }, false)
	page, err := f.Get(run, url)
	if run.Err() != nil {
		return Answer{}, fmt.Errorf("fetching %s was stopped", url)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("cannot fetch %s: %w", url, err)
	}
	s.chosen.addPages([]string{url})
	tokens := newModel(set.Profile(s.e.o.Catalog(), set.Model), "").Counter.Count(page.Text)
	return Answer{
		Text: fmt.Sprintf("The model now sees %s (about %d tokens). Use /drop to remove it.", url, tokens),
		Page: Page{"page.md", page.Text + "\n"},
		Data: FetchedPage{URL: url, Title: page.Title, Text: page.Text, Tokens: tokens, Cut: page.Cut},
	}, nil
}

// FetchedPage is the answer of the command web for programs.
type FetchedPage struct {
	URL    string `json:"url"`
	Title  string `json:"title"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
	Cut    bool   `json:"cut"`
}
