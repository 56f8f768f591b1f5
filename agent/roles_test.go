package agent

import (
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
)

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
