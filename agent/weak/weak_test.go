package weak

import (
	"context"
	"errors"
	"slices"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
)

// scripted answers by the name of the model that is asked.
type scripted struct {
	replies map[string]llm.Reply
	asked   []string
}

func (s *scripted) Stream(_ context.Context, r llm.Request, _ func(llm.Delta)) (llm.Reply, error) {
	s.asked = append(s.asked, r.Model.Name)
	reply, ok := s.replies[r.Model.Name]
	if !ok {
		return reply, errors.New(r.Model.Name + " failed")
	}
	return reply, nil
}

// The weak model is asked first, and the main one where nothing usable came; what each of them cost is told.
func TestWhoWrites(t *testing.T) {
	good, none, cut := llm.Reply{Text: " Done. ", Usage: event.Usage{Prompt: 1, Completion: 1}}, llm.Reply{}, llm.Reply{Text: "Do", Finish: llm.FinishCut}
	for _, c := range []struct {
		what    string
		replies map[string]llm.Reply
		asked   []string
		want    string
	}{
		{"the weak one", map[string]llm.Reply{"small": good}, []string{"small"}, "Done."},
		{"the main one after an error", map[string]llm.Reply{"large": good}, []string{"small", "large"}, "Done."},
		{"the main one after nothing", map[string]llm.Reply{"small": none, "large": good}, []string{"small", "large"}, "Done."},
		{"the main one after half of it", map[string]llm.Reply{"small": cut, "large": good}, []string{"small", "large"}, "Done."},
		{"nobody", nil, []string{"small", "large"}, ""},
	} {
		catalog, err := model.Load(nil)
		if err != nil {
			t.Fatal(err)
		}
		client, spent := &scripted{replies: c.replies}, event.Usage{}
		w := New(Options{
			Settings: func() settings.Settings { return settings.Settings{Model: "large", WeakModel: "small"} },
			Catalog:  func() *model.Catalog { return catalog },
			Client:   func(settings.Settings) llm.Client { return client },
			Spent:    func(u event.Usage) { spent = spent.Add(u) },
		})
		got, err := w.Ask(t.Context(), func(m strategy.Model) ([]llm.Message, error) {
			return []llm.Message{llm.Text(llm.RoleUser, "Sum it up.")}, nil
		})
		if got != c.want || (err != nil) != (c.want == "") || !slices.Equal(client.asked, c.asked) {
			t.Errorf("%s: %q, %v, asked %v", c.what, got, err, client.asked)
		}
		if told := spent.Prompt > 0; told != (len(c.replies) > 0) {
			t.Errorf("%s: spent %+v", c.what, spent)
		}
	}
}

// The history takes a sixteenth of the window, within bounds, and what the setting says as far as half of the room takes it.
func TestSizeOfTheHistory(t *testing.T) {
	for _, x := range []struct{ window, setting, want int }{
		{0, 0, 1024}, // who knows what fits
		{8192, 0, 1024},
		{16_384, 0, 1024},
		{32_768, 0, 2048},
		{131_072, 0, 8192},
		{1_000_000, 0, 8192},
		{131_072, 300, 300},
		{131_072, 20_000, 20_000},
		{8192, 20_000, 3072}, // three quarters of the window are for the prompt
		{0, 1_000_000, 48_000},
	} {
		m := strategy.NewModel(model.Profile{ContextWindow: x.window}, llm.RoleMain)
		if got := longHistory(settings.Settings{History: settings.History{Tokens: x.setting}}, m); got != x.want {
			t.Errorf("window %d, setting %d: %d tokens, want %d", x.window, x.setting, got, x.want)
		}
	}
}
