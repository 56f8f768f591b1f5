package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/web"
)

// Pages of the web that the user's text names, or that the command web fetches. Each is fetched once in a session, after
// the user has agreed to its address, and shown to the model as something to look at, until it is dropped.

// leastPage is how many tokens of a page are worth showing.
const leastPage = 64

// addPages remembers pages that the model is shown, for the turns to come. The last ones stay.
func (s *Session) addPages(urls []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, url := range urls {
		list := slices.DeleteFunc(slices.Clone(s.choice.Pages), func(u string) bool { return web.Address(u) == web.Address(url) })
		s.choice.Pages = append(list, url)
	}
	s.choice.Pages = s.choice.Pages[max(0, len(s.choice.Pages)-web.Most):]
	s.Pages.Keep(s.choice.Pages)
}

// webPages takes in the pages that the user's text names, and those of the requests before.
func (g *gathering) webPages(ctx context.Context, before []string) error {
	urls := g.newPages(before)
	f := g.d.pages.For(g.c.Settings, g.d.put, g.c.Settings.Web.Fetch == "always")
	var news []string
	for _, url := range urls {
		why, err := g.webPage(ctx, f, url, len(urls) > 1)
		if err != nil {
			return err
		}
		if why != "" {
			g.leave(url, why)
			if !g.d.looking {
				g.c.Unfetched = append(g.c.Unfetched, url)
				told := event.Warning
				if g.d.pages.Unwanted(url) {
					told = event.Info // the user has just said so
				}
				g.note(told(fmt.Sprintf("%s was not sent to the model: %s.", display.Path(url, 120), strings.TrimSuffix(why, "."))))
			}
			continue
		}
		news = append(news, url)
	}
	g.c.fetched = news
	g.showPages(slices.Concat(before, news))
	return ctx.Err()
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

// webPage gets one page, and says why it is not shown, "" when it is.
func (g *gathering) webPage(ctx context.Context, f *web.Fetching, url string, several bool) (why string, err error) {
	if _, known := g.d.pages.Get(url); known {
		return "", nil
	}
	switch {
	case g.c.Settings.Web.Fetch == "never":
		return "web.fetch is set to never", nil
	case g.d.pages.Unwanted(url):
		return "you declined to fetch it; use /web to fetch it", nil
	case !g.d.pages.Fetches():
		return "fetching is not available here", nil
	case mention.Private(mention.Host(url), g.c.Settings.Web.PrivateHosts):
		return "the host is on this computer or a private network and is not listed in web.privateHosts", nil
	case g.c.Request.comments != nil: // a file may be somebody else's
		return "URLs in comments are not fetched; use /web to fetch it", nil
	case g.d.looking:
		return "sending the request asks you first", nil
	}
	yes, err := f.Agreed(ctx, fmt.Sprintf("Fetch %s and show it to the model?", url), url, several)
	if err != nil {
		return "", err
	}
	if !yes {
		return "you declined to fetch it", nil
	}
	if _, err := f.Get(ctx, url); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return err.Error(), nil
	}
	return "", nil
}

// showPages puts pages into the prompt, the last ones first as long as there is room for them: a quarter of what the
// model takes.
func (g *gathering) showPages(urls []string) {
	list := g.d.pages.Of(urls[max(0, len(urls)-web.Most):])
	room := unknownRoom / 2
	if g.c.Model.Profile.ContextWindow > 0 {
		room = g.c.Model.Room / 4
	}
	slices.Reverse(list)
	for _, p := range list {
		shown := prompt.Page{URL: p.URL, Title: p.Title, Text: p.Text, Cut: p.Cut}
		size := g.c.Model.Counter.Count(p.Text)
		if size > room && room >= leastPage {
			shown.Text, shown.Cut = beginning(p.Text, room, g.c.Model.Counter.Count), true
		}
		if size > room && (room < leastPage || shown.Text == "") {
			g.leave(p.URL, fmt.Sprintf("its %d tokens do not fit with the other pages", size))
			if slices.Contains(g.c.fetched, p.URL) {
				g.note(event.Warning(fmt.Sprintf("%s was not sent to the model because it does not fit with the other pages. Use /drop to remove a page.", p.URL)))
			}
			continue
		}
		if shown.Cut {
			g.leave("the end of "+p.URL, "it is too long")
		}
		room -= min(size, room)
		g.c.Pages = append(g.c.Pages, shown)
	}
	slices.Reverse(g.c.Pages)
	if len(g.c.fetched) > 0 {
		g.note(event.Info("Fetched the pages in your request: " + display.Names(g.c.fetched) + "."))
	}
}

// beginning is as much of a text as has so many tokens at most, in whole lines where these are not endless.
func beginning(text string, most int, count func(string) int) string {
	for size := len(text); size > 0; {
		cut := text[:size]
		n := count(cut)
		if n <= most {
			if i := strings.LastIndexByte(cut, '\n'); size < len(text) && i > size/2 {
				cut = cut[:i+1]
			}
			return cut
		}
		size = min(size-1, size*most/n)
		for size > 0 && !utf8.RuneStart(text[size]) {
			size--
		}
	}
	return ""
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
	run, stop := context.WithCancel(s.ctx) // it ends with the session, and with who waits for it
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	f := s.Pages.For(set, func(ctx context.Context, q event.Question) (event.Answer, error) { return s.put(ctx, c.Ports, q) }, false)
	page, err := f.Get(run, url)
	if run.Err() != nil {
		return Answer{}, fmt.Errorf("fetching %s was stopped", url)
	}
	if err != nil {
		return Answer{}, fmt.Errorf("cannot fetch %s: %w", url, err)
	}
	s.addPages([]string{url})
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
