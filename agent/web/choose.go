package web

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
)

// leastShown is how many tokens of a page are worth showing.
const leastShown = 64

// Wanted says which pages a request wants the model to see.
type Wanted struct {
	URLs     []string // that the text of the request names
	Before   []string // that requests before it have shown
	Settings settings.Settings
	Ask      func(ctx context.Context, q event.Question) (event.Answer, error)
	// Looking: nothing is sent, so that nobody is asked.
	Looking bool
	InFile  bool // the text stands in a file, which may be somebody else's
	Room    int  // for all pages, in tokens
	Count   func(text string) int
}

// Shown are the pages that a request shows.
type Shown struct {
	Pages     []prompt.Page
	Fetched   []string // addresses of those that the request names
	Unfetched []string // addresses that it names, whose pages are not shown
	Left      []LeftOut
	Notes     []event.Note
}

// LeftOut is a page, or a part of one, that is not shown.
type LeftOut struct {
	What string
	Why  string // the end of a sentence
}

// Choose takes in the pages that a request names, and those of the requests before. What is left out and the notes count
// also with an error.
func (k *Pages) Choose(ctx context.Context, w Wanted) (Shown, error) {
	c := &choosing{pages: k, w: w}
	f := k.For(w.Settings, w.Ask, w.Settings.Web.Fetch == "always")
	var fetched []string
	for _, url := range w.URLs {
		why, err := c.page(ctx, f, url)
		if err != nil {
			return c.shown, err
		}
		if why != "" {
			c.leave(url, why)
			if !w.Looking {
				c.shown.Unfetched = append(c.shown.Unfetched, url)
				told := event.Warning
				if k.Unwanted(url) {
					told = event.Info // the user has just said so
				}
				c.note(told(fmt.Sprintf("%s was not sent to the model: %s.", display.Path(url, 120), strings.TrimSuffix(why, "."))))
			}
			continue
		}
		fetched = append(fetched, url)
	}
	c.shown.Fetched = fetched
	c.show(slices.Concat(w.Before, fetched))
	return c.shown, ctx.Err()
}

// choosing is Shown in the making.
type choosing struct {
	pages *Pages
	w     Wanted
	shown Shown
}

func (c *choosing) leave(what, why string) { c.shown.Left = append(c.shown.Left, LeftOut{what, why}) }

func (c *choosing) note(n event.Note) { c.shown.Notes = append(c.shown.Notes, n) }

// page gets one page, and says why it is not shown, "" when it is.
func (c *choosing) page(ctx context.Context, f *Fetching, url string) (why string, err error) {
	if _, known := c.pages.Get(url); known {
		return "", nil
	}
	switch {
	case c.w.Settings.Web.Fetch == "never":
		return "web.fetch is set to never", nil
	case c.pages.Unwanted(url):
		return "you declined to fetch it; use /web to fetch it", nil
	case !c.pages.Fetches():
		return "fetching is not available here", nil
	case mention.Private(mention.Host(url), c.w.Settings.Web.PrivateHosts):
		return "the host is on this computer or a private network and is not listed in web.privateHosts", nil
	case c.w.InFile:
		return "URLs in comments are not fetched; use /web to fetch it", nil
	case c.w.Looking:
		return "sending the request asks you first", nil
	}
	yes, err := f.Agreed(ctx, fmt.Sprintf("Fetch %s and show it to the model?", url), url, len(c.w.URLs) > 1)
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

// show puts pages into the prompt, the last ones first as long as there is room for them.
func (c *choosing) show(urls []string) {
	list := c.pages.Of(urls[max(0, len(urls)-Most):])
	room := c.w.Room
	slices.Reverse(list)
	for _, p := range list {
		shown := prompt.Page{URL: p.URL, Title: p.Title, Text: p.Text, Cut: p.Cut}
		size := c.w.Count(p.Text)
		if size > room && room >= leastShown {
			shown.Text, shown.Cut = beginning(p.Text, room, c.w.Count), true
		}
		if size > room && (room < leastShown || shown.Text == "") {
			c.leave(p.URL, fmt.Sprintf("its %d tokens do not fit with the other pages", size))
			if slices.Contains(c.shown.Fetched, p.URL) {
				c.note(event.Warning(fmt.Sprintf("%s was not sent to the model because it does not fit with the other pages. Use /drop to remove a page.", p.URL)))
			}
			continue
		}
		if shown.Cut {
			c.leave("the end of "+p.URL, "it is too long")
		}
		room -= min(size, room)
		c.shown.Pages = append(c.shown.Pages, shown)
	}
	slices.Reverse(c.shown.Pages)
	if len(c.shown.Fetched) > 0 {
		c.note(event.Info("Fetched the pages in your request: " + display.Names(c.shown.Fetched) + "."))
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
