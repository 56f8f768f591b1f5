package model

import (
	"regexp"
	"strconv"
	"strings"
)

// Smallest is up to how many billion parameters a model gets no tools to look around with: it makes up what it would find.
const Smallest = 4

var billions = regexp.MustCompile(`(?:^|[^a-z0-9.])(\d+(?:\.\d+)?)b(?:$|[^a-z0-9])`)

// tiny says whether the name of a model says that it is too small for tools. Of several sizes in a name, such
// as those of all and of the active parameters, the largest counts.
func tiny(id string) bool {
	most := 0.0
	for _, m := range billions.FindAllStringSubmatch(strings.ToLower(id), -1) {
		if n, err := strconv.ParseFloat(m[1], 64); err == nil {
			most = max(most, n)
		}
	}
	return most > 0 && most <= Smallest
}
