package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
)

// Pages of the web that the user's text names, or that the command web fetches. Each is fetched once in a session, after
// the user has agreed to its address, and shown to the model as something to look at, until it is dropped.

// FetchPage fetches a page for whom these settings are.
type FetchPage func(ctx context.Context, address string, set settings.Settings) (mention.Page, error)

// mostPages is how many pages are shown at a time; an older one gives way to a new one.
const mostPages = 12

// leastPage is how many tokens of a page are worth showing.
const leastPage = 64

// pages are those that a session has fetched. The zero value is ready. It is safe for concurrent use.
type pages struct {
	mu      sync.Mutex
	known   map[string]mention.Page // guarded by mu; by address
	skipped map[string]bool         // guarded by mu; that the user did not want
}

// addressOf is what two addresses of the same page have in common.
func addressOf(url string) string {
	address, _, _ := strings.Cut(url, "#")
	return address
}

// PagesAmong takes names apart: addresses of pages, and files.
func PagesAmong(names []string) (pages, files []string) {
	for _, name := range names {
		if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
			pages = append(pages, name)
		} else {
			files = append(files, name)
		}
	}
	return pages, files
}

func (k *pages) get(url string) (mention.Page, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.known[addressOf(url)]
	return p, ok
}

func (k *pages) put(p mention.Page) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[string]mention.Page{}
	}
	k.known[addressOf(p.URL)] = p
}

// keep forgets all pages but these when there are many: one that is wanted again is fetched again.
func (k *pages) keep(urls []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) <= 2*mostPages {
		return
	}
	all := k.known
	k.known = map[string]mention.Page{}
	for _, url := range urls {
		if p, ok := all[addressOf(url)]; ok {
			k.known[addressOf(url)] = p
		}
	}
}

func (k *pages) skip(url string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.skipped == nil {
		k.skipped = map[string]bool{}
	}
	k.skipped[addressOf(url)] = true
}

func (k *pages) unwanted(url string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.skipped[addressOf(url)]
}

// of are the pages of some addresses, as far as they are there.
func (k *pages) of(urls []string) []mention.Page {
	var list []mention.Page
	for _, url := range urls {
		if p, ok := k.get(url); ok {
			list = append(list, p)
		}
	}
	return list
}

// addPages remembers pages that the model is shown, for the turns to come. The last ones stay.
func (s *Session) addPages(urls []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, url := range urls {
		list := slices.DeleteFunc(slices.Clone(s.choice.Pages), func(u string) bool { return addressOf(u) == addressOf(url) })
		s.choice.Pages = append(list, url)
	}
	s.choice.Pages = s.choice.Pages[max(0, len(s.choice.Pages)-mostPages):]
	s.pages.keep(s.choice.Pages)
}

// fetching gets pages for one turn or command.
type fetching struct {
	pages *pages
	fetch FetchPage // nil fetches none
	set   settings.Settings
	put   func(ctx context.Context, q event.Question) (event.Answer, error)
	all   bool // the user agreed to all that this text names
	none  bool // to none of them
}

// Choices of the question about a page.
const (
	fetchOne  = "fetch"
	fetchAll  = "all"
	fetchSkip = "skip"
	fetchNone = "none"
)

// agreed asks the user for an address. several says that others are named beside it.
func (f *fetching) agreed(ctx context.Context, text, url string, several bool) (bool, error) {
	switch {
	case f.all:
		return true, nil
	case f.none:
		return false, nil
	}
	q := event.Question{Text: text, Choices: []string{fetchOne, fetchSkip}, Default: fetchSkip,
		Titles: []string{"fetch " + url, "do not fetch it"}}
	if several {
		q.Choices = []string{fetchOne, fetchAll, fetchSkip, fetchNone}
		q.Titles = []string{"fetch " + url, "fetch all URLs in this request", "do not fetch it", "fetch none of them"}
	}
	a, err := f.put(ctx, q)
	if err != nil {
		return false, err
	}
	f.all, f.none = a.Choice == fetchAll, a.Choice == fetchNone
	if !a.Defaulted && (a.Choice == fetchSkip || f.none) {
		f.pages.skip(url)
	}
	return a.Choice == fetchOne || f.all, nil
}

// get fetches an address that the user agreed to. Where it leads elsewhere they are asked again: they have not seen that
// address.
func (f *fetching) get(ctx context.Context, url string) (mention.Page, error) {
	if f.fetch == nil {
		return mention.Page{}, errors.New("fetching is not available here")
	}
	at := url
	for range 3 {
		page, err := f.fetch(ctx, at, f.set)
		var to *mention.RedirectError
		if errors.As(err, &to) {
			a, asked := f.put(ctx, event.Question{Text: fmt.Sprintf("%s redirects to %s. Fetch the new URL?", at, to.To),
				Choices: []string{fetchOne, fetchSkip}, Default: fetchSkip, Titles: []string{"fetch " + to.To, "do not fetch it"}})
			if asked != nil {
				return page, asked
			}
			if a.Choice == fetchOne {
				at = to.To
				continue
			}
		}
		if err != nil {
			return page, err
		}
		page.URL = url
		f.pages.put(page)
		return page, nil
	}
	return mention.Page{}, errors.New("too many redirects")
}

// webPages takes in the pages that the user's text names, and those of the requests before.
func (g *gathering) webPages(ctx context.Context, before []string) error {
	urls := g.newPages(before)
	f := &fetching{pages: g.d.pages, fetch: g.d.fetch, set: g.c.Settings, put: g.d.put, all: g.c.Settings.Web.Fetch == "always"}
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
				if f.pages.unwanted(url) {
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
		return slices.ContainsFunc(before, func(known string) bool { return addressOf(known) == addressOf(url) })
	})
}

// webPage gets one page, and says why it is not shown, "" when it is.
func (g *gathering) webPage(ctx context.Context, f *fetching, url string, several bool) (why string, err error) {
	if _, known := f.pages.get(url); known {
		return "", nil
	}
	switch {
	case g.c.Settings.Web.Fetch == "never":
		return "web.fetch is set to never", nil
	case f.pages.unwanted(url):
		return "you declined to fetch it; use /web to fetch it", nil
	case f.fetch == nil:
		return "fetching is not available here", nil
	case mention.Private(mention.Host(url), g.c.Settings.Web.PrivateHosts):
		return "the host is on this computer or a private network and is not listed in web.privateHosts", nil
	case g.c.Request.comments != nil: // a file may be somebody else's
		return "URLs in comments are not fetched; use /web to fetch it", nil
	case g.d.looking:
		return "sending the request asks you first", nil
	}
	yes, err := f.agreed(ctx, fmt.Sprintf("Fetch %s and show it to the model?", url), url, several)
	if err != nil {
		return "", err
	}
	if !yes {
		return "you declined to fetch it", nil
	}
	if _, err := f.get(ctx, url); err != nil {
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
	list := g.d.pages.of(urls[max(0, len(urls)-mostPages):])
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
	f := &fetching{pages: &s.pages, fetch: s.e.o.Fetch, set: set, put: func(ctx context.Context, q event.Question) (event.Answer, error) { return s.put(ctx, c.Ports, q) }}
	page, err := f.get(run, url)
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
