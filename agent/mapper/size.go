package mapper

import (
	"fmt"

	"coauthor/agent/event"
	"coauthor/agent/settings"
)

// Sizes of the map, in tokens, by what the model can take.
const (
	leastMap, mostMap = 1024, 4096
	mapShare          = 8 // of the window
	aloneFactor       = 2 // the map may be this much larger when it is all there is
	largeFactor       = 2 // a setting of more than this many times what the model's window gives is told

	// With tools the map says where to look, and what the looks show stays in the prompt for the whole turn, so it leaves
	// them room: half of that share. At 1,024 tokens it names 96 of 100 files that a commit touches, at 2,560 98 of them, and
	// of what the commit newly uses 65 and 77 of 100 (score.py run, cmd/bench/README.md): below 2,000 there is something to lose, above 3,000
	// little to gain. A window for which an eighth is less has an eighth, as without tools.
	leastLooking, mostLooking = 2000, 3000
	lookingShare              = 16 // of the window
)

// Size is the setting, or an eighth of a context window within bounds; 0 is no map.
func Size(r settings.RepoMap, window int) int {
	if r.Tokens >= 0 {
		return r.Tokens
	}
	return min(max(window/mapShare, leastMap), mostMap)
}

// Budget is the size of the map of a request: where it is all there is, or what the model is to find files by, it may be
// larger. looks says that the model has tools to look around with.
func Budget(r settings.RepoMap, window int, alone, looks bool) int {
	budget := Size(r, window)
	if budget == 0 {
		return 0
	}
	most := min(max(window/lookingShare, leastLooking), mostLooking)
	if alone && window > 0 {
		budget, most = max(min(budget*aloneFactor, window-4096), min(budget, window/mapShare)), mostLooking
	}
	if looks && r.Tokens < 0 {
		budget = min(budget, most)
	}
	return budget
}

// TooLarge tells, once for a root, of a setting that makes the map much larger than the model would have it.
func (k *Mapper) TooLarge(set settings.RepoMap, model string, window int, looks bool) (event.Note, bool) {
	own := Budget(settings.RepoMap{Tokens: settings.MapByModel}, window, false, looks)
	if set.Tokens <= largeFactor*own || k.large.Swap(true) {
		return event.Note{}, false
	}
	return event.Warning(fmt.Sprintf("repoMap.tokens is %d, but %d is the default for %s. A larger map adds cost to every request and rarely helps. Set repoMap.tokens to -1 for the default, or to no more than %d.",
		set.Tokens, own, model, largeFactor*own)), true
}
