package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/model"
)

type webArgs struct {
	URL string `arg:"url" also:"instruction,text" bare:"yes" doc:"The URL."`
	Folder
}

// runWeb fetches a page and shows it to the model from now on.
func runWeb(ctx context.Context, s *agent.Session, c Call, args webArgs) (Answer, error) {
	url := args.URL
	if url != "" && !strings.Contains(url, "://") {
		url = "https://" + url
	}
	switch {
	case url == "":
		return Answer{}, errors.New("add a URL, for example: /web https://go.dev/doc/effective_go")
	case strings.ContainsFunc(url, unicode.IsSpace):
		return Answer{}, errors.New("/web accepts only one URL")
	}
	set := s.Settings()
	if set.Web.Fetch == "never" {
		return Answer{}, fmt.Errorf("cannot fetch %s because web.fetch is set to never", url)
	}
	run, stop := s.Life.While(ctx)
	defer stop()
	f := s.Chosen.Pages.For(set, func(ctx context.Context, q event.Question) (event.Answer, error) { return put(ctx, s, c.Ports, q) }, false)
	page, err := f.Get(run, url)
	if run.Err() != nil {
		return Answer{}, fmt.Errorf("fetching %s was stopped", url)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("cannot fetch %s: %w", url, err)
	}
	s.Chosen.AddPages([]string{url})
	tokens := model.NewCounter(set.Profile(s.Engine.Options().Catalog(), set.Model).Tokenizer).Count(page.Text)
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
