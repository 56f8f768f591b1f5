package mapper

import (
	"fmt"

	"coauthor/agent/event"
	"coauthor/agent/settings"
)

// Sizes of the map, in tokens, by what the model can take.
const (
	leastMap, mostMap = 1024, 4096
	aloneFactor       = 2 // the map may be this much larger when it is all there is
	largeFactor       = 2 // a setting of more than this many times what the model's window gives is told
)

// Size is the setting, or an eighth of a context window within bounds; 0 is no map.
func Size(r settings.RepoMap, window int) int {
	switch {
	case !r.Enabled || r.Tokens < 0:
		return 0
	case r.Tokens > 0:
		return r.Tokens
	}
	return min(max(window/8, leastMap), mostMap)
}

// Budget is the size of the map of a request: where it is all there is, or what the model is to find files by, it may be
// larger.
func Budget(r settings.RepoMap, window int, alone bool) int {
	budget := Size(r, window)
	if budget == 0 {
		return 0
	}
	if alone && window > 0 {
		budget = max(min(budget*aloneFactor, window-4096), min(budget, window/8))
	}
	return budget
}

// TooLarge tells, once for a root, of a setting that makes the map much larger than the model's window would.
func (k *Mapper) TooLarge(set settings.RepoMap, model string, window int) (event.Note, bool) {
	own := Size(settings.RepoMap{Enabled: true}, window)
	if !set.Enabled || set.Tokens <= largeFactor*own || k.large.Swap(true) {
		return event.Note{}, false
	}
	return event.Warning(fmt.Sprintf("repoMap.tokens is %d, but %d is the default for %s. A larger map adds cost to every request and rarely helps. Set repoMap.tokens to 0 for the default, or to no more than %d.",
		set.Tokens, own, model, largeFactor*own)), true
}
