// Package web keeps the pages that a session has fetched, each once and after the user has agreed to its address, and
// chooses which of them, and how much, a request shows to the model.
//
// It does not decide which pages a request names. Nothing is fetched but by the Fetch that it is given. Start at Pages.
package web

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/settings"
)

// Fetch fetches a page for whom these settings are.
type Fetch func(ctx context.Context, address string, set settings.Settings) (mention.Page, error)

// Most is how many pages are shown at a time; an older one gives way to a new one.
const Most = 12

// Options are what Pages are made of.
type Options struct {
	Fetch Fetch // nil fetches nothing
}

// Pages are those that a session has fetched. They are safe for concurrent use.
type Pages struct {
	o Options

	mu      sync.Mutex
	known   map[string]mention.Page // guarded by mu; by address
	skipped map[string]bool         // guarded by mu; that the user did not want
}

// New returns no pages yet.
func New(o Options) *Pages { return &Pages{o: o} }

// Fetches says whether pages can be fetched here.
func (k *Pages) Fetches() bool { return k.o.Fetch != nil }

// Address is what two addresses of the same page have in common.
func Address(url string) string {
	address, _, _ := strings.Cut(url, "#")
	return address
}

// Among takes names apart: addresses of pages, and files.
func Among(names []string) (pages, files []string) {
	for _, name := range names {
		if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
			pages = append(pages, name)
		} else {
			files = append(files, name)
		}
	}
	return pages, files
}

// Get is the page of an address, where it was fetched.
func (k *Pages) Get(url string) (mention.Page, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.known[Address(url)]
	return p, ok
}

// Put takes in a page that was fetched before.
func (k *Pages) Put(p mention.Page) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[string]mention.Page{}
	}
	k.known[Address(p.URL)] = p
}

// Keep forgets all pages but these when there are many: one that is wanted again is fetched again.
func (k *Pages) Keep(urls []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) <= 2*Most {
		return
	}
	all := k.known
	k.known = map[string]mention.Page{}
	for _, url := range urls {
		if p, ok := all[Address(url)]; ok {
			k.known[Address(url)] = p
		}
	}
}

func (k *Pages) skip(url string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.skipped == nil {
		k.skipped = map[string]bool{}
	}
	k.skipped[Address(url)] = true
}

// Unwanted says that the user did not want the page of an address.
func (k *Pages) Unwanted(url string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.skipped[Address(url)]
}

// Of are the pages of some addresses, as far as they are there.
func (k *Pages) Of(urls []string) []mention.Page {
	var list []mention.Page
	for _, url := range urls {
		if p, ok := k.Get(url); ok {
			list = append(list, p)
		}
	}
	return list
}

// Fetching gets pages for one turn or command.
type Fetching struct {
	pages *Pages
	set   settings.Settings
	put   func(ctx context.Context, q event.Question) (event.Answer, error)
	all   bool // the user agreed to all that this text names
	none  bool // to none of them
}

// For begins to get pages for one turn or command, with its settings. put asks the user; with all they agreed before.
func (k *Pages) For(set settings.Settings, put func(ctx context.Context, q event.Question) (event.Answer, error), all bool) *Fetching {
	return &Fetching{pages: k, set: set, put: put, all: all}
}

// Choices of the question about a page.
const (
	fetchOne  = "fetch"
	fetchAll  = "all"
	fetchSkip = "skip"
	fetchNone = "none"
)

// Agreed asks the user for an address. several says that others are named beside it.
func (f *Fetching) Agreed(ctx context.Context, text, url string, several bool) (bool, error) {
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

// Get fetches an address that the user agreed to. Where it leads elsewhere they are asked again: they have not seen that
// address.
func (f *Fetching) Get(ctx context.Context, url string) (mention.Page, error) {
	if f.pages.o.Fetch == nil {
		return mention.Page{}, errors.New("fetching is not available here")
	}
	at := url
	for range 3 {
		page, err := f.pages.o.Fetch(ctx, at, f.set)
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
		f.pages.Put(page)
		return page, nil
	}
	return mention.Page{}, errors.New("too many redirects")
}
