package review

import (
	"fmt"
	"testing"
)

// The instructions of prompt documents are remembered for the newest; an older one is read as it stands.
func TestRememberedPrompts(t *testing.T) {
	var p Origins
	for i := range keptOrigins {
		p.Put("/a", fmt.Sprint(i), Origin{Start: i})
	}
	p.Put("/a", "0", Origin{Start: 77}) // known: nothing is forgotten for it
	for i := range keptOrigins {
		want := i
		if i == 0 {
			want = 77
		}
		if o, ok := p.Get("/a", fmt.Sprint(i)); !ok || o.Start != want {
			t.Errorf("%d is %+v, %v", i, o, ok)
		}
	}
	p.Put("/b", "1", Origin{Start: 1})
	if _, ok := p.Get("/a", "0"); ok {
		t.Error("the oldest is still there")
	}
	if o, ok := p.Get("/a", "1"); !ok || o.Start != 1 || len(p.origin) != keptOrigins {
		t.Errorf("%+v, %v; %d are kept", o, ok, len(p.origin))
	}
}
