package lsp

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent/settings"
)

// A client that must be told of inlay hints when it starts is told by what the user's file says, where the disk answers in
// time; it does not wait longer for its start.
func TestHintsAtTheStart(t *testing.T) {
	for _, c := range []struct {
		name, file, capability string
		hangs, want            bool
	}{
		{"the file says hints", "preview:\n  marks: hints\n", `{}`, false, true},
		{"the file says diagnostics", "preview:\n  marks: diagnostics\n", `{}`, false, false},
		{"no file", "", `{}`, false, false},
		{"the client can be told later", "preview:\n  marks: hints\n", `{"dynamicRegistration":true}`, false, false},
		{"the client has none", "preview:\n  marks: hints\n", `null`, false, false},
		{"the disk hangs", "preview:\n  marks: hints\n", `{}`, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			disk := make(chan struct{})
			r := newModelHarness(t, nil, func(o *Options) {
				if c.hangs {
					o.slack = 0
				}
				o.Settings = func(_ string, editor settings.Editor) (settings.Settings, []settings.Warning) {
					if c.hangs {
						<-disk
					}
					return settings.Load(settings.LoadOptions{UserFile: []byte(c.file), Client: editor.Settings, ClientOwn: true})
				}
			})
			result := r.initialize(fmt.Sprintf(`{"textDocument":{"inlayHint":%s}}`, c.capability), "null")
			close(disk)
			if strings.Contains(result, `"inlayHintProvider":true`) != c.want {
				t.Errorf("declared %v: %s", !c.want, result)
			}
		})
	}
}
