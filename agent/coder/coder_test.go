package coder_test

import (
	"strings"
	"testing"

	"coauthor/agent/coder"
)

func TestEveryCoderHasATextAndADoc(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range coder.All() {
		text, err := c.Text()
		if err != nil || len(text) < 100 {
			t.Errorf("%s: text of %d bytes, %v", c.Name, len(text), err)
		}
		if c.Doc == "" || seen[c.Name] {
			t.Errorf("%s: no doc, or a double row", c.Name)
		}
		seen[c.Name] = true
	}
}

func TestByName(t *testing.T) {
	if c, err := coder.All().ByName(""); err != nil || c.Name != coder.Default || !c.Edits {
		t.Errorf("the default is %+v, %v", c, err)
	}
	_, err := coder.All().ByName("poet")
	if err == nil || !strings.Contains(err.Error(), "code, ask") {
		t.Errorf("an unknown coder must be answered with the list, got %v", err)
	}
}
