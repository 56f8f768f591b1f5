package settings

import (
	"cmp"
	"slices"
	"strings"

	"coauthor/agent/model"
	"coauthor/edits/match"
)

// mostNear is how many names are suggested for one that nobody knows.
const mostNear = 3

// NearModels lists the names that an unknown one may mean, the likeliest first: those that it is a part of, and those
// that it differs from by a few letters. Names that say who serves the model are not looked at: what else is
// served there, the table does not know.
func NearModels(c *model.Catalog, name string) []string {
	asked := strings.ToLower(strings.TrimSpace(name))
	if strings.Contains(asked, "/") || len(asked) < 3 || len(asked) > 64 {
		return nil
	}
	type near struct {
		name     string
		distance int
	}
	var list []near
	for _, known := range c.Names() {
		n := near{name: known, distance: match.Distance(asked, strings.ToLower(known))}
		switch {
		case n.distance == 0:
			return nil
		case strings.Contains(strings.ToLower(known), asked), n.distance <= 1+len(asked)/5:
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, n := range list[:min(len(list), mostNear)] {
		names = append(names, n.name)
	}
	return names
}
