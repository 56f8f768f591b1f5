package settings

import (
	"slices"

	"coauthor/agent/model"
)

// KeyNames returns the variables in which keys for models are: what a model suggests must not see them.
func (s Settings) KeyNames(catalog *model.Catalog) []string {
	names := []string{s.APIKeyEnv}
	for _, p := range catalog.Providers() {
		names = append(names, p.APIKeyEnv)
	}
	for _, m := range s.Models {
		names = append(names, m.APIKeyEnv)
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}
