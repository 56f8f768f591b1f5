package settings

import (
	"strings"

	"coauthor/edits/match"
)

// didYouMean returns a hint at the nearest of the names, or nothing.
func didYouMean(wrong string, names []string) string { return asQuestion(nearest(wrong, names)) }

// asQuestion is the hint at some names; "" without any.
func asQuestion(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (did you mean " + strings.Join(names, " or ") + "?)"
}

// longestName is more than any name of ours has.
const longestName = 64

// nearest returns the nearest of the names, or none.
func nearest(wrong string, names []string) []string {
	if len(wrong) > longestName {
		return nil
	}
	best, distance := "", len(wrong)/3+2
	for _, n := range names {
		if d := match.Distance(strings.ToLower(wrong), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

// shortened is a wrong name for a message.
func shortened(name string) string {
	if r := []rune(name); len(r) > longestName {
		return string(r[:longestName]) + "…"
	}
	return name
}

// mostElsewhere is how many groups are named that have a setting of a name.
const mostElsewhere = 3

// nearestSettings returns the settings that a wrong name may mean: those that are called so
// in another group or in none, else the one whose name, or the short one for it, is the nearest.
func nearestSettings(wrong string) []string {
	var names, elsewhere []string
	for _, r := range table().list {
		if lastPart(r.Name) == lastPart(wrong) {
			elsewhere = append(elsewhere, r.Name)
		}
		names = append(names, r.Name)
		if r.Bare {
			names = append(names, r.Short())
		}
	}
	if n := len(elsewhere); n > 0 && n <= mostElsewhere {
		return elsewhere
	}
	return nearest(wrong, names)
}

// lastPart is a name without its group.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
