package wire

import (
	"encoding/json"
	"testing"
)

// FuzzCalls: whatever a server sends, no more than its limit comes of it, every call has an id of its own,
// and what comes back can be sent.
func FuzzCalls(f *testing.F) {
	f.Add([]byte(`[{"id":"a","index":0,"function":{"name":"read","arguments":"{"}}]`), []byte(`[{"function":{"arguments":"}"}}]`))
	f.Add([]byte(`[{"extra":{"a":[{"index":0,"text":"x"}]}}]`), []byte(`[{"extra":{"a":[{"index":0,"text":"y"}]}}]`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		checkCalls(t, one, two)
	})
}

// checkCalls takes two events in and checks what comes of them.
func checkCalls(t *testing.T, events ...[]byte) {
	t.Helper()
	var c calls
	for _, event := range events {
		var list []json.RawMessage
		if json.Unmarshal(event, &list) != nil {
			return
		}
		for i, raw := range list {
			var p Piece
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
	if _, err := json.Marshal(list); err != nil {
		t.Fatal(err)
	}
}
