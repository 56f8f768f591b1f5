package agent

import (
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
)

// The map takes an eighth of the window, within bounds; where no file is in the chat, or the files are to be found, twice that, as long as
// 4,096 tokens of the window are left, and never less than beside files unless it would fill the window.
func TestSizeOfTheMap(t *testing.T) {
	for _, c := range []struct {
		window, tokens int
		off            bool
		beside, alone  int
	}{
		{window: 0, beside: 1024, alone: 1024}, // who knows what fits
		{window: 1000, beside: 1024, alone: 125},
		{window: 4096, beside: 1024, alone: 512},
		{window: 5000, beside: 1024, alone: 904},
		{window: 8192, beside: 1024, alone: 2048},
		{window: 8200, beside: 1025, alone: 2050},
		{window: 16384, beside: 2048, alone: 4096},
		{window: 32768, beside: 4096, alone: 8192},
		{window: 1_000_000, beside: 4096, alone: 8192},
		{window: 32768, tokens: 300, beside: 300, alone: 600},
		{window: 8192, tokens: 6000, beside: 6000, alone: 4096},
		{window: 32768, off: true},
	} {
		if c.tokens == 0 && !c.off {
			c.tokens = settings.MapByModel
		}
		at := Context{Settings: settings.Settings{RepoMap: settings.RepoMap{Tokens: c.tokens}},
			Strategy: strategy.Strategy{Model: strategy.Model{Profile: model.Profile{ContextWindow: c.window}}}}
		alone := mapBudget(at)
		at.Chat = []string{"a.go"}
		beside := mapBudget(at)
		at.Coder = coder.Coder{Finds: true}
		if finding := mapBudget(at); beside != c.beside || alone != c.alone || finding != alone {
			t.Errorf("window %d, setting %d: %d beside files, %d alone and %d to find files by, want %d and twice %d", c.window, c.tokens, beside, alone, finding, c.beside, c.alone)
		}
	}
}
