package settings

import (
	"strings"

	"coauthor/edits"
)

// didYouMean returns a hint at the nearest of the names, or nothing.
func didYouMean(wrong string, names []string) string {
	if len(wrong) > 64 {
		return "" // no name of ours is so long
	}
	best, distance := "", len(wrong)/3+2
	for _, n := range names {
		if d := edits.Distance(strings.ToLower(wrong), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// mostElsewhere is how many groups are named that have a setting of a name.
const mostElsewhere = 3

// nearestSetting returns a hint at the setting that a wrong name means, or nothing: the one that was called so, those
// that are called so in another group or in none, else the one whose name, or the short one for it, is the nearest.
func nearestSetting(wrong string) string {
	var names, elsewhere []string
	for _, r := range table().list {
		if r.Was != "" && r.Was == wrong {
			return " (did you mean " + r.Name + "?)"
		}
		if lastPart(r.Name) == lastPart(wrong) {
			elsewhere = append(elsewhere, r.Name)
		}
		names = append(names, r.Name)
		if r.Bare {
			names = append(names, r.Short())
		}
	}
	if n := len(elsewhere); n > 0 && n <= mostElsewhere {
		return " (did you mean " + strings.Join(elsewhere, " or ") + "?)"
	}
	return didYouMean(wrong, names)
}

// lastPart is a name without its group.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
