package edits

import (
	"slices"

	"coauthor/edits/match"
)

// dropper is an edit that took a definition away.
type dropper struct {
	edit int
	p    *match.Pattern
}

func dropKey(path, name string) string { return path + "\x00" + name }

// orphaning returns the edits that took a definition away which its file, after the whole reply, still
// calls, with that name. What such an edit removed stays, and may call what others removed: these are
// left out as well, so that everything is applied once more and no further time.
func orphaning(changes []Change, dropped map[string]dropper) map[int]string {
	skip := map[int]string{}
	if len(dropped) == 0 {
		return skip
	}
	made := map[string]bool{}
	for _, c := range changes {
		for name := range definitions(match.Lines(c.After)) {
			made[name] = true
		}
	}
	for _, c := range changes {
		if c.Op != OpUpdate {
			continue
		}
		before, after := match.Lines(c.Before), match.Lines(c.After)
		for {
			o, ok := orphaned(c.Path, before, after)
			d, known := dropped[dropKey(c.Path, o.name)]
			if !ok || !known || made[o.name] || skip[d.edit] != "" {
				break
			}
			skip[d.edit] = o.name
			after = slices.Concat(after, d.p.Signed('-'))
		}
	}
	return skip
}
