package llmtest

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed conversations/*.txtar
var conversations embed.FS

// Conversations returns the scripts of two calls with tools, by the name of the server that talks so: its
// bytes as they were recorded, and what it refuses.
func Conversations() (map[string][]byte, error) {
	names, err := fs.Glob(conversations, "conversations/*.txtar")
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, name := range names {
		data, err := conversations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all[strings.TrimSuffix(strings.TrimPrefix(name, "conversations/"), ".txtar")] = data
	}
	return all, nil
}
