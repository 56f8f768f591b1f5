package llm

import (
	"encoding/json"
	"testing"
)

// CheckCalls takes two events in and checks what comes of them.
func CheckCalls(t *testing.T, events ...[]byte) {
	t.Helper()
	var c calls
	for _, event := range events {
		var list []json.RawMessage
		if json.Unmarshal(event, &list) != nil {
			return
		}
		for i, raw := range list {
			var p piece
			if json.Unmarshal(raw, &p) == nil {
				c.add(p, i, raw)
			}
		}
	}
	list := c.list()
	ids := map[string]bool{}
	for _, one := range list {
		if one.ID == "" || ids[one.ID] {
			t.Fatalf("ids: %+v", list)
		}
		ids[one.ID] = true
	}
	if len(list) > maxCalls {
		t.Fatalf("%d calls", len(list))
	}
	for _, m := range (dialect{}).messages([]Message{Reply{Calls: list}.Message(), Results(list, make([]string, len(list)))}) {
		if _, err := json.Marshal(m); err != nil {
			t.Fatal(err)
		}
	}
}
