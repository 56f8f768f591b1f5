package chosen

import (
	"slices"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/settings"
	"coauthor/agent/web"
)

// TestOver: a choice stands above the settings, and what it leaves open is theirs.
func TestOver(t *testing.T) {
	none := 0
	v := Choice{Model: "mine", MapTokens: &none}.Over(settings.Settings{Model: "theirs", WeakModel: "weak"})
	if v.Model != "mine" || v.WeakModel != "weak" || v.Coder != coder.Default || v.EditFormat != "auto" || v.RepoMap.Tokens != 0 {
		t.Errorf("%+v", v)
	}
}

// TestStoreKeepsItsOwn: what is handed out is a copy, files are kept once, and of pages the last.
func TestStoreKeepsItsOwn(t *testing.T) {
	s := Store{Pages: web.New(web.Options{})}
	s.Add([]string{"a.go", "b.go"}, nil)
	s.Add([]string{"a.go"}, []string{"c.go"})
	s.AddPages([]string{"https://example.com/1", "https://example.com/2", "https://example.com/1"})
	got := s.Get()
	if !slices.Equal(got.Files, []string{"a.go", "b.go"}) || !slices.Equal(got.ReadOnly, []string{"c.go"}) ||
		!slices.Equal(got.Pages, []string{"https://example.com/2", "https://example.com/1"}) {
		t.Errorf("%+v", got)
	}
	got.Files[0] = "other.go"
	if s.Get().Files[0] != "a.go" {
		t.Error("the list is shared")
	}
	if s.Clear(); s.Get().String() != "" {
		t.Error(s.Get())
	}
}
