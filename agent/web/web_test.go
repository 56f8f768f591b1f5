package web

import (
	"context"
	"errors"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/settings"
)

// reader is a user who answers questions, and the web that is read for them.
type reader struct {
	answers []string // to the questions, in order
	asked   []string
	fetched []string
}

func (r *reader) ask(_ context.Context, q event.Question) (event.Answer, error) {
	r.asked = append(r.asked, q.Text)
	if len(r.asked) > len(r.answers) {
		return event.Answer{Choice: q.Default, Defaulted: true}, nil
	}
	return event.Answer{Choice: r.answers[len(r.asked)-1]}, nil
}

func (r *reader) fetch(_ context.Context, address string, _ settings.Settings) (mention.Page, error) {
	r.fetched = append(r.fetched, address)
	switch {
	case strings.HasSuffix(address, "/old"):
		return mention.Page{}, &mention.RedirectError{From: address, To: "https://b.example/new"}
	case strings.HasSuffix(address, "/gone"):
		return mention.Page{}, errors.New("it is gone")
	case strings.HasSuffix(address, "/long"):
		return mention.Page{URL: address, Text: strings.Repeat("one line of it\n", 100)}, nil
	}
	return mention.Page{URL: address, Text: "the text of " + address}, nil
}

func (r *reader) wants(t *testing.T, k *Pages, before []string, urls ...string) Shown {
	t.Helper()
	set := settings.Defaults()
	shown, err := k.Choose(t.Context(), Wanted{URLs: urls, Before: before, Settings: set, Ask: r.ask, Room: 200,
		Count: func(text string) int { return len(text) / 4 }})
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// TestChoose: each page is asked about, fetched once, and shown again without a question.
func TestChoose(t *testing.T) {
	r := &reader{answers: []string{"fetch", "fetch", "skip", "fetch", "fetch"}}
	k := New(Options{Fetch: r.fetch})
	if s := r.wants(t, k, nil, "https://a.example/x#part"); len(s.Pages) != 1 || s.Pages[0].Text != "the text of https://a.example/x#part" {
		t.Errorf("a first page: %+v", s)
	}
	if s := r.wants(t, k, []string{"https://a.example/x"}); len(s.Pages) != 1 || len(r.asked) != 1 || len(r.fetched) != 1 {
		t.Errorf("shown before: %+v, asked %q, fetched %q", s, r.asked, r.fetched)
	}
	s := r.wants(t, k, nil, "https://a.example/gone", "https://a.example/no")
	if len(s.Pages) != 0 || strings.Join(s.Unfetched, " ") != "https://a.example/gone https://a.example/no" || len(s.Notes) != 2 ||
		s.Notes[0].Level != event.LevelWarning || s.Notes[1].Level != event.LevelInfo || !k.Unwanted("https://a.example/no") {
		t.Errorf("one is gone and one is not wanted: %+v", s)
	}
	if s := r.wants(t, k, nil, "https://a.example/no"); len(s.Pages) != 0 || len(r.asked) != 3 {
		t.Errorf("asked again about what was not wanted: %+v, %q", s, r.asked)
	}
	s = r.wants(t, k, nil, "https://a.example/old")
	if len(s.Pages) != 1 || s.Pages[0].URL != "https://a.example/old" || len(r.asked) != 5 || r.fetched[len(r.fetched)-1] != "https://b.example/new" {
		t.Errorf("a page that leads elsewhere: %+v, asked %q, fetched %q", s, r.asked, r.fetched)
	}
}

// TestChooseKeepsToTheRoom: a long page is shown as far as there is room, in whole lines, and then an earlier one has none.
func TestChooseKeepsToTheRoom(t *testing.T) {
	r := &reader{answers: []string{"all"}}
	k := New(Options{Fetch: r.fetch})
	s := r.wants(t, k, nil, "https://a.example/2/long", "https://a.example/1/long")
	if len(r.asked) != 1 || len(s.Pages) != 1 || !s.Pages[0].Cut || !strings.HasSuffix(s.Pages[0].Text, "of it\n") || s.Pages[0].URL != "https://a.example/1/long" {
		t.Errorf("asked %q, shown %+v", r.asked, s)
	}
	if len(s.Left) != 2 || s.Left[0].What != "the end of https://a.example/1/long" || s.Left[1].What != "https://a.example/2/long" {
		t.Errorf("left out: %+v", s.Left)
	}
}
